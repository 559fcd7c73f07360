// The browser's Back: it closes what lies over the page before it leaves the page. An entry of the history stands for
// that. In a chat's window the history is the chat's: there the chat's own Back does so, or there is none.

import { covering, state } from "./state.js";
import { door } from "./doors.js";
import { closeLayer } from "./focus.js";

const [UNDER, OVER] = ["under", "over"];

/** Whether the page itself goes back, from an entry that stands for nothing any more. */
let leavingLayer = false;

/** The page's address: of the open table, or of the first page. */
export function address() {
  const id = state.replay?.of ?? state.selected;
  return id ? `#${id}` : location.pathname + location.search;
}

/** Add the entry once something lies over the page, and go back from it once nothing does. */
export function markHistory() {
  if (!door.windowed || leavingLayer) return;
  const marked = history.state?.sheet === OVER;
  const over = covering() || state.replay;
  if (over && !marked) {
    history.replaceState({ sheet: UNDER }, "");
    history.pushState({ sheet: OVER }, "");
  } else if (!over && marked) {
    leavingLayer = true;
    history.back();
  }
}

/**
 * Another entry of the history has been reached. Its address may be that of the table before.
 * @param {{sheet?: string} | null} entry
 */
export function reached(entry) {
  const byPage = leavingLayer;
  leavingLayer = false;
  if (entry?.sheet !== UNDER) return;
  if (!byPage && (covering() || state.replay)) closeLayer();
  history.replaceState(entry, "", address());
}
