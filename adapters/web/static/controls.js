// Buttons and choices as they are drawn. What each does is in buttons.js.

import { h } from "./html.js";
import { say } from "./words.js";

/** @typedef {Parameters<typeof h>[2]} Label */

/**
 * A button, by what it does.
 * @param {string} does
 * @param {Label} label
 * @param {string} [style]
 * @param {Record<string, unknown>} [more]
 */
export function button(does, label, style = "plain", more = {}) {
  return h("button", { key: does, type: "button", class: `press ${style}`, "data-do": does, ...more }, label);
}

/**
 * The button of an act that the server offers.
 * @param {string} kind
 * @param {string} [style]
 * @param {Label} [label]
 * @param {Record<string, unknown>} [more]
 */
export function actButton(kind, style = "plain", label = say(`live.do_${kind}`), more = {}) {
  return button("act", label, style, { key: kind, "data-kind": kind, ...more });
}

/**
 * A choice of one of several, each with its key, its label and what its button is about.
 * @param {string} label
 * @param {string} does
 * @param {string | number} chosen
 * @param {[string | number, string, Record<string, unknown>][]} options
 */
export function choice(label, does, chosen, options) {
  return h(
    "div",
    { class: "choice", role: "radiogroup", "aria-label": label },
    options.map(([key, text, about]) => button(does, text, "", { key, role: "radio", "aria-checked": String(key === chosen), ...about })),
  );
}
