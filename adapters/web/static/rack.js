// The rack: wooden shelves, the bay of the drawn tile, and the buttons for both.

import { h } from "./html.js";
import { figure, say, tileName } from "./words.js";
import { act, acts, isSorted, melds, onTurn, places, rack, rows, state, table, width } from "./state.js";
import { moved, movedMeld } from "./order.js";

/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").RackTile} RackTile */

const COLOUR = { R: "red", Y: "yellow", B: "blue", K: "black", F: "joker" };

/**
 * A tile's face. An okey carries a crown.
 * @param {string} code
 * @param {string} okey
 * @returns {VNode}
 */
export function face(code, okey) {
  const colour = COLOUR[/** @type {keyof typeof COLOUR} */ (code[0])];
  return h(
    "span",
    { class: `face ${colour}${code === okey ? " wild" : ""}`, "aria-hidden": "true" },
    code !== "F" && h("b", null, code.slice(1)),
    h("i", null),
    code !== "F" && rack()?.letters && h("u", null, code[0]),
  );
}

/** The places if the held or lifted tile were dropped now. */
function shown() {
  const { held, lifted } = state;
  if (typeof held?.over === "number") return dropped(held.ids, held.over);
  return lifted?.moved ? dropped([lifted.id], lifted.at) : places();
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

/** The viewer's half of the table; empty without a rack. */
export function rackView() {
  const own = rack();
  if (!own || !state.order) return null;
  const cols = width(own);
  const at = shown();
  const sides = outlines(at, cols);
  return h(
    "section",
    {
      key: "rack",
      class: `own${onTurn() ? " turn" : ""}${own.contrast ? " contrast" : ""}${cols > 12 ? " long" : ""}`,
      id: "rack",
      "aria-label": say("page.rack"),
      vars: { "--cols": cols },
    },
    h("div", { class: `above${table()?.hints ? " helped" : ""}` }, counter(), hint(), bay()),
    h(
      "div",
      { class: "wood", role: "group", "aria-label": say("live.rack_keys"), "data-anchor": "own" },
      Array.from({ length: rows(own) }, (_, row) =>
        h(
          "div",
          { class: "shelf", key: `shelf${row}` },
          at.slice(row * cols, row * cols + cols).map((tile, column) => slot(tile, row * cols + column, sides)),
        ),
      ),
    ),
    h("div", { class: "tools", role: "group", "aria-label": say("live.tools") }, tools()),
  );
}

/**
 * The position of each place in its meld: first, middle or last tile.
 * @param {import("./types").Places} shown
 * @param {number} cols
 */
function outlines(shown, cols) {
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
  const inBay = tile !== null && tile.id === state.order?.bay;
  const side = tile && !inBay ? sides.get(at) ?? "" : "";
  const props = { key: `place${at}`, class: `slot${side}`, "data-place": at };
  if (tile && !inBay) return h("div", props, tileButton(tile, at));
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
  const hinted = ["discard", "lay_off", "reclaim"].includes(advice?.kind ?? "") && advice?.tile === tile.code;
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
      "data-from": fresh(tile) || tile.id === state.order?.bay ? origin() : undefined,
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
function origin() {
  const taken = [...state.busy.values()].includes("take");
  return taken ? "taken" : "stock";
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
  const tile = places().find((each) => each && each.id === state.order?.bay);
  return h("div", { class: `bay${tile ? " full" : ""}`, key: "bay" }, tile && tileButton(tile, -1));
}

/** Okey 101: whether the viewer has opened. */
export function hasOpened() {
  return Boolean(table()?.seats[rack()?.seat ?? -1]?.opened);
}

/** Okey 101: the worth of the melds on the rack, beside what opening takes, and the melds that suffice. */
export function worth() {
  const [needed, needed_pairs] = table()?.needed ?? [0, 0];
  const [laid, pairs] = [melds().filter(({ kind }) => kind !== "pair"), melds().filter(({ kind }) => kind === "pair")];
  const points = laid.reduce((sum, meld) => sum + meld.points, 0);
  const lines = [say("live.points", { points, needed }), say("live.pairs", { pairs: pairs.length, needed: needed_pairs })];
  return { lines, text: lines.join(" · "), enough: points >= needed ? laid : pairs.length >= needed_pairs ? pairs : [] };
}

/** Okey 101: why the melds on the rack can't be laid. */
export function notLaid() {
  return hasOpened() ? say("live.other_kind") : say("live.cannot_open", { worth: worth().text });
}

function counter() {
  if (table()?.game !== "101" || hasOpened()) return h("span", { key: "counter", class: "counter" });
  const { lines, text, enough } = worth();
  const told = table()?.hints ? lines.map((line) => h("span", { key: line }, line)) : text;
  return h("span", { key: "counter", class: `counter${enough.length ? " enough" : ""}` }, told);
}

/** The advice for a player on turn: the move, to those who learn classic Okey by the fingers, and why. */
function hint() {
  const advice = rack()?.hint;
  if (!advice || !onTurn()) return h("p", { key: "hint", class: "hint" });
  const { kind, missing } = advice;
  const told = (/** @type {string[]} */ ...parts) => h("p", { key: "hint", class: "hint told" }, parts.filter(Boolean).join("\u00a0· "));
  if (missing === null || (kind === "draw" && !missing)) return told(`${advice.move} ${advice.why}`);
  const tile = advice.tile ? tileName(advice.tile, table()?.okey) : "";
  return told(say(`live.hint_${kind}`, { tile }).replace(/\.$/, ""), kind === "finish" ? "" : say("live.missing", { missing }), advice.why);
}

/** The buttons for sorting, and for acts besides dragging. */
function tools() {
  const lifted = places().find((tile) => tile && tile.id === state.lifted?.id);
  const found = melds();
  return [
    tool("sort_melds", say("live.best"), "plain"),
    tool("sort_runs", say("live.runs"), "plain"),
    tool("sort_pairs", say("live.pairs_first"), "plain"),
    lifted && act("discard", lifted.code) && button("discard", say("live.discard"), "primary", "discard"),
    lifted && act("finish", lifted.code) && button("finish", say("live.finish"), "good", "finish"),
    act("show") && tool("show", say("live.show"), "good"),
    act("put_down") && found.length > 0 && button("put", say(hasOpened() ? "live.put_down" : "live.open"), layable().length ? "primary" : "plain", "put_down", layable().length ? "" : notLaid()),
    ...openings(),
    act("give_back") && tool("give_back", say("live.give_back"), "plain"),
    act("take_back") && button("take_back", say("live.take_back"), "plain", "take_back"),
    act("back_in") && tool("back_in", say("live.back_in"), "primary"),
  ];
}

/** Okey 101: the melds on the rack that can be laid now: an opening, or further melds of its kind. */
export function layable() {
  const now = table();
  const own = rack();
  if (!now || !own) return [];
  if (!hasOpened()) return worth().enough;
  const paired = now.seats[own.seat].opened.endsWith("pairs");
  return melds().filter(({ kind }) => (kind === "pair") === paired);
}

function openings() {
  return acts()
    .filter(({ kind }) => kind === "open_melds" || kind === "open_pairs")
    .map((each) => h("button", { key: each.kind, type: "button", class: "press good", "data-do": "act", "data-press": each.press, "data-kind": each.kind }, say(`live.${each.kind}`, { n: figure(each.on) })));
}

/**
 * @param {string} kind
 * @param {string} label
 * @param {string} style
 */
function tool(kind, label, style) {
  const found = act(kind);
  const pressed = kind.startsWith("sort_") ? String(isSorted(kind)) : undefined;
  return found && h("button", { key: kind, type: "button", class: `press ${style}`, "data-do": "act", "data-kind": kind, "aria-pressed": pressed }, label);
}

/**
 * @param {string} key
 * @param {string} label
 * @param {string} style
 * @param {string} does
 * @param {string} [not] Why it can't be done now.
 */
function button(key, label, style, does, not = "") {
  return h("button", { key, type: "button", class: `press ${style}`, "data-do": does, "aria-disabled": not ? "true" : undefined, title: not || undefined }, label);
}
