// The teacher: six steps on a fixed rack, before the first practice round. It needs no server.

import { h } from "./html.js";
import { say, tileName } from "./words.js";
import { state } from "./state.js";
import { face } from "./tiles.js";
import { button } from "./controls.js";

/** @typedef {{name: string, rows: string[][], okey?: string, indicator?: string, acts: {on: string, right: string}[], choices?: string[]}} Step */

/**
 * Each step: what stands on the rack (an empty place is one to fill), the tiles to choose from, and what is to be done,
 * one thing after the other: a tile, the `stock`, the `pile` or the `indicator`.
 * @type {Step[]}
 */
const STEPS = [
  { name: "goal", rows: [["R1", "R2", "R3"], ["B7", "Y7", "K7"], ["K10", "K11", "K12", "K13"], ["R9", "Y9", "B9", "K9"]], acts: [] },
  { name: "set", rows: [["R7", "Y7", ""]], choices: ["B8", "B7", "R7"], acts: [{ on: "B7", right: "set_right" }] },
  { name: "run", rows: [["B4", "B5", ""]], choices: ["R6", "B8", "B6"], acts: [{ on: "B6", right: "run_right" }] },
  { name: "okey", rows: [["K9", "", "K11"]], okey: "R5", indicator: "R4", choices: ["R4", "F", "R5"], acts: [{ on: "R5", right: "okey_right" }] },
  {
    name: "turn",
    rows: [["R1", "R2", "R3"], ["B7", "Y7", "K7"], ["Y11"]],
    acts: [
      { on: "stock", right: "turn_drawn" },
      { on: "Y11", right: "turn_lifted" },
      { on: "pile", right: "turn_right" },
    ],
  },
  {
    name: "finish",
    rows: [["R1", "R2", "R3", "R4"], ["B7", "Y7", "K7"], ["K10", "K11", "K12", "K13"], ["R9", "Y9", "B9"], ["Y2"]],
    indicator: "B1",
    acts: [
      { on: "Y2", right: "finish_lifted" },
      { on: "indicator", right: "finish_right" },
    ],
  },
];
const DRAWN_TILE = "R4";

/** Begin the lesson, or end it. @param {boolean} on */
export function teach(on) {
  state.lesson = on ? { step: 0, done: 0, said: "" } : null;
  localStorage.taught = "yes";
}

/** Whether the lesson has been seen in this browser. */
export function isTaught() {
  return Boolean(localStorage.taught);
}

/** Go to the next step. */
export function goOn() {
  if (state.lesson) state.lesson = { step: state.lesson.step + 1, done: 0, said: "" };
}

/**
 * Try something in a step: a tile, or a thing of the table.
 * @param {string} on
 */
export function attempt(on) {
  const { lesson } = state;
  if (!lesson) return;
  const step = STEPS[lesson.step];
  const wanted = step.acts[lesson.done];
  if (!wanted) return;
  if (wanted.on === on) Object.assign(lesson, { done: lesson.done + 1, said: say(`live.teach_${wanted.right}`) });
  else lesson.said = say(`live.teach_${step.name}_wrong`);
}

/** The step of the lesson, and whether its task is done, for the keyboard's focus; empty without a lesson. */
export function lessonStep() {
  return state.lesson ? `lesson${state.lesson.step}${isLearnt() ? " learnt" : ""}` : "";
}

/** Whether the task of a step is done; a step without one is only read. */
export function isLearnt() {
  const { lesson } = state;
  return Boolean(lesson?.done && lesson.done >= STEPS[lesson.step].acts.length);
}

/** The lesson in place of the first page. */
export function lessonView() {
  const lesson = /** @type {NonNullable<typeof state.lesson>} */ (state.lesson);
  const step = STEPS[lesson.step];
  const isDone = lesson.done >= step.acts.length;
  const isLast = lesson.step === STEPS.length - 1;
  return h(
    "section",
    { key: "lesson", class: "home alone lesson", "aria-label": say("live.learn") },
    h("p", { class: "about" }, say("live.teach_step", { n: lesson.step + 1, of: STEPS.length })),
    h("h1", { key: `head${lesson.step}`, tabindex: -1 }, say(`live.teach_${step.name}`)),
    h("p", { key: "text" }, say(`live.teach_${step.name}_about`)),
    (step.indicator || step.name === "turn") && thingsView(step, lesson.done),
    h("div", { key: "rows", class: "rows", role: "group", "aria-label": say("page.rack") }, rowsOf(step, lesson.done).map((row, at) => h("span", { key: at, class: "group" }, row.map((code, place) => lessonTile(step, code, `${at}.${place}`, step.choices ? "" : code))))),
    step.choices && h("div", { key: "choices", class: "row", role: "group", "aria-label": say("live.teach_choose") }, step.choices.filter((code) => !isDone || code !== step.acts[0].on).map((code) => lessonTile(step, code, code, code))),
    h("p", { key: "said", class: `said${isDone && step.acts.length ? " right" : ""}`, role: "status" }, lesson.said),
    h(
      "div",
      { key: "on", class: "row last" },
      isDone && !isLast && button("lesson_on", say("live.teach_on"), "primary big"),
      isDone && isLast && button("practise", say("live.teach_practise"), "primary big"),
      button("lesson_end", say("live.teach_end")),
    ),
  );
}

/**
 * The rows as they stand: a chosen tile is in its place, a drawn one at the run, a discarded one gone.
 * @param {Step} step
 * @param {number} done
 */
function rowsOf(step, done) {
  if (step.choices) return step.rows.map((row) => row.map((code) => code || (done ? step.acts[0].on : "")));
  const rows = step.name === "turn" && done ? [[...step.rows[0], DRAWN_TILE], ...step.rows.slice(1)] : step.rows;
  return done === step.acts.length && done > 0 ? rows.slice(0, -1) : rows;
}

/**
 * The stock and the pile, or the indicator.
 * @param {Step} step
 * @param {number} done
 */
function thingsView(step, done) {
  const tile = (/** @type {string} */ code) => h("span", { class: "tile lying" }, face(code, ""));
  const thing = (/** @type {string} */ on, /** @type {string} */ label, /** @type {import("./types").VNode} */ inside) =>
    step.acts.some((each) => each.on === on)
      ? h("button", { key: on, type: "button", class: `thing${step.acts[done]?.on === on ? " open" : ""}`, "data-do": "attempt", "data-on": on, "aria-label": label }, inside)
      : h("span", { key: on, class: "thing", role: "img", "aria-label": label }, inside);
  if (step.indicator) return h("div", { key: "things", class: "row things" }, thing("indicator", say("live.indicator", { tile: tileName(step.indicator) }), tile(step.indicator)));
  const pile = done === step.acts.length ? tile("Y11") : h("span", { class: "tile none" });
  return h("div", { key: "things", class: "row things" }, thing("stock", say("live.teach_stock"), h("span", { class: "tile back" })), thing("pile", say("live.teach_pile"), pile));
}

/**
 * A tile: a button where it can be tried.
 * @param {Step} step
 * @param {string} code
 * @param {string} key
 * @param {string} on
 */
function lessonTile(step, code, key, on) {
  if (!code) return h("span", { key, class: "tile none", role: "img", "aria-label": say("live.nothing") });
  const { okey = "" } = step;
  const label = tileName(code, okey);
  if (!on || !step.acts.length) return h("span", { key, class: "tile", role: "img", "aria-label": label }, face(code, okey));
  const isLifted = step.acts[(state.lesson?.done ?? 0) - 1]?.on === on && !step.choices;
  return h("button", { key, type: "button", class: `tile${isLifted ? " lifted" : ""}`, "data-do": "attempt", "data-on": on, "aria-label": label, "aria-pressed": step.choices ? undefined : String(isLifted) }, face(code, okey));
}
