// The rack by keys: the arrow keys move a cursor over its places, and others do what a tap does.

import { say } from "./words.js";
import { rack, state, table } from "./state.js";
import { lifted, places, width } from "./places.js";
import { where } from "./rack.js";
import { focusedTile } from "./focus.js";
import { tell } from "./notes.js";
import { get, play, put, tapTile } from "./moves.js";

/** Whether the viewer's rack takes keys now. */
export function hasRack() {
  return Boolean(rack() && table() && places().length);
}

/**
 * Use the rack by a key. Return whether the key does something.
 * @param {KeyboardEvent} event
 */
export function keys({ key, code, target }) {
  const own = rack();
  const onTile = /** @type {HTMLElement} */ (target).closest?.("#rack .wood, #rack .bay");
  const at = state.lifted?.moved ? state.lifted.at : state.cursor;
  if (own && onTile && key.startsWith("Arrow")) {
    const to = next(at, key, width(own), Boolean(state.lifted));
    if (to === null) return true;
    if (state.lifted) state.lifted = { ...state.lifted, at: to, moved: true };
    state.cursor = to;
    if (state.lifted) tell(where(to));
    return true;
  }
  const focused = focusedTile();
  const tile = lifted() ?? places().find((each) => each?.id === focused) ?? places()[state.cursor];
  if (onTile && (key === " " || (key === "Enter" && state.lifted?.moved))) {
    if (state.lifted) {
      put([state.lifted.id], state.lifted.moved ? state.lifted.at : places().findIndex((each) => each?.id === state.lifted?.id));
      tell(say("live.dropped", { place: where(state.cursor) }));
      state.lifted = null;
    } else if (tile) tapTile(tile.id);
    return true;
  }
  if (onTile && key === "Delete" && tile) play(tile, "pile");
  else if (letter(key, code) === "D") get("draw");
  else if (letter(key, code) === "T") get("take");
  else return false;
  return true;
}

/**
 * The Latin letter of a key; on a keyboard that writes others, as a Korean one, the letter that stands there too.
 * @param {string} key
 * @param {string} code
 */
function letter(key, code) {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key/, "");
}

/**
 * The next place for the keyboard's cursor, across the ends of a row and from shelf to shelf. Without a
 * lifted tile, it is the next place with a tile.
 * @param {number} at
 * @param {string} key
 * @param {number} cols
 * @param {boolean} carrying
 */
function next(at, key, cols, carrying) {
  const all = places();
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols }[key];
  if (!step) return null;
  const sideways = Math.abs(step) === 1;
  for (let to = at + step; to >= 0 && to < all.length; to += sideways ? step : Math.sign(step) * cols) {
    if (carrying || all[to]) return to;
    if (!sideways) return closest(to, cols);
  }
  return null;
}

/**
 * The place of the nearest tile in a row.
 * @param {number} to
 * @param {number} cols
 */
function closest(to, cols) {
  const row = Math.floor(to / cols);
  const found = places().flatMap((tile, at) => (tile && Math.floor(at / cols) === row ? [at] : []));
  return found.sort((a, b) => Math.abs(a - to) - Math.abs(b - to))[0] ?? null;
}
