// Staging: what others did is shown move by move, while the page already stands where the game is. Each move is a tile
// that flies from where it was to where it went, and a word at its player's seat. Any touch ends it.

import { figure, say, tileName } from "./words.js";
import { rack, state } from "./state.js";
import { face } from "./tiles.js";
import { patch } from "./html.js";
import { likesMotion, paced, restingBox } from "./motion.js";
import { note } from "./notes.js";
import { render } from "./page.js";

/** @typedef {import("./types").LiveTable} LiveTable */
/** @typedef {import("./types").Happening} Happening */
/** @typedef {import("./types").Shown} Shown */
/** @typedef {{from: string, to: string, code: string, pile: number | null, word: [number, string] | null, shown: Shown | null, part: number}} Step
 * `shown`: what the table shows after it; `part`: how far to the right it ends, of 1. */

/** Milliseconds of one flight, and the most by which the table as it is shown may be behind. */
const FLIGHT = 220;
const BEHIND = 1000;
/** Milliseconds for which a word stays at a seat. */
const BADGE_STAYS = 1800;
/** Between two of the stacks that are dealt, and while the indicator is turned. */
const DEALT = 70;
const TURNED = 250;
/** Pixels: how wide a tile is at a seat. */
const AT_A_SEAT = 30;

/** @type {Step[]} */
let steps = [];
let running = false;
/** The tile that flies, and its end. @type {{ghost: HTMLElement, end: () => void} | null} */
let flight = null;

/**
 * Show what has happened between two views of the selected table.
 * @param {LiveTable | undefined} before
 * @param {LiveTable | undefined} after
 */
export function stage(before, after) {
  if (!before || !after || after.id !== state.selected || document.hidden) return;
  if (before.round !== after.round || before.stage === "lobby") {
    if (after.stage === "playing") beginRound(after);
    return;
  }
  const news = newsOf(before.happened, after.happened);
  tellOverdue(news, after);
  for (const step of stepsOf(news, before, after)) add(step, before);
  if (steps.length && !running) void runStage();
}

/**
 * What a list of happenings has that an earlier one had not. Both hold the last ones only.
 * @param {Happening[]} before
 * @param {Happening[]} after
 */
export function newsOf(before, after) {
  const keys = (/** @type {Happening[]} */ list) => list.map((each) => JSON.stringify(each));
  const [was, is] = [keys(before), keys(after)];
  const known = was.findIndex((_, at) => was.slice(at).every((key, place) => key === is[place]));
  return known < 0 ? (was.length ? [] : after) : after.slice(was.length - known);
}

/**
 * Say what the clock did for the viewer.
 * @param {Happening[]} news
 * @param {LiveTable} after
 */
function tellOverdue(news, after) {
  const at = news.findIndex(({ kind, seat }) => kind === "overdue" && seat === rack()?.seat);
  const played = news.slice(0, at).findLast(({ kind, seat }) => kind === "discarded" && seat === rack()?.seat);
  if (at >= 0 && played) note(say("live.overdue", { tile: tileName(played.tile, after.okey) }), true);
}

/**
 * @param {Happening[]} news
 * @param {LiveTable} before
 * @param {LiveTable} after
 * @returns {Step[]}
 */
function stepsOf(news, before, after) {
  const byClock = news.some(({ kind, seat }) => kind === "overdue" && seat === rack()?.seat);
  const shown = shownAfter(news, before, after);
  return news.flatMap((each, at) => {
    const { kind, seat, tile, source, count } = each;
    const own = seat === rack()?.seat;
    if (own && !byClock && !state.replay) return [];
    const [hand, pile] = [own && state.replay ? "own" : `seat${seat}`, `pile${seat}`];
    const step = { from: "", to: "", code: tile, pile: /** @type {number | null} */ (null), word: /** @type {[number, string] | null} */ (null), shown: shown[at], part: partOf(shown[at]?.melds[count - 1], tile) };
    switch (kind) {
      case "drew":
        return [{ ...step, from: "stock", to: hand, code: "" }];
      case "took":
        return [{ ...step, from: `pile${source}`, to: hand, pile: source, word: [seat, say("live.badge_took")] }];
      case "discarded":
        return [{ ...step, from: hand, to: pile, pile: seat }];
      case "finished":
        return [{ ...step, from: hand, to: "indicator", word: [seat, say("live.badge_finished")] }];
      case "gave_back":
        return [{ ...step, from: hand, to: `pile${source}`, pile: source }];
      case "laid_off": {
        const all = news.filter((other) => other.kind === kind && other.seat === seat).length;
        return [{ ...step, from: hand, to: `meld${count - 1}`, word: [seat, say("live.badge_laid_off", { n: all })] }];
      }
      case "reclaimed":
        return [{ ...step, from: hand, to: `meld${count - 1}` }];
      case "opened_melds":
      case "opened_pairs":
        return [{ ...step, word: [seat, say(`live.badge_${kind}`, { n: figure(count) })] }];
      case "melded":
        return news[at - 1]?.kind === kind ? [] : [{ ...step, from: hand, to: "cloth", code: "", word: news.some((other) => other.kind.startsWith("opened") && other.seat === seat) ? null : [seat, say("live.badge_melded")] }];
      case "shown": {
        const change = (after.seats[(seat + 1) % after.seats.length]?.score ?? 0) - (before.seats[(seat + 1) % after.seats.length]?.score ?? 0);
        return [{ ...step, word: [seat, change ? say("live.badge_shown", { points: figure(change, true) }) : say("live.shown")] }];
      }
      case "overdue":
        return [{ ...step, word: [seat, say("live.badge_overdue")] }];
      default:
        return [];
    }
  });
}

/**
 * What the table shows of each seat and of the cloth after each of what happened that changed it: what came later is
 * taken off what is there now.
 * @param {Happening[]} news
 * @param {LiveTable} before
 * @param {LiveTable} after
 * @returns {(Shown | null)[]}
 */
function shownAfter(news, before, after) {
  if (news.some(({ kind }) => kind === "took_back")) return news.map(() => null); // nobody tells from where
  let [now, end] = [shownOf(after), shownOf(after)];
  const backwards = [...news].reverse().map((each, at, all) => {
    if (each.kind !== "melded" || all[at - 1]?.kind !== "melded") end = now; // those of a turn lie down together
    const was = undone(now, each, before, after.okey);
    const changed = was !== now;
    now = was;
    return changed ? end : null;
  });
  return backwards.reverse();
}

/**
 * @param {LiveTable} table
 * @returns {Shown}
 */
function shownOf({ melds, seats }) {
  return { melds, opened: seats.map(({ opened }) => opened), scores: seats.map(({ score }) => score) };
}

/**
 * What was shown before the last thing that happened; the same if that did not change it.
 * @param {Shown} shown
 * @param {Happening} last
 * @param {LiveTable} before
 * @param {string} okey
 * @returns {Shown}
 */
function undone(shown, { kind, seat, tile, count }, before, okey) {
  const { melds, opened } = shown;
  const on = melds[count - 1];
  /** @param {[string, string][]} tiles */
  const changed = (tiles) => ({ ...shown, melds: melds.map((each) => (each === on ? { ...each, tiles } : each)) });
  switch (kind) {
    case "shown":
    case "finished":
      return { ...shown, scores: shownOf(before).scores };
    case "opened_melds":
    case "opened_pairs":
      return { ...shown, opened: opened.map((each, at) => (at === seat ? before.seats[seat].opened : each)) };
    case "melded":
      return { ...shown, melds: melds.slice(0, -1) };
    case "laid_off":
      return on ? changed(on.tiles.filter((_, at) => at !== placeOf(on, tile))) : shown;
    case "reclaimed":
      return on ? changed(on.tiles.map(([each, as]) => [each === tile ? okey : each, as])) : shown;
    default:
      return shown;
  }
}

/**
 * @param {import("./types").LiveMeld} meld
 * @param {string} tile
 */
function placeOf({ tiles }, tile) {
  return tiles.findLastIndex(([each]) => each === tile);
}

/**
 * How far to the right of a meld a tile of it lies, from 0 to 1; in the middle of what is no meld.
 * @param {import("./types").LiveMeld | undefined} meld
 * @param {string} tile
 */
function partOf(meld, tile) {
  return meld ? (placeOf(meld, tile) + 0.5) / meld.tiles.length : 0.5;
}

/**
 * Queue a step. Until it is shown, its pile, the cloth and the seats look as they did before.
 * @param {Step} step
 * @param {LiveTable} before
 */
function add(step, before) {
  const { pile, from, shown } = step;
  if (pile !== null && !state.masks.has(pile)) state.masks.set(pile, from === `pile${pile}` ? step.code : before.seats[pile].discard);
  if (shown) state.shown ??= shownOf(before);
  steps.push(step);
}

/** Show the queued steps, one after the other. */
async function runStage() {
  running = true;
  for (let step = steps.shift(); step; step = steps.shift()) {
    const { pile, from, to, code, word, shown } = step;
    if (word) showWord(...word);
    if (pile !== null && from === `pile${pile}`) unmask(pile, "");
    render();
    if (from) await fly(step, Math.min(paced(FLIGHT), BEHIND / (steps.length + 1)));
    if (pile !== null && to === `pile${pile}`) unmask(pile, code);
    if (shown) state.shown = steps.some((each) => each.shown) ? shown : null;
  }
  running = false;
  state.masks.clear();
  state.shown = null;
  render();
}

/**
 * Show a pile as it is, or, as long as later steps are about it, as it was after this one.
 * @param {number} pile
 * @param {string} code
 */
function unmask(pile, code) {
  if (steps.some((each) => each.pile === pile)) state.masks.set(pile, code);
  else state.masks.delete(pile);
}

/**
 * Show a word at a seat for a while.
 * @param {number} seat
 * @param {string} text
 */
function showWord(seat, text) {
  const badge = [...(state.badges.get(seat) ?? []).filter((each) => each !== text), text];
  state.badges.set(seat, badge);
  setTimeout(() => {
    if (state.badges.get(seat) !== badge) return;
    state.badges.delete(seat);
    render();
  }, BADGE_STAYS);
}

/**
 * Let a tile fly; face down without a code. It is as large as the tiles where it comes from and where it goes.
 * @param {Step} step
 * @param {number} duration In milliseconds.
 */
function fly({ from, to, code, part }, duration) {
  const [start, end] = [from, to].map((name) => document.querySelector(`[data-anchor="${name}"], [data-drop="${name}"], [data-spot="${name}"]`));
  if (!start || !end || !likesMotion() || document.hidden) return Promise.resolve();
  const ghost = document.createElement("span");
  ghost.className = `tile flying${code ? "" : " back"}`;
  ghost.dataset.flight = `${from}>${to}`;
  if (code) patch(ghost, [face(code, state.tables.get(state.selected)?.okey ?? "")]);
  document.body.append(ghost);
  const at = (/** @type {Element} */ place, along = 0.5) => {
    const box = restingBox(place);
    const tile = /** @type {HTMLElement | null} */ (place.matches(".tile") ? place : place.querySelector(".tile"));
    const scale = (tile?.offsetWidth ?? AT_A_SEAT) / ghost.offsetWidth;
    return { transform: `translate(${box.left + box.width * along}px, ${box.top + box.height / 2}px) translate(-50%, -50%) scale(${scale})` };
  };
  const flown = ghost.animate([at(start), at(end, part)], { duration, easing: "cubic-bezier(.3, .6, .3, 1)", fill: "forwards" });
  return new Promise((done) => {
    const finish = () => {
      ghost.remove();
      flight = null;
      done(undefined);
    };
    flight = { ghost, end: () => flown.finish() };
    flown.onfinish = flown.oncancel = finish;
  });
}

/** End what is being shown: the table looks as it is. */
export function hurry() {
  for (const { word } of steps) if (word) showWord(...word);
  steps = [];
  state.masks.clear();
  state.shown = null;
  state.dealing = false;
  flight?.end();
}

/** Whether something is being shown that a result has to wait for. */
export function isStaging() {
  return running;
}

/**
 * Show how a round begins: the throws that decide who starts, the stacks, and the indicator.
 * @param {LiveTable} now
 */
function beginRound(now) {
  hurry();
  for (const { seat, die, tile } of now.first) showWord(seat, die ? say("live.badge_threw", { die }) : tileName(tile));
  if (!likesMotion()) return;
  state.dealing = true;
  const seats = [...now.seats.keys()];
  for (const seat of [...seats, ...seats]) steps.push({ from: "stock", to: `seat${seat}`, code: "", pile: null, word: null, shown: null, part: 0.5 });
  void deal();
}

async function deal() {
  running = true;
  render();
  for (let step = steps.shift(); step && state.dealing; step = steps.shift()) await fly(step, paced(DEALT));
  running = false;
  state.dealing = false;
  render();
  document.querySelector(".felt .indicator > .tile")?.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: paced(TURNED), easing: "ease-out" });
  if (steps.length) void runStage();
}
