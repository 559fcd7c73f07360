// A round that is over, played again on the table: every rack can be seen, and nothing can be done.

import { h } from "./html.js";
import { icon } from "./icons.js";
import { say, tileName } from "./words.js";
import { REPLAY, seeTable, select, state } from "./state.js";
import { button } from "./controls.js";
import { rows, width } from "./places.js";
import { face } from "./tiles.js";
import { stage } from "./staging.js";

/** @typedef {import("./types").LiveReplay} LiveReplay */

/** The most tiles of a rack, by game. @type {Record<string, number>} */
const MOST = { 101: 22 };
const MOST_CLASSIC = 15;

/**
 * Show a moment of a round on the table. The move that led to it is seen if the moment before was shown.
 * @param {LiveReplay} live
 * @param {string} html What is said of it.
 * @param {boolean} following
 */
export function openReplay(live, html, following) {
  const before = state.replay;
  const of = before?.of ?? state.selected;
  const shown = state.tables.get(REPLAY);
  if (!before) select(REPLAY);
  state.replay = { of, live, html, seat: before?.seat ?? Math.max(live.seat, state.racks.get(live.table.id)?.seat ?? 0) };
  see(state.replay.seat);
  const now = { ...live.table, id: REPLAY };
  seeTable(now);
  if (before && shown && following) stage({ ...shown, happened: [] }, now);
}

/**
 * See the table from a seat, with its rack.
 * @param {number} seat
 */
export function see(seat) {
  if (!state.replay) return;
  state.replay.seat = seat;
  const { table } = state.replay.live;
  const shelf = table.game === "101" ? 15 : 12;
  state.racks.set(REPLAY, { table: { ...table, id: REPLAY }, seat, shelf, places: [], drawn: -1, acts: [], refused: {}, piles: [], wrap: false, hint: null, own_pile: [], left_pile: [], invitation: "", letters: false, contrast: false });
}

/**
 * The properties of the button on a seat of a replay.
 * @param {number} seat
 */
export function seenFrom(seat) {
  const name = state.replay?.live.table.seats[seat].name ?? "";
  return { type: "button", "data-do": "see_seat", "data-seat": seat, "aria-pressed": String(state.replay?.seat === seat), "aria-label": name };
}

/**
 * The class that marks a stock or a pile as a move of the replay's player: the best one, or what they did.
 * @param {string} kind
 * @param {number} [on]
 */
export function markOn(kind, on = -1) {
  const { best, made } = state.replay?.live ?? {};
  const is = (/** @type {import("./types").LiveMove | null | undefined} */ move) => move?.kind === kind && move.on === on;
  return is(best) ? " best" : is(made) ? " missed" : "";
}

/** The rack of the seat that is seen, what is said of the moment, and the ways to others. */
export function replayView() {
  const { live, seat, html } = /** @type {NonNullable<typeof state.replay>} */ (state.replay);
  const own = state.racks.get(REPLAY);
  const cols = own ? width(own) : 12;
  const most = MOST[live.table.game] ?? MOST_CLASSIC;
  const marks = seat === live.seat ? marked(live) : [];
  const tiles = live.racks[seat] ?? [];
  return h(
    "section",
    { key: "replay", class: `own replay${own && rows(own) > 2 ? " tall" : ""}`, id: "replay", "aria-label": say("live.do_replay"), vars: { "--cols": cols } },
    h("div", { class: "wood", "data-anchor": "own", role: "group", "aria-label": live.table.seats[seat].name }, Array.from({ length: Math.ceil(most / cols) }, (_, row) => h("div", { class: "shelf", key: row }, Array.from({ length: cols }, (__, column) => slotView(tiles[row * cols + column], marks[row * cols + column], live, column))))),
    h("div", { class: "told", role: "status", html }),
    stepsView(),
  );
}

/**
 * @param {string | undefined} code
 * @param {string | undefined} mark
 * @param {LiveReplay} live
 * @param {number} column
 */
function slotView(code, mark, { table }, column) {
  if (!code) return h("div", { key: column, class: "slot" });
  const label = `${tileName(code, table.okey)}${mark ? `, ${say(mark === "best" ? "page.best" : "page.chosen")}` : ""}`;
  return h("div", { key: column, class: "slot" }, h("span", { class: `tile ${mark ?? ""}`, role: "img", "aria-label": label }, face(code, table.okey)));
}

/**
 * Whether each tile of the rack belongs to the best move, or to what was done in its place.
 * @param {LiveReplay} live
 */
function marked({ racks, seat, best, made }) {
  const left = { best: [...(best?.tiles ?? [])], missed: [...(made?.tiles ?? [])] };
  return racks[seat].map((code) => /** @type {const} */ (["best", "missed"]).find((mark) => left[mark].includes(code) && left[mark].splice(left[mark].indexOf(code), 1)));
}

/** Back, by itself, and on; and a slider. */
export function stepsView() {
  const { series, autoplay } = state;
  const to = (/** @type {number} */ by) => ({ "data-by": by, "aria-disabled": !series || (by < 0 ? series.at <= 0 : series.at >= series.last) ? "true" : undefined });
  return h(
    "div",
    { class: "steps", role: "group", "aria-label": say("live.step") },
    button("turn", icon("back"), "plain", { key: "back", "aria-label": say("page.back"), ...to(-1) }),
    button("autoplay", icon(autoplay ? "pause" : "play"), "primary", { "data-speed": 1, "aria-label": say("live.autoplay"), "aria-pressed": String(Boolean(autoplay)) }),
    button("turn", icon("forward"), "plain", { key: "forward", "aria-label": say("page.forward"), ...to(1) }),
    series && h("input", { type: "range", "aria-label": say("live.step"), min: 0, max: series.last, value: String(series.at), "data-slide": "" }),
  );
}
