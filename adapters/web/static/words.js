// The reader's words, with their values. The page is served with those of the browser's language.

/** @type {Record<string, string>} */
let WORDS = JSON.parse(document.body.dataset.words ?? "{}");

export let LANGUAGE = document.documentElement.lang;

/**
 * Use another language than the browser's, as the reader has chosen.
 * @param {string} language
 * @param {Record<string, string>} words
 */
export function speakIn(language, words) {
  [WORDS, LANGUAGE] = [words, language];
  document.documentElement.lang = language;
}

/** A sentence that begins with a tile, whose name has a small letter in most languages. */
const TILE_FIRST = /^\P{L}*\{tile\}.*[.?!]$/u;

/**
 * A message, without the stars that mark strong words elsewhere; in its form for one thing if `n` is 1.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  const said = (values.n === 1 ? WORDS[`${key}.one`] : undefined) ?? WORDS[key] ?? key;
  const text = said.replace(/\*/g, "").replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  return TILE_FIRST.test(said) ? text.replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase(LANGUAGE)) : text;
}

/**
 * Whether there is such a message.
 * @param {string} key
 */
export function has(key) {
  return key in WORDS;
}

/**
 * A tile in words: `red 4`, `false joker`; an okey is named as one.
 * @param {string} code
 * @param {string} [okey]
 */
export function tileName(code, okey = "") {
  const name = code === "F" ? say("tile.false_joker") : `${say(`tile.colour.${code[0]}`)} ${code.slice(1)}`;
  return code === okey ? `${name} (${say("tile.okey")})` : name;
}

/**
 * Points with a true minus and the reader's decimal point; if `signed`, with a plus too.
 * @param {number} points
 * @param {boolean} [signed]
 */
export function figure(points, signed = false) {
  const text = Number.isInteger(points) ? String(points) : points.toLocaleString(LANGUAGE, { useGrouping: false }); // which takes long
  return `${signed && points > 0 ? "+" : ""}${text}`.replace("-", "−");
}

/**
 * A clock in the largest unit that expresses it in whole numbers: `2 hours`.
 * @param {number} seconds
 */
export function clock(seconds) {
  const [unit, n] = seconds % 3600 === 0 ? ["hour", seconds / 3600] : seconds % 60 === 0 ? ["minute", seconds / 60] : ["second", seconds];
  return n.toLocaleString(LANGUAGE, { style: "unit", unit, unitDisplay: "long" });
}
