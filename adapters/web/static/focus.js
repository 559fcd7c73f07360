// Layers over the page, and the keyboard's focus: it goes to a layer that opens, and back to the rack.

import { app } from "./html.js";
import { covering, hasResult, state } from "./state.js";
import { places } from "./places.js";
import { isStaging } from "./staging.js";
import { closeReading } from "./reading.js";
import { isLearnt, lessonStep } from "./teacher.js";

/** Whether there is something to close before the table is left. */
export function layered() {
  return Boolean(covering() || state.replay || state.lifted || state.reacting || state.notes.length);
}

/** Close the uppermost layer, and every note. A lifted tile lies below them all. */
export function closeLayer() {
  const upper = covering();
  state.notes = [];
  if (upper === "question") state.question = null;
  else if (upper === "menu") state.menu = false;
  else if (upper === "settings") state.setting = false;
  else if (upper === "reading") closeReading();
  else if (state.replay) closeReading();
  else if (state.reacting) state.reacting = false;
  else state.lifted = null;
}

let openedLayer = "";

/** Move the focus to a layer that has opened, or to a step of the lesson: its heading, and what leads on from it. */
export function takeFocus() {
  const now = covering() || (app.querySelector("#reactions") ? "reactions" : hasResult() && !isStaging() ? "result" : lessonStep());
  if (now === openedLayer) return;
  if (now && now === lessonStep()) focusOn(isLearnt() ? ".lesson .primary" : ".lesson h1");
  else if (!now) {
    if (!openedLayer.startsWith("lesson")) focusOn(app.querySelector("#rack [tabindex='0']") ? "#rack [tabindex='0']" : "[data-do=menu]");
  } else focusOn(now === "reading" || now === "result" ? `#${now}` : `#${now} :is(button, input)`);
  openedLayer = now;
}

/** @param {string} selector */
export function focusOn(selector) {
  /** @type {HTMLElement | null} */ (app.querySelector(selector))?.focus({ preventScroll: true });
}

/** The place of the keyboard's cursor: the nearest one with a tile, unless a tile is lifted. */
export function cursor() {
  const taken = places().flatMap((tile, at) => (tile && tile.id !== state.order?.bay ? [at] : []));
  if (state.lifted || taken.length === 0) return state.cursor;
  return taken.reduce((best, at) => (Math.abs(at - state.cursor) < Math.abs(best - state.cursor) ? at : best));
}

/** The tile of the rack that has the focus. */
export function focusedTile() {
  const { dataset } = /** @type {HTMLElement} */ (document.activeElement);
  return dataset.tile ? Number(dataset.tile) : null;
}

/** Move the focus to the cursor or the lifted tile, unless it is outside the rack. */
export function focusCursor() {
  if (!document.activeElement?.closest("#rack") && document.activeElement !== document.body) return;
  const wanted = state.lifted ? `[data-tile="${state.lifted.id}"]` : `.slot[data-place="${state.cursor}"] button`;
  focusOn(wanted);
}
