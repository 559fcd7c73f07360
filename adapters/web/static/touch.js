// The rack by touch: tiles are dragged with pointer events to any gap or target, after a long press with their meld.

import { act, acts, finish, onTurn, rack, state } from "./state.js";
import { places, width } from "./places.js";
import { fitting, meldAt, tilesOf } from "./laying.js";
import { isMoving } from "./requests.js";
import { forgetBoxes, rackBoxes } from "./preview.js";
import { feel } from "./sounds.js";

const DRAGGED = "[data-tile], .stock.open, .pile.open[data-do=take]";
const BEGINS = 5;
/** Milliseconds of a long press. */
const LONG = 450;
const ABOVE = 30;
const FLICK = 0.55;
const FLICKED = 250;

/**
 * @typedef {object} Does
 * @property {() => void} over
 * @property {(button: HTMLButtonElement) => void} tap
 * @property {(target: number | string | null, left: DOMRect[]) => void} drop
 */

/** What the page does with it. @type {Does} */
let does;
/** @type {{pointer: number, from: HTMLElement, x: number, y: number, ghosts: HTMLElement[], touch: boolean, begun: number, press: number} | null} */
let drag = null;
let liftedAt = -Infinity;
let droppedAt = -Infinity;
/** What the lifted finger tapped. @type {Element | null} */
let tapped = null;

/**
 * Listen to touch, pen and mouse.
 * @param {HTMLElement} root
 * @param {Does} wanted
 */
export function listen(root, wanted) {
  does = wanted;
  root.addEventListener("pointerdown", beginDrag);
  root.addEventListener("pointermove", (event) => move(root, event));
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", cancel);
  root.addEventListener("contextmenu", (event) => drag && event.preventDefault());
  addEventListener("keydown", ({ key }) => key === "Escape" && cancel());
  addEventListener("blur", cancel);
  addEventListener("resize", forgetBoxes);
  addEventListener("scroll", forgetBoxes, true);
  // The act is done when the finger is lifted. Browsers then send a click, or none after a drag.
  for (const type of ["mousedown", "click"]) root.addEventListener(type, (event) => echo(/** @type {PointerEvent} */ (event)), true);
}

/**
 * Keep the echo of a touch from the page. What the touch has uncovered may be under it now: an input or a link.
 * @param {PointerEvent} event
 */
function echo(event) {
  const { detail, timeStamp, pointerType, target } = event;
  if (detail === 0 || ((pointerType === "mouse" || timeStamp - liftedAt >= 500) && timeStamp - droppedAt >= 50)) return;
  event.stopPropagation();
  if (/** @type {Element} */ (target).closest("button") !== tapped) event.preventDefault();
}

/**
 * @param {PointerEvent} event
 */
function beginDrag(event) {
  if (!event.isPrimary || event.button !== 0) return;
  if (drag) cancel(); // nobody told of its end
  liftedAt = -Infinity; // a click from now on is this touch's
  const from = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"));
  if (!from) return;
  if (from.matches(DRAGGED)) rackBoxes(); // the first step of a drag has enough to do
  const press = window.setTimeout(liftMeld, LONG);
  drag = { pointer: event.pointerId, from, x: event.clientX, y: event.clientY, ghosts: [], touch: event.pointerType !== "mouse", begun: 0, press };
}

/**
 * @param {HTMLElement} root
 * @param {PointerEvent} event
 */
function move(root, event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (event.buttons === 0) return cancel(); // let go outside the window
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.begun && Math.hypot(dx, dy) < BEGINS) return;
  const lifts = !drag.ghosts.length;
  if (lifts && !lift()) return;
  if (!root.hasPointerCapture(event.pointerId)) root.setPointerCapture(event.pointerId);
  const raised = drag.touch ? ABOVE : 0;
  drag.begun ||= event.timeStamp;
  const over = target(event.clientX, event.clientY - raised); // before anything moves: then it needs no layout
  carry(`translate(${dx}px, ${dy - raised}px)`);
  if (state.held && (lifts || state.held.over !== over)) {
    state.held.over = over;
    does.over();
  }
}

/**
 * Move what is picked up. It is in the document from the first time on.
 * @param {string} way
 */
function carry(way) {
  for (const ghost of drag?.ghosts ?? []) {
    ghost.style.setProperty("transform", `${way} scale(1.12)`);
    if (!ghost.isConnected) document.body.append(ghost);
  }
}

/**
 * Pick up the complete meld of the tile under the finger.
 */
function liftMeld() {
  const meld = drag?.from.isConnected && !drag.ghosts.length ? meldAt(Number(drag.from.dataset.tile)) : undefined;
  if (!meld || !lift(tilesOf(meld).flatMap((tile) => tile?.id ?? []))) return;
  carry("translate(0, -9px)");
  does.over();
  feel("tile");
}

/**
 * Pick up the tile under the finger, or its meld. Return whether that is possible.
 * @param {number[]} [meld]
 */
function lift(meld) {
  if (!drag) return false;
  clearTimeout(drag.press);
  const { from } = drag;
  if (!from.matches(DRAGGED)) {
    drag = null;
    return false;
  }
  const id = Number(from.dataset.tile ?? 0);
  const tile = places().find((each) => each?.id === id);
  if (tile) state.held = { kind: meld ? "meld" : "tile", id, code: tile.code, ids: meld ?? [id], act: null, over: null };
  else {
    const kind = from.classList.contains("stock") ? "draw" : "take";
    const found = kind === "draw" ? act("draw") : acts().find(({ press }) => press === from.dataset.press);
    if (!found) return false;
    state.held = { kind, id: 0, code: "", ids: [], act: found, over: null };
  }
  state.lifted = null;
  const lifted = meld?.map((each) => document.querySelector(`#rack [data-tile="${each}"]`)) ?? [from.matches(".tile") ? from : from.querySelector(".tile") ?? from];
  rackBoxes(); // all is measured before anything changes: then it needs no layout
  drag.ghosts = lifted.map((face) => ghostOf(/** @type {HTMLElement} */ (face)));
  return true;
}

/** @param {HTMLElement} face */
function ghostOf(face) {
  const { left, top, width, height } = face.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (face.cloneNode(true));
  for (const name of ["data-do", "data-fly", "data-tile", "data-anchor", "aria-label"]) ghost.removeAttribute(name);
  ghost.classList.add("ghost");
  ghost.classList.remove("lifted");
  ghost.setAttribute("aria-hidden", "true");
  for (const [name, value] of Object.entries({ left, top, width, height })) ghost.style.setProperty(name, `${value}px`);
  return ghost;
}

/**
 * The target under a point: a place of the rack, or the name of a target that takes the held tile.
 * @param {number} x
 * @param {number} y
 */
function target(x, y) {
  const held = state.held;
  if (!held) return null;
  const boxes = rackBoxes();
  const name = boxes && within(boxes.wood, x, y) ? "" : targetUnder(x, y, held);
  if (name) return name;
  if (!boxes || !within(boxes.wood, x, y, 20, 24, 40)) return null;
  if (held.act) return "rack";
  // Of a meld, the touched tile goes to the place under the finger, as far as the row has room.
  const [at, cols] = [nearest(boxes.slots, x, y), width(/** @type {import("./types").LiveRack} */ (rack()))];
  return at - Math.min(at % cols, held.ids.indexOf(held.id));
}

/**
 * The name of the target at a point of the table that takes the held tile.
 * @param {number} x
 * @param {number} y
 * @param {import("./types").Held} held
 */
function targetUnder(x, y, held) {
  const under = document.elementsFromPoint(x, y).map((each) => /** @type {HTMLElement} */ (each).dataset.drop);
  return under.find((each) => each && takes(each, held));
}

/**
 * Whether a point is in a box, or not farther from it than this.
 * @param {DOMRect} box
 * @param {number} x
 * @param {number} y
 */
function within({ left, right, top, bottom }, x, y, aside = 0, above = 0, below = 0) {
  return x >= left - aside && x <= right + aside && y >= top - above && y <= bottom + below;
}

/**
 * @param {string} name
 * @param {import("./types").Held} held
 */
function takes(name, { kind, code }) {
  if (!code) return false;
  if (name === "cloth") return true; // what can't be laid is answered in words
  if (kind === "meld") return false;
  if (name === "pile") return true; // as what can't be discarded
  if (isMoving()) return true; // what it may be is known once that move is answered
  if (!onTurn()) return false;
  if (name === "indicator") return Boolean(finish(code));
  return fitting(code, Number(name.slice(4))).length > 0;
}

/**
 * The place with the nearest middle.
 * @param {DOMRect[]} slots
 * @param {number} x
 * @param {number} y
 */
function nearest(slots, x, y) {
  const away = slots.map((box) => Math.hypot(box.left + box.width / 2 - x, 1.4 * (box.top + box.height / 2 - y)));
  return away.indexOf(Math.min(...away));
}

/**
 * @param {PointerEvent} event
 */
function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { ghosts, begun, touch, y } = drag;
  tapped = null;
  if (touch) liftedAt = event.timeStamp;
  if (ghosts.length) droppedAt = event.timeStamp;
  if (!begun || !state.held) {
    cancel();
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
    tapped = button ?? null;
    if (button && !begun && (touch || ghosts.length)) does.tap(button);
    return;
  }
  let over = state.held.over;
  if (over === null && onTurn() && isFlick(y, begun, event) && takes("pile", state.held)) over = "pile";
  release(over);
}

/**
 * Whether a tile was thrown upwards: the whole drag was quick.
 * @param {number} from Where it was touched.
 * @param {number} begun When it was first moved. A slow phone may tell of one move alone.
 * @param {PointerEvent} event
 */
function isFlick(from, begun, { clientY, timeStamp }) {
  const lasted = Math.max(1, timeStamp - begun);
  return lasted < FLICKED && (from - clientY) / lasted > FLICK;
}

function cancel() {
  if (drag?.ghosts.length) release(null);
  clearTimeout(drag?.press);
  drag = null;
}

/**
 * @param {number | string | null} over
 */
function release(over) {
  const ghosts = drag?.ghosts ?? [];
  const boxes = ghosts.map((ghost) => ghost.getBoundingClientRect());
  drag = null;
  does.drop(over, boxes);
  for (const ghost of ghosts) ghost.remove(); // last: what is measured at a drop is as it was laid out
}
