// The rack: wooden shelves, the bay of the drawn tile, and the buttons for both.

import { h } from "./html.js";
import { figure, say, tileName } from "./words.js";
import { act, acts, finish, isBusy, onTurn, rack, state, table } from "./state.js";
import { coming, dropped, isSorted, leaving, lifted, melds, places, rows, width } from "./places.js";
import { hasOpened, layable, notLaid, takenByTable, worth } from "./laying.js";
import { icon } from "./icons.js";
import { face } from "./tiles.js";
import { actButton, button } from "./controls.js";
import { isNew } from "./settings.js";

/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").RackTile} RackTile */

/** The places if the held or lifted tile were dropped now. */
export function shown() {
  const { held, lifted } = state;
  if (typeof held?.over === "number") return dropped(held.ids, held.over);
  return lifted?.moved ? dropped([lifted.id], lifted.at) : places();
}

/** The viewer's half of the table; empty without a rack. */
export function rackView() {
  const own = rack();
  if (!own || !state.order) return null;
  return h(
    "section",
    {
      key: "rack",
      class: `own${onTurn() ? " turn" : ""}${state.dealing ? " dealing" : ""}${own.contrast ? " contrast" : ""}${rows(own) > 2 ? " tall" : ""}`,
      id: "rack",
      "aria-label": say("page.rack"),
      vars: { "--cols": width(own) },
    },
    h("div", { class: `above${table()?.hints ? " helped" : ""}` }, counter(), hint(), bay()),
    h(
      "div",
      { class: "wood", role: "group", "aria-label": say("live.rack_keys"), "data-anchor": "own" },
      shelves(),
    ),
    h("div", { class: "tools", role: "group", "aria-label": say("live.tools") }, tools()),
  );
}

/** The rows of the rack, as they would be if the held or lifted tile were dropped now. */
function shelves() {
  const own = /** @type {import("./types").LiveRack} */ (rack());
  const cols = width(own);
  const at = shown();
  const sides = outlines(at, cols);
  return Array.from({ length: rows(own) }, (_, row) =>
    h(
      "div",
      { class: "shelf", key: `shelf${row}` },
      at.slice(row * cols, row * cols + cols).map((tile, column) => slot(tile, row * cols + column, sides)),
    ),
  );
}

/**
 * The classes of each place in a meld: its kind, and whether it has the first or last tile.
 * @param {import("./types").Places} shown
 * @param {number} cols
 */
export function outlines(shown, cols) {
  /** @type {Map<number, string>} */
  const sides = new Map();
  for (const { start, length, kind } of melds(shown)) {
    for (let at = start; at < start + length; at += 1) {
      const first = at === start || at % cols === 0;
      const last = at === start + length - 1;
      sides.set(at, ` meld ${kind}${first ? " first" : ""}${last ? " last" : ""}`);
    }
  }
  return sides;
}

/**
 * @param {RackTile | null} tile
 * @param {number} at
 * @param {Map<number, string>} sides
 */
function slot(tile, at, sides) {
  const isThere = tile !== null && tile.id !== state.order?.bay && tile.id !== leaving()?.id;
  const side = isThere ? sides.get(at) ?? "" : "";
  const props = { key: isThere ? `of${tile.id}` : `gap${at}`, class: `slot${side}`, "data-place": at }; // a tile that moves along its shelf is kept
  if (isThere) return h("div", props, tileButton(tile, at));
  if (!state.lifted) return h("div", props);
  const label = say("live.gap", { place: where(at) });
  return h("div", props, h("button", { type: "button", class: "gap", "data-do": "place", "data-place": at, tabindex: at === state.cursor ? 0 : -1, "aria-label": label }));
}

/**
 * @param {RackTile} tile
 * @param {number} at
 */
function tileButton(tile, at) {
  const okey = table()?.okey ?? "";
  const { held, lifted } = state;
  const isHeld = held?.ids.includes(tile.id);
  const isLifted = lifted?.id === tile.id;
  const advice = rack()?.hint;
  const hinted = ["discard", "finish", "lay_off", "reclaim"].includes(advice?.kind ?? "") && advice?.tile === tile.code;
  const classes = ["tile", isHeld && "held", isLifted && "lifted", hinted && "hinted", fresh(tile) && "fresh"];
  return h(
    "button",
    {
      key: `tile${tile.id}`,
      type: "button",
      class: classes.filter(Boolean).join(" "),
      "data-do": "tile",
      "data-tile": tile.id,
      "data-fly": `tile${tile.id}`,
      "data-from": fresh(tile) || tile.id === state.order?.bay ? drawnFrom() : undefined,
      tabindex: at === state.cursor || tile.id === state.order?.bay ? 0 : -1,
      "aria-pressed": isLifted ? "true" : "false",
      "aria-label": `${tileName(tile.code, okey)}${at < 0 ? "" : `, ${where(at)}`}`,
      "aria-roledescription": say("live.tile"),
    },
    face(tile.code, okey),
  );
}

/** @param {RackTile} tile */
function fresh(tile) {
  const own = rack();
  return Boolean(own && own.drawn >= 0 && state.order?.bay === null && places()[own.drawn]?.id === tile.id && onTurn());
}

/** The source of the drawn tile, for its slide. */
function drawnFrom() {
  return isBusy("take") ? "coming taken" : "coming stock";
}

/**
 * A place in words.
 * @param {number} at
 */
export function where(at) {
  const own = rack();
  const cols = own ? width(own) : 12;
  return say("live.place", { shelf: Math.floor(at / cols) + 1, place: (at % cols) + 1 });
}

/** The bay beside the shelves, for the drawn tile until it is moved. */
function bay() {
  const tile = places().find((each) => each && each.id === state.order?.bay && each.id !== leaving()?.id);
  return h("div", { class: `bay${tile ? " full" : ""}`, key: "bay" }, tile ? tileButton(tile, -1) : comingView());
}

/** The tile that is being drawn, face down, or taken. It turns over when the server says which it is. */
function comingView() {
  const tile = coming();
  if (!tile) return null;
  const props = { key: "coming", "data-fly": "coming", "aria-hidden": "true" };
  if (tile.kind === "draw") return h("span", { ...props, class: "tile back", "data-from": "stock" });
  return h("span", { ...props, class: "tile", "data-from": "taken" }, face(tile.code, table()?.okey ?? ""));
}

function counter() {
  if (table()?.game !== "101" || hasOpened()) return h("span", { key: "counter", class: "counter" });
  const { lines, text, enough } = worth();
  const told = table()?.hints || isNew() ? lines.map((line) => h("span", { key: line }, line)) : text;
  return h("span", { key: "counter", class: `counter${enough.length ? " enough" : ""}` }, told);
}

/** What to do now, in one line. */
function task() {
  if (table()?.phase === "draw") return say("live.task_draw");
  return table()?.game === "101" ? say("live.task_lay") : say("live.task_discard");
}

/** The advice for a player on turn: the move, to those who learn classic Okey by the fingers, and why. */
function hint() {
  const advice = rack()?.hint;
  if (!advice || !onTurn() || !state.settings.hints) return h("p", { key: "hint", class: "hint" }, state.settings.hints && isNew() && onTurn() && task());
  const { kind, missing } = advice;
  const told = (/** @type {string[]} */ ...parts) => h("p", { key: "hint", class: "hint told" }, icon("hint"), " ", parts.filter(Boolean).join("\u00a0· "));
  if (missing === null || (kind === "draw" && !missing)) return told(`${advice.move} ${advice.why}`);
  const tile = advice.tile ? tileName(advice.tile, table()?.okey) : "";
  return told(say(`live.hint_${kind}`, { tile }).replace(/\.$/, ""), kind === "finish" ? "" : say("live.missing", { missing }), advice.why);
}

/** The buttons for sorting, and for acts besides dragging. */
function tools() {
  const tile = lifted();
  const not = layable().length ? undefined : notLaid();
  const wins = Boolean(tile && finish(tile.code)?.wins);
  const taken = tile ? 0 : takenByTable().length;
  return [
    sorting("sort_melds", "live.best"),
    sorting("sort_runs", "live.runs"),
    sorting("sort_pairs", "live.pairs_first"),
    tile && act("discard", tile.code) && button("discard", say("live.discard"), wins ? "plain" : "primary"),
    tile && finish(tile.code) && button("finish", say("live.finish"), wins ? "primary" : "good"),
    act("call") && actButton("call", "good", say("live.call")),
    act("declare") && actButton("declare", "plain", say("live.declare")),
    (rack()?.piles.length ?? 0) > 0 && button("piles", say("live.piles")),
    act("show") && actButton("show", "good", say("live.show")),
    act("put_down") && melds().length > 0 && button("put_down", say(hasOpened() ? "live.put_down" : "live.open"), not ? "plain" : "primary", { "aria-disabled": not && "true", title: not }),
    ...acts()
      .filter(({ kind }) => kind === "open_melds" || kind === "open_pairs")
      .map(({ kind, on, press }) => actButton(kind, "good", say(`live.${kind}`, { n: figure(on) }), { "data-press": press })),
    taken > 0 && button("lay_off", say("live.lay_off", { n: taken }), "good"),
    act("give_back") && actButton("give_back", "plain", say("live.give_back")),
    act("take_back") && button("take_back", say("live.take_back")),
    act("back_in") && actButton("back_in", "primary", say("live.back_in")),
  ];
}

/**
 * @param {string} kind
 * @param {string} label
 */
function sorting(kind, label) {
  return act(kind) && actButton(kind, "plain", say(label), { "aria-pressed": String(isSorted(kind)) });
}
