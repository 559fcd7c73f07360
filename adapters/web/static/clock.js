// The clock: the server's time, and everything on the page that shows a time.

import { app } from "./html.js";
import { LANGUAGE } from "./words.js";
import { onTurn } from "./state.js";
import { tock } from "./sounds.js";

const SOON = 10;
/** The last seconds of the viewer's turn are heard. */
const LAST = 5;

let heardAt = 0;

/** The seconds by which the server's clock is ahead of this one. */
let ahead = 0;
let isSet = false;
/** Seconds for which a message may have waited: a page that was hidden for longer connects anew. */
const WAITED = 20;

/**
 * Set the clock by a message of the server. One that has waited, as on a phone that showed another app, tells an old
 * time: the quickest message is believed.
 * @param {number} seconds
 */
export function setClock(seconds) {
  const told = seconds - Date.now() / 1000;
  if (isSet && told < ahead && ahead - told < WAITED) return;
  [ahead, isSet] = [told, true];
}

/** Set the clock anew by the next message, whatever it was. */
export function unsetClock() {
  isSet = false;
}

/** The server's time, in seconds. */
export function serverTime() {
  return Date.now() / 1000 + ahead;
}

/**
 * A time that remains, as clocks show it: `0:45`, `59:59`, `23:59:59`.
 * @param {number} seconds
 */
function remaining(seconds) {
  const left = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
  const parts = [...(hours ? [hours, String(minutes).padStart(2, "0")] : [minutes]), String(left % 60).padStart(2, "0")];
  return parts.join(":");
}

/** Show the times as they are now. */
export function tick() {
  const now = serverTime();
  for (const ring of app.querySelectorAll(".ring")) {
    const { deadline, seconds } = /** @type {SVGElement} */ (ring).dataset;
    const left = deadline ? Math.min(1, Math.max(0, (Number(deadline) - now) / Number(seconds))) : 1;
    /** @type {SVGElement} */ (ring).style.setProperty("--left", left.toFixed(3));
    ring.classList.toggle("soon", Boolean(deadline) && Number(deadline) - now <= SOON);
  }
  for (const each of app.querySelectorAll("[data-seconds-of]")) {
    const left = Math.max(0, Math.round(Number(/** @type {HTMLElement} */ (each).dataset.secondsOf) - now));
    each.textContent = left <= SOON ? String(left) : "";
    if (left > 0 && left <= LAST && left !== heardAt && onTurn()) tock();
    heardAt = left;
  }
  for (const each of app.querySelectorAll("[data-count]")) {
    each.textContent = ` ${remaining(Number(/** @type {HTMLElement} */ (each).dataset.count) - now)}`;
  }
  for (const each of app.querySelectorAll("time.clock")) {
    each.textContent = remaining(Number(/** @type {HTMLElement} */ (each).dataset.at) - now);
  }
  for (const each of app.querySelectorAll("time.moment:not([data-own])")) {
    const own = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "short" });
    each.textContent = own.format(new Date(/** @type {HTMLTimeElement} */ (each).dateTime));
    each.setAttribute("data-own", "");
  }
}
