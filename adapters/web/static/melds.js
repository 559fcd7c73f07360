// Melds on the rack: adjacent tiles that make a set, a run or a pair, highlighted while tiles are moved. The
// server decides on each meld. Pure functions.

/** @typedef {import("./types").Places} Places */
/** @typedef {{start: number, length: number, kind: "run" | "set" | "pair", faces: string[], points: number}} Found */

/**
 * The face of a tile. A false joker has the okey's; an okey has none until its neighbours determine one.
 * @param {string} code
 * @param {string} okey
 */
function face(code, okey) {
  return code === okey ? null : code === "F" ? okey : code;
}

/**
 * The meld of some tiles in this order; null when they make none.
 * @param {string[]} codes
 * @param {string} okey
 * @param {boolean} wrap
 * @returns {Omit<Found, "start" | "length"> | null}
 */
export function meldOf(codes, okey, wrap) {
  const faces = codes.map((code) => face(code, okey));
  const first = faces.findIndex((each) => each !== null);
  if (codes.length === 2) {
    const one = faces[0] ?? faces[1] ?? okey;
    return faces.every((each) => each === null || each === one) ? told("pair", [one, one]) : null;
  }
  if (codes.length < 3) return null;
  if (first < 0) return told("run", run(okey, 0, codes.length) ?? []);
  const known = /** @type {string} */ (faces[first]);
  const rising = run(known, first, codes.length);
  const fits = (/** @type {string[]} */ named) => named.every((each, at) => faces[at] === null || faces[at] === each);
  if (rising && fits(rising) && (wrap || !rising.some((each, at) => at > 0 && each.slice(1) === "1"))) {
    return told("run", rising);
  }
  const number = known.slice(1);
  const held = faces.filter((each) => each !== null);
  if (codes.length > 4 || new Set(held).size < held.length || held.some((each) => each.slice(1) !== number)) return null;
  const free = [..."RYBK"].map((colour) => colour + number).filter((each) => !held.includes(each));
  return told("set", faces.map((each) => each ?? /** @type {string} */ (free.shift())));
}

/**
 * The faces of a run with `known` at a position; a 1 may follow the 13.
 * @param {string} known
 * @param {number} at
 * @param {number} length
 */
function run(known, at, length) {
  const colour = known[0];
  const from = Number(known.slice(1)) - at;
  for (const start of [from, from + 13]) {
    if (start >= 1 && start <= 13 && start + length - 1 <= 14) {
      return Array.from({ length }, (_, each) => `${colour}${start + each === 14 ? 1 : start + each}`);
    }
  }
  return null;
}

/**
 * @param {Found["kind"]} kind
 * @param {string[]} faces
 */
function told(kind, faces) {
  if (faces.length === 0) return null;
  const points = faces.reduce((sum, each) => sum + Number(each.slice(1)), 0);
  return { kind, faces, points: kind === "pair" ? 0 : points };
}

/**
 * Every meld that stands by itself in rows of `width` places, separated by gaps and ends.
 * @param {Places} places
 * @param {number} width
 * @param {string} okey
 * @param {boolean} wrap
 * @returns {Found[]}
 */
export function meldsOn(places, width, okey, wrap) {
  /** @type {Found[]} */
  const found = [];
  for (let start = 0; start < places.length; ) {
    let end = start;
    while (end < places.length && places[end] && (end === start || end % width !== 0)) end += 1;
    const meld = end > start ? meldOf(places.slice(start, end).map((tile) => tile?.code ?? ""), okey, wrap) : null;
    if (meld) found.push({ start, length: end - start, ...meld });
    start = Math.max(end, start + 1);
  }
  return found;
}
