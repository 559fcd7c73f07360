// The lobby of a table: the seats to take, the host's settings, the link for friends.

import { h } from "./html.js";
import { faceOf } from "./faces.js";
import { clock, say } from "./words.js";
import { act, acts, rack, state, table } from "./state.js";
import { actButton, button, choice } from "./controls.js";
import { besideView, freeSeats, title, watchersView } from "./home.js";
import { door, isLocal } from "./doors.js";

/** @typedef {import("./types").LiveTable} LiveTable */

const LINK = document.body.dataset.link ?? "";

/** The lobby: the seats to take, and the host's settings. */
export function lobbyView() {
  const now = /** @type {LiveTable} */ (table());
  const mine = rack()?.seat;
  const host = mine !== undefined && now.seats[mine]?.host;
  const free = freeSeats(now);
  return h(
    "section",
    { key: "lobby", class: "lobby", id: "table", "aria-label": say("page.table") },
    h("h1", null, title(now), watchersView(now.id)),
    h("p", { class: "about" }, now.rules.flatMap((line) => [line.replace(`${title(now)} · `, ""), h("br", null)])),
    h(
      "div",
      { class: "seats" },
      now.seats.map((_, number) => chair(now, number)),
    ),
    host &&
      h(
        "div",
        { class: "choices" },
        choice(say("live.players"), "act", now.players, acts().filter(({ kind }) => kind === "players").map(({ on, press }) => [on, say("live.players_n", { n: on }), { "data-kind": "players", "data-press": press }])),
        h("p", { class: "about" }, say("live.players_about")),
        h("div", { class: "row" }, actButton("rules"), act("fewer") && actButton("fewer"), act("shuffle") && actButton("shuffle"), button("share", say("live.share"))),
      ),
    h("p", { class: "about" }, say("live.clock", { clock: clock(now.turn_seconds) }), mine !== undefined && !host && [h("br", null), say("live.host_starts", { who: now.seats.find((seat) => seat.host)?.name ?? "" })]),
    state.sharing && sharing(),
    act("hold") && startsIn(now),
    h(
      "div",
      { class: "row last" },
      host && actButton("start", "primary big", say(free > 1 ? "live.start_with" : free ? "live.start_with_one" : "live.start", { n: free })),
      host && act("hold") && actButton("hold"),
      mine !== undefined && actButton("leave"),
      host && actButton("cancel", "danger"),
    ),
  );
}

/**
 * When the match starts by itself, as every seat is taken.
 * @param {LiveTable} now
 */
function startsIn({ deadline }) {
  const [before, after] = say("live.starts_in", { clock: "|" }).split(/ ?\|/);
  return h("p", { key: "starts", class: "starts" }, before, deadline !== null && h("span", { class: "until", "data-count": deadline }), after);
}

/**
 * A seat: who has it, and what can be done with it if no person does.
 * @param {LiveTable} now
 * @param {number} number
 */
function chair(now, number) {
  const { seats } = now;
  const seat = seats[number];
  const mine = rack()?.seat;
  const sit = acts().find(({ kind, on }) => kind === "sit" && on === number);
  const sits = sit && actButton("sit", mine === undefined ? "good" : "plain", say("live.do_sit"), { "data-press": sit.press });
  const beside = besideView(now, number);
  if (!seat.name) {
    const waits = mine !== undefined && (seats[mine]?.host ? actButton("computer") : h("small", null, say("live.waiting")));
    return h("div", { key: number, class: "chair" }, waits, beside, sits);
  }
  const about = [seat.host && say("live.host"), seat.computer && say("live.computer"), number === mine && say("live.you")];
  return h(
    "div",
    { key: number, class: `chair taken${number === mine ? " mine" : ""}` },
    h("span", { class: `head h${number}`, "aria-hidden": "true" }, faceOf(seat.name, seat.computer)),
    h("bdi", null, seat.name),
    h("small", null, about.filter(Boolean).join(" · ")),
    beside,
    sits,
  );
}

/** The table's link, also as a QR code for a phone; behind a door, its invitation. */
function sharing() {
  const code = rack()?.invitation ?? "";
  if (!isLocal && !code) return null;
  const here = isLocal && ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const link = isLocal ? `${location.origin}/#${state.selected}` : LINK + code;
  return h(
    "div",
    { class: "sharing" },
    here && h("p", { class: "about" }, say("page.only_here")),
    isLocal && !here && h("img", { class: "qr", src: `/qr/${state.selected}.svg`, alt: say("live.qr"), width: 180, height: 180 }),
    h("input", { readonly: true, "aria-label": say(isLocal ? "live.share" : "live.code"), value: isLocal ? link : code }),
    button("copy", say("live.copy"), "plain", { "data-link": link }),
    door.share && button("send", say("live.send"), "primary"),
  );
}
