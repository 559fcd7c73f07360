// Laying at Okey 101: what the melds on the rack are worth, and which of them, and which tiles, can be laid now.

import { say } from "./words.js";
import { acts, rack, table } from "./state.js";
import { melds, places } from "./places.js";

/** @typedef {import("./melds.js").Found} Found */

/** Whether the viewer has opened. */
export function hasOpened() {
  return Boolean(table()?.seats[rack()?.seat ?? -1]?.opened);
}

/** The worth of the melds on the rack, beside what opening takes, and the melds that suffice: only pairs, if the viewer declared them. */
export function worth() {
  const declared = Boolean(table()?.seats[rack()?.seat ?? -1]?.declared);
  const [needed, needed_pairs] = table()?.needed ?? [0, 0];
  const [laid, pairs] = [melds().filter(({ kind }) => kind !== "pair"), melds().filter(({ kind }) => kind === "pair")];
  const points = laid.reduce((sum, meld) => sum + meld.points, 0);
  const lines = [say("live.pairs", { pairs: pairs.length, needed: needed_pairs })];
  if (!declared) lines.unshift(say("live.points", { points, needed }));
  return { lines, text: lines.join(" · "), enough: points >= needed && !declared ? laid : pairs.length >= needed_pairs ? pairs : [] };
}

/** Why the melds on the rack can't be laid. */
export function notLaid() {
  return hasOpened() ? say("live.other_kind") : say("live.cannot_open", { worth: worth().text });
}

/** The melds on the rack that can be laid now: an opening, or further melds of its kind. */
export function layable() {
  const now = table();
  const own = rack();
  if (!now || !own) return [];
  if (!hasOpened()) return worth().enough;
  const paired = now.seats[own.seat].opened.endsWith("pairs");
  return melds().filter(({ kind }) => (kind === "pair") === paired);
}

/**
 * The acts of laying a tile on a meld: replacing its okey, or adding the tile; an okey perhaps in several ways.
 * @param {string} code
 * @param {number} number
 */
export function fitting(code, number) {
  const okey = table()?.okey;
  const there = acts().filter((each) => each.on === number);
  const put = there.filter((each) => each.kind === "reclaim" && each.tile === code);
  return put.length ? put : there.filter((each) => each.kind === "lay" && (each.wild ? code === okey : each.tile === code));
}

/**
 * The tiles of the rack that melds on the table take now, each with one that takes it. Okeys and the melds that can be
 * laid themselves are left out, and one tile stays for the discard.
 */
export function takenByTable() {
  const melded = new Set(hasOpened() ? layable().flatMap(tilesOf) : []);
  const free = new Set(places().map((tile) => tile && !melded.has(tile) && tile.code));
  const lays = acts().filter(({ kind, wild, tile }) => kind === "lay" && !wild && free.has(tile));
  const found = lays.filter(({ tile }, at) => lays.findIndex((each) => each.tile === tile) === at);
  return found.slice(0, places().filter(Boolean).length - 1);
}

/**
 * The meld on the rack that a tile is in.
 * @param {number | undefined} id
 */
export function meldAt(id) {
  return melds().find((meld) => tilesOf(meld).some((tile) => tile?.id === id));
}

/** @param {Found} meld */
export function tilesOf({ start, length }) {
  return places().slice(start, start + length);
}
