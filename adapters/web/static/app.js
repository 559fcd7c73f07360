// The page's start: its settings, and what it listens to.

import "./storage.js";
import { app } from "./html.js";
import { covering, state } from "./state.js";
import { windows } from "./places.js";
import { optionBeside } from "./controls.js";
import { begins } from "./motion.js";
import { listen } from "./touch.js";
import { hurry } from "./staging.js";
import { forgetAdvice } from "./notes.js";
import { door, isLocal, wished } from "./doors.js";
import { hiddenPlayers } from "./reactions.js";
import { recallSettings } from "./settings.js";
import { tick } from "./clock.js";
import { connect, line, make } from "./requests.js";
import { closeReading, goTo, turn } from "./reading.js";
import { reached } from "./back.js";
import { closeLayer, focusCursor, layered } from "./focus.js";
import { fitMelds, showCut } from "./cloth.js";
import { big, headline, render, renderSmoothly, renderHeld, report } from "./page.js";
import { layAgain, play, put } from "./moves.js";
import { hasRack, keys } from "./keys.js";
import { switchTo, watch } from "./tables.js";
import { guest, looking, rename, session } from "./session.js";
import { activate } from "./buttons.js";

state.name = sessionStorage.name ?? "";
state.selected = location.hash.slice(1) || wished.table || (sessionStorage.table ?? "");
state.asks = Boolean(door.asks?.());
recallSettings();
state.hidden = hiddenPlayers();
state.length = localStorage.rounds ?? state.length;
state.level = localStorage.level ?? state.level;
state.game = localStorage.game ?? state.game;
state.goal = sessionStorage.goal ?? "";

connect(session);

listen(app, {
  over: renderHeld,
  tap: activate,
  drop(target, boxes) {
    const held = state.held;
    state.held = null;
    forgetAdvice();
    if (!held) return renderSmoothly();
    held.ids.forEach((id, at) => begins(`tile${id}`, boxes[at]));
    if (held.act) {
      if (target === "rack") {
        begins("coming", boxes[0]);
        make(held.act);
      }
    } else if (typeof target === "number") put(held.ids, target);
    else if (target) play(held, target);
    renderSmoothly();
  },
});

document.addEventListener("pointerdown", hurry, true);
document.addEventListener("click", ({ target }) => {
  const element = /** @type {HTMLElement} */ (target);
  const button = /** @type {HTMLElement | null} */ (element.closest("button, [data-press], [data-do]"));
  if (button) activate(button);
  else if (element.matches("#reading .felt")) /** @type {HTMLElement} */ (element.closest("#reading")).classList.toggle("large");
  else if ((state.menu || state.reacting || state.reading) && !element.closest("#menu, #reactions, #reading")) {
    state.menu = state.reacting = false;
    closeReading();
    render();
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLInputElement} */ (form.elements[0]);
  if (form.dataset.form === "name") {
    rename(field.value || guest());
    field.blur();
  } else if (form.dataset.form === "fields") activate(/** @type {HTMLElement} */ (document.querySelector("#question [data-do=answer]")));
  else watch(field.value);
  render();
});

document.addEventListener("input", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  if (!("slide" in field.dataset)) return;
  goTo(Number(field.value));
  render();
});

document.addEventListener("focusout", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  if (field.id === "name") rename(field.value);
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Escape") {
    closeLayer();
    return render();
  }
  if (!(target instanceof Element) || target.matches("input")) return;
  if (event.repeat && (key === "Enter" || key === " ")) return event.preventDefault(); // a key that is held is one press
  if ((state.reading || state.replay) && turn(key)) {
    event.preventDefault();
    return render();
  }
  const option = optionBeside(target, key);
  if (option) {
    event.preventDefault();
    option.focus();
    return activate(option);
  }
  if (event.ctrlKey || event.metaKey || event.altKey || covering() || !hasRack()) return;
  if (keys(event)) {
    event.preventDefault();
    render();
    focusCursor();
  }
});

/** Go back, as the button of the surrounding window asks. */
function goBack() {
  if (layered()) closeLayer();
  else switchTo("");
  render();
}

addEventListener("popstate", ({ state: entry }) => {
  reached(entry);
  render();
});
addEventListener("hashchange", () => {
  const id = location.hash.slice(1);
  if (id !== state.selected) switchTo(id);
  render();
});
for (const each of windows) {
  each.addEventListener("change", () => {
    layAgain();
    render();
  });
}
addEventListener("resize", () => {
  fitMelds();
  showCut();
});
document.addEventListener("scroll", showCut, true);
document.addEventListener("visibilitychange", () => {
  looking();
  if (!document.hidden) headline();
});

setInterval(() => {
  tick();
  report();
}, 500);
render();
void door.start({ main: () => big()?.click(), back: goBack }).then(() => {
  if (isLocal) state.name = sessionStorage.name ?? "";
  state.entered = true;
  render();
  return line.open();
});
