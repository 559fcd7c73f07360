// The preview of a drop: while a tile is dragged, the others make room for it, and what takes it is lit. All that is
// done to what stands there: a page drawn anew at each slot took a slow phone three frames.

import { app } from "./html.js";
import { rack, state } from "./state.js";
import { fitting } from "./laying.js";
import { outlines, shown } from "./rack.js";
import { width } from "./places.js";
import { likesMotion, paced, SLIDE } from "./motion.js";

/** @typedef {{wood: DOMRect, slots: DOMRect[]}} Boxes */

/** Where the rack and its places are, until the page is drawn or moved. @type {Boxes | null} */
let boxes = null;
/** The classes of what a preview has changed, as they were drawn. @type {Map<Element, string>} */
const classes = new Map();
/** The tiles that a preview has shifted. @type {Map<HTMLElement, string>} */
const shifted = new Map();

/** The boxes of the rack and of its places; nothing without a rack. A step of a drag asks for no layout. */
export function rackBoxes() {
  const wood = app.querySelector(".wood");
  if (!wood) return null;
  boxes ??= { wood: wood.getBoundingClientRect(), slots: [...wood.querySelectorAll(".slot")].map((slot) => slot.getBoundingClientRect()) };
  return boxes;
}

/** Measure the boxes anew when they are asked for. */
export function forgetBoxes() {
  boxes = null;
}

/** Shift the tiles of the rack to where they would be if the held ones were dropped now. */
export function previewDrop() {
  const own = rack();
  const wood = /** @type {HTMLElement | null} */ (app.querySelector(".wood"));
  const found = rackBoxes();
  if (!own || !wood || !found) return;
  const at = shown();
  const sides = outlines(at, width(own));
  wood.style.setProperty("--slide", `${likesMotion() ? paced(SLIDE) : 0}ms`);
  wood.setAttribute("data-previews", "");
  wood.querySelectorAll(".slot").forEach((slot, place) => {
    wearClass(slot, `slot${sides.get(place) ?? ""}`);
    const tile = /** @type {HTMLElement | null} */ (slot.querySelector(".tile"));
    if (!tile) return;
    const id = Number(tile.dataset.tile);
    const drawn = classes.get(tile) ?? tile.className;
    wearClass(tile, drawn.replace(/ (held|lifted)\b/g, "") + (state.held?.ids.includes(id) ? " held" : ""));
    const to = at.findIndex((each) => each?.id === id);
    shift(tile, found.slots[place], found.slots[to < 0 ? place : to]);
  });
}

/** Light the melds that take the held tile, and mark the target under the finger. */
export function markTargets() {
  const { kind = "", code = "", over } = state.held ?? {};
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (app.querySelectorAll("[data-drop]"))) {
    const { drop = "" } = each.dataset;
    const fits = kind === "tile" && drop.startsWith("meld") && fitting(code, Number(drop.slice(4))).length > 0;
    const drawn = (classes.get(each) ?? each.className).replace(" lit", ""); // by another tile, which was lifted
    wearClass(each, `${drawn}${fits ? " lit" : ""}${drop === over ? " over" : ""}`);
  }
}

/** Undo the preview: the page is drawn as it is now. */
export function endPreview() {
  boxes = null;
  for (const [element, drawn] of classes) element.className = drawn;
  for (const tile of shifted.keys()) tile.style.removeProperty("translate");
  classes.clear();
  shifted.clear();
  app.querySelector("[data-previews]")?.removeAttribute("data-previews");
}

/**
 * @param {Element} element
 * @param {string} wanted
 */
function wearClass(element, wanted) {
  if (element.className === wanted) return;
  if (!classes.has(element)) classes.set(element, element.className);
  element.className = wanted;
}

/**
 * @param {HTMLElement} tile
 * @param {DOMRect} from
 * @param {DOMRect} to
 */
function shift(tile, from, to) {
  const wanted = from === to ? "" : `${to.left - from.left}px ${to.top - from.top}px`;
  if ((shifted.get(tile) ?? "") === wanted) return;
  shifted.set(tile, wanted);
  tile.style.setProperty("translate", wanted);
}
