// The page: it is drawn from the state.

import { app, h, patch } from "./html.js";
import { icon } from "./icons.js";
import { figure, say } from "./words.js";
import { covering, hasResult, onTurn, rack, state, table } from "./state.js";
import { button } from "./controls.js";
import { rackView } from "./rack.js";
import { replayView } from "./replay.js";
import { endPreview, markTargets, previewDrop } from "./preview.js";
import { feltView, stakes } from "./felt.js";
import { settleCloth, showLit } from "./cloth.js";
import { dealingView, doorView, homeView, nameView, title, watchersView } from "./home.js";
import { isStarting } from "./tables.js";
import { lobbyView } from "./lobby.js";
import { resultView } from "./result.js";
import { menuView, questionView, readingView } from "./sheets.js";
import { endMeldSlides, remember, slide, slideMelds } from "./motion.js";
import { isStaging } from "./staging.js";
import { stayAwake } from "./awake.js";
import { door, isLocal } from "./doors.js";
import { tick } from "./clock.js";
import { cursor, focusOn, layered, takeFocus } from "./focus.js";
import { markHistory } from "./back.js";
import { saidView } from "./reactions.js";
import { lessonView } from "./teacher.js";
import { settingsView } from "./settings.js";
import { leaving } from "./places.js";

/** Where the page's files are. */
const FILES = document.body.dataset.files ?? "";

/** Whether what had the focus is gone, and no rack was there to take it. */
let strayed = false;

/** The frame in which what has been drawn is settled; 0: it is. */
let settling = 0;

/** Draw the page anew. */
export function render() {
  if (!settling) remember();
  drawPage();
  settlePage();
}

/**
 * Draw the page anew, and measure it with the next frame, which lays it out anyway: measured at once, a drop or a move
 * took a slow phone twice as long. Nobody sees it in between.
 */
export function renderSmoothly() {
  if (document.hidden) return render(); // which has no frames
  if (!settling) remember();
  drawPage();
  settling ||= requestAnimationFrame(settlePage);
}

function drawPage() {
  endPreview();
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const had = focused?.dataset?.tile;
  const read = focused?.closest?.("#reading") && focused.dataset.key;
  state.cursor = cursor();
  state.leaving = leaving();
  patch(app, [h("div", { key: "page", class: `page${inGame() ? " game" : ""}` }, headerView(), body(), readingView(), questionView(), menuView(), settingsView(), saidView(), noteViews())]);
  if (had && !document.activeElement?.closest("#rack")) focusOn(`[data-tile="${had}"]`);
  if (read && document.activeElement === document.body) focusOn(`#reading [data-key="${CSS.escape(read)}"]`);
  strayed = document.activeElement === document.body && (strayed || focused !== document.body);
  if (strayed) focusOn("#rack [tabindex='0']");
  if (state.held) markTargets();
  tick();
  headline();
  takeFocus();
  markHistory();
  report();
}

/** Put everything in its place that depends on how large the drawn things are, and let tiles slide to where they are now. */
function settlePage() {
  cancelAnimationFrame(settling);
  settling = 0;
  endMeldSlides();
  settleCloth();
  placeNotes();
  showSharing();
  showBeginning();
  slide();
  slideMelds();
}

/** Show what a step of a drag changes: the room that the rack makes, and the target under the finger. */
export function renderHeld() {
  previewDrop();
  markTargets();
  requestAnimationFrame(showLit);
}

/** Tell the surrounding window what it shows of the page. */
export function report() {
  const playing = table()?.stage === "playing" && Boolean(rack());
  door.shows?.({ big: big()?.textContent ?? "", deep: Boolean(state.selected || layered()), playing });
}

/** Let notes begin above the rack: there they cover no other player. */
function placeNotes() {
  const wood = state.notes.length > 0 && app.querySelector(".wood");
  if (wood) app.style.setProperty("--rack-top", `${Math.round(innerHeight - wood.getBoundingClientRect().top)}px`);
}

let heading = "";

/** Show a page to read from its top. One with the same heading, such as settings after a choice, stays where it is. */
function showBeginning() {
  const reading = app.querySelector("#reading");
  const now = state.series?.press ?? reading?.querySelector(".words .line")?.textContent ?? "";
  if (reading && now !== heading) reading.scrollTop = 0;
  heading = now;
}

let shared = false;

/** Scroll to the link or code for friends when it appears. */
function showSharing() {
  const sharing = app.querySelector(".sharing");
  if (sharing && !shared) sharing.scrollIntoView({ block: "nearest" });
  shared = Boolean(sharing);
}

/** The one big button of the page, the most likely next press. */
export function big() {
  return /** @type {HTMLButtonElement | null} */ (app.querySelector(".press.primary.big:not([aria-disabled])"));
}

/**
 * The table as it is drawn. A page that has just been loaded waits until it has the viewer's rack, or knows that
 * they have none: the seats would move for it.
 */
function drawn() {
  return state.welcomed || rack() ? table() : undefined;
}

function inGame() {
  const now = drawn();
  return Boolean(now && !["lobby", "closed"].includes(now.stage));
}

function headerView() {
  return h(
    "header",
    { key: "top", inert: ["question", "reading", "settings"].includes(covering()) }, // the menu is closed by its own button too
    state.selected ? h("button", { type: "button", key: "home", class: "icon", "data-do": state.replay ? "unread" : "home", "aria-label": say(state.replay ? "page.close" : "live.home") }, icon("back")) : h("span", { key: "logo", class: "icon" }),
    titleView(),
    h("button", { type: "button", key: "sound", class: "icon", "data-do": "sound", "aria-label": say(state.settings.sound ? "live.sound_off" : "live.sound_on") }, icon(state.settings.sound ? "sound" : "muted")),
    h("button", { type: "button", key: "menu", class: "icon", "data-do": "menu", "aria-label": say("live.menu"), "aria-expanded": String(state.menu) }, icon("menu")),
    state.wait && !state.welcomed && h("p", { key: "wait", class: "away", role: "status" }, say("page.wait")),
    state.welcomed && !state.shut && (!state.online || state.late.size > 0) && h("p", { key: "away", class: `away${state.online ? " late" : ""}`, role: "status" }, say(state.online ? "page.late" : "page.away")),
  );
}

/** The game and whose turn it is. Other views have a heading of their own; the menu lies over that. */
function titleView() {
  const now = drawn();
  const props = { key: "title", class: "title" };
  if (!now || !inGame()) return covering() === "menu" ? h("h1", props, h("span", { class: "unseen" }, "Okey")) : h("p", props);
  if (state.replay) return h("h1", props, h("span", null, say("live.do_replay")), h("b", null, state.series && `${figure(state.series.at)} / ${figure(state.series.last)}`));
  const round = now.round && now.round !== "1/1" && !now.practice ? ` · ${say("live.round", { round: now.round })}` : "";
  return h("h1", props, h("span", null, h("span", null, title(now)), stakes(now) ? `${round} · ` : round, h("span", { class: "stakes" }, stakes(now)), watchersView(now.id)), turnView(now));
}

/**
 * Whose turn it is, if anybody is to move.
 * @param {import("./types").LiveTable} now
 */
function turnView(now) {
  if (onTurn()) return h("b", { class: "mine" }, say("live.your_turn"));
  const other = now.stage === "playing" && now.turn !== rack()?.seat ? now.seats[now.turn ?? -1] : undefined;
  return other && h("b", null, say("live.waiting_for", { who: other.name }));
}

function body() {
  const now = drawn();
  const covered = Boolean(covering());
  if (state.shut || state.asks) return h("main", { key: "door" }, below(covered, doorView()));
  if (isLocal && state.entered && !state.name) return h("main", { key: "name" }, below(covered, nameView()));
  if (state.lesson) return h("main", { key: "lesson" }, below(covered, lessonView()));
  if (state.boards.has(state.selected)) {
    return h("main", { key: "board", class: "reading" }, below(covered, h("div", { html: state.boards.get(state.selected)?.html ?? "" })));
  }
  if (!now || now.stage === "closed") return h("main", { key: "home" }, below(covered, homeView()));
  if (isStarting()) return h("main", { key: "dealing" }, below(covered, dealingView()));
  if (now.stage === "lobby") return h("main", { key: "lobby" }, below(covered, lobbyView()));
  return h("main", { key: "game", class: `table ${now.stage}` }, below(covered || (hasResult() && !isStaging()), feltView(), state.replay ? replayView() : rackView() ?? watching()), below(covered, resultView()));
}

/**
 * Views that nobody can reach while something lies over them. What holds them stays a landmark.
 * @param {boolean} covered
 * @param {...(import("./types").VNode | null | false)} views
 */
function below(covered, ...views) {
  for (const each of views) if (each) each.props.inert = covered;
  return views;
}

/** Fills the rack's space for people without one, so that nothing moves when they sit down. */
function watching() {
  return h("section", { key: "watching", class: "own watching" }, h("p", null, say("live.watching")));
}

/** Notes, the urgent one last: a live region inside another one might be read twice. */
function noteViews() {
  const [urgent, calm] = [true, false].map((wanted) => state.notes.filter((each) => each.urgent === wanted).map(noteView));
  return h("div", { key: "notes", class: "notes" }, h("div", { role: "status" }, calm), h("div", { role: "alert" }, urgent));
}

/** @param {{id: number, html: string, urgent: boolean}} note */
function noteView({ id, html, urgent }) {
  return h("div", { key: id, class: `note${urgent ? " urgent" : ""}` }, h("p", { html }), button("unnote", icon("close"), "plain", { "aria-label": say("page.close"), "data-note": id }));
}

/** Show the turn in the title and the icon. */
export function headline() {
  const turn = onTurn();
  const wanted = turn ? `● ${say("live.your_turn")} – Okey` : "Okey";
  if (document.title !== wanted) document.title = wanted;
  const icon = document.querySelector("link[rel=icon]");
  const file = `${FILES}${turn ? "turn" : "icon"}.svg`;
  if (icon && icon.getAttribute("href") !== file) icon.setAttribute("href", file);
  stayAwake(turn);
}
