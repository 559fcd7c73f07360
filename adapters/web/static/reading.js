// Pages to read, one or a series: they are turned by hand, by keys or by themselves.

import { isBusy, select, state } from "./state.js";
import { openReplay } from "./replay.js";
import { send } from "./requests.js";

/** Milliseconds that a page stays at the usual speed. */
const AUTOPLAY = 1500;

/** @type {number | null} */
let wish = null;
let turning = 0;
/** The page of the series that is shown. */
let shownAt = -1;

/** The series that was closed last, and what was requested then: its pages come too late. @type {{press: string, asked: string[]}} */
let lastClosed = { press: "", asked: [] };

/**
 * Open a page that has arrived, unless it belongs to a series that was closed meanwhile.
 * @param {{html: string, series: import("./types").Series | null, puzzle: import("./types").Puzzle | null, replay: import("./types").LiveReplay | null}} page
 */
export function openReading({ html, series, puzzle, replay }) {
  if (series?.press === lastClosed.press && lastClosed.asked.some((id) => state.busy.has(id))) return;
  if (replay) openReplay(replay, html, series?.at === (state.series?.press === series?.press ? shownAt : -1) + 1);
  else leaveReplay();
  shownAt = series?.at ?? -1;
  state.reading = replay ? "" : html;
  state.series = series;
  state.puzzle = puzzle;
  state.picked = null;
  playOn();
}

/** Return from a replay to the table before it. */
function leaveReplay() {
  if (state.replay) select(state.replay.of);
}

/** Close the page. */
export function closeReading() {
  clearTimeout(turning);
  leaveReplay();
  shownAt = -1;
  if (state.series) lastClosed = { press: state.series.press, asked: [...state.busy.keys()] };
  wish = null;
  state.reading = "";
  state.series = null;
  state.puzzle = null;
  state.autoplay = 0;
}

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

/** Send the newest request, once an earlier one has been answered. */
export function askForPage() {
  if (wish === null || !state.series || isBusy("page")) return;
  send({ kind: "press", private: true, data: `${state.series.press}.${wish}` }, "page");
  wish = null;
}

/**
 * Turn to a page by hand. No page turns by itself then.
 * @param {number} to
 */
export function goTo(to) {
  state.autoplay = 0;
  clearTimeout(turning);
  turnTo(to);
}

/**
 * Turn the pages of a series: arrow keys by one, Home and End to its ends. Return whether the key does that.
 * @param {string} key
 */
export function turn(key) {
  const { series } = state;
  const to = series ? { Home: 0, ArrowLeft: series.at - 1, ArrowRight: series.at + 1, End: series.last }[key] : undefined;
  if (to === undefined) return false;
  goTo(to);
  return true;
}

/**
 * Let the pages turn by themselves at a speed; at the same speed again, stop.
 * @param {number} speed
 */
export function autoplay(speed) {
  state.autoplay = state.autoplay === speed ? 0 : speed;
  if (state.series && state.series.at >= state.series.last) turnTo(0);
  else playOn();
}

/** A page has arrived: schedule the next one, if pages turn by themselves and there is one. */
function playOn() {
  clearTimeout(turning);
  const { series } = state;
  if (!state.autoplay || !series) return;
  if (series.at >= series.last) state.autoplay = 0;
  else turning = window.setTimeout(() => turnTo((state.series?.at ?? 0) + 1), AUTOPLAY / state.autoplay);
}
