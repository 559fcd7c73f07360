// The views around the game: the first page, the lobby, a round's result, the menu, pages to read.

import { h } from "./html.js";
import { clock, figure, has, say, tileName } from "./words.js";
import { act, acts, isNewest, rack, state, table, tableOf } from "./state.js";
import { door, isLocal } from "./doors.js";
import { laidFace } from "./felt.js";
import { face } from "./rack.js";
import { buttonOf, chooserView, emoteView, reacts } from "./reactions.js";

/** @typedef {import("./types").LiveTable} LiveTable */

const GAMES = ["okey", "okey101"];
const LEVELS = ["easy", "steady", "sharp"];
/** The chats that lead here. @type {{name: string, url: string}[]} */
const HOMES = JSON.parse(document.body.dataset.homes ?? "[]");
const LINK = document.body.dataset.link ?? "";
const SPEEDS = [0.5, 1, 2, 4];

/** The view before a session: a button to enter by a link, or the way back for people not admitted. */
export function doorView() {
  const busy = [...state.busy.values()].includes("enter");
  return h(
    "div",
    { key: "door", class: "home alone" },
    emblem(),
    h("h1", null, "Okey"),
    h("p", { class: "about" }, state.shut ? say("page.open_again") : say("page.enter_about")),
    !state.shut && h("button", { type: "button", class: "press primary big", "data-do": "enter", "aria-disabled": busy ? "true" : undefined }, say("page.enter")),
    state.shut && door.close && h("button", { type: "button", class: "press primary big", "data-do": "close" }, say("page.back_to_chat")),
    state.shut && !door.close && HOMES.map(({ name, url }) => h("a", { key: name, class: "press primary big", href: url, rel: "noopener noreferrer" }, `${say("page.back_to_chat")} (${name})`)),
  );
}

function emblem() {
  return h("div", { class: "emblem", "aria-hidden": "true" }, ["R7", "Y7", "B7", "F"].map((code) => h("span", { key: code, class: "tile" }, face(code, ""))));
}

/** The first page: three choices, and the open tables. */
export function homeView() {
  const ids = new Set([...state.tables.keys(), ...state.racks.keys()]);
  const open = [...ids].map(tableOf).filter((each) => each && !["over", "closed"].includes(each.stage));
  return h(
    "div",
    { key: "home", class: "home" },
    emblem(),
    h("h1", null, "Okey"),
    isLocal && h("form", { id: "person", "data-form": "name" }, h("label", { for: "name" }, say("page.your_name")), h("input", { id: "name", name: "name", maxlength: 32, autocomplete: "nickname", enterkeyhint: "done", value: state.name })),
    state.opens && h(
      "div",
      { class: "games", role: "radiogroup", "aria-label": say("live.game") },
      GAMES.map((game) => h("button", { key: game, type: "button", role: "radio", "aria-checked": String(state.game === game), class: "press", "data-do": "game", "data-game": game }, say(`preset.${game}`))),
    ),
    state.opens && h(
      "div",
      { class: "games", role: "radiogroup", "aria-label": say("live.level") },
      LEVELS.map((level) => h("button", { key: level, type: "button", role: "radio", "aria-checked": String(state.level === level), class: "press", "data-do": "level", "data-level": level }, `🤖 ${say(`level.${level}`)}`)),
    ),
    h("div", { class: "doors" }, state.opens && way("now", "▶", "primary"), state.opens && way("friends", "👥", "plain"), way("learn", "🎓", "plain")),
    !state.opens && state.welcomed && open.length === 0 && h("p", { class: "about" }, say("page.no_tables")),
    open.length > 0 && h("h2", null, say("page.tables")),
    h("div", { class: "tables" }, open.map((each) => each && tableCard(each))),
    !isLocal && h("form", { key: "code", "data-form": "code" }, h("label", { for: "code" }, say("live.code")), h("input", { id: "code", name: "code", maxlength: 16, autocomplete: "off", autocapitalize: "characters", enterkeyhint: "go" }), h("button", { class: "press plain" }, say("live.watch"))),
    h("div", { class: "boards" }, [...state.boards].filter(([, board]) => !board.over).map(([id, board]) => h("button", { key: id, type: "button", class: "card", "data-do": "select", "data-table": id }, board.spoken.split("\n", 1)[0]))),
  );
}

/**
 * @param {"now" | "friends" | "learn"} name
 * @param {string} sign
 * @param {string} style
 */
function way(name, sign, style) {
  return h(
    "button",
    { key: name, type: "button", class: `door press ${style}`, "data-do": name, "aria-disabled": state.goal ? "true" : undefined },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    h("span", { class: "said" }, h("b", null, say(`live.${name}`)), h("small", null, say(`live.${name}_about`))),
  );
}

/** @param {LiveTable} each */
function tableCard(each) {
  const people = each.seats.map(({ name }) => name).join(" · ");
  return h("button", { key: each.id, type: "button", class: "card", "data-do": "select", "data-table": each.id }, h("b", null, title(each)), h("small", null, people), h("small", null, stageOf(each)));
}

/** @param {LiveTable} each */
export function title(each) {
  if (each.practice) return say("live.learn");
  return has(`preset.${each.preset}`) ? say(`preset.${each.preset}`) : "Okey";
}

/** @param {LiveTable} each */
function stageOf(each) {
  const free = each.players - each.seats.length;
  return each.stage === "lobby" && free > 0 ? say("live.free", { n: free }) : say("live.playing", { round: each.round });
}

/** The lobby: the seats to take, and the host's settings. */
export function lobbyView() {
  const now = /** @type {LiveTable} */ (table());
  const mine = rack()?.seat;
  const host = mine !== undefined && now.seats[mine]?.host;
  const seats = Array.from({ length: now.players }, (_, number) => now.seats[number]);
  return h(
    "section",
    { key: "lobby", class: "lobby", id: "table", "aria-label": say("page.table") },
    h("h1", null, title(now)),
    h(
      "div",
      { class: "seats" },
      seats.map((seat, number) =>
        seat
          ? h("div", { key: number, class: `chair taken${number === mine ? " mine" : ""}` }, h("span", { class: `head h${number}`, "aria-hidden": "true" }, seat.computer ? seat.face || "🤖" : [...seat.name][0]?.toLocaleUpperCase()), h("bdi", null, seat.name), h("small", null, [seat.host && say("live.host"), seat.computer && say("live.computer"), number === mine && say("live.you")].filter(Boolean).join(" · ")))
          : h("div", { key: number, class: "chair" }, mine === undefined ? press("join", "good") : host ? press("computer", "plain") : h("small", null, say("live.waiting"))),
      ),
    ),
    host &&
      h(
        "div",
        { class: "choices" },
        h(
          "div",
          { class: "games", role: "radiogroup", "aria-label": say("live.players") },
          acts().filter(({ kind }) => kind === "players").map(({ on, press: asked }) => h("button", { key: on, type: "button", role: "radio", class: "press", "aria-checked": String(on === now.players), "data-do": "act", "data-kind": "players", "data-press": asked }, say("live.players_n", { n: on }))),
        ),
        h("p", { class: "about" }, say("live.players_about")),
        h("div", { class: "row" }, press("rules", "plain"), act("fewer") && press("fewer", "plain"), h("button", { type: "button", class: "press plain", "data-do": "share" }, say("live.share"))),
        h("p", { class: "about" }, say("live.clock", { clock: clock(now.turn_seconds) })),
      ),
    state.sharing && sharing(),
    h("div", { class: "row last" }, host && h("button", { type: "button", class: "press primary big", "data-do": "act", "data-kind": "start" }, say(now.seats.length < now.players ? "live.start_with" : "live.start", { n: now.players - now.seats.length })), mine !== undefined && press("leave", "plain"), host && press("cancel", "danger")),
  );
}

/** The table's link, also as a QR code for a phone; behind a door, its invitation. */
function sharing() {
  if (!isLocal) {
    const code = rack()?.invitation ?? "";
    return code && h("div", { class: "sharing" }, h("input", { readonly: true, "aria-label": say("live.code"), value: code }), h("button", { type: "button", class: "press plain", "data-do": "copy", "data-link": LINK + code }, say("live.copy")), door.share && h("button", { type: "button", class: "press primary", "data-do": "send" }, say("live.send")));
  }
  const link = `${location.origin}/#${state.selected}`;
  return h("div", { class: "sharing" }, h("img", { class: "qr", src: `/qr/${state.selected}.svg`, alt: say("live.qr"), width: 180, height: 180 }), h("input", { readonly: true, "aria-label": say("live.share"), value: link }), h("button", { type: "button", class: "press plain", "data-do": "copy", "data-link": link }, say("live.copy")));
}

/**
 * @param {string} kind
 * @param {string} style
 */
function press(kind, style) {
  return h("button", { key: kind, type: "button", class: `press ${style}`, "data-do": "act", "data-kind": kind }, say(`live.do_${kind}`));
}

/** The result of the round or the match, over the table until the next one. */
export function resultView() {
  const now = /** @type {LiveTable} */ (table());
  const outcome = now.outcome;
  if (now.stage !== "between" && now.stage !== "over") return null;
  if (rack() && !isNewest()) return null; // the buttons that come with the rack would push the others aside
  if (!state.result) return h("button", { key: "reopen", type: "button", class: "press primary reopen", "data-do": "result" }, say("live.result"));
  const own = rack()?.seat;
  const won = outcome?.winner !== null && outcome?.winner !== undefined && outcome.winner === own;
  const champions = now.winners.map((seat) => now.seats[seat]?.name).join(", ");
  return h(
    "div",
    { key: "result", class: `sheet result${won ? " won" : ""}`, role: "dialog", "aria-label": say("live.result"), id: "result", tabindex: -1 },
    won && h("div", { class: "confetti", "aria-hidden": "true" }, Array.from({ length: 14 }, (_, each) => h("i", { key: each }))),
    h("h2", null, outcome ? `${outcomeText(now)} ${outcome.emote}` : say("live.ended")),
    now.stage === "over" && champions && h("p", { class: "champion" }, say("live.champion", { who: champions })),
    outcome &&
      h(
        "div",
        { class: "winning", role: "img", "aria-label": outcome.melds.map((meld) => meld.map(([, as]) => tileName(as)).join(" ")).join(", ") },
        outcome.melds.map((meld, number) => h("span", { key: number, class: "group" }, meld.map(([tile, as], at) => h("span", { key: at, class: "tile lying" }, laidFace(tile, as, now.okey))))),
        outcome.finishing && h("span", { key: "finishing", class: "group finishing" }, h("span", { class: "tile lying" }, face(outcome.finishing, now.okey))),
      ),
    h(
      "table",
      null,
      h("thead", { class: "unseen" }, h("tr", null, h("th", { scope: "col" }, say("live.player")), h("th", { scope: "col" }, say("live.change")), h("th", { scope: "col" }, say("live.total")))),
      h("tbody", null, now.seats.map((seat, number) => h("tr", { key: number, class: number === outcome?.winner ? "winner" : "" }, h("th", { scope: "row" }, h("bdi", null, seat.name), emoteView(number), seat.accuracy !== null && h("small", null, say("live.accuracy", { percent: seat.accuracy }))), h("td", null, outcome ? figure(outcome.changes[number] ?? 0, true) : ""), h("td", null, figure(seat.score))))),
    ),
    h(
      "div",
      { class: "row last" },
      act("next") && h("button", { type: "button", class: "press primary big", "data-do": "act", "data-kind": "next" }, say("live.next"), now.deadline && h("span", { class: "until", "data-count": now.deadline })),
      now.stage === "over" && h("button", { type: "button", class: "press primary big", "data-do": now.practice ? "learn" : "again" }, say("live.again")),
      own !== undefined && reacts() && h("button", { key: "react", class: "press plain", ...buttonOf(own) }, "☺"),
      act("review") && press("review", "plain"),
      act("replay") && press("replay", "plain"),
      h("button", { type: "button", class: "press plain", "data-do": "table" }, say("live.look")),
      now.stage === "over" && h("button", { type: "button", class: "press plain", "data-do": "home" }, say("live.home")),
    ),
    chooserView(),
  );
}

/** @param {LiveTable} now */
function outcomeText(now) {
  const { kind, winner, how } = /** @type {import("./types").LiveOutcome} */ (now.outcome);
  const key = `outcome.${[kind, ...(winner === null ? [] : how)].join("_")}`;
  const own = now.game === "101" && has(`${key}.101`) ? `${key}.101` : key;
  return say(own, { who: winner === null ? "" : now.seats[winner]?.name ?? "" });
}

/** The question before an act that needs confirmation. */
export function questionView() {
  const asked = state.question;
  if (!asked) return null;
  return h(
    "div",
    { key: "question", class: "sheet question", role: "alertdialog", "aria-label": asked.text, id: "question" },
    h("p", null, asked.text),
    lying(asked.tiles, table()?.okey ?? ""),
    h(
      "div",
      { class: "row last" },
      asked.answers.map(({ text, tiles }, at) => h("button", { key: at, type: "button", class: "press primary", "data-do": "answer", "data-answer": at, "aria-label": tiles.map((code) => tileName(code)).join(" ") || undefined }, text, lying(tiles, ""))),
      h("button", { type: "button", key: "none", class: "press plain", "data-do": "no" }, asked.none),
    ),
  );
}

/**
 * Tiles as they lie on the table; the okey has its crown.
 * @param {string[]} codes
 * @param {string} okey
 */
function lying(codes, okey) {
  return codes.length > 0 && h("span", { class: "group", "aria-hidden": "true" }, codes.map((code, at) => h("span", { key: at, class: "tile lying" }, face(code, okey))));
}

/** A page to read, with the server's HTML. */
export function readingView() {
  if (!state.reading) return null;
  return h("div", { key: "reading", class: "sheet reading", role: "dialog", "aria-label": say("page.reading"), id: "reading", tabindex: -1 }, h("div", { key: "read", html: state.reading }), state.series && seriesView(state.series));
}

/**
 * A slider for a series of pages, and four speeds of turning by themselves.
 * @param {import("./types").Series} series
 */
function seriesView({ at, last }) {
  return h(
    "div",
    { key: "series", class: "series" },
    h("input", { type: "range", "aria-label": say("live.step"), min: 0, max: last, value: String(at), "data-slide": "" }),
    h(
      "div",
      { class: "row", role: "group", "aria-label": say("live.autoplay") },
      SPEEDS.map((speed) => h("button", { key: `speed${speed}`, "data-key": `speed${speed}`, type: "button", class: "press plain", "data-do": "autoplay", "data-speed": speed, "aria-pressed": String(state.autoplay === speed) }, `${state.autoplay === speed ? "⏸" : "▶"} ${figure(speed)}×`)),
    ),
  );
}

/** The menu: everything besides the game. */
export function menuView() {
  if (!state.menu) return null;
  const own = ["preferences", "step_out", "remove", "practice_leave"].filter((kind) => act(kind) && !(table()?.stage === "lobby"));
  const asks = "Notification" in window && Notification.permission === "default";
  return h(
    "nav",
    { key: "menu", class: "menu", id: "menu", "aria-label": say("live.menu") },
    state.selected && item("home", say("live.home")),
    own.map((kind) => h("button", { key: kind, type: "button", class: "press plain", "data-do": "act", "data-kind": kind }, say(`live.do_${kind}`))),
    !isLocal && item("log_out", say("page.log_out")),
    item("mute", say(state.muted ? "live.reactions_on" : "live.reactions_off")),
    door.fill && item("fill", say(door.fill.wanted ? "live.fill_off" : "live.fill_on")),
    asks && item("notify", say("live.notify")),
    item("verb", say("page.daily"), "daily"),
    item("verb", say("page.rules"), "rules"),
    item("verb", say("page.help"), "help"),
    h("form", { "data-form": "command" }, h("label", { for: "words" }, say("page.command")), h("input", { id: "words", name: "words", maxlength: 200, placeholder: say("page.command_hint"), autocomplete: "off", autocapitalize: "none", enterkeyhint: "send" })),
  );
}

/**
 * @param {string} does
 * @param {string} label
 * @param {string} [verb]
 */
function item(does, label, verb) {
  return h("button", { key: verb ?? does, type: "button", class: "press plain", "data-do": does, "data-verb": verb }, label);
}
