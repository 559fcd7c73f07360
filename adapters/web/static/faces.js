// Faces: a player's, drawn from the name, so that it is the same at every table. Computer players wear hats and beards;
// nothing in the faces of people tells a gender.

import { h } from "./html.js";

const SKINS = ["#f2c9a1", "#dba577", "#b97a4d", "#8a5634"];
const HAIRS = ["#2a1c14", "#5b3517", "#a8672a", "#d9b25f", "#7d7a76"];
const CLOTHES = ["#c8432f", "#e0a126", "#2f7d6b", "#3f66b8", "#8a4a9c", "#5d6b3a"];

/** Hair behind and over a head round (20, 19). */
const STYLES = [
  "M8.5 19Q7 7 20 7t11.5 12q-2-7-6-8.5-6 3-13 1-3 2-4 7.5", // short
  "M8 30Q5 6 20 6t12 24h-4q2-9-1-16-7 3-14 1-3 7-1 15z", // long
  "M8.5 18q-1-5 2-7-1-4 4-4 2-3 6-1.5 5-1.5 6.5 2 4 .5 3.5 4 2 3 .5 6.5-2-4-4-6-8 2-14 0-3 2-4.5 6", // curls
  "M9 18q-1-10 11-10.500T31 18q-2-6-5-7.500H14Q10.5 12 9 18", // cropped
  "M8.5 20Q7 7 20 7t11.5 13q-1-6-3.5-8.5-5 1-8-2-3 4-8 3-2.5 2-3.5 7.500M17 6.500a3.5 3.5 0 1 1 6 0", // a bun
];
const BEARD = "M11.5 21q1 9.5 8.5 9.500t8.5-9.500q-2 3-4.5 2.5-4-1.5-8 0-2.5.5-4.5-2.5";
const MOUSTACHE = "M14.5 24q3-2.5 5.5-.8Q22.5 21.5 25.5 24q-3 1.8-5.5.4-2.5 1.4-5.5-.4";
const HATS = [
  { d: "M12 11 13.5 3h13L28 11q-8 2.5-16 0", fill: "#a8261d" }, // a fez
  { d: "M8.5 13Q7 4 20 4t11.5 9q-11.5-5-23 0M9 14q11-6 22 0-1-5-4-6H13q-3 1-4 6", fill: "#f1ead8" }, // a turban
  { d: "M7 13q1.5-3 4-3.500Q13 3.5 20 4q7-.5 9 5.5 2.5.5 4 3.5-13-4-26 0", fill: "#6d4a2b" }, // a cap
];

/**
 * A number of a name, the same on every device.
 * @param {string} name
 */
function digest(name) {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}

/**
 * The face of a player.
 * @param {string} name
 * @param {boolean} computer
 */
export function faceOf(name, computer) {
  const n = digest(name);
  const pick = (/** @type {number} */ step, /** @type {number} */ of) => Math.floor(n / step) % of;
  const [skin, hair] = [SKINS[pick(1, SKINS.length)], HAIRS[pick(4, HAIRS.length)]];
  const part = (/** @type {string} */ key, /** @type {string} */ d, /** @type {string} */ fill) => h("path", { key, d, fill });
  const hat = HATS[pick(7, HATS.length)];
  const extra = pick(120, 5);
  return h(
    "svg",
    { key: "face", class: "portrait", viewBox: "0 0 40 40", "aria-hidden": "true" },
    part("coat", "M5 40q1-9 15-9t15 9z", CLOTHES[pick(20, CLOTHES.length)]),
    part("neck", "M16 26h8v6q-4 3-8 0z", skin),
    h("circle", { key: "head", cx: 20, cy: 19, r: 10, fill: skin }),
    !computer && part("hair", STYLES[pick(11, STYLES.length)], hair),
    computer && extra < 3 && part("beard", BEARD, hair),
    computer && extra === 3 && part("moustache", MOUSTACHE, hair),
    h("path", { key: "eyes", d: "M15.5 19v.6M24.5 19v.6", stroke: "#20160e", "stroke-width": 2.2, "stroke-linecap": "round" }),
    extra !== 3 && h("path", { key: "mouth", d: "M16.5 23.500q3.5 3 7 0", fill: "none", stroke: "#7a2a1e", "stroke-width": 1.5, "stroke-linecap": "round" }),
    extra === 2 && h("path", { key: "glasses", d: "M12 19.300a3.5 3.5 0 1 0 7 0 3.5 3.5 0 0 0-7 0M21 19.300a3.5 3.5 0 1 0 7 0 3.5 3.5 0 0 0-7 0M19 19h2", fill: "none", stroke: "#20160e", "stroke-width": 1.2 }),
    computer && part("hat", hat.d, hat.fill),
  );
}
