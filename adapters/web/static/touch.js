// The rack by touch: tiles are dragged with pointer events to any gap or target.

import { state, act, acts, onTurn, places } from "./state.js";
import { fitting } from "./felt.js";

const DRAGGED = "[data-tile], .stock.open, .pile.open[data-do=take]";
const BEGINS = 5;
const ABOVE = 30;
const FLICK = 0.55;
const FLICKED = 250;

/**
 * @typedef {object} Does
 * @property {() => void} render
 * @property {(button: HTMLButtonElement) => void} tap
 * @property {(target: number | string | null, left: DOMRect) => void} drop
 */

/** @type {{pointer: number, from: HTMLElement, x: number, y: number, ghost: HTMLElement | null, touch: boolean, trail: {y: number, at: number}[], left: number, top: number} | null} */
let drag = null;
let lifted = -Infinity;
let dropped = -Infinity;

/**
 * Listen to touch, pen and mouse.
 * @param {HTMLElement} root
 * @param {Does} does
 */
export function listen(root, does) {
  root.addEventListener("pointerdown", begin);
  root.addEventListener("pointermove", (event) => move(root, event, does));
  root.addEventListener("pointerup", (event) => end(event, does));
  root.addEventListener("pointercancel", () => cancel(does));
  addEventListener("keydown", ({ key }) => key === "Escape" && cancel(does));
  addEventListener("blur", () => cancel(does));
  // The act is done when the finger is lifted. Browsers then send a click, or none after a drag.
  root.addEventListener("click", (event) => isEcho(/** @type {PointerEvent} */ (event)) && event.stopPropagation(), true);
}

/** @param {PointerEvent} event */
function isEcho({ detail, timeStamp, pointerType }) {
  return detail > 0 && ((pointerType !== "mouse" && timeStamp - lifted < 500) || timeStamp - dropped < 50);
}

/** @param {PointerEvent} event */
function begin(event) {
  if (drag || !event.isPrimary || event.button !== 0) return;
  const from = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"));
  if (!from) return;
  const { left, top } = from.getBoundingClientRect();
  drag = { pointer: event.pointerId, from, x: event.clientX, y: event.clientY, ghost: null, touch: event.pointerType !== "mouse", trail: [], left, top };
}

/**
 * @param {HTMLElement} root
 * @param {PointerEvent} event
 * @param {Does} does
 */
function move(root, event, does) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.ghost && Math.hypot(dx, dy) < BEGINS) return;
  if (!drag.ghost && !lift(does)) return;
  if (!root.hasPointerCapture(event.pointerId)) root.setPointerCapture(event.pointerId);
  const raised = drag.touch ? ABOVE : 0;
  drag.ghost?.style.setProperty("transform", `translate(${dx}px, ${dy - raised}px) scale(1.12)`);
  drag.trail.push({ y: event.clientY, at: event.timeStamp });
  const over = target(event.clientX, event.clientY - raised);
  if (state.held && state.held.over !== over) {
    state.held.over = over;
    does.render();
  }
}

/**
 * Pick up the tile under the finger. Return whether that is possible.
 * @param {Does} does
 */
function lift(does) {
  if (!drag) return false;
  const { from } = drag;
  if (!from.matches(DRAGGED)) {
    drag = null;
    return false;
  }
  const id = Number(from.dataset.tile ?? 0);
  const tile = places().find((each) => each?.id === id);
  if (tile) state.held = { kind: "tile", id, code: tile.code, act: null, over: null };
  else {
    const kind = from.classList.contains("stock") ? "draw" : "take";
    const found = kind === "draw" ? act("draw") : acts().find(({ press }) => press === from.dataset.press);
    if (!found) return false;
    state.held = { kind, id: 0, code: "", act: found, over: null };
  }
  state.lifted = null;
  const face = /** @type {HTMLElement} */ (from.matches(".tile") ? from : from.querySelector(".tile") ?? from);
  const { left, top, width, height } = face.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (face.cloneNode(true));
  for (const name of ["data-do", "data-fly", "data-tile", "data-anchor", "aria-label"]) ghost.removeAttribute(name);
  ghost.classList.add("ghost");
  ghost.classList.remove("lifted");
  ghost.setAttribute("aria-hidden", "true");
  for (const [name, value] of Object.entries({ left, top, width, height })) ghost.style.setProperty(name, `${value}px`);
  document.body.append(ghost);
  drag.ghost = ghost;
  does.render();
  return true;
}

/**
 * The target under a point: a place of the rack, or the name of a target that takes the held tile.
 * @param {number} x
 * @param {number} y
 */
function target(x, y) {
  const held = state.held;
  if (!held) return null;
  const wood = document.querySelector(".wood")?.getBoundingClientRect();
  const under = document.elementsFromPoint(x, y).map((each) => /** @type {HTMLElement} */ (each).dataset.drop);
  const name = under.find((each) => held.kind === "tile" && each && takes(each, held.code));
  if (name) return name;
  if (!wood || x < wood.left - 20 || x > wood.right + 20 || y < wood.top - 24 || y > wood.bottom + 40) return null;
  return held.kind === "tile" ? nearest(x, y) : "rack";
}

/**
 * @param {string} name
 * @param {string} code
 */
function takes(name, code) {
  if (name === "cloth") return true; // what can't be laid is answered in words
  if (!onTurn()) return false;
  if (name === "pile") return Boolean(act("discard", code) ?? acts().find(({ kind, tile }) => kind === "finish" && tile === code));
  if (name === "indicator") return acts().some(({ kind, tile }) => kind === "finish" && tile === code);
  return fitting(code, Number(name.slice(4))).length > 0;
}

/**
 * The place of the rack with the nearest middle.
 * @param {number} x
 * @param {number} y
 */
function nearest(x, y) {
  let found = null;
  let least = Infinity;
  for (const slot of document.querySelectorAll(".slot")) {
    const box = slot.getBoundingClientRect();
    const away = Math.hypot(box.left + box.width / 2 - x, 1.4 * (box.top + box.height / 2 - y));
    if (away < least) [least, found] = [away, Number(/** @type {HTMLElement} */ (slot).dataset.place)];
  }
  return found;
}

/**
 * @param {PointerEvent} event
 * @param {Does} does
 */
function end(event, does) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { ghost, trail, from, touch } = drag;
  if (touch) lifted = event.timeStamp;
  if (ghost) dropped = event.timeStamp;
  if (!ghost || !state.held) {
    drag = null;
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
    if (touch && button) does.tap(button);
    return;
  }
  let over = state.held.over;
  if (over === null && state.held.kind === "tile" && isFlick(trail, event) && takes("pile", state.held.code)) over = "pile";
  const box = (ghost.isConnected ? ghost : from).getBoundingClientRect();
  ghost.remove();
  drag = null;
  does.drop(over, box);
}

/**
 * Whether a tile was thrown upwards: the whole drag was quick.
 * @param {{y: number, at: number}[]} trail
 * @param {PointerEvent} event
 */
function isFlick([first], { clientY, timeStamp }) {
  const lasted = first ? timeStamp - first.at : Infinity;
  return lasted > 0 && lasted < FLICKED && (first.y - clientY) / lasted > FLICK;
}

/** @param {Does} does */
function cancel(does) {
  if (!drag) return;
  const box = drag.ghost?.getBoundingClientRect();
  drag.ghost?.remove();
  drag = null;
  if (box) does.drop(null, box);
}
