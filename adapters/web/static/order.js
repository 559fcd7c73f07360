// The order of a rack: its tiles, place by place. Pure functions.

/** @typedef {import("./types").Places} Places */
/** @typedef {import("./types").RackTile} RackTile */

const COLOURS = "RYBK";
const SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0";

let last = 0;

/**
 * A tile in the server's format: one character.
 * @param {string} code
 */
export function sign(code) {
  return SIGNS[code === "F" ? 52 : COLOURS.indexOf(code[0]) * 13 + Number(code.slice(1)) - 1];
}

/**
 * An order in the server's format.
 * @param {Places} places
 */
export function written(places) {
  return places.map((tile) => (tile ? sign(tile.code) : "-")).join("").replace(/-+$/, "") || "-";
}

/**
 * The server's places, with tiles that keep their ids from before if possible.
 * @param {string[]} codes
 * @param {Places} before
 * @returns {Places}
 */
export function known(codes, before) {
  const left = before.map((tile, at) => (tile && codes[at] === tile.code ? null : tile)).filter((tile) => tile !== null);
  return codes.map((code, at) => {
    if (!code) return null;
    const there = before[at];
    if (there && there.code === code) return there;
    const found = left.findIndex((tile) => tile.code === code);
    return found < 0 ? { id: ++last, code } : left.splice(found, 1)[0];
  });
}

/**
 * The person's own places after the rack changed on the server. A tile that left leaves a gap; a new tile
 * goes where the server has it, or to the last gap.
 * @param {Places} places
 * @param {string[]} codes
 * @returns {Places}
 */
export function merged(places, codes) {
  const wanted = codes.filter(Boolean);
  const kept = places.map((tile) => {
    const at = tile ? wanted.indexOf(tile.code) : -1;
    if (at < 0) return null;
    wanted.splice(at, 1);
    return tile;
  });
  for (const code of wanted) {
    const there = codes.findLastIndex((each, at) => each === code && !kept[at]);
    kept[there < 0 ? kept.lastIndexOf(null) : there] = { id: ++last, code };
  }
  return kept;
}

/**
 * Whether a person's order is still about the rack on the server: most tiles are the same, as never after a
 * new deal.
 * @param {Places} places
 * @param {string[]} codes
 */
export function suits(places, codes) {
  const same = merged(places, codes).filter((tile) => tile && places.includes(tile));
  return same.length * 2 >= codes.filter(Boolean).length;
}

/**
 * The places after moving a tile. The tiles in its way move towards the nearest gap, in their row if
 * possible.
 * @param {Places} places
 * @param {number} id
 * @param {number} target
 * @param {number} width the places of a row
 * @returns {Places}
 */
export function moved(places, id, target, width) {
  const source = places.findIndex((tile) => tile?.id === id);
  if (source < 0 || target < 0 || target >= places.length || source === target) return places;
  const after = [...places];
  after[source] = null;
  if (after[target]) {
    const row = (/** @type {number} */ at) => Number(Math.floor(at / width) !== Math.floor(target / width));
    const gaps = after.flatMap((tile, at) => (tile ? [] : [at]));
    gaps.sort((a, b) => row(a) - row(b) || Math.abs(a - target) - Math.abs(b - target));
    const step = gaps[0] > target ? 1 : -1;
    for (let at = gaps[0]; at !== target; at -= step) after[at] = after[at - step];
  }
  after[target] = places[source];
  return after;
}

/**
 * The places after moving a meld as a whole, in rows of `width`. The tiles in its way move along its row, over the
 * nearest gaps, and leave it a gap if possible; those that have no more room there go where the meld was.
 * @param {Places} places
 * @param {{start: number, length: number}} meld
 * @param {number} target
 * @param {number} width
 * @returns {Places}
 */
export function movedMeld(places, { start, length }, target, width) {
  if (target === start) return places;
  const after = places.map((tile, at) => (at >= start && at < start + length ? null : tile));
  const row = target - (target % width);
  const at = Math.min(target, row + width - length);
  const beyond = after.slice(at, row + width);
  const gap = beyond.some(Boolean) && after.slice(row, row + width).filter((tile) => !tile).length > length ? [null] : [];
  const right = [...gap, ...withoutGaps(beyond, length + gap.length)];
  const behind = withoutGaps(after.slice(row, at).reverse(), right.length + length - beyond.length);
  const left = (behind[0] && behind.includes(null) ? [null, ...withoutGaps(behind, 1)] : behind).reverse();
  const line = [...left, ...places.slice(start, start + length), ...right];
  after.splice(row, width, ...line.slice(0, width));
  for (const tile of line.slice(width)) {
    const there = after.findIndex((each, place) => !each && place >= start);
    after[there < 0 ? after.lastIndexOf(null) : there] = tile;
  }
  return after;
}

/**
 * Places without their first gaps, at most so many.
 * @param {Places} places
 * @param {number} gaps
 */
function withoutGaps(places, gaps) {
  return places.filter((tile) => tile || gaps-- <= 0);
}
