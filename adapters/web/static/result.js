// The result: the end of a round or of the match, over the table until the next one. The viewer's own comes first.

import { h } from "./html.js";
import { icon } from "./icons.js";
import { faceOf } from "./faces.js";
import { figure, has, say, tileName } from "./words.js";
import { act, hasResult, isOver, rack, state, table } from "./state.js";
import { face, laidFace } from "./tiles.js";
import { title } from "./home.js";
import { actButton, button } from "./controls.js";
import { door } from "./doors.js";
import { stakes } from "./felt.js";
import { isStaging } from "./staging.js";
import { buttonOf, chooserView, emoteView, reacts } from "./reactions.js";

/** @typedef {import("./types").LiveTable} LiveTable */
/** @typedef {import("./types").LiveOutcome} LiveOutcome */

/** The points of a penalty at Okey 101. */
const FINE = 101;
/** The kinds of win that take the bowl. */
const BREAKS = ["joker", "pairs"];

/**
 * Whether a seat has won: the match once it is over, whoever won its last round; else the round.
 * @param {LiveTable} now
 * @param {number | undefined} seat
 */
export function wins({ stage, winners, outcome }, seat) {
  if (seat === undefined) return false;
  return stage === "over" ? winners.includes(seat) : outcome?.winner === seat;
}

/** The result of the round or the match. */
export function resultView() {
  const now = /** @type {LiveTable} */ (table());
  if (!isOver() || isStaging()) return null;
  if (!hasResult()) return !state.result && button("result", say("live.result"), "primary reopen", { key: "reopen" });
  const won = wins(now, rack()?.seat);
  const ofMatch = now.stage === "over" && now.winners.length > 0;
  return h(
    "div",
    { key: "result", class: `sheet result${won ? " won" : ""}`, role: "dialog", "aria-label": say("live.result"), id: "result", tabindex: -1 },
    won && ofMatch && h("div", { class: "confetti", "aria-hidden": "true" }, Array.from({ length: 14 }, (_, each) => h("i", { key: each }))),
    ofMatch ? matchViews(now) : roundViews(now),
    now.rounds.length > 1 && h("details", { key: "sheet" }, h("summary", null, say("live.all_rounds")), scoreSheet(now)),
    buttons(now),
    chooserView(),
  );
}

/**
 * The match: who won, everybody's place, the best moment, and its last round.
 * @param {LiveTable} now
 */
function matchViews(now) {
  const own = rack()?.seat;
  const who = now.winners.map((seat) => now.seats[seat]?.name).join(", ");
  const won = wins(now, own);
  const place = placesOf(now).find(({ seat }) => seat === own)?.place;
  const champion = say(now.winners.length > 1 ? "live.champions" : "live.champion", { who });
  return [
    h("h2", { key: "head", class: "champion" }, won ? say("live.you_won_match") : champion),
    !won && place && h("p", { key: "place", class: "about" }, say(`match.own_${place}`)),
    won && now.winners.length > 1 && h("p", { key: "with", class: "about" }, champion),
    podium(now),
    chipsView(now),
    bestMoment(now),
    h("details", { key: "last", open: now.rounds.length < 2 }, h("summary", null, say("live.last_round")), h("h3", null, headOf(now)), winning(now), changes(now)),
  ];
}

/**
 * The round: the viewer's own result, how it ended, and what it changed for everybody.
 * @param {LiveTable} now
 */
function roundViews(now) {
  const { outcome } = now;
  const own = rack()?.seat;
  const change = own === undefined ? undefined : outcome?.changes[own];
  return [
    change !== undefined && h("p", { key: "own", class: "own_result" }, h("span", null, wins(now, own) ? say("live.you_won_round") : say("live.your_round")), h("b", null, figure(change, true))),
    h("h2", { key: "head" }, headOf(now)),
    now.ending && h("p", { key: "why", class: "about" }, say(`live.${now.ending}`)),
    winning(now),
    stakes(now) && h("p", { key: "stakes", class: "about" }, stakes(now)),
    chipsView(now),
    changes(now),
  ];
}

/** @param {LiveTable} now */
function headOf(now) {
  if (!now.outcome) return say("live.ended");
  const { kind, winner, how } = now.outcome;
  const key = `outcome.${[kind, ...(winner === null ? [] : how)].join("_")}`;
  const own = now.game === "101" && has(`${key}.101`) ? `${key}.101` : key;
  return say(own, { who: winner === null ? "" : now.seats[winner]?.name ?? "" });
}

/**
 * The seats by their place, the best first; equal scores have one place. Partners have a place together.
 * @param {LiveTable} now
 */
function placesOf({ seats, fewest_win, winners, teams }) {
  const worth = seats.map(({ score }, seat) => (winners.includes(seat) ? Infinity : fewest_win ? -score : score));
  const ahead = (/** @type {number} */ a, /** @type {number} */ b) => (seats[b].score - seats[a].score) * (fewest_win ? -1 : 1);
  const order = [...seats.keys()].sort((a, b) => (worth[a] === worth[b] ? ahead(a, b) : worth[b] - worth[a]));
  return order.map((seat) => ({ seat, place: worth.slice(0, teams ? 2 : undefined).filter((each) => each > worth[seat]).length + 1 }));
}

/** The viewer's own result of the match, in words to send: nobody else is named. */
export function toldResult() {
  const now = /** @type {LiveTable} */ (table());
  const own = rack()?.seat ?? -1;
  const place = placesOf(now).find(({ seat }) => seat === own)?.place ?? 0;
  return say("live.told_result", { game: title(now), place, of: now.teams ? 2 : now.seats.length, points: figure(now.seats[own]?.score ?? 0) });
}

/** @param {LiveTable} now */
function podium(now) {
  return h(
    "ol",
    { key: "podium", class: "podium" },
    placesOf(now).map(({ seat, place }) => {
      const { name, score, computer } = now.seats[seat];
      return h(
        "li",
        { key: seat, class: `place${place}${seat === rack()?.seat ? " mine" : ""}` },
        h("span", { class: "rank" }, say("live.rank", { place })),
        h("span", { class: `head h${seat}`, "aria-hidden": "true" }, faceOf(name, computer)),
        h("bdi", null, name),
        h("b", null, figure(score)),
      );
    }),
  );
}

/**
 * Everybody's chips at a table with a bowl, and who took it in this round.
 * @param {LiveTable} now
 */
function chipsView({ seats, chips, outcome, teams }) {
  if (!chips.length) return null;
  const sides = teams ? [0, 1] : [...seats.keys()];
  const named = (/** @type {number} */ seat) => (teams ? `${seats[seat].name} + ${seats[seat + 2].name}` : seats[seat].name);
  const taker = outcome?.how.some((each) => BREAKS.includes(each)) ? seats[outcome.winner ?? -1] : undefined;
  const balances = sides.map((seat) => `${named(seat)} ${figure(chips[seat])}`).join(" · ");
  return h("p", { key: "chips", class: "about" }, taker && `${say("live.bowl_taken", { who: taker.name })}. `, say("live.chips", { chips: balances }));
}

/**
 * The round that brought the viewer, or the winner for somebody who watches, the most before the others.
 * @param {LiveTable} now
 */
function bestMoment(now) {
  const seat = rack()?.seat ?? now.winners[0];
  const sign = now.fewest_win ? -1 : 1;
  const ahead = now.rounds.map(({ changes }) => sign * (changes[seat] * changes.length - changes.reduce((sum, each) => sum + each, 0)));
  const best = ahead.indexOf(Math.max(...ahead));
  if (now.rounds.length < 2 || ahead[best] <= 0) return null;
  const values = { round: best + 1, who: now.seats[seat].name, points: figure(now.rounds[best].changes[seat], true) };
  return h("p", { key: "best", class: "about" }, now.rounds[best].winner === seat ? say("live.best_won", values) : say("live.best_round", values));
}

/**
 * The winning rack, or the melds on the table.
 * @param {LiveTable} now
 */
function winning({ outcome, okey }) {
  if (!outcome || (!outcome.melds.length && !outcome.finishing)) return null;
  return h(
    "div",
    { key: "winning", class: "winning", role: "img", "aria-label": outcome.melds.map((meld) => meld.map(([, as]) => tileName(as)).join(" ")).join(", ") },
    outcome.melds.map((meld, number) => h("span", { key: number, class: "group" }, meld.map(([tile, as], at) => h("span", { key: at, class: "tile lying" }, laidFace(tile, as, okey))))),
    outcome.finishing && h("span", { key: "finishing", class: "group finishing" }, h("span", { class: "tile lying" }, face(outcome.finishing, okey))),
  );
}

/**
 * What the round changed for everybody, each with its reason: the viewer first.
 * @param {LiveTable} now
 */
function changes(now) {
  const own = rack()?.seat;
  const order = [...now.seats.keys()].sort((a, b) => Number(b === own) - Number(a === own));
  return h(
    "table",
    { key: "changes" },
    h("thead", { class: "unseen" }, h("tr", null, h("th", { scope: "col" }, say("live.player")), h("th", { scope: "col" }, say("live.total")), h("th", { scope: "col" }, say("live.change")))),
    h("tbody", null, order.map((seat) => changeView(now, seat))),
  );
}

/**
 * @param {LiveTable} now
 * @param {number} number
 */
function changeView(now, number) {
  const { outcome } = now;
  const seat = now.seats[number];
  const accuracy = seat.accuracy !== null && h("small", null, say("live.accuracy", { percent: seat.accuracy }));
  return h(
    "tr",
    { key: number, class: number === outcome?.winner ? "winner" : "" },
    h("th", { scope: "row" }, h("bdi", null, seat.name), emoteView(number), outcome && h("small", null, reasons(now, outcome, number).join(" · ")), accuracy),
    h("td", null, figure(seat.score)),
    h("td", null, outcome && `(${figure(outcome.changes[number] ?? 0, true)})`),
  );
}

/**
 * Why a round changed a seat's score.
 * @param {LiveTable} now
 * @param {LiveOutcome} outcome
 * @param {number} number
 */
function reasons(now, { kind, winner, how, fines }, number) {
  const lays = now.game === "101";
  const said = [];
  const partner = now.teams && winner !== null && winner === (number + 2) % 4 && now.seats[winner];
  if (winner === number) said.push(say("live.why_won"), ...how.map((each) => say(`live.why_${each}`)));
  else if (partner) said.push(say("live.why_partner", { who: partner.name }));
  else if (lays && kind !== "cancelled") said.push(say(now.seats[number].opened ? "live.why_left" : now.seats[number].declared ? "live.why_declared" : "live.why_not_opened"));
  else if (kind === "win") said.push(say("live.why_lost"));
  const shown = lays ? -1 : now.seats.findIndex((seat) => seat.shown);
  if (shown === number) said.push(say("live.shown"));
  else if (shown >= 0) said.push(say("live.why_shown", { who: now.seats[shown].name }));
  if (fines[number]) said.push(say("live.fined", { points: figure(FINE * fines[number]) }));
  return said;
}

/**
 * All rounds of the match so far, one below the other.
 * @param {LiveTable} now
 */
export function scoreSheet(now) {
  return h(
    "table",
    { class: "rounds" },
    h("thead", null, h("tr", null, h("td", null), now.seats.map(({ name }, seat) => h("th", { key: seat, scope: "col" }, h("bdi", null, name))))),
    h(
      "tbody",
      null,
      now.rounds.map(({ winner, changes }, round) => h("tr", { key: round }, h("th", { scope: "row" }, round + 1), changes.map((change, seat) => h("td", { key: seat, class: seat === winner ? "winner" : "" }, figure(change, true))))),
      h("tr", { key: "total", class: "total" }, h("th", { scope: "row" }, say("live.total")), now.seats.map(({ score }, seat) => h("td", { key: seat }, figure(score)))),
    ),
  );
}

/** @param {LiveTable} now */
function buttons(now) {
  const own = rack()?.seat;
  return h(
    "div",
    { key: "buttons", class: "row last" },
    act("next") && actButton("next", "primary big", [say("live.next"), now.deadline && h("span", { class: "until", "data-count": now.deadline })]),
    now.stage === "over" && button(now.practice ? "learn" : "again", say("live.again"), "primary big"),
    own !== undefined && reacts() && h("button", { key: "react", class: "press plain", ...buttonOf(own) }, icon("smile")),
    act("review") && actButton("review"),
    act("replay") && actButton("replay"),
    now.stage === "over" && own !== undefined && door.share && button("send_result", say("live.send_result")),
    now.stage === "over" && wins(now, own) && door.home?.offered() && button("add_home", say("live.add_home")),
    button("table", say("live.look")),
    now.stage === "over" && button("home", say("live.home")),
  );
}
