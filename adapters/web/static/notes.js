// Notes: the lines that the page shows for a while, and what is told to people who do not look at it.

import { say } from "./words.js";
import { onTurn, state } from "./state.js";
import { chime } from "./sounds.js";
import { render } from "./page.js";

const NOTE_STAYS = 5000;
const LONG_NOTE = 100;
const MOST_NOTES = 3;

const voice = /** @type {HTMLElement} */ (document.getElementById("voice"));

let notes = 0;
/** The lines of each table's last screen, and of the last one on the viewer's turn. @type {Map<string, {last: string[], turn: string[]}>} */
const spoken = new Map();

/**
 * Show a line. A short one disappears by itself; a long or urgent one stays until it is closed.
 * @param {string} html
 * @param {boolean} urgent
 * @param {boolean} [advice]
 */
export function note(html, urgent, advice = false) {
  const id = ++notes;
  state.notes = [...state.notes.filter((each) => !(urgent && each.urgent)), { id, html, urgent, advice }].slice(-MOST_NOTES);
  if (urgent || html.length > LONG_NOTE) return;
  setTimeout(() => {
    state.notes = state.notes.filter((each) => each.id !== id);
    render();
  }, NOTE_STAYS);
}

/**
 * Show why something can't be done now, or how it is done.
 * @param {string} html
 */
export function advise(html) {
  note(html, false, true);
}

/** Show no advice any more, once the viewer does something else. */
export function forgetAdvice() {
  state.notes = state.notes.filter(({ advice }) => !advice);
}

/** Tell the viewer that it is their turn. That it was not is no longer true. */
export function called() {
  forgetAdvice();
  chime();
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification("Okey", { body: say("live.your_turn"), tag: state.selected, icon: `${document.body.dataset.files}icon.svg` });
    shown.onclick = () => focus();
  } catch {
    // on Android pages show none by themselves
  }
}

/**
 * Announce the new lines of a screen to screen readers. On the viewer's turn the first says what to do; of the others,
 * such as the melds of Okey 101, those of the last turn are known.
 * @param {string} id
 * @param {string} words
 */
export function speak(id, words) {
  const lines = words.split("\n");
  const { last, turn } = spoken.get(id) ?? { last: [], turn: [] };
  const known = onTurn() ? turn : [];
  const news = lines.filter((each) => !last.includes(each)).filter((each, at) => at === 0 || !known.includes(each));
  spoken.set(id, { last: lines, turn: onTurn() ? lines : turn });
  if (news.length) tell(news.map((each) => (/[.!?…:]$/.test(each) ? each : `${each}.`)).join(" ").replace(/\.$/, ""));
}

/**
 * Announce a line to screen readers.
 * @param {string} words
 */
export function tell(words) {
  voice.textContent = words;
}
