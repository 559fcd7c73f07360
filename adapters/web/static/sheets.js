// The sheets over the page: a round's result, a question, a page to read; and the menu.

import { h } from "./html.js";
import { figure, has, say, tileName } from "./words.js";
import { act, covering, hasResult, isOver, rack, state, table } from "./state.js";
import { face, laidFace, lying } from "./tiles.js";
import { actButton, button } from "./controls.js";
import { door, isLocal } from "./doors.js";
import { isStaging } from "./staging.js";
import { buttonOf, chooserView, emoteView, reacts } from "./reactions.js";

/** @typedef {import("./types").LiveTable} LiveTable */

const SPEEDS = [0.5, 1, 2, 4];
/** The points of a penalty at Okey 101. */
const FINE = 101;

/** The result of the round or the match, over the table until the next one. */
export function resultView() {
  const now = /** @type {LiveTable} */ (table());
  const outcome = now.outcome;
  if (!isOver() || isStaging()) return null;
  if (!hasResult()) return !state.result && button("result", say("live.result"), "primary reopen", { key: "reopen" });
  const own = rack()?.seat;
  const won = outcome?.winner !== null && outcome?.winner !== undefined && outcome.winner === own;
  const champions = now.winners.map((seat) => now.seats[seat]?.name).join(", ");
  return h(
    "div",
    { key: "result", class: `sheet result${won ? " won" : ""}`, role: "dialog", "aria-label": say("live.result"), id: "result", tabindex: -1 },
    won && h("div", { class: "confetti", "aria-hidden": "true" }, Array.from({ length: 14 }, (_, each) => h("i", { key: each }))),
    h("h2", null, outcome ? `${outcomeText(now)} ${outcome.emote}` : say("live.ended")),
    now.stage === "over" && champions && h("p", { class: "champion" }, say("live.champion", { who: champions })),
    now.ending && h("p", { class: "about" }, say(`live.${now.ending}`)),
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
      h("tbody", null, now.seats.map((seat, number) => h("tr", { key: number, class: number === outcome?.winner ? "winner" : "" }, h("th", { scope: "row" }, h("bdi", null, seat.name), emoteView(number), Boolean(outcome?.fines[number]) && h("small", null, say("live.fined", { points: figure(FINE * (outcome?.fines[number] ?? 0)) })), seat.accuracy !== null && h("small", null, say("live.accuracy", { percent: seat.accuracy }))), h("td", null, outcome ? figure(outcome.changes[number] ?? 0, true) : ""), h("td", null, figure(seat.score))))),
    ),
    h(
      "div",
      { class: "row last" },
      act("next") && actButton("next", "primary big", [say("live.next"), now.deadline && h("span", { class: "until", "data-count": now.deadline })]),
      now.stage === "over" && button(now.practice ? "learn" : "again", say("live.again"), "primary big"),
      own !== undefined && reacts() && h("button", { key: "react", class: "press plain", ...buttonOf(own) }, "☺"),
      act("review") && actButton("review"),
      act("replay") && actButton("replay"),
      button("table", say("live.look")),
      now.stage === "over" && button("home", say("live.home")),
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
    { key: "question", class: "sheet question", role: "alertdialog", "aria-modal": "true", "aria-label": asked.text, id: "question" },
    h("p", null, asked.text),
    lying(asked.tiles, table()?.okey ?? ""),
    h(
      "div",
      { class: "row last" },
      asked.answers.map(({ text, tiles }, at) => button("answer", [text, lying(tiles, "")], "primary", { key: at, "data-answer": at, "aria-label": tiles.map((code) => tileName(code)).join(" ") || undefined })),
      button("no", asked.none),
    ),
  );
}

/** A page to read, with the server's HTML. */
export function readingView() {
  if (!state.reading) return null;
  return h("div", { key: "reading", class: "sheet reading", role: "dialog", "aria-label": say("page.reading"), id: "reading", tabindex: -1, inert: covering() !== "reading" }, h("div", { key: "read", html: state.reading }), state.series && seriesView(state.series));
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
      SPEEDS.map((speed) => button("autoplay", `${state.autoplay === speed ? "⏸" : "▶"} ${figure(speed)}×`, "plain", { key: `speed${speed}`, "data-key": `speed${speed}`, "data-speed": speed, "aria-pressed": String(state.autoplay === speed) })),
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
    state.selected && button("home", say("live.home")),
    own.map((kind) => actButton(kind)),
    !isLocal && button("log_out", say("page.log_out")),
    button("settings", say("live.settings")),
    door.fill && button("fill", say(door.fill.wanted ? "live.fill_off" : "live.fill_on")),
    asks && button("notify", say("live.notify")),
    table()?.stage === "playing" && Number.parseInt(table()?.round ?? "", 10) > 1 && typing("replay", say("live.do_replay"), state.selected),
    typing("daily", say("page.daily")),
    typing("rules", say("page.rules")),
    typing("help", say("page.help")),
    typing("privacy", say("page.privacy")),
    h("form", { "data-form": "command" }, h("label", { for: "words" }, say("page.command")), h("input", { id: "words", name: "words", maxlength: 200, placeholder: say("page.command_hint"), autocomplete: "off", autocapitalize: "none", enterkeyhint: "send" })),
  );
}

/**
 * The button of a command that can be typed.
 * @param {string} verb
 * @param {string} label
 * @param {string} [argument]
 */
function typing(verb, label, argument) {
  return button("verb", label, "plain", { key: verb, "data-verb": verb, "data-argument": argument });
}
