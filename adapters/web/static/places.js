// The viewer's rack as it is drawn: its places, the rows of the window, the lifted tile and the melds.

import { moved, movedMeld } from "./order.js";
import { meldsOn } from "./melds.js";
import { isBusy, rack, state, table } from "./state.js";
import { isWaiting } from "./requests.js";

/** @typedef {import("./types").LiveRack} LiveRack */
/** @typedef {import("./types").Places} Places */

/** The rack's places as drawn, including a move by finger or key that is not sent yet. */
export function places() {
  return state.order && state.order.table === state.selected ? state.order.places : [];
}

/** The tile that is lifted. */
export function lifted() {
  return places().find((tile) => tile && tile.id === state.lifted?.id) ?? null;
}

/** The tile that has left the rack for the pile, the indicator or a meld, as long as the server has not refused it. */
export function leaving() {
  const { leaving } = state;
  const open = state.question?.move || isBusy("discard") || isBusy("finish") || isBusy("lay") || isWaiting();
  return open && leaving && places().some((tile) => tile?.id === leaving.id) ? leaving : null;
}

/** The tile that is being drawn or taken, until the server says which it is or refuses it. */
export function coming() {
  const { coming } = state;
  return coming && isBusy(coming.kind) && table()?.phase === "draw" && (rack()?.drawn ?? 0) < 0 ? coming : null;
}

/** The discards that the viewer may look through, by seat: all piles, or their own and the one before them. */
export function seenPiles() {
  const own = rack();
  const seats = own?.table.seats ?? [];
  if (!own) return [];
  const left = (own.seat + seats.length - 1) % seats.length;
  const piles = own.piles.length ? own.piles : seats.map((_, seat) => (seat === own.seat ? own.own_pile : seat === left ? own.left_pile : []));
  return piles.flatMap((tiles, seat) => (tiles.length ? [{ text: seats[seat].name, tiles }] : []));
}

const NARROW = "(orientation: portrait) and (max-width: 599px)";
const BESIDE = "(orientation: landscape) and (min-height: 320px) and (max-height: 560px)"; // the table
const long = matchMedia(`${NARROW}, ${BESIDE} and (max-width: 740px)`);
const short = matchMedia(`${NARROW} and (min-height: 600px), ${BESIDE} and (max-width: 619px)`);

/** The windows in which a rack has three rows. */
export const windows = [long, short];

/**
 * The rows of a rack: its two shelves, or three rows in a narrow window, where tiles would be small. Below
 * the table, shelves of twelve need a tall window for that.
 * @param {LiveRack} own
 */
export function rows(own) {
  return (own.shelf > 12 ? long : short).matches ? 3 : 2;
}

/**
 * The places of a row.
 * @param {LiveRack} own
 */
export function width(own) {
  return (own.shelf * 2) / rows(own);
}

/**
 * The melds on the rack.
 * @param {Places} [all] Its places, also as they would be after a move.
 */
export function melds(all = places()) {
  const own = rack();
  const gone = [state.order?.bay, leaving()?.id];
  const standing = all.map((tile) => (gone.includes(tile?.id) ? null : tile));
  return own ? meldsOn(standing, own.shelf, width(own), own.table.okey, own.wrap, counts) : [];
}

/**
 * Whether melds of a kind are of use: in Okey 101 to who has declared pairs, or opened with them, only pairs are.
 * @param {string} kind
 */
function counts(kind) {
  const own = rack();
  const seat = own?.table.seats[own.seat];
  if (own?.table.game !== "101") return kind !== "pair";
  return kind === "pair" || !(seat?.declared || seat?.opened.endsWith("pairs"));
}

/**
 * Whether the rack has been sorted in a way, and holds the same tiles since.
 * @param {string} kind
 */
export function isSorted(kind) {
  const ids = (/** @type {Places} */ all) => all.flatMap((tile) => tile?.id ?? []).sort().join();
  return state.sorted?.kind === kind && ids(state.sorted.before) === ids(places());
}

/**
 * The places after moving a tile, or a meld as long as it stands together.
 * @param {number[]} ids
 * @param {number} to
 */
export function dropped(ids, to) {
  const own = rack();
  const at = places();
  const start = at.findIndex((tile) => tile?.id === ids[0]);
  if (!own || ids.some((id, step) => at[start + step]?.id !== id)) return at;
  return ids.length === 1 ? moved(at, ids[0], to, width(own)) : movedMeld(at, { start, length: ids.length }, to, width(own));
}
