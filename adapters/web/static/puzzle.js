// The daily rack, on the page's own rack: a tile is lifted by a tap, and goes to the pile or finishes.

import { h } from "./html.js";
import { say, tileName } from "./words.js";
import { isBusy, state } from "./state.js";
import { button } from "./controls.js";
import { face } from "./tiles.js";

/** @typedef {import("./types").Puzzle} Puzzle */

/** The most tiles of a rack that lie on two shelves. */
const TWO_SHELVES = 16;

/** The puzzle of the open page. */
export function puzzleView() {
  const { puzzle } = state;
  if (!puzzle) return null;
  const cols = Math.ceil(puzzle.rack.length / (puzzle.rack.length > TWO_SHELVES ? 3 : 2));
  const discards = puzzle.kind === "discard";
  return h(
    "div",
    { key: "puzzle", class: "puzzle" },
    h("h2", null, puzzle.title.replace(/^[^\p{L}]+/u, "")),
    h("p", { class: "question" }, puzzle.question),
    h("div", { class: "ground" }, indicatorView(puzzle), discards ? puzzlePile(puzzle) : puzzle.kind === "finish" && offersView(puzzle)),
    h("div", { class: "wood", vars: { "--cols": cols } }, h("div", { class: "shelf" }, puzzle.rack.map((code, at) => h("div", { key: at, class: "slot" }, puzzleTile(puzzle, code, `rack${at}`, discards))))),
    puzzle.best < 0 && actsView(puzzle),
  );
}

/** @param {Puzzle} puzzle */
function indicatorView({ indicator, okey }) {
  const label = `${say("live.indicator", { tile: tileName(indicator) })}, ${say("live.okey", { tile: tileName(okey) })}`;
  return h("div", { class: "indicator", role: "img", "aria-label": label }, h("span", { class: "tile lying" }, face(indicator, okey)), h("span", { class: "okey" }, h("span", { class: "small tile" }, face(okey, okey))));
}

/**
 * Where the tile goes: the lifted one, or the one that was discarded.
 * @param {Puzzle} puzzle
 */
function puzzlePile(puzzle) {
  const code = puzzle.choices[puzzle.best < 0 ? state.picked?.choice ?? -1 : puzzle.chosen]?.tile;
  const inside = code ? h("span", { key: "tile", class: "tile lying" }, face(code, puzzle.okey)) : h("span", { key: "none", class: "tile none" });
  const label = code ? tileName(code, puzzle.okey) : say("live.nothing");
  if (puzzle.best >= 0 || !state.picked) return h("div", { key: "pile", class: "pile", role: "img", "aria-label": label }, inside);
  return button("solve", inside, "pile open", { key: "pile", "aria-label": `${say("live.discard")}: ${label}` });
}

/**
 * Tiles of which one completes the rack.
 * @param {Puzzle} puzzle
 */
function offersView(puzzle) {
  return h("div", { class: "offers" }, puzzle.choices.map(({ tile }, at) => puzzleTile(puzzle, tile, `offer${at}`, true)));
}

/**
 * A tile: to lift until the answer is given, then marked if it is the answer.
 * @param {Puzzle} puzzle
 * @param {string} code
 * @param {string} at Where it lies.
 * @param {boolean} asked Whether it can be the answer.
 */
function puzzleTile(puzzle, code, at, asked) {
  const choice = asked ? puzzle.choices.findIndex(({ tile }) => tile === code) : -1;
  const name = tileName(code, puzzle.okey);
  const inside = face(code, puzzle.okey);
  if (choice < 0 || puzzle.best >= 0) {
    const mark = choice < 0 ? "" : choice === puzzle.best ? " best" : choice === puzzle.chosen ? " missed" : "";
    const label = mark ? `${name}, ${say(mark === " best" ? "page.best" : "page.chosen")}` : name;
    return h("span", { key: at, class: `tile${mark}`, role: "img", "aria-label": label }, inside);
  }
  const lifted = state.picked?.at === at;
  return h("button", { key: at, type: "button", class: `tile${lifted ? " lifted" : ""}`, "data-do": "pick_tile", "data-choice": choice, "data-at": at, "aria-pressed": String(lifted), "aria-label": name }, inside);
}

/**
 * What is done with the lifted tile; or the answers in words.
 * @param {Puzzle} puzzle
 */
function actsView({ kind, choices }) {
  const off = (/** @type {boolean} */ is) => ({ "aria-disabled": is || isBusy("solve") ? "true" : undefined });
  if (kind === "open") return h("div", { class: "row last" }, choices.map(({ text }, at) => button("solve", text, "plain", { key: at, "data-choice": at, ...off(false) })));
  return h("div", { class: "row last" }, button("solve", say(kind === "discard" ? "live.discard" : "live.finish"), "primary big", off(!state.picked)));
}
