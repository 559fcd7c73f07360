// Settings: how the viewer likes the page. This browser keeps them.

import { h } from "./html.js";
import { say } from "./words.js";
import { act, state } from "./state.js";
import { actButton, button, choice } from "./controls.js";

/** @typedef {import("./types").Settings} Settings */

const SWITCHES = /** @type {const} */ (["sound", "reactions", "hints", "double_tap", "confirm", "always_finish", "left"]);
/** Those with several values. Their looks are in the style sheets, by attributes of the document. */
const CHOICES = /** @type {const} */ ({ cloth: ["green", "blue", "red"], tiles: ["ivory", "night", "contrast"], motion: ["calm", "normal", "quick", "none"] });

/** Take the settings that this browser keeps. */
export function recallSettings() {
  Object.assign(state.settings, JSON.parse(localStorage.settings ?? "{}"));
  applySettings();
}

/** Let the page look as the settings say. */
function applySettings() {
  const { cloth, tiles, motion, left } = state.settings;
  Object.assign(document.documentElement.dataset, { cloth, tiles, motion, hand: left ? "left" : "right" });
}

/**
 * Change a setting.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
export function set(name, value) {
  state.settings[name] = value;
  localStorage.settings = JSON.stringify(state.settings);
  applySettings();
}

/** The matches in which the task is told, and how many there were. */
const FIRST = 3;
let matches = Number(localStorage.matches ?? 0);

/** Whether the viewer has played few matches in this browser. */
export function isNew() {
  return matches < FIRST;
}

/** Count a match that is over. */
export function countMatch() {
  localStorage.matches = matches += 1;
}

/** The settings, over the page. */
export function settingsView() {
  if (!state.setting) return null;
  return h(
    "div",
    { key: "settings", id: "settings", class: "sheet settings", role: "dialog", "aria-label": say("live.settings") },
    h("h2", null, say("live.settings")),
    Object.entries(CHOICES).map(([name, values]) => choiceView(/** @type {keyof typeof CHOICES} */ (name), values)),
    SWITCHES.map(switchView),
    act("preferences") && actButton("preferences"),
    h("div", { class: "row last" }, button("unset", say("page.close"), "primary")),
  );
}

/**
 * @param {keyof typeof CHOICES} name
 * @param {readonly string[]} values
 */
function choiceView(name, values) {
  const label = say(`live.set_${name}`);
  return h("div", { key: name, class: "chosen" }, h("p", { "aria-hidden": "true" }, label), choice(label, "pick", state.settings[name], values.map((value) => [value, say(`live.set_${name}_${value}`), { "data-setting": name, "data-value": value }])));
}

/** @param {typeof SWITCHES[number]} name */
function switchView(name) {
  const on = state.settings[name];
  const label = [h("span", { class: "said" }, say(`live.set_${name}`)), h("span", { class: "switch", "aria-hidden": "true" })];
  return button("set", label, "setting", { key: name, role: "switch", "aria-checked": String(on), "data-setting": name });
}
