// The sheets over the page: a question, a page to read; and the menu.

import { h } from "./html.js";
import { say, tileName } from "./words.js";
import { act, covering, state, table } from "./state.js";
import { lying } from "./tiles.js";
import { actButton, button } from "./controls.js";
import { door, isLocal } from "./doors.js";
import { scoreSheet } from "./result.js";
import { seenPiles } from "./places.js";
import { stepsView } from "./replay.js";
import { puzzleView } from "./puzzle.js";

/** The question before an act that needs confirmation. */
export function questionView() {
  const asked = state.question;
  if (!asked) return null;
  return h(
    "div",
    { key: "question", class: "sheet question", role: "alertdialog", "aria-modal": "true", "aria-label": asked.text, id: "question" },
    h("p", null, asked.text),
    lying(asked.tiles, table()?.okey ?? ""),
    asked.rows?.map(({ text, tiles }, at) => h("div", { key: `row${at}`, class: "fan", role: "img", "aria-label": `${text}: ${tiles.map((code) => tileName(code, table()?.okey)).join(", ")}` }, h("p", null, h("bdi", null, text)), lying(tiles, table()?.okey ?? ""))),
    asked.scores && scoreSheet(/** @type {import("./types").LiveTable} */ (table())),
    asked.fields && h("form", { class: "asks", "data-form": "fields", html: asked.fields }),
    h(
      "div",
      { class: "row last" },
      asked.answers.map(({ text, tiles, costs }, at) => button("answer", [text, lying(tiles, "")], costs ? "costs" : "primary", { key: at, "data-answer": at, "aria-label": tiles.map((code) => tileName(code)).join(" ") || undefined })),
      button("no", asked.none),
    ),
  );
}

/** A page to read, with the server's HTML. */
export function readingView() {
  if (!state.reading) return null;
  return h("div", { key: "reading", class: "sheet reading", role: "dialog", "aria-label": say("page.reading"), id: "reading", tabindex: -1, inert: covering() !== "reading" }, puzzleView(), h("div", { key: "read", html: state.reading }), state.series && h("div", { key: "series", class: "series" }, stepsView()));
}

/** The menu: everything besides the game. */
export function menuView() {
  if (!state.menu) return null;
  const own = ["step_out", "remove", "practice_leave"].filter((kind) => act(kind) && !(table()?.stage === "lobby"));
  const asks = "Notification" in window && Notification.permission === "default";
  return h(
    "nav",
    { key: "menu", class: "menu", id: "menu", "aria-label": say("live.menu") },
    state.selected && button("home", say("live.home")),
    own.map((kind) => actButton(kind)),
    table()?.stage === "playing" && seenPiles().length > 0 && button("piles", say("live.piles")),
    (table()?.rounds.length ?? 0) > 0 && button("scores", say("live.scores")),
    !isLocal && button("sessions", say("page.sessions")),
    !isLocal && button("log_out", say("page.log_out")),
    button("settings", say("live.settings")),
    door.fill && button("fill", say(door.fill.wanted ? "live.fill_off" : "live.fill_on")),
    asks && button("notify", say("live.notify")),
    !state.replay && table()?.stage === "playing" && Number.parseInt(table()?.round ?? "", 10) > 1 && typing("replay", say("live.do_replay"), state.selected),
    typing("daily", say("page.daily")),
    typing("rules", say("page.rules")),
    typing("help", say("page.help")),
    typing("privacy", say("page.privacy")),
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
