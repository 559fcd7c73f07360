// Motion: tiles slide to where they belong. Nothing slides for people who prefer no motion.

import { state } from "./state.js";

/** Milliseconds of a slide. */
export const SLIDE = 170;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the viewer likes things to move. */
export function likesMotion() {
  return !calm.matches && state.settings.motion !== "none";
}

const PACES = { calm: 1.6, normal: 1, quick: 0.5, none: 0 };

/**
 * The time of a movement as the viewer likes it, in milliseconds.
 * @param {number} usual
 */
export function paced(usual) {
  return usual * PACES[state.settings.motion];
}

/** @type {Map<string, DOMRect>} */
let before = new Map();

/** Note the position of everything before the page is drawn anew. */
export function remember() {
  before = new Map();
  for (const each of document.querySelectorAll("[data-anchor]")) {
    before.set(/** @type {HTMLElement} */ (each).dataset.anchor ?? "", each.getBoundingClientRect());
  }
  for (const each of document.querySelectorAll("[data-fly]")) {
    before.set(/** @type {HTMLElement} */ (each).dataset.fly ?? "", each.getBoundingClientRect());
  }
  onCloth = new Map([...document.querySelectorAll(".laid, .owner > .head")].map((each) => [each, placed(each)]));
}

/** What lay on the cloth of Okey 101, and where it was seen. @type {Map<Element, ReturnType<typeof placed>>} */
let onCloth = new Map();

/** What slides on the cloth, and where it will lie. @type {Map<Element, {box: DOMRect, slid: Animation}>} */
const sliding = new Map();

/**
 * Where something is, and how wide the first thing in it.
 * @param {Element} each
 */
function placed(each) {
  return { box: each.getBoundingClientRect(), width: each.firstElementChild?.getBoundingClientRect().width || 1 };
}

/** Let what slides on the cloth lie where it belongs: it can be measured there. */
export function endMeldSlides() {
  for (const { slid } of sliding.values()) slid.cancel();
  sliding.clear();
}

/** Slide the melds of the cloth, and the heads beside them, to where they lie now, as large as they are now. */
export function slideMelds() {
  if (!likesMotion() || document.hidden) return;
  const moved = [...onCloth].filter(([each]) => each.isConnected).map(([each, was]) => ({ each, was, is: placed(each) }));
  for (const { each, was, is } of moved) {
    const [dx, dy, scale] = [was.box.left - is.box.left, was.box.top - is.box.top, was.width / is.width];
    if (Math.hypot(dx, dy) < 1 && Math.abs(scale - 1) < 0.01) continue;
    const slid = each.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }], { duration: paced(SLIDE), easing: "cubic-bezier(.2, .7, .3, 1)" });
    sliding.set(each, { box: is.box, slid });
    slid.onfinish = () => sliding.get(each)?.slid === slid && sliding.delete(each);
  }
}

/**
 * Where something lies, or will lie once it has slid there.
 * @param {Element} each
 */
export function restingBox(each) {
  return sliding.get(each)?.box ?? each.getBoundingClientRect();
}

/**
 * Begin an element's slide from the box where it was dropped.
 * @param {string} key
 * @param {DOMRect} box
 */
export function begins(key, box) {
  droppedBoxes.set(key, box);
}

/** @type {Map<string, DOMRect>} */
const droppedBoxes = new Map();

/**
 * Let a tile fly to where it lies now on the cloth, which would cut it off on its way.
 * @param {HTMLElement} tile
 * @param {DOMRect} was
 * @param {DOMRect} box
 */
function flyThere(tile, was, box) {
  const ghost = /** @type {HTMLElement} */ (tile.cloneNode(true));
  ghost.className = "tile flying";
  ghost.removeAttribute("data-fly");
  document.body.append(ghost);
  const at = (/** @type {DOMRect} */ { left, top, width, height }) => ({ transform: `translate(${left + width / 2}px, ${top + height / 2}px) translate(-50%, -50%) scale(${width / ghost.offsetWidth})` });
  tile.style.visibility = "hidden";
  const flown = ghost.animate([at(was), at(box)], { duration: paced(SLIDE), easing: "cubic-bezier(.2, .7, .3, 1)" });
  flown.onfinish = flown.oncancel = () => {
    ghost.remove();
    tile.style.visibility = "";
  };
}

/** Slide everything from its old position to the new one. */
export function slide() {
  const still = !likesMotion() || document.hidden;
  for (const each of still ? [] : document.querySelectorAll("[data-fly]")) {
    const { fly = "", from = "" } = /** @type {HTMLElement} */ (each).dataset;
    const known = [fly, ...from.split(" ")].find((key) => droppedBoxes.has(key) || before.has(key)) ?? "";
    const was = droppedBoxes.get(known) ?? before.get(known);
    if (!was) continue;
    const box = each.getBoundingClientRect();
    const dx = was.left + was.width / 2 - box.left - box.width / 2;
    const dy = was.top + was.height / 2 - box.top - box.height / 2;
    if (Math.hypot(dx, dy) < 3) continue;
    if (each.closest(".cloth")) {
      flyThere(/** @type {HTMLElement} */ (each), was, box);
      continue;
    }
    const scale = Math.min(1.5, Math.max(0.5, was.height / (box.height || 1)));
    each.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 5 },
        { transform: "none", zIndex: 5 },
      ],
      { duration: paced(SLIDE), easing: "cubic-bezier(.2, .7, .3, 1)" },
    );
  }
  droppedBoxes.clear();
}
