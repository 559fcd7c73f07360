// Melds on the rack: adjacent tiles that make a set, a run or a pair, highlighted while tiles are moved. The
// server decides on each meld. Pure functions.

/** @typedef {import("./types").Places} Places */
/** @typedef {{start: number, length: number, kind: "run" | "set" | "pair", faces: string[], points: number}} Found */

/**
 * The face of a tile. A false joker has the okey's; an okey has none until its neighbours determine one.
 * @param {string} code
 * @param {string} okey
 */
function faceCode(code, okey) {
  return code === okey ? null : code === "F" ? okey : code;
}

/**
 * The meld of some tiles in this order that is worth most; null when they make none.
 * @param {string[]} codes
 * @param {string} okey
 * @param {boolean} wrap
 */
export function meldOf(codes, okey, wrap) {
  return readings(codes, okey, wrap)[0] ?? null;
}

/** What tiles were found to make: while one is dragged, hardly any others change. @type {Map<string, ReturnType<typeof meldOf>>} */
const knownMelds = new Map();
const KNOWN_MOST = 2000;

/**
 * @param {string[]} codes
 * @param {string} okey
 * @param {boolean} wrap
 */
function knownMeld(codes, okey, wrap) {
  const key = `${codes} ${okey} ${wrap}`;
  if (knownMelds.size > KNOWN_MOST) knownMelds.clear();
  if (!knownMelds.has(key)) knownMelds.set(key, meldOf(codes, okey, wrap));
  return knownMelds.get(key);
}

/**
 * Every meld of some tiles in this order, by what okeys may stand for; the one worth most comes first.
 * @param {string[]} codes
 * @param {string} okey
 * @param {boolean} wrap
 * @returns {Omit<Found, "start" | "length">[]}
 */
export function readings(codes, okey, wrap) {
  const faces = codes.map((code) => faceCode(code, okey));
  const held = faces.filter((each) => each !== null);
  if (codes.length === 2) {
    const one = held[0] ?? okey;
    return held.every((each) => each === one) ? [told("pair", [one, one])] : [];
  }
  if (codes.length < 3 || held.length === 0) return [];
  const first = faces.findIndex((each) => each !== null);
  const rising = runFrom(held[0], first, codes.length);
  const fits = rising?.every((each, at) => (faces[at] ?? each) === each && (wrap || at === 0 || each.slice(1) !== "1"));
  const found = rising && fits ? [told("run", rising)] : [];
  return [...found, ...sets(faces, held)].sort((a, b) => b.points - a.points);
}

/**
 * The sets that tiles make; okeys stand for any of the colours that are free.
 * @param {(string | null)[]} faces
 * @param {string[]} held
 */
function sets(faces, held) {
  const number = held[0].slice(1);
  if (faces.length > 4 || new Set(held).size < held.length || held.some((each) => each.slice(1) !== number)) return [];
  const free = [..."RYBK"].map((colour) => colour + number).filter((each) => !held.includes(each));
  return choices(free, faces.length - held.length).map((chosen) => told("set", faces.map((each) => each ?? /** @type {string} */ (chosen.shift()))));
}

/**
 * @param {string[]} from
 * @param {number} many
 * @returns {string[][]}
 */
function choices(from, many) {
  if (many === 0) return [[]];
  return from.flatMap((each, at) => choices(from.slice(at + 1), many - 1).map((rest) => [each, ...rest]));
}

/**
 * The faces of a run with `known` at a position; a 1 may follow the 13.
 * @param {string} known
 * @param {number} at
 * @param {number} length
 */
function runFrom(known, at, length) {
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
  const points = faces.reduce((sum, each) => sum + Number(each.slice(1)), 0);
  return { kind, faces, points: kind === "pair" ? 0 : points };
}

/**
 * The melds on shelves: the split of every unbroken row of tiles that is worth most. Gaps and the ends of shelves break
 * it. If their places are drawn in narrower rows, a meld may go on in the next row.
 * @param {Places} places
 * @param {number} shelf
 * @param {number} width The places of a row.
 * @param {string} okey
 * @param {boolean} wrap
 * @param {(kind: Found["kind"]) => boolean} counts The kinds that count.
 * @returns {Found[]}
 */
export function meldsOn(places, shelf, width, okey, wrap, counts = () => true) {
  const codes = places.map((tile) => tile?.code ?? "");
  /** The best split of what stands from a place to the end. @type {Split[]} */
  const best = [];
  best[places.length] = { points: 0, tiles: 0, found: [] };
  for (let start = places.length - 1; start >= 0; start -= 1) {
    best[start] = best[start + 1];
    for (let end = start + 1; codes[end - 1] && (end === start + 1 || width < shelf || (end - 1) % shelf !== 0); end += 1) {
      const meld = end > start + 1 && knownMeld(codes.slice(start, end), okey, wrap);
      if (meld && counts(meld.kind)) best[start] = better(joined({ start, length: end - start, ...meld }, best[end]), best[start]);
      else if (!meld && end > start + 2) break; // no longer one is a meld then
    }
  }
  return best[0].found;
}

/** @typedef {{points: number, tiles: number, found: Found[]}} Split */

/**
 * @param {Found} meld
 * @param {Split} rest
 */
function joined(meld, rest) {
  return { points: meld.points + rest.points, tiles: meld.length + rest.tiles, found: [meld, ...rest.found] };
}

/**
 * The split with more points, of two with as many the one with more tiles, then with longer melds.
 * @param {Split} one
 * @param {Split} other
 */
function better(one, other) {
  return (one.points - other.points || one.tiles - other.tiles || other.found.length - one.found.length) >= 0 ? one : other;
}
