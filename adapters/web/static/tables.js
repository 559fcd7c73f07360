// The tables: the open one, and the ways to one from the first page.

import { act, acts, isBusy, rack, select, state, table, tableOf } from "./state.js";
import { address } from "./back.js";
import { isLocal } from "./doors.js";
import { line, press, send, type } from "./requests.js";

/** The server refuses a longer id, which people may have in an address. */
export const LONGEST_ID = 64;

/** The words that make a match as long as the viewer wants. @type {Record<string, string[]>} */
export const LENGTHS = { round: ["end=rounds", "rounds=1"], three: ["end=rounds", "rounds=3"], match: [] };

/**
 * Go to a table; without an id, to the first page. Whoever is there already keeps what lies over it.
 * @param {string} id
 */
export function openTable(id) {
  if (id !== state.selected) {
    select(id);
    state.menu = false;
    state.sharing = false;
  }
  line?.say({ kind: "at", table: id.slice(0, LONGEST_ID) });
  sessionStorage.table = id;
  history.replaceState(history.state, "", address());
}

/**
 * Go to a table as the viewer asks; without an id, to the first page. From then on, what was there before the page was
 * loaded opens no other table by itself.
 * @param {string} id
 */
export function switchTo(id) {
  state.switched = true;
  openTable(id);
}

/**
 * Note what the viewer has chosen on the first page. It takes several presses: loaded anew between them, the page goes on.
 * @param {import("./types").State["goal"]} goal
 */
export function aim(goal) {
  sessionStorage.goal = state.goal = goal;
}

/**
 * Open a table: the viewer's own lobby, one beside somebody else's, or the place's first. The local page's place is for
 * all who play there: it opens one beside a match, too, instead of bringing that back.
 * @param {"now" | "friends"} goal
 */
export function begin(goal) {
  if (state.goal) return;
  if (!state.welcomed) {
    state.wanted = goal; // the tables that are there are not known yet
    return;
  }
  aim(goal);
  const tables = [...state.tables.keys()].map(tableOf);
  const lobbies = tables.filter((each) => each?.stage === "lobby");
  const mine = lobbies.find((each) => each && state.racks.has(each.id));
  switchTo(mine?.id ?? "");
  if (mine) return pursue();
  const words = [state.game, ...(goal === "now" ? LENGTHS[state.length] : [])];
  const beside = lobbies[0] ?? tables.find((each) => isLocal && each && !each.practice && ["playing", "between"].includes(each.stage));
  if (beside) send({ kind: "press", private: false, data: `another.${beside.id}.0.${words.join(".")}` }, "play");
  else type("play", words.join(" "));
}

/** Play again with the same seats. Against computer players the match starts at once. */
export function again() {
  const asked = act("again");
  const own = rack()?.seat;
  if (!asked) return begin("now");
  aim(table()?.seats.every(({ computer }, seat) => computer || seat === own) ? "now" : "friends");
  press(asked, "public");
}

/** Whether the open lobby is only on the way to a match at once: its answers are awaited. */
export function isStarting() {
  return state.goal === "now" && table()?.stage === "lobby" && state.busy.size > 0;
}

/** Carry on with the choice of the first page: the viewer's own lobby starts at once. */
export function pursue() {
  const now = table();
  if (state.goal === "now" && now?.stage === "lobby" && rack()) {
    const start = act("start");
    const level = acts().find(({ kind, press }) => kind === "level" && press.endsWith(`.${state.level}`));
    if (now.level !== state.level && level) press(level, "public");
    else if (start && !isBusy("start")) press(start, "public");
  }
  if (state.goal && now?.stage === "playing") aim("");
  if (state.goal === "friends" && now?.stage === "lobby") {
    state.sharing = true;
    aim("");
  }
}

/**
 * Watch the table of an invitation.
 * @param {string} code
 */
export function watch(code) {
  const wanted = code.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 12);
  if (wanted) send({ kind: "press", private: true, data: `watch_live.me.0.${wanted}` }, "watch");
}
