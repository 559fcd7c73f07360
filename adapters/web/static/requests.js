// Requests: the presses and commands that are sent to the server, and what waits for their answers.

import { Line } from "./line.js";
import { say, tileName } from "./words.js";
import { written } from "./order.js";
import { act, isBusy, state, table } from "./state.js";
import { render } from "./page.js";

/** @typedef {import("./types").Act} Act */

/** Moves with which a turn goes on. */
const MOVES = new Set(["draw", "take", "show", "put_down", "open_melds", "open_pairs", "lay", "reclaim", "give_back", "take_back", "declare", "call"]);

/** Milliseconds after which the viewer is told that an answer is awaited. */
const LATE = 1500;

/** @type {Line} */
export let line;

/**
 * Make the line that everything is sent on.
 * @param {ConstructorParameters<typeof Line>[0]} does
 */
export function connect(does) {
  line = new Line(does);
}

/**
 * Do an act that the table offers. One with a penalty needs confirmation.
 * @param {Act | undefined} what
 * @param {"public" | "private"} [surface]
 */
export function make(what, surface = "private") {
  if (!what) return;
  if (!what.sure) return press(what, surface);
  const named = what.sure === "okey" || what.sure === "joker_discard"; // the question says that it is the okey
  const tile = what.tile ? tileName(what.tile, named ? "" : table()?.okey) : "";
  const yes = say(what.sure === "finish" ? "live.finish" : what.sure === "declare" ? "live.declare" : what.sure === "fined" ? "live.do_it" : "live.yes");
  ask(say(`sure.${what.sure}`, { tile }), what.tile ? [what.tile] : [], yes, () => press(what, surface), !["finish", "declare"].includes(what.sure));
}

/**
 * Ask before a move.
 * @param {string} text
 * @param {string[]} tiles
 * @param {string} yes
 * @param {() => void} does
 * @param {boolean} [costs] Whether it costs the viewer something.
 */
export function ask(text, tiles, yes, does, costs = false) {
  state.question = { move: true, text, tiles, answers: [{ text: yes, tiles: [], does, costs }], none: say("live.no") };
}

/**
 * Do the one thing that there is to do, or ask which of several.
 * @param {string} text
 * @param {import("./types").Answer[]} answers
 */
export function choose(text, answers) {
  if (answers.length < 2) answers[0]?.does();
  else state.question = { move: true, text, tiles: [], answers, none: say("page.close") };
}

/**
 * Press the button of an act, unless a press of its kind is under way.
 * @param {Act} what
 * @param {"public" | "private"} [surface]
 * @param {string} [data]
 */
export function press(what, surface = "private", data = what.press) {
  if (isBusy(what.kind)) return;
  state.lifted = null;
  if (what.kind === "draw" || what.kind === "take") state.coming = { kind: what.kind, code: what.tile, from: what.on };
  send({ kind: "press", private: surface === "private", data }, what.kind);
}

/**
 * Send a request. Its subject is busy until the answer.
 * @param {Record<string, unknown>} message
 * @param {string} about
 */
export function send(message, about) {
  const id = line.ask(message);
  state.busy.set(id, about);
  setTimeout(() => {
    if (!state.busy.has(id)) return;
    state.late.add(id);
    render();
  }, LATE);
}

/**
 * Note that a request has been answered.
 * @param {string} id
 */
export function answered(id) {
  state.busy.delete(id);
  state.late.delete(id);
}

/**
 * Send a command as people type it in the chats.
 * @param {string} verb
 * @param {string} [argument]
 */
export function type(verb, argument = "") {
  send({ kind: "typed", verb, argument }, verb);
}

/** Send the viewer's newest order, once there is a connection and an earlier one has been answered. */
export function keep() {
  const { order } = state;
  const asked = act("keep");
  if (!order?.unsent || !asked || !state.online || isBusy("keep")) return;
  order.unsent = false;
  send({ kind: "press", private: true, data: `${asked.press}.${written(order.places)}` }, "keep");
}

/** Take back an order on a lost connection: the newest is sent on the next one, if it still suits the rack. */
export function unsend() {
  for (const [id, about] of state.busy) {
    if (about !== "keep") continue;
    line.forget(id);
    answered(id);
    if (state.order) state.order.unsent = true;
  }
}

/** What was asked for before an earlier move was answered, each at its table. @type {{table: string, does: () => void}[]} */
const waiting = [];

/**
 * Do something now, or once the earlier moves are answered: presses are made for the newest rack. What waits is
 * dropped when the viewer goes to another table.
 * @param {() => void} does
 */
export function inTurn(does) {
  waiting.push({ table: state.selected, does });
  takeTurns();
}

/** Whether something waits for the answer to an earlier move. */
export function isWaiting() {
  return waiting.length > 0;
}

/** Whether an earlier move waits for its answer. */
export function isMoving() {
  return [...state.busy.values()].some((about) => MOVES.has(about));
}

/** Do what was waiting, as far as the answers allow. */
export function takeTurns() {
  while (waiting.length && !isMoving()) {
    const next = waiting.shift();
    if (next?.table === state.selected) next.does();
    if (state.question) waiting.length = 0;
  }
}
