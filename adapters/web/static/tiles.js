// Tiles as they are drawn.

import { h } from "./html.js";
import { rack } from "./state.js";

/** @typedef {import("./types").VNode} VNode */

const COLOUR = { R: "red", Y: "yellow", B: "blue", K: "black", F: "joker" };

/**
 * A tile's face. An okey carries a crown.
 * @param {string} code
 * @param {string} okey
 * @returns {VNode}
 */
export function face(code, okey) {
  const colour = COLOUR[/** @type {keyof typeof COLOUR} */ (code[0])];
  return h(
    "span",
    { class: `face ${colour}${code === okey ? " wild" : ""}`, "aria-hidden": "true" },
    code !== "F" && h("b", null, code.slice(1)),
    h("i", null),
    code !== "F" && rack()?.letters && h("u", null, code[0]),
  );
}

/**
 * An okey or a false joker on the table is drawn as the tile that it stands for, with a crown for the okey.
 * @param {string} tile
 * @param {string} as
 * @param {string} okey
 */
export function laidFace(tile, as, okey) {
  return face(as, tile === okey ? as : "");
}

/**
 * Tiles as they lie on the table; the okey has its crown.
 * @param {string[]} codes
 * @param {string} okey
 */
export function lying(codes, okey) {
  return codes.length > 0 && h("span", { class: "group", "aria-hidden": "true" }, codes.map((code, at) => h("span", { key: at, class: "tile lying" }, face(code, okey))));
}
