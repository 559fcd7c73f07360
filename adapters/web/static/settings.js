// Settings: how the viewer likes the page. This browser keeps them.

import { h } from "./html.js";
import { say } from "./words.js";
import { state } from "./state.js";
import { button } from "./controls.js";

/** @typedef {import("./types").Settings} Settings */

const SWITCHES = /** @type {const} */ (["sound", "reactions", "double_tap", "confirm", "always_finish"]);

/** Take the settings that this browser keeps. */
export function recallSettings() {
  Object.assign(state.settings, JSON.parse(localStorage.settings ?? "{}"));
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
}

/** The matches in which the task is told. */
const FIRST = 3;

/** Whether the viewer has played few matches in this browser. */
export function isNew() {
  return Number(localStorage.matches ?? 0) < FIRST;
}

/** Count a match that is over. */
export function countMatch() {
  localStorage.matches = Number(localStorage.matches ?? 0) + 1;
}

/** The settings, over the page. */
export function settingsView() {
  if (!state.setting) return null;
  return h(
    "div",
    { key: "settings", id: "settings", class: "sheet settings", role: "dialog", "aria-label": say("live.settings") },
    h("h2", null, say("live.settings")),
    SWITCHES.map(switchView),
    h("div", { class: "row last" }, button("unset", say("page.close"), "primary")),
  );
}

/** @param {typeof SWITCHES[number]} name */
function switchView(name) {
  const on = state.settings[name];
  const label = [h("span", { class: "said" }, say(`live.set_${name}`)), h("span", { class: "switch", "aria-hidden": "true" })];
  return button("set", label, "setting", { key: name, role: "switch", "aria-checked": String(on), "data-setting": name });
}
