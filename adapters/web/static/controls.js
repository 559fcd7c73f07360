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
 * A choice of one of several, each with its key, its label and what its button is about. It is one stop for the Tab
 * key, and the arrow keys choose.
 * @param {string} label
 * @param {string} does
 * @param {string | number} chosen
 * @param {[string | number, string, Record<string, unknown>][]} options
 */
export function choice(label, does, chosen, options) {
  const stop = options.some(([key]) => key === chosen) ? chosen : options[0]?.[0];
  return h(
    "div",
    { class: "choice", role: "radiogroup", "aria-label": label },
    options.map(([key, text, about]) => button(does, text, "", { key, role: "radio", "aria-checked": String(key === chosen), tabindex: key === stop ? 0 : -1, ...about })),
  );
}

const ARROWS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 });

/**
 * The option of a choice to which an arrow key leads; the ends meet.
 * @param {Element} from
 * @param {string} key
 * @returns {HTMLElement | null}
 */
export function optionBeside(from, key) {
  const options = from.closest(".choice")?.querySelectorAll("[role=radio]") ?? [];
  const at = [...options].indexOf(from);
  return at < 0 || !ARROWS[key] ? null : /** @type {HTMLElement} */ ([...options].at((at + ARROWS[key]) % options.length));
}
