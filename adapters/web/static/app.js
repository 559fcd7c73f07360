// The page: it draws its state, and turns people's acts into presses that the table offers.

import { Line, newId } from "./line.js";
import { h, patch } from "./html.js";
import { LANGUAGE, figure, say, speakIn, tileName } from "./words.js";
import { act, acts, isUnkept, melds, onTurn, places, rack, seeRack, seeTable, select, state, table, tableOf, width } from "./state.js";
import { readings } from "./melds.js";
import { moved, sign, written } from "./order.js";
import { hasOpened, layable, rackView, where, worth } from "./rack.js";
import { feltView, fitting } from "./felt.js";
import { doorView, homeView, lobbyView, menuView, questionView, readingView, resultView, title } from "./home.js";
import { begins, chime, click, fanfare, remember, slide, stayAwake, wakeSounds } from "./motion.js";
import { door, isLocal } from "./doors.js";
import { hasRack, listen, next } from "./touch.js";
import { heard } from "./reactions.js";

/** @typedef {import("./types").Act} Act */
/** @typedef {import("./types").Told} Told */
/** @typedef {import("./types").RackTile} RackTile */
/** @typedef {import("./melds.js").Found} Found */

const NOTE_STAYS = 5000;
const LONG_NOTE = 100;
const MOST_NOTES = 3;
const SOON = 10;
/** Commands whose effect is visible, so their answer need not be read. */
const SHOWN = new Set(["play", "invite"]);
/** Moves with which a turn goes on. */
const MOVES = new Set(["draw", "take", "show", "put_down", "open_melds", "open_pairs", "lay", "reclaim", "give_back", "take_back"]);
/** Milliseconds that a page stays at the usual speed. */
const AUTOPLAY = 1500;
const PROTOCOL = Number(document.body.dataset.protocol);

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
const voice = /** @type {HTMLElement} */ (document.getElementById("voice"));

if (isLocal) sessionStorage.token ??= newId(32);
state.name = sessionStorage.name ?? "";
state.selected = location.hash.slice(1) || door.table || (sessionStorage.table ?? "");
state.asks = Boolean(door.asks?.());
state.sound = localStorage.sound !== "off";
state.muted = localStorage.reactions === "off";
state.level = localStorage.level ?? state.level;

let ahead = 0;
/** @type {Map<string, string>} */
const spoken = new Map();
/** @type {Set<string>} */
let stale = new Set();
let notes = 0;

const line = new Line({
  async hello() {
    stale = new Set([...state.tables.keys(), ...state.racks.keys(), ...state.boards.keys()]);
    const about = { protocol: PROTOCOL, table: state.selected, language: LANGUAGE };
    const token = door.key && door.storage[door.key];
    if (!token) return { kind: "enter", door: door.name, ...(await door.proof()), ...about };
    return { kind: "hello", token, name: isLocal ? state.name || guest() : "", ...about };
  },
  heard(message) {
    if ("now" in message) ahead = message.now - Date.now() / 1000;
    remember();
    hear(message);
    render();
  },
  changed(open) {
    state.online = open;
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
});

/** @param {Told} message */
function hear(message) {
  switch (message.kind) {
    case "words":
      speakIn(message.language, message.words);
      break;
    case "table":
      stale.delete(message.live.id);
      react(message.live);
      seeTable(message.live);
      pursue();
      if (message.live.id === state.selected && !state.racks.has(state.selected)) speak(message.live.id, message.spoken);
      break;
    case "rack": {
      const { id } = message.live.table;
      stale.delete(id);
      const first = !state.racks.has(id);
      const was = onTurn();
      const playing = tableOf(id)?.stage === "playing";
      react(message.live.table);
      seeRack(message.live);
      if (playing && message.live.table.outcome?.winner === message.live.seat) fanfare();
      if (first && (!state.selected || state.goal || !tableOf(state.selected) || message.notify)) open(id);
      if (id === state.selected) {
        speak(id, message.spoken);
        if (!was && onTurn()) called();
      }
      pursue();
      break;
    }
    case "board":
      stale.delete(message.table);
      state.boards.set(message.table, message);
      break;
    case "reading":
      if (state.goal) break; // after a choice on the first page the guide would be in the way
      state.reading = message.html;
      state.series = message.series;
      goOn();
      break;
    case "notice":
      if (message.urgent || ![...state.busy.values()].some((about) => SHOWN.has(about))) note(message.html, message.urgent);
      if (message.urgent) state.goal = "";
      break;
    case "norack":
      state.racks.clear();
      state.order = null;
      state.lifted = null;
      break;
    case "done":
      state.busy.delete(message.id);
      keep();
      askForPage();
      settle();
      takeTurns();
      break;
    case "session":
      door.storage[door.key] = message.token;
      break;
    case "open":
      if (tableOf(message.table)) open(message.table);
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
      if (!state.welcomed && tableOf(message.table)) open(message.table);
      if (!state.welcomed && door.invitation) watch(door.invitation);
      state.welcomed = true;
      if (state.selected && !tableOf(state.selected) && !state.boards.has(state.selected)) open("");
      else if (state.selected && !state.order) select(state.selected);
      keep();
  }
}

/** Return to the server's order once it knows of every drop. */
function settle() {
  const own = rack();
  if (own && state.order && !isUnkept()) seeRack(own);
  if (state.busy.size === 0 && (state.goal !== "now" || !table())) state.goal = "";
}

/** Tell the viewer that it is their turn. */
function called() {
  chime();
  door.feel?.("turn");
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification("Okey", { body: say("live.your_turn"), tag: state.selected, icon: "/static/icon.svg" });
  shown.onclick = () => focus();
}

/**
 * Show the reactions of a view that is about to be stored.
 * @param {import("./types").LiveTable} live
 */
function react(live) {
  heard(live, tableOf(live.id)?.stage === "playing", Date.now() / 1000 + ahead, render);
}

/** Carry on with the choice of the first page: the viewer's own lobby starts at once. */
function pursue() {
  const now = table();
  if (state.goal === "now" && now?.stage === "lobby" && rack()) {
    const start = act("start");
    const level = act("level");
    if (now.level !== state.level && level) press(level, "public", `${level.press}.${state.level}`);
    else if (start && ![...state.busy.values()].includes("start")) press(start, "public");
  }
  if (now?.stage === "playing") state.goal = "";
  if (state.goal === "friends" && now?.stage === "lobby") {
    state.sharing = true;
    state.goal = "";
  }
}

/** @param {string} id */
function open(id) {
  select(id);
  sessionStorage.table = id;
  state.menu = false;
  state.sharing = false;
  history.replaceState(null, "", id ? `#${id}` : location.pathname);
}

// Drawing

function render() {
  remember();
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const had = focused?.dataset?.tile;
  const read = focused?.closest?.("#reading") && focused.dataset.key;
  state.cursor = cursor();
  patch(app, [h("div", { key: "page", class: `page${table() && !inLobby() ? " game" : ""}` }, top(), body(), questionView(), readingView(), menuView(), noteViews())]);
  if (had && !document.activeElement?.closest("#rack")) focusOn(`[data-tile="${had}"]`);
  if (had && document.activeElement === document.body) focusOn("#rack [tabindex='0']");
  if (read && document.activeElement === document.body) focusOn(`#reading [data-key="${CSS.escape(read)}"]`);
  showNewestMeld();
  slide();
  tick();
  headline();
  takeFocus();
  const playing = table()?.stage === "playing" && Boolean(rack());
  door.shows?.({ big: big()?.textContent ?? "", deep: Boolean(state.selected || layered()), playing });
}

let laid = 0;

/** Scroll the cloth to a meld that has been laid. */
function showNewestMeld() {
  const cloth = app.querySelector(".cloth");
  const melds = table()?.melds.length ?? 0;
  if (cloth && melds > laid) cloth.scrollTop = cloth.scrollHeight;
  laid = melds;
}

/** The one big button of the page, the most likely next press. */
function big() {
  return /** @type {HTMLButtonElement | null} */ (app.querySelector(".press.primary.big:not([aria-disabled])"));
}

/** Whether a layer covers the page. */
function layered() {
  return Boolean(state.question || state.lifted || state.menu || state.reacting || state.reading || state.notes.length);
}

/** Report whether the page is visible: the chat calls people who do not see it. */
function looking() {
  if (!isLocal) line.say({ kind: "looking", visible: !document.hidden });
}

/** Go back, as the button of the surrounding window asks. */
function back() {
  if (layered()) return escape();
  open("");
  render();
}

/** The place of the keyboard's cursor: the nearest one with a tile, unless a tile is lifted. */
function cursor() {
  const taken = places().flatMap((tile, at) => (tile && tile.id !== state.order?.bay ? [at] : []));
  if (state.lifted || taken.length === 0) return state.cursor;
  return taken.reduce((best, at) => (Math.abs(at - state.cursor) < Math.abs(best - state.cursor) ? at : best));
}

/** @param {string} selector */
function focusOn(selector) {
  /** @type {HTMLElement | null} */ (app.querySelector(selector))?.focus({ preventScroll: true });
}

function inLobby() {
  return table()?.stage === "lobby";
}

function top() {
  const now = table();
  const name = now ? [title(now), now.round && !inLobby() && !now.practice && say("live.round", { round: now.round })].filter(Boolean).join(" · ") : "";
  return h(
    "header",
    { key: "top" },
    state.selected ? h("button", { type: "button", key: "home", class: "icon", "data-do": "home", "aria-label": say("live.home") }, "‹") : h("span", { key: "logo", class: "icon" }),
    h(now && !inLobby() ? "h1" : "p", { key: "title", class: "title" }, name, onTurn() && h("b", null, say("live.your_turn"))),
    h("button", { type: "button", key: "sound", class: "icon sound", "data-do": "sound", "aria-label": say(state.sound ? "live.sound_off" : "live.sound_on") }, state.sound ? "🔊" : "🔇"),
    h("button", { type: "button", key: "menu", class: "icon", "data-do": "menu", "aria-label": say("live.menu"), "aria-expanded": String(state.menu) }, "☰"),
    !state.online && state.welcomed && h("p", { key: "away", class: "away", role: "status" }, say("page.away")),
  );
}

function body() {
  const now = table();
  if (state.shut || state.asks) return h("main", { key: "door" }, doorView());
  if (state.boards.has(state.selected)) {
    return h("main", { key: "board", class: "reading", html: state.boards.get(state.selected)?.html ?? "" });
  }
  if (!now || now.stage === "closed") return h("main", { key: "home" }, homeView());
  if (now.stage === "lobby") return h("main", { key: "lobby" }, lobbyView());
  return h("main", { key: "game", class: `table ${now.stage}` }, feltView(), rackView() ?? watching(), resultView());
}

/** Fills the rack's space for people without one, so that nothing moves when they sit down. */
function watching() {
  return h("section", { key: "watching", class: "own watching" }, h("p", null, say("live.watching")));
}

function noteViews() {
  return h(
    "div",
    { key: "notes", class: "notes", role: "status" },
    state.notes.map(({ id, html, urgent }) =>
      h("div", { key: id, class: `note${urgent ? " urgent" : ""}`, role: urgent ? "alert" : undefined }, h("p", { html }), h("button", { type: "button", class: "press plain", "data-do": "unnote", "data-note": id }, say("page.close"))),
    ),
  );
}

/** Show the turn in the title and the icon. */
function headline() {
  const turn = onTurn();
  const wanted = turn ? `● ${say("live.your_turn")} – Okey` : "Okey";
  if (document.title !== wanted) document.title = wanted;
  const icon = document.querySelector("link[rel=icon]");
  const file = `/static/${turn ? "turn" : "icon"}.svg`;
  if (icon && icon.getAttribute("href") !== file) icon.setAttribute("href", file);
  stayAwake(turn);
}

let opened = "";

/** Move the focus to a layer that has opened. */
function takeFocus() {
  const now = state.question ? "question" : state.reading ? "reading" : state.menu ? "menu" : app.querySelector("#reactions") ? "reactions" : app.querySelector("#result") ? "result" : "";
  if (now === opened) return;
  if (!now) {
    focusOn(app.querySelector("#rack [tabindex='0']") ? "#rack [tabindex='0']" : "[data-do=menu]");
  } else focusOn(now === "reading" || now === "result" ? `#${now}` : `#${now} button`);
  opened = now;
}

function tick() {
  const now = Date.now() / 1000 + ahead;
  for (const ring of app.querySelectorAll(".ring")) {
    const { deadline, seconds } = /** @type {SVGElement} */ (ring).dataset;
    const left = deadline ? Math.min(1, Math.max(0, (Number(deadline) - now) / Number(seconds))) : 1;
    /** @type {SVGElement} */ (ring).style.setProperty("--left", left.toFixed(3));
    ring.classList.toggle("soon", Boolean(deadline) && Number(deadline) - now <= SOON);
  }
  for (const each of app.querySelectorAll("[data-seconds-of]")) {
    const left = Math.max(0, Math.round(Number(/** @type {HTMLElement} */ (each).dataset.secondsOf) - now));
    each.textContent = left <= SOON ? String(left) : "";
  }
  for (const each of app.querySelectorAll("[data-count]")) {
    each.textContent = ` ${Math.max(0, Math.round(Number(/** @type {HTMLElement} */ (each).dataset.count) - now))}`;
  }
  for (const each of app.querySelectorAll("time.clock")) {
    const left = Math.max(0, Math.round(Number(/** @type {HTMLElement} */ (each).dataset.at) - now));
    each.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
  for (const each of app.querySelectorAll("time.moment:not([data-own])")) {
    const own = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "short" });
    each.textContent = own.format(new Date(/** @type {HTMLTimeElement} */ (each).dateTime));
    each.setAttribute("data-own", "");
  }
}

// Requests to the server

/**
 * Do an act that the table offers. One with a penalty needs confirmation.
 * @param {Act | undefined} what
 * @param {"public" | "private"} [surface]
 */
function make(what, surface = "private") {
  if (!what) return;
  if (!what.sure) return press(what, surface);
  const tile = what.tile ? tileName(what.tile, table()?.okey) : "";
  const yes = say(what.sure === "finish" ? "live.finish" : what.sure === "fined" ? "live.do_it" : "live.yes");
  const text = say(`live.sure_${what.sure}`, { tile });
  state.question = { text, tiles: what.tile ? [what.tile] : [], answers: [{ text: yes, tiles: [], does: () => press(what, surface) }], none: say("live.no") };
}

/**
 * Do the one thing that there is to do, or ask which of several.
 * @param {string} text
 * @param {import("./types").Answer[]} answers
 */
function choose(text, answers) {
  if (answers.length < 2) answers[0]?.does();
  else state.question = { text, tiles: [], answers, none: say("page.close") };
}

/**
 * Lay a tile on a meld; an okey where it fits in several ways, as the tile that they say.
 * @param {string} code
 * @param {number} on
 */
function layOff(code, on) {
  choose(say("live.stands_for"), fitting(code, on).map((each) => ({ text: "", tiles: [each.tile], does: () => make(each) })));
}

/**
 * Lay a tile that was dropped on a meld. One in a meld that can be laid itself may stand for all of it: ask.
 * @param {RackTile} tile
 * @param {number} on
 */
function putOnMeld({ id, code }, on) {
  const meld = meldAt(id);
  if (!meld || !layable().some(({ start }) => start === meld.start)) return layOff(code, on);
  choose(say("live.which", { tile: tileName(code) }), [
    { text: "", tiles: meld.faces, does: () => putDown([meld]) },
    { text: "", tiles: [code], does: () => layOff(code, on) },
  ]);
}

/**
 * @param {Act} what
 * @param {"public" | "private"} [surface]
 * @param {string} [data]
 */
function press(what, surface = "private", data = what.press) {
  if ([...state.busy.values()].includes(what.kind)) return;
  state.lifted = null;
  send({ kind: "press", private: surface === "private", data }, what.kind);
}

/**
 * @param {Record<string, unknown>} message
 * @param {string} about
 */
function send(message, about) {
  state.busy.set(line.ask(message), about);
}

/**
 * @param {string} verb
 * @param {string} [argument]
 */
function type(verb, argument = "") {
  send({ kind: "typed", verb, argument }, verb);
}

/** Send the viewer's newest order, once there is a connection and an earlier one has been answered. */
function keep() {
  const { order } = state;
  const asked = act("keep");
  if (!order?.unsent || !asked || !state.online || [...state.busy.values()].includes("keep")) return;
  order.unsent = false;
  send({ kind: "press", private: true, data: `${asked.press}.${written(order.places)}` }, "keep");
}

/** Take back an order on a lost connection: the newest is sent on the next one, if it still suits the rack. */
function unsend() {
  for (const [id, about] of state.busy) {
    if (about !== "keep") continue;
    line.forget(id);
    state.busy.delete(id);
    if (state.order) state.order.unsent = true;
  }
}

/**
 * Move a tile to a place, and send the new order.
 * @param {number} id
 * @param {number} at
 */
function put(id, at) {
  const own = rack();
  if (!own || !state.order) return;
  const before = state.order.places;
  const inBay = state.order.bay === id;
  state.order.places = moved(before, id, at, own.shelf);
  if (inBay) state.order.bay = null;
  state.cursor = at;
  click();
  door.feel?.("tile");
  if (state.order.places === before) return;
  state.order.unsent = true;
  keep();
}

/** @param {Found} meld */
function tilesOf({ start, length }) {
  return places().slice(start, start + length);
}

/**
 * The meld on the rack that a tile is in.
 * @param {number | undefined} id
 */
function meldAt(id) {
  return melds().find((meld) => tilesOf(meld).some((tile) => tile?.id === id));
}

/**
 * Okey 101: lay melds of the rack.
 * @param {Found[]} wanted
 */
function putDown(wanted) {
  const asked = act("put_down");
  if (asked && wanted.length) putAs(asked, wanted.map((meld) => tilesOf(meld).map((tile) => tile?.code ?? "")), []);
}

/**
 * Okey 101: lay a tile that was put on the cloth: its meld, or before opening all melds; alone if it is in none
 * and fits one meld there. What can't be laid is answered in words.
 * @param {number} id
 */
function putOnCloth(id) {
  const tile = places().find((each) => each?.id === id);
  const now = table();
  if (!tile || !now) return;
  const meld = meldAt(id);
  const fits = now.melds.flatMap((_, number) => (fitting(tile.code, number).length ? [number] : []));
  if (!onTurn() || !act("put_down")) note(say("live.lay_on_turn"), false);
  else if (meld && hasOpened()) putDown([meld]);
  else if (meld && layable().length) putDown(layable());
  else if (meld) note(say("live.cannot_open", { worth: worth().text }), false);
  else if (fits.length === 1) layOff(tile.code, fits[0]);
  else note(say(fits.length ? "live.lit" : "live.loose", { tile: tileName(tile.code, now.okey) }), false);
}

/**
 * Put melds down, one after the other read as they say where its okeys may stand for several tiles.
 * @param {Act} asked
 * @param {string[][]} melds
 * @param {string[]} words
 */
function putAs(asked, [codes, ...others], words) {
  if (!codes) return press(asked, "private", `${asked.press}.${words.join("-")}`);
  const { okey } = /** @type {import("./types").LiveTable} */ (table());
  const word = (/** @type {string[]} */ faces) => codes.map((code, at) => (code === okey ? `*${sign(faces[at])}` : sign(code))).join("");
  const ways = readings(codes, okey, Boolean(rack()?.wrap));
  choose(say("live.stands_for"), ways.map(({ faces }) => ({ text: "", tiles: faces, does: () => putAs(asked, others, [...words, word(faces)]) })));
}

// Acts of people

/** @type {Record<string, (target: HTMLElement) => void>} */
const does = {
  tile: (target) => tapTile(Number(target.dataset.tile)),
  place(target) {
    const at = Number(target.dataset.place);
    if (state.lifted) put(state.lifted.id, at);
    state.lifted = null;
  },
  act({ dataset }) {
    const found = acts().find((each) => (dataset.press ? each.press === dataset.press : each.kind === dataset.kind));
    state.menu = false;
    if (state.order && found?.kind.startsWith("sort_")) Object.assign(state.order, { bay: null, unsent: false });
    make(found, rack()?.acts.includes(/** @type {Act} */ (found)) ? "private" : "public");
  },
  draw: () => make(act("draw")),
  take: ({ dataset }) => make(acts().find((each) => each.press === dataset.press)),
  discard() {
    const tile = lifted();
    if (tile) discard(tile.code);
    else note(say("live.lift_first"), false);
  },
  finish() {
    const tile = lifted();
    if (tile) make(acts().find(({ kind, tile: code }) => kind === "finish" && code === tile.code));
  },
  lay({ dataset }) {
    const tile = lifted();
    if (tile) layOff(tile.code, Number(dataset.on));
  },
  cloth: () => state.lifted && putOnCloth(state.lifted.id),
  put_down() {
    const meld = meldAt(state.lifted?.id) ?? layable()[0];
    putDown(hasOpened() ? [meld] : layable());
  },
  take_back() {
    const found = acts().filter(({ kind }) => kind === "take_back");
    choose(say("live.take_back"), found.map((each) => ({ text: figure(each.on), tiles: [], does: () => make(each) })));
  },
  answer({ dataset }) {
    const asked = state.question;
    state.question = null;
    asked?.answers[Number(dataset.answer)].does();
  },
  no: () => (state.question = null),
  enter() {
    state.busy.set("enter", "enter");
    void door.enter?.().then((good) => {
      state.busy.delete("enter");
      state.asks = false;
      state.shut = !good;
      render();
    });
  },
  now: () => begin("now"),
  again,
  friends: () => begin("friends"),
  learn() {
    state.goal = "learn";
    send({ kind: "press", private: true, data: "practice.me.0" }, "learn");
  },
  game: ({ dataset }) => (state.game = dataset.game ?? "okey"),
  level({ dataset }) {
    state.level = dataset.level ?? "steady";
    localStorage.level = state.level;
  },
  autoplay({ dataset }) {
    const speed = Number(dataset.speed);
    state.autoplay = state.autoplay === speed ? 0 : speed;
    if (state.series && state.series.at >= state.series.last) turnTo(0);
    else goOn();
  },
  select: ({ dataset }) => open(dataset.table ?? ""),
  home: () => open(""),
  menu: () => (state.menu = !state.menu),
  result: () => (state.result = true),
  table: () => (state.result = false),
  share() {
    state.sharing = !state.sharing;
    if (state.sharing && !isLocal && !rack()?.invitation) type("invite");
  },
  send: () => door.share?.(rack()?.invitation ?? ""),
  fill: () => door.fill?.change(),
  copy({ dataset }) {
    navigator.clipboard?.writeText(dataset.link ?? "").then(() => note(say("live.copied"), false));
  },
  verb({ dataset }) {
    state.menu = false;
    type(dataset.verb ?? "");
  },
  log_out() {
    state.menu = false;
    send({ kind: "press", private: true, data: "log_out.me.0" }, "log_out");
  },
  close: () => door.close?.(),
  sound() {
    state.sound = !state.sound;
    localStorage.sound = state.sound ? "on" : "off";
    click();
  },
  mute() {
    state.muted = !state.muted;
    localStorage.reactions = state.muted ? "off" : "on";
  },
  react: () => (state.reacting = !state.reacting),
  emote({ dataset }) {
    const asked = act("react");
    if (asked) send({ kind: "press", private: false, data: `${asked.press}.${dataset.emote}` }, "react");
  },
  notify: () => void Notification.requestPermission().then(render),
  unnote: ({ dataset }) => (state.notes = state.notes.filter(({ id }) => id !== Number(dataset.note))),
};

/**
 * Watch the table of an invitation.
 * @param {string} code
 */
function watch(code) {
  const wanted = code.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 12);
  if (wanted) send({ kind: "press", private: true, data: `watch_live.me.0.${wanted}` }, "watch");
}

/**
 * Open a table: the viewer's own lobby, one beside somebody else's, or the place's first.
 * @param {"now" | "friends"} goal
 */
function begin(goal) {
  if (state.goal) return;
  state.goal = goal;
  const lobbies = [...state.tables.keys()].map(tableOf).filter((each) => each?.stage === "lobby");
  const mine = lobbies.find((each) => each && state.racks.has(each.id));
  open(mine?.id ?? "");
  if (mine) return pursue();
  if (lobbies[0]) send({ kind: "press", private: false, data: `another.${lobbies[0].id}.0.${state.game}` }, "play");
  else type("play", state.game);
}

/** Play again with the same seats. Against computer players the match starts at once. */
function again() {
  const asked = act("again");
  const own = rack()?.seat;
  if (!asked) return begin("now");
  state.goal = table()?.seats.every(({ computer }, seat) => computer || seat === own) ? "now" : "friends";
  press(asked, "public");
}

function lifted() {
  return places().find((tile) => tile && tile.id === state.lifted?.id) ?? null;
}

/**
 * Discard a tile; the last one of Okey 101 finishes.
 * @param {string} code
 */
function discard(code) {
  make(act("discard", code) ?? acts().find(({ kind, tile }) => kind === "finish" && tile === code));
}

/**
 * Lift a tile at the first tap, discard it at the second if possible. Another tile is lifted instead.
 * @param {number} id
 */
function tapTile(id) {
  const at = places().findIndex((tile) => tile?.id === id);
  const tile = places()[at];
  if (!tile) return;
  state.cursor = at;
  if (state.lifted?.id !== id) {
    state.lifted = { id, at, moved: false };
    tell(say("live.lifted", { tile: tileName(tile.code, table()?.okey) }));
  } else {
    state.lifted = null;
    if (onTurn() && act("discard", tile.code)) discard(tile.code);
    else tell(say("live.put_back"));
  }
}

/**
 * Move a tile that was dropped on a target of the table.
 * @param {RackTile} tile
 * @param {string} target
 */
function play(tile, target) {
  if (target === "pile") discard(tile.code);
  else if (target === "indicator") make(acts().find(({ kind, tile: code }) => kind === "finish" && code === tile.code));
  else if (target === "cloth") putOnCloth(tile.id);
  else putOnMeld(tile, Number(target.slice(4)));
}

/** What was dropped before an earlier move was answered. @type {(() => void)[]} */
const waiting = [];

/**
 * Do something now, or once the earlier moves are answered: presses are made for the newest rack.
 * @param {() => void} does
 */
function inTurn(does) {
  waiting.push(does);
  takeTurns();
}

function takeTurns() {
  while (waiting.length && ![...state.busy.values()].some((about) => MOVES.has(about))) {
    waiting.shift()?.();
    if (state.question) waiting.length = 0;
  }
}

listen(app, {
  render,
  tap: activate,
  drop(target, box) {
    const held = state.held;
    state.held = null;
    if (!held) return render();
    if (held.kind === "tile") begins(`tile${held.id}`, box);
    if (held.kind !== "tile") {
      if (target === "rack" && held.act) {
        begins(held.kind === "draw" ? "stock" : "taken", box);
        make(held.act);
      }
    } else if (typeof target === "number") put(held.id, target);
    else if (target) inTurn(() => play(held, target));
    render();
  },
});

document.addEventListener("click", ({ target }) => {
  const element = /** @type {HTMLElement} */ (target);
  const button = /** @type {HTMLElement | null} */ (element.closest("button, [data-press], [data-do]"));
  if (button) activate(button);
  else if ((state.menu || state.reacting) && !element.closest("#menu, #reactions")) {
    state.menu = state.reacting = false;
    render();
  }
});

/** @param {HTMLElement} button */
function activate(button) {
  wakeSounds();
  const { dataset } = button;
  if (button.getAttribute("aria-disabled") === "true") return;
  if (!dataset.note) state.notes = state.notes.filter(({ urgent }) => !urgent); // they have been read
  if (dataset.do !== "react") state.reacting = false;
  remember();
  if (dataset.do) does[dataset.do]?.(button);
  else if (dataset.closes) closeReading();
  else if (dataset.press) send({ kind: "press", private: dataset.surface === "private", data: dataset.press }, dataset.press);
  render();
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLInputElement} */ (form.elements[0]);
  if (form.dataset.form === "name") {
    rename(field.value);
    field.blur();
  } else if (form.dataset.form === "code") watch(field.value);
  else {
    // A command as in the chats: `/word luck`, with or without the slash.
    const [, verb, argument] = field.value.trim().match(/^\/?(\S+)\s*(.*)$/s) ?? [];
    if (!verb) return;
    type(verb.toLowerCase().slice(0, 32), argument);
    field.value = "";
    state.menu = false;
  }
  render();
});

document.addEventListener("input", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  if (!("slide" in field.dataset)) return;
  state.autoplay = 0;
  clearTimeout(turning);
  turnTo(Number(field.value));
  render();
});

document.addEventListener("focusout", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  if (field.id === "name") rename(field.value);
});

/** @param {string} name */
function rename(name) {
  if (!name.trim() || name.trim() === state.name) return;
  state.name = name.trim();
  sessionStorage.name = state.name;
  line.say({ kind: "name", name: state.name });
}

/** A name for people who have not entered one. */
function guest() {
  return (sessionStorage.guest ??= say("live.guest", { n: 100 + Math.floor(Math.random() * 900) }));
}

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Escape") return escape();
  if (/** @type {HTMLElement} */ (target).matches?.("input")) return;
  if (state.reading && turn(key)) return event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.altKey || state.reading || state.menu || state.question || !hasRack()) return;
  if (keys(event)) {
    event.preventDefault();
    render();
    focusCursor();
  }
});

/**
 * Turn the pages of a series: arrow keys by one, Home and End to its ends. Return whether the key does that.
 * @param {string} key
 */
function turn(key) {
  const { series } = state;
  const to = series ? { Home: 0, ArrowLeft: series.at - 1, ArrowRight: series.at + 1, End: series.last }[key] : undefined;
  if (to === undefined) return false;
  state.autoplay = 0;
  turnTo(to);
  render();
  return true;
}

/** @type {number | null} */
let wish = null;
let turning = 0;

/**
 * Request another page of the series. While one is under way, only the newest request is kept.
 * @param {number} to
 */
function turnTo(to) {
  const { series } = state;
  if (!series) return;
  series.at = wish = Math.min(Math.max(to, 0), series.last);
  askForPage();
}

function askForPage() {
  if (wish === null || !state.series || [...state.busy.values()].includes("page")) return;
  send({ kind: "press", private: true, data: `${state.series.press}.${wish}` }, "page");
  wish = null;
}

/** A page has arrived: schedule the next one, if pages turn by themselves and there is one. */
function goOn() {
  clearTimeout(turning);
  const { series } = state;
  if (!state.autoplay || !series) return;
  if (series.at >= series.last) state.autoplay = 0;
  else turning = window.setTimeout(() => turnTo((state.series?.at ?? 0) + 1), AUTOPLAY / state.autoplay);
}

function closeReading() {
  clearTimeout(turning);
  state.reading = "";
  state.series = null;
  state.autoplay = 0;
}

/**
 * Use the rack by a key. Return whether the key does something.
 * @param {KeyboardEvent} event
 */
function keys({ key, target }) {
  const own = rack();
  const onTile = /** @type {HTMLElement} */ (target).closest?.("#rack .wood, #rack .bay");
  const at = state.lifted?.moved ? state.lifted.at : state.cursor;
  if (own && onTile && key.startsWith("Arrow")) {
    const to = next(at, key, width(own), Boolean(state.lifted));
    if (to === null) return true;
    if (state.lifted) state.lifted = { ...state.lifted, at: to, moved: true };
    state.cursor = to;
    if (state.lifted) tell(where(to));
    return true;
  }
  const tile = lifted() ?? places()[state.cursor];
  if (onTile && (key === " " || (key === "Enter" && state.lifted?.moved))) {
    if (state.lifted) {
      put(state.lifted.id, state.lifted.moved ? state.lifted.at : places().findIndex((each) => each?.id === state.lifted?.id));
      tell(say("live.dropped", { place: where(state.cursor) }));
      state.lifted = null;
    } else if (tile) tapTile(focusedTile() ?? tile.id);
    return true;
  }
  if (onTile && key === "Delete" && tile) discard(tile.code);
  else if (key === "d" || key === "D") make(act("draw"));
  else if (key === "t" || key === "T") make(act("take"));
  else return false;
  return true;
}

function focusedTile() {
  const { dataset } = /** @type {HTMLElement} */ (document.activeElement);
  return dataset.tile ? Number(dataset.tile) : null;
}

function focusCursor() {
  if (!document.activeElement?.closest("#rack") && document.activeElement !== document.body) return;
  const wanted = state.lifted ? `[data-tile="${state.lifted.id}"]` : `.slot[data-place="${state.cursor}"] button`;
  focusOn(wanted);
}

function escape() {
  state.notes = [];
  if (state.question) state.question = null;
  else if (state.lifted) state.lifted = null;
  else if (state.reacting) state.reacting = false;
  else if (state.menu) state.menu = false;
  else if (state.reading) closeReading();
  render();
}

/**
 * Show a line. A short one disappears by itself; a long or urgent one stays until it is closed.
 * @param {string} html
 * @param {boolean} urgent
 */
function note(html, urgent) {
  const id = ++notes;
  state.notes = [...state.notes.filter((each) => !(urgent && each.urgent)), { id, html, urgent }].slice(-MOST_NOTES);
  if (urgent || html.length > LONG_NOTE) return;
  setTimeout(() => {
    state.notes = state.notes.filter((each) => each.id !== id);
    render();
  }, NOTE_STAYS);
}

/**
 * Announce the new lines of a screen to screen readers.
 * @param {string} id
 * @param {string} words
 */
function speak(id, words) {
  const known = new Set(spoken.get(id)?.split("\n"));
  const news = words.split("\n").filter((each) => !known.has(each));
  spoken.set(id, words);
  if (news.length) tell(news.join(". "));
}

/** @param {string} words */
function tell(words) {
  voice.textContent = words;
}

addEventListener("hashchange", () => {
  const id = location.hash.slice(1);
  if (id !== state.selected) open(id);
  render();
});
matchMedia("(orientation: portrait)").addEventListener("change", () => render());
document.addEventListener("visibilitychange", () => {
  looking();
  if (!document.hidden) headline();
});

setInterval(tick, 500);
render();
void door.start({ main: () => big()?.click(), back }).then(() => line.open());
