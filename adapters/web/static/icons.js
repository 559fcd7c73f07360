// Icons: the page's own, drawn with the colour of their text, so that they need no font.

import { h } from "./html.js";

/** Lines of 2 on a square of 24. */
const PATHS = /** @type {const} */ ({
  back: "M15 4 7 12l8 8",
  close: "M6 6l12 12M18 6 6 18",
  forward: "M9 4l8 8-8 8",
  menu: "M4 6h16M4 12h16M4 18h16",
  sound: "M4 9v6h4l5 4V5L8 9zM16 9q2.5 3 0 6M18.5 6q5 6 0 12",
  muted: "M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5",
  smile: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 9.5v1M15.5 9.5v1M8 14.5q4 4 8 0",
  friends: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20q0-6 6.5-6t6.5 6M16 4.5a3.2 3.2 0 0 1 0 6.2M18 14.5q3.5 1.2 3.5 5.5",
  learn: "M12 5 1.5 10 12 15l10.5-5zM5.5 12.5V17q6.5 4.5 13 0v-4.5M22.5 10v6",
  daily: "M4 6h16v14H4zM4 10.5h16M8.5 3v4M15.5 3v4M8.5 15.5l2.5 2.5 4.5-4.5",
  profile: "M12 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M3.5 21q0-6.5 8.5-6.500t8.5 6.5",
  settings: "M4 7h8M18 7h2M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M4 17h2M12 17h8M9 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  hint: "M9 17.5h6M10 21h4M9 17.5q0-2.5-1.500-4a6.200 6.200 0 1 1 9 0q-1.500 1.500-1.500 4",
  clock: "M12 4a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 8v5l3 2M9.5 1.5h5",
  shown: "M6 3h9v14H6zM9 7h3M9 11h3M18 8v13H9",
  bowl: "M3 11h18q-1 8-6 9H9q-5-1-6-9M8 7.5h.01M12 5.5h.01M16 7.5h.01",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  eye: "M2 12q10-14 20 0-10 14-20 0M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  clap: "M7 4h10v5q0 5-5 5t-5-5zM7 6H3.5q0 4.5 4 5M17 6h3.5q0 4.5-4 5M12 14v4M8 20h8v-2H8z",
  laugh: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M7 10.5l1.5-1.5 1.5 1.5M14 10.5l1.5-1.5 1.5 1.5M7.5 13.5h9q-.5 4-4.5 4t-4.5-4",
  wow: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 9v1.200M15.5 9v1.200M12 13a2.3 2.3 0 1 0 0 4.600 2.3 2.3 0 0 0 0-4.600",
  sad: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 9.5v1M15.5 9.5v1M8 17q4-4 8 0",
  like: "M7 11v9H3v-9zM7 11l4-8q2.5 0 2 3l-.7 4H20q1.5.5 1.200 2l-2 7q-.5 1-1.700 1H7",
  wait: "M6 3h12M6 21h12M7.5 3q0 6 4.5 9-4.5 3-4.5 9M16.5 3q0 6-4.5 9 4.5 3 4.5 9",
});

/**
 * An icon; what it means stands beside it, or in the label of its button.
 * @param {keyof typeof PATHS} name
 */
export function icon(name) {
  return h("svg", { key: `icon ${name}`, class: "drawn", "data-icon": name, viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: PATHS[name] }));
}
