// The only state of the page: changed by the server's messages and the person's acts, read by all else.

import { known, merged, suits } from "./order.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").LiveTable} LiveTable */
/** @typedef {import("./types").LiveRack} LiveRack */

/** @type {State} */
export const state = {
  online: false,
  welcomed: false,
  opens: true,
  asks: false,
  shut: false,
  wait: false,
  name: "",
  tables: new Map(),
  racks: new Map(),
  here: {},
  boards: new Map(),
  selected: "",
  switched: false,
  order: null,
  tops: new Map(),
  sorted: null,
  lifted: null,
  held: null,
  leaving: null,
  coming: null,
  gone: [],
  masks: new Map(),
  shown: null,
  badges: new Map(),
  dealing: false,
  cursor: 0,
  question: null,
  reading: "",
  series: null,
  puzzle: null,
  picked: null,
  replay: null,
  autoplay: 0,
  menu: false,
  sharing: false,
  notes: [],
  busy: new Map(),
  late: new Set(),
  goal: "",
  game: "okey",
  level: "steady",
  length: "three",
  wanted: "",
  entered: false,
  settings: { sound: true, reactions: true, double_tap: false, confirm: false, always_finish: false, hints: true, left: false, cloth: "green", tiles: "ivory", motion: "normal" },
  lesson: null,
  setting: false,
  hidden: new Set(),
  reacting: false,
  reactions: new Map(),
  result: true,
};

/** The table under which a replay is shown. */
export const REPLAY = "replay";

/** The newest view of the selected table. */
export function table() {
  return tableOf(state.selected);
}

/**
 * The newest view of a table. As a match begins, the seats change places: the viewer sees the lobby until their rack says
 * which is theirs.
 * @param {string} id
 * @returns {LiveTable | undefined}
 */
export function tableOf(id) {
  const seen = state.tables.get(id);
  const own = state.racks.get(id)?.table;
  if (!seen || !own) return seen ?? own;
  if (own.stage === "lobby" && seen.stage === "playing") return own;
  return own.version > seen.version ? own : seen;
}

/**
 * Who is at a table of the local page.
 * @param {string} id
 * @returns {import("./types").Company}
 */
export function companyOf(id) {
  return state.here[id] ?? { seats: [], watchers: 0 };
}

/** The viewer's rack at the selected table. */
export function rack() {
  return state.racks.get(state.selected);
}

/** The uppermost of what lies over the page. What is below it can't be reached meanwhile. */
export function covering() {
  return state.question ? "question" : state.menu ? "menu" : state.setting ? "settings" : state.reading ? "reading" : "";
}

/** Whether the round or the match is over. */
export function isOver() {
  return ["between", "over"].includes(table()?.stage ?? "");
}

/** Whether its result lies over the table. It waits for the rack: the buttons that come with that would push its own aside. */
export function hasResult() {
  return state.result && isOver() && (!rack() || isNewest());
}

/** Whether the viewer is to move. */
export function onTurn() {
  const now = table();
  const mine = rack();
  return Boolean(now && mine && !state.replay && now.stage === "playing" && now.turn === mine.seat && isNewest());
}

/** Whether the rack belongs to the newest view. Acts of an older one may be outdated. */
export function isNewest() {
  return (rack()?.table.turns ?? 0) >= (table()?.turns ?? 0);
}

/**
 * Whether a request about something has no answer yet.
 * @param {string} about
 */
export function isBusy(about) {
  return [...state.busy.values()].includes(about);
}

/** The possible acts with the viewer's rack and at the table. */
export function acts() {
  const own = isNewest() ? rack()?.acts ?? [] : (rack()?.acts ?? []).filter(({ kind }) => ANYTIME.has(kind));
  return [...own, ...(table()?.acts ?? [])];
}

/** Acts that no move of the game makes outdated. */
const ANYTIME = new Set(["keep", "sort_melds", "sort_runs", "sort_pairs", "preferences", "react"]);

/**
 * The act of a kind, and of a tile if one is given.
 * @param {string} kind
 * @param {string} [tile]
 */
export function act(kind, tile) {
  return acts().find((each) => each.kind === kind && (tile === undefined || each.tile === tile));
}

/**
 * The act of finishing with a tile, or with any: where it wins, or always if the viewer likes that.
 * @param {string} [tile]
 */
export function finish(tile) {
  return acts().find((each) => each.kind === "finish" && (each.wins || state.settings.always_finish) && (tile === undefined || each.tile === tile));
}

/**
 * Store a newer view of a table.
 * @param {LiveTable} live
 */
export function seeTable(live) {
  const before = tableOf(live.id);
  state.tables.set(live.id, live);
  changed(before, tableOf(live.id));
}

/**
 * Store a newer view of the viewer's rack. Their own order stays until the server knows it.
 * @param {LiveRack} live
 */
export function seeRack(live) {
  const id = live.table.id;
  const before = tableOf(id);
  state.racks.set(id, live);
  changed(before, tableOf(id));
  if (id === state.selected) arrange(live);
}

/**
 * @param {string} id
 */
export function select(id) {
  state.selected = id;
  state.replay = null;
  state.tables.delete(REPLAY);
  state.racks.delete(REPLAY);
  state.lifted = null;
  state.leaving = null;
  state.held = null;
  state.question = null;
  state.result = true;
  state.order = null;
  state.sorted = null;
  state.tops.clear();
  state.masks.clear();
  state.shown = null;
  state.badges.clear();
  changed(undefined, table());
  const own = rack();
  if (own) arrange(own);
}

/** Whether the server does not know the viewer's newest order yet. */
export function isUnkept() {
  return Boolean(state.order?.unsent) || isBusy("keep");
}

/**
 * The viewer's places without the tile that has left, where its twin stays; null when none has. A move names a face, and
 * the server does not know which of two equal tiles the viewer has played.
 * @param {import("./types").Places} places
 * @param {string[]} codes
 */
function withoutTwin(places, codes) {
  const { leaving } = state;
  const count = (/** @type {(string | undefined)[]} */ held) => held.filter((code) => code === leaving?.code).length;
  if (!leaving || !places.some((tile) => tile?.id === leaving.id) || !count(codes)) return null;
  return count(codes) < count(places.map((tile) => tile?.code)) ? places.map((tile) => (tile?.id === leaving.id ? null : tile)) : null;
}

/** @param {LiveRack} live */
function arrange(live) {
  const { id } = live.table;
  const before = state.order?.table === id ? state.order : null;
  if (live.places.length === 0) {
    state.order = null;
    return;
  }
  const drawn = live.drawn < 0 ? null : live.places[live.drawn];
  const had = new Set(before?.places.map((tile) => tile?.id));
  const twinless = withoutTwin(before?.places ?? [], live.places);
  const newer = before !== null && (isUnkept() || twinless !== null) && suits(before.places, live.places);
  const places = newer ? merged(twinless ?? before.places, live.places) : known(live.places, before?.places ?? []);
  const elsewhere = !newer && places.some((tile, at) => tile && had.has(tile.id) && before?.places[at]?.id !== tile.id);
  if (elsewhere && !isBusy(state.sorted?.kind ?? "")) state.sorted = null;
  const gone = (before?.places ?? []).flatMap((tile) => (tile && !places.some((each) => each?.id === tile.id) ? tile : []));
  if (gone.length) state.gone = gone;
  const fresh = places.find((tile) => tile && tile.code === drawn && !had.has(tile.id));
  let bay = drawn && before?.bay && places.some((tile) => tile?.id === before.bay) ? before.bay : null;
  if (drawn && fresh) bay = before ? fresh.id : places[live.drawn]?.id ?? null;
  state.order = { table: id, places, bay, unsent: newer && (before.unsent || twinless !== null) };
  if (state.lifted && !places.some((tile) => tile?.id === state.lifted?.id)) state.lifted = null;
}

/**
 * Note new tiles on the discard piles, and where they came from.
 * @param {LiveTable | undefined} before
 * @param {LiveTable | undefined} after
 */
function changed(before, after) {
  if (!after || after.id !== state.selected) return;
  if (state.question?.move && (before?.moment !== after.moment || before.stage !== after.stage)) state.question = null;
  after.seats.forEach(({ discard }, seat) => {
    const key = String(seat);
    const top = state.tops.get(key);
    if (top && top.code === discard && before?.round === after.round) return;
    const own = rack()?.seat === seat;
    const tile = own ? state.order?.places.find((each) => each?.code === discard) : null;
    const from = tile ? `tile${tile.id}` : "own";
    const news = own && before?.turn === seat && !state.replay;
    state.tops.set(key, { code: discard, n: (top?.n ?? 0) + 1, from: news ? from : "" });
  });
  if (before?.round !== after.round) state.sorted = null;
  if (before?.round !== after.round || before.stage !== after.stage) state.result = true;
}
