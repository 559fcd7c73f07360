// The cloth of Okey 101 once it is drawn: how large its melds are, what is in sight, and where they go on beyond it.

import { app } from "./html.js";
import { state } from "./state.js";

/** The cloth, if there is one on the page. */
function found() {
  return /** @type {HTMLElement | null} */ (app.querySelector(".cloth"));
}

/** What was laid last, and on how many melds, when the cloth was drawn before. */
let laid = "";

/** Fit the melds, and scroll to what has been laid last: the newest melds, of one player, or the end. */
export function settleCloth() {
  const cloth = found();
  const melds = cloth?.querySelectorAll(".laid").length ?? 0;
  const newest = [...(cloth?.querySelectorAll(".newest") ?? [])];
  const now = [melds, ...newest.map((each) => each.getAttribute("data-drop"))].join();
  fitMelds();
  if (cloth && now !== laid && melds) {
    if (newest.length) bringIntoSight(cloth, newest);
    else cloth.scrollTop = cloth.scrollHeight;
  }
  laid = now;
  showLit();
  showCut();
}

/**
 * Scroll the cloth until one of these is in sight, unless one is.
 * @param {HTMLElement} cloth
 * @param {Element[]} melds
 */
function bringIntoSight(cloth, melds) {
  const middles = melds.map(middle);
  const { top, bottom } = cloth.getBoundingClientRect();
  if (middles.length && !middles.some((at) => at > top && at < bottom)) cloth.scrollTop += middles[0] - middle(cloth);
}

/** The lifted or held tile for which the melds that it fits have been shown. @type {number | undefined} */
let shownCut;

/** Scroll to a meld that a tile fits once it is lifted, unless one is in sight. */
export function showLit() {
  const cloth = found();
  const tile = state.held?.id ?? state.lifted?.id;
  if (!cloth || tile === shownCut) return;
  shownCut = tile;
  bringIntoSight(cloth, [...cloth.querySelectorAll(".lit")]);
}

/** @param {Element} each */
function middle(each) {
  const { top, bottom } = each.getBoundingClientRect();
  return (top + bottom) / 2;
}

/** Sizes of melds on the cloth, times the least. */
const LARGER = [1.2, 1.4, 1.6];

/** Draw melds as large as lets the cloth show them all. Their size changes only with them and with the cloth. */
export function fitMelds() {
  const cloth = found();
  if (!cloth) return;
  const of = [cloth.clientWidth, cloth.clientHeight, ...[...cloth.querySelectorAll(".laid")].map((each) => each.childElementCount)].join();
  if (cloth.dataset.fits === of) return;
  cloth.dataset.fits = of;
  /** @param {number} size */
  const draw = (size) => cloth.style.setProperty("--size", String(size));
  draw(1);
  const before = brokenMelds(cloth);
  const failing = LARGER.findIndex((size) => {
    draw(size);
    return cloth.scrollHeight > cloth.clientHeight || brokenMelds(cloth) > before;
  });
  if (failing >= 0) draw([1, ...LARGER][failing]);
}

/**
 * How many melds are longer than a line.
 * @param {HTMLElement} cloth
 */
function brokenMelds(cloth) {
  const rows = [...cloth.querySelectorAll(".laid")].map(({ children }) => [...children].map((tile) => /** @type {HTMLElement} */ (tile).offsetTop));
  return rows.filter((tops) => tops[0] !== tops.at(-1)).length;
}

/** Pixels without a tile at the ends of the cloth. */
const EMPTY = 12;

/** Show at which ends of the cloth melds go on. */
export function showCut() {
  const cloth = found();
  if (!cloth) return;
  const { scrollTop, clientHeight, scrollHeight } = cloth;
  const ends = [scrollTop > EMPTY && "above", scrollHeight - scrollTop - clientHeight > EMPTY && "below"];
  cloth.dataset.cut = ends.filter(Boolean).join(" ");
}
