// Notes: the lines that the page shows for a while, and what is told to people who do not look at it.

import { say } from "./words.js";
import { state } from "./state.js";
import { chime } from "./sounds.js";
import { render } from "./page.js";

const NOTE_STAYS = 5000;
const LONG_NOTE = 100;
const MOST_NOTES = 3;

const voice = /** @type {HTMLElement} */ (document.getElementById("voice"));

let notes = 0;
/** @type {Map<string, string>} */
const spoken = new Map();

/**
 * Show a line. A short one disappears by itself; a long or urgent one stays until it is closed.
 * @param {string} html
 * @param {boolean} urgent
 */
export function note(html, urgent) {
  const id = ++notes;
  state.notes = [...state.notes.filter((each) => !(urgent && each.urgent)), { id, html, urgent }].slice(-MOST_NOTES);
  if (urgent || html.length > LONG_NOTE) return;
  setTimeout(() => {
    state.notes = state.notes.filter((each) => each.id !== id);
    render();
  }, NOTE_STAYS);
}

/** Tell the viewer that it is their turn. */
export function called() {
  chime();
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification("Okey", { body: say("live.your_turn"), tag: state.selected, icon: "/static/icon.svg" });
    shown.onclick = () => focus();
  } catch {
    // on Android pages show none by themselves
  }
}

/**
 * Announce the new lines of a screen to screen readers.
 * @param {string} id
 * @param {string} words
 */
export function speak(id, words) {
  const known = new Set(spoken.get(id)?.split("\n"));
  const news = words.split("\n").filter((each) => !known.has(each));
  spoken.set(id, words);
  if (news.length) tell(news.join(". "));
}

/**
 * Announce a line to screen readers.
 * @param {string} words
 */
export function tell(words) {
  voice.textContent = words;
}
