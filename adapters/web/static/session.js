// The session: the viewer's hello to the server, and what each of its messages changes.

import { LANGUAGE, say, speakIn } from "./words.js";
import { REPLAY, isBusy, isUnkept, onTurn, rack, seeRack, seeTable, select, state, table, tableOf } from "./state.js";
import { stage } from "./staging.js";
import { wins } from "./result.js";
import { countMatch } from "./settings.js";
import { fanfare } from "./sounds.js";
import { door, isLocal, wished } from "./doors.js";
import { heard } from "./reactions.js";
import { newId } from "./line.js";
import { serverTime, setClock, unsetClock } from "./clock.js";
import { answered, keep, line, takeTurns, unsend } from "./requests.js";
import { askForPage, closeReading, openReading } from "./reading.js";
import { called, note, speak } from "./notes.js";
import { render, renderSmoothly } from "./page.js";
import { layAgain } from "./moves.js";
import { LONGEST_ID, aim, begin, openTable, pursue, watch } from "./tables.js";
import { be } from "./local.js";

/** @typedef {import("./types").Told} Told */

/** Commands whose effect is visible, so their answer need not be read. */
const SHOWN = new Set(["play", "invite"]);
const PROTOCOL = Number(document.body.dataset.protocol);

/** The tables that were known before this hello, and not heard of since. @type {Set<string>} */
let stale = new Set();

/** Who was at the tables when the line broke: nobody is told anew that nobody is there. */
let staleHere = state.here;

/** The page that came after a choice on the first page: what to read if no table follows. @type {Extract<Told, {kind: "reading"}> | null} */
let waitingPage = null;

/** Whether that choice has led to a table, and its answer is still to come: the table may be seen before. */
let reachedTable = false;

/** The viewer's end of the line. @type {ConstructorParameters<typeof import("./line.js").Line>[0]} */
export const session = {
  async hello() {
    unsetClock();
    stale = new Set([...state.tables.keys(), ...state.racks.keys(), ...state.boards.keys()]);
    stale.delete(REPLAY);
    staleHere = state.here;
    const about = { protocol: PROTOCOL, table: (state.replay?.of ?? state.selected).slice(0, LONGEST_ID), language: LANGUAGE };
    const token = door.key && door.storage[door.key];
    if (!token) return { kind: "enter", door: door.name, ...(await door.proof()), ...about };
    return { kind: "hello", token, name: isLocal ? state.name || guest() : "", ...about };
  },
  heard(message) {
    if ("now" in message) setClock(message.now);
    hear(message);
    renderSmoothly();
  },
  changed(open, wait) {
    state.online = open;
    state.wait = wait;
    if (!open) unsend();
    render();
  },
  shut() {
    const known = door.key && door.storage[door.key];
    if (!known) state.shut = true;
    else {
      delete door.storage[door.key];
      line.open();
    }
    render();
  },
};

/** A name for people who have not entered one. */
export function guest() {
  return (sessionStorage.guest ??= say("live.guest", { n: 100 + Math.floor(Math.random() * 900) }));
}

/**
 * Tell the server the viewer's new name.
 * @param {string} name
 */
export function rename(name) {
  if (!name.trim() || name.trim() === state.name) return;
  state.name = name.trim();
  be({ token: sessionStorage.token ?? newId(32), name: state.name });
  line.say({ kind: "name", name: state.name });
}

/** Whether the open table's result came while nobody looked. */
let unseen = false;

/** Report whether the page is visible: the chat calls people who do not see it. */
export function looking() {
  if (!document.hidden) unseen = false;
  if (!isLocal) line.say({ kind: "looking", visible: !document.hidden });
}

/**
 * Change the state as a message says.
 * @param {Told} message
 */
function hear(message) {
  switch (message.kind) {
    case "words":
      speakIn(message.language, message.words);
      break;
    case "table": {
      stale.delete(message.live.id);
      react(message.live);
      tellMissed(message.live);
      const before = tableOf(message.live.id);
      seeTable(message.live);
      stage(before, tableOf(message.live.id));
      carryOn();
      if (message.live.id === state.selected && !state.racks.has(state.selected)) speak(message.live.id, message.spoken);
      break;
    }
    case "rack": {
      const { id } = message.live.table;
      stale.delete(id);
      const first = !state.racks.has(id);
      if (state.replay?.of === id && calls(message.live, tableOf(id))) closeReading();
      const was = onTurn();
      const playing = tableOf(id)?.stage === "playing";
      react(message.live.table);
      tellMissed(message.live.table);
      const before = tableOf(id);
      seeRack(message.live);
      stage(before, tableOf(id));
      if (playing && message.live.table.stage === "over") countMatch();
      if (playing && wins(message.live.table, message.live.seat)) fanfare();
      if (first && opensItself(message)) openTable(id);
      if (id === state.selected) {
        speak(id, message.spoken);
        if (!was && onTurn()) called();
      }
      carryOn();
      break;
    }
    case "board":
      stale.delete(message.table);
      state.boards.set(message.table, message);
      break;
    case "reading":
      // After a choice on the first page the guide would be in the way.
      if (state.goal || reachedTable) waitingPage = message;
      else openReading(message);
      break;
    case "here":
      state.here = message.tables;
      break;
    case "notice":
      if (message.urgent || ![...state.busy.values()].some((about) => SHOWN.has(about))) note(message.html, message.urgent);
      if (message.urgent) aim("");
      break;
    case "norack":
      state.racks.delete(message.table);
      if (message.table !== state.selected) break;
      state.order = null;
      state.lifted = null;
      break;
    case "done":
      answered(message.id);
      keep();
      askForPage();
      settle();
      layAgain();
      takeTurns();
      break;
    case "session":
      door.storage[door.key] = message.token;
      break;
    case "open":
      if (tableOf(message.table)) openTable(message.table);
      break;
    case "gone":
      state.tables.delete(message.table);
      state.racks.delete(message.table);
      if (message.table === state.selected) state.order = null;
      break;
    case "welcome":
      state.opens = message.opens;
      if (document.hidden) looking();
      for (const id of stale) {
        state.tables.delete(id);
        state.racks.delete(id);
        state.boards.delete(id);
      }
      stale.clear();
      if (state.here === staleHere) state.here = {};
      if (!state.welcomed && !state.switched && tableOf(message.table)) openTable(message.table);
      if (!state.welcomed && wished.invitation) watch(wished.invitation);
      state.welcomed = true;
      if (state.wanted) begin(state.wanted);
      state.wanted = "";
      if (state.selected && !tableOf(state.selected) && !state.boards.has(state.selected)) openTable("");
      else if (state.selected && !state.order && !state.replay) select(state.selected);
      settle();
      keep();
  }
}

/**
 * Whether a newer view calls its player to their turn.
 * @param {import("./types").LiveRack} live
 * @param {import("./types").LiveTable | undefined} before
 */
function calls({ table: now, seat }, before) {
  return now.stage === "playing" && now.turn === seat && (before?.turn !== seat || before.stage !== "playing");
}

/**
 * Whether a rack that was not known opens its table by itself. Until the welcome the server shows what was there
 * before. None of that opens once the viewer has gone somewhere, except the lobby of a match that they asked for.
 * @param {Extract<Told, {kind: "rack"}>} message
 */
function opensItself({ live }) {
  if (state.switched && !state.welcomed) return Boolean(state.goal) && live.table.stage === "lobby";
  const dealt = state.welcomed && live.table.stage === "playing";
  return dealt || !state.selected || Boolean(state.goal) || !tableOf(state.selected);
}

/** Carry on with the choice of the first page, and note when it has led to a table. */
function carryOn() {
  const chosen = state.goal;
  pursue();
  reachedTable ||= Boolean(chosen && !state.goal && isBusy("play"));
}

/** Return to the server's order once it knows of every drop, and give up a choice that no table follows. */
function settle() {
  const own = rack();
  if (own && state.order && !isUnkept()) seeRack(own);
  if (state.goal && state.busy.size === 0 && !(state.goal === "now" && table()?.stage === "lobby" && own)) {
    aim("");
    if (waitingPage && !state.selected) openReading(waitingPage);
  }
  if (!state.goal) waitingPage = null;
  if (state.busy.size === 0) reachedTable = false;
}

/**
 * Show the reactions of a view that is about to be stored.
 * @param {import("./types").LiveTable} live
 */
function react(live) {
  heard(live, tableOf(live.id)?.stage === "playing", serverTime(), render);
}

/**
 * Tell the viewer of a round that ended while the page was hidden or had no connection, once the next one is dealt.
 * @param {import("./types").LiveTable} live A view that is about to be stored.
 */
function tellMissed(live) {
  const before = tableOf(live.id);
  if (live.id !== state.selected || before?.stage === "lobby") return;
  if (before?.stage === "playing" && isResult(live)) unseen = document.hidden;
  if (live.stage !== "playing" || !before || before.round === live.round || (isResult(before) && !unseen)) return;
  unseen = false;
  note(say("live.missed", { replay: say("live.do_replay") }), true);
}

/** @param {import("./types").LiveTable} live */
function isResult({ stage }) {
  return stage === "between" || stage === "over";
}
