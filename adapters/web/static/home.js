// The first page: what to play, the open tables, and the door before it.

import { h } from "./html.js";
import { icon } from "./icons.js";
import { faceOf } from "./faces.js";
import { figure, has, say } from "./words.js";
import { companyOf, isBusy, state, tableOf } from "./state.js";
import { face } from "./tiles.js";
import { button, choice } from "./controls.js";
import { door, isLocal } from "./doors.js";
import { guest } from "./session.js";
import { knownPerson } from "./local.js";
import { LENGTHS } from "./tables.js";

/** @typedef {import("./types").LiveTable} LiveTable */

const GAMES = ["okey", "okey101"];
const LEVELS = ["easy", "steady", "sharp"];
/** The chats that lead here. @type {{name: string, url: string}[]} */
const HOMES = JSON.parse(document.body.dataset.homes ?? "[]");

/** The view before a session: a button to enter by a link, or the way back for people not admitted. */
export function doorView() {
  return h(
    "div",
    { key: "door", class: "home alone" },
    emblem(),
    h("h1", null, "Okey"),
    h("p", { class: "about" }, state.shut ? say("page.open_again") : say("page.enter_about")),
    !state.shut && button("enter", say("page.enter"), "primary big", { "aria-disabled": isBusy("enter") ? "true" : undefined }),
    state.shut && door.close && button("close", say("page.back_to_chat"), "primary big"),
    state.shut && !door.close && HOMES.map(({ name, url }) => h("a", { key: name, class: "press primary big", href: url, rel: "noopener noreferrer" }, `${say("page.back_to_chat")} (${name})`)),
  );
}

/** The view while a match is being dealt. */
export function dealingView() {
  return h("div", { key: "dealing", class: "home alone" }, emblem(), h("h1", null, "Okey"), h("p", { class: "about", role: "status" }, say("live.dealing")));
}

function emblem() {
  return h("div", { class: "emblem", "aria-hidden": "true" }, ["R7", "Y7", "B7", "F"].map((code) => h("span", { key: code, class: "tile" }, face(code, ""))));
}

/** The question for a name, before anything else. Whoever comes by a link is told so. */
export function nameView() {
  const known = knownPerson();
  return h(
    "div",
    { key: "name", class: "home alone" },
    emblem(),
    h("h1", null, "Okey"),
    state.selected && h("p", { class: "about" }, say("page.invited")),
    h(
      "form",
      { id: "person", class: "asks", "data-form": "name" },
      h("label", { for: "name" }, say("page.your_name")),
      h("input", { id: "name", name: "name", maxlength: 32, autocomplete: "nickname", enterkeyhint: "go", placeholder: guest(), value: "" }),
      button("name", say("page.go_on"), "primary big"),
    ),
    known && button("known", say("page.go_on_as", { who: known.name }), "plain"),
  );
}

/** The first page: the viewer's own matches, a match at once, the other ways to play, and the open tables. */
export function homeView() {
  const ids = new Set([...state.tables.keys(), ...state.racks.keys()]);
  const seen = [...ids].map(tableOf).filter((each) => each && !["over", "closed"].includes(each.stage));
  const own = seen.filter(isOwn);
  const open = seen.filter((each) => !isOwn(each) && !isIdle(each));
  const idle = seen.filter(isIdle);
  return h(
    "div",
    { key: "home", class: "home" },
    emblem(),
    h("h1", null, "Okey"),
    isLocal && h("form", { id: "person", "data-form": "name" }, h("label", { for: "name" }, say("page.your_name")), h("input", { id: "name", name: "name", maxlength: 32, autocomplete: "nickname", enterkeyhint: "done", value: state.name })),
    own.length > 0 && h("div", { key: "current", class: "tables current" }, own.map((each) => each && tableCard(each))),
    state.opens && playView(),
    h("div", { class: "doors" }, state.opens && way("friends"), way("learn"), way("daily"), way("profile"), way("settings")),
    !state.opens && state.welcomed && own.length + open.length === 0 && h("p", { class: "about" }, say("page.no_tables")),
    open.length > 0 && h("h2", null, say("page.tables")),
    open.length > 0 && h("div", { class: "tables" }, open.map((each) => each && tableCard(each))),
    idle.length > 0 && h("details", { key: "idle", class: "idle" }, h("summary", null, say("page.idle")), h("div", { class: "tables" }, idle.map((each) => each && tableCard(each)))),
    !isLocal && h("form", { key: "code", "data-form": "code" }, h("label", { for: "code" }, say("live.code")), h("input", { id: "code", name: "code", maxlength: 16, autocomplete: "off", autocapitalize: "characters", enterkeyhint: "go" }), h("button", { class: "press plain" }, say("live.watch"))),
    h("div", { class: "boards" }, [...state.boards].filter(([, board]) => !board.over).map(([id, board]) => h("button", { key: id, type: "button", class: "card", "data-do": "select", "data-table": id }, board.spoken.split("\n", 1)[0]))),
  );
}

/** A match against the computer at once: the game, its length, the level, and the button. */
function playView() {
  const lengths = Object.keys(LENGTHS);
  return h(
    "section",
    { key: "play", class: "play", "aria-label": say("live.now") },
    choice(say("live.game"), "game", state.game, GAMES.map((game) => [game, say(`preset.${game}`), { "data-game": game }])),
    h("p", { key: "game_about", class: "about" }, say(`live.game_${state.game}_about`)),
    choice(say("live.length"), "length", state.length, lengths.map((length) => [length, say(`live.length_${length}`), { "data-length": length }])),
    h("p", { key: "length_about", class: "about" }, state.length === "match" && state.game === "okey" ? say("live.length_match_okey") : say(`live.length_${state.length}_about`)),
    choice(say("live.level"), "level", state.level, LEVELS.map((level) => [level, say(`level.${level}`), { "data-level": level }])),
    h("p", { key: "level_about", class: "about" }, say(`live.level_${state.level}_about`)),
    button("now", say("live.now"), "primary big", { "aria-disabled": state.goal || state.wanted ? "true" : undefined }),
  );
}

/** @param {"friends" | "learn" | "daily" | "profile" | "settings"} name */
function way(name) {
  const label = [
    h("span", { class: "sign", "aria-hidden": "true" }, icon(name)),
    h("span", { class: "said" }, h("b", null, WAYS[name]()), ["friends", "learn"].includes(name) && h("small", null, say(`live.${name}_about`))),
  ];
  const typed = name === "daily" || name === "profile";
  const verb = typed ? { "data-verb": name } : {};
  return button(typed ? "verb" : name, label, "door plain", { key: name, ...verb, "aria-disabled": state.goal ? "true" : undefined });
}

const WAYS = { friends: () => say("live.friends"), learn: () => say("live.learn"), daily: () => say("page.daily"), profile: () => say("page.profile"), settings: () => say("live.settings") };

/** @param {LiveTable | undefined} each */
function isOwn(each) {
  return state.racks.has(each?.id ?? "");
}

/** @param {LiveTable} each */
function tableCard(each) {
  const goes = { type: "button", "data-do": "select", "data-table": each.id };
  const stage = [h("small", null, stageOf(each), watchersView(each.id)), hereView(each)];
  if (each.stage === "lobby" && !isOwn(each)) {
    return h("div", { key: each.id, class: "card joins" }, h("button", { ...goes, class: "goes" }, h("b", null, title(each)), stage), h("div", { class: "spots" }, each.seats.map((_, number) => spotView(each, number))));
  }
  const people = each.seats.flatMap(({ name }, seat) => (name ? [[" · ", personView(each, name, seat)]] : [])).flat().slice(1);
  return h("button", { ...goes, key: each.id, class: "card" }, h("b", null, title(each)), h("small", null, people), stage);
}

/**
 * A seat on the card of a lobby: one that no person has is taken by a tap.
 * @param {LiveTable} each
 * @param {number} number
 */
function spotView(each, number) {
  const { name, computer } = each.seats[number];
  const sit = each.acts.find(({ kind, on }) => kind === "sit" && on === number);
  const inside = [
    name && h("span", { class: `head h${number}`, "aria-hidden": "true" }, faceOf(name, computer)),
    h("span", { class: "said" }, name && h("bdi", null, personView(each, name, number)), sit && [name && " ", h("b", null, say("live.do_sit"))], " ", besideView(each, number)),
  ];
  if (!sit) return h("span", { key: number, class: "spot" }, inside);
  return h("button", { key: number, type: "button", class: "spot", "data-do": "sit", "data-table": each.id, "data-press": sit.press }, inside);
}

/**
 * Whose partner a seat of a table of partners would be.
 * @param {LiveTable} each
 * @param {number} number
 */
export function besideView({ seats, teams }, number) {
  const partner = teams ? seats[(number + 2) % 4] : undefined;
  return partner?.name && !partner.computer && h("small", { key: "with", class: "with" }, say("live.with", { who: partner.name }));
}

/**
 * Who is at a table, for screen readers, which see no marks.
 * @param {LiveTable} each
 */
function hereView({ id, seats }) {
  const names = companyOf(id).seats.map((seat) => seats[seat]?.name).filter(Boolean);
  return names.length > 0 && h("span", { class: "unseen" }, `${say("page.here")}: ${names.join(", ")}`);
}

/**
 * Somebody at a table; marked where they have the page open.
 * @param {LiveTable} each
 * @param {string} name
 * @param {number} seat
 */
function personView(each, name, seat) {
  const here = companyOf(each.id).seats.includes(seat);
  return here ? h("span", { class: "here" }, name) : name;
}

/**
 * How many look on at a table, if anybody does.
 * @param {string} id
 */
export function watchersView(id) {
  const { watchers } = companyOf(id);
  return watchers > 0 && h("span", { key: "watchers", class: "watchers", role: "img", "aria-label": say("live.watchers", { n: watchers }) }, icon("eye"), figure(watchers));
}

/**
 * Whether a table is a lobby of the local page where nobody has a page open. One from a chat may be alive for all that.
 * @param {LiveTable | undefined} each
 */
function isIdle(each) {
  return isLocal && each?.stage === "lobby" && !isOwn(each) && isEmpty(each.id);
}

/**
 * Whether nobody at a table has the local page open.
 * @param {string} id
 */
function isEmpty(id) {
  const { seats, watchers } = companyOf(id);
  return seats.length + watchers === 0;
}

/** @param {LiveTable} each */
export function title(each) {
  if (each.practice) return say("live.learn");
  return has(`preset.${each.preset}`) ? say(`preset.${each.preset}`) : "Okey";
}

/**
 * How many seats nobody has.
 * @param {LiveTable} each
 */
export function freeSeats({ seats }) {
  return seats.filter(({ name }) => !name).length;
}

/** @param {LiveTable} each */
function stageOf(each) {
  const free = freeSeats(each);
  if (each.stage === "lobby") return say("live.free", { n: free });
  const turn = each.stage === "playing" && each.turn !== null && each.turn === state.racks.get(each.id)?.seat;
  const nobody = isLocal && !isOwn(each) && isEmpty(each.id) && ` · ${say("page.nobody")}`;
  return [say("live.playing", { round: each.round }), nobody, turn && h("b", null, ` · ${say("live.your_turn")}`)];
}
