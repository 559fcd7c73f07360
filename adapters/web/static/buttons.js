// Buttons: what each does, by its name in `data-do`.

import { toldResult } from "./result.js";
import { figure, say, tileName } from "./words.js";
import { act, acts, isBusy, onTurn, rack, state, table } from "./state.js";
import { lifted, seenPiles } from "./places.js";
import { hasOpened, layable, meldAt } from "./laying.js";
import { click, wakeSounds } from "./sounds.js";
import { door, isLocal } from "./doors.js";
import { askToHide } from "./reactions.js";
import { choose, inTurn, line, make, send, type } from "./requests.js";
import { guest, rename } from "./session.js";
import { be, knownPerson } from "./local.js";
import { autoplay, closeReading, goTo } from "./reading.js";
import { see } from "./replay.js";
import { advise, forgetAdvice, note } from "./notes.js";
import { attempt, goOn, isTaught, teach } from "./teacher.js";
import { set } from "./settings.js";
import { render } from "./page.js";
import { layAllOff, layOff, play, put, putDown, refuse, sort, tapTile } from "./moves.js";
import { again, aim, begin, switchTo } from "./tables.js";

/** @typedef {import("./types").Act} Act */

/** @type {Record<string, (target: HTMLElement) => void>} */
const TAPS = {
  tile: (target) => tapTile(Number(target.dataset.tile)),
  place(target) {
    const at = Number(target.dataset.place);
    if (state.lifted) put([state.lifted.id], at);
    state.lifted = null;
  },
  act({ dataset }) {
    const found = acts().find((each) => (dataset.press ? each.press === dataset.press : each.kind === dataset.kind));
    Object.assign(state, { menu: false, setting: false });
    if (found?.kind.startsWith("sort_")) return sort(found);
    make(found, rack()?.acts.includes(/** @type {Act} */ (found)) ? "private" : "public");
  },
  sit(target) {
    switchTo(target.dataset.table ?? "");
    TAPS.act(target);
  },
  draw: () => make(act("draw")),
  indicator: () => advise(say("live.indicator_about", { tile: tileName(table()?.okey ?? "") })),
  refuse: ({ dataset }) => (dataset.what === "take" && seenPiles().length ? TAPS.piles(document.body) : refuse(dataset.what ?? "")),
  take: ({ dataset }) => make(acts().find((each) => each.press === dataset.press)),
  discard() {
    const tile = lifted();
    if (tile) play(tile, "pile");
    else if (onTurn() && table()?.phase === "discard") advise(say("live.lift_first"));
    else if (seenPiles().length) TAPS.piles(document.body);
    else refuse("discard");
  },
  finish: () => dropLifted("indicator"),
  lay({ dataset }) {
    const [tile, on] = [lifted(), Number(dataset.on)];
    if (tile) inTurn(() => layOff(tile.code, on));
  },
  cloth: () => dropLifted("cloth"),
  put_down() {
    const meld = meldAt(state.lifted?.id) ?? layable()[0];
    putDown(hasOpened() ? [meld] : layable());
  },
  lay_off: layAllOff,
  piles() {
    state.menu = false;
    state.question = { move: false, text: say("live.piles"), tiles: [], rows: seenPiles(), answers: [], none: say("page.close") };
  },
  scores() {
    state.menu = false;
    state.question = { move: false, text: say("live.scores"), tiles: [], scores: true, answers: [], none: say("page.close") };
  },
  take_back() {
    const found = acts().filter(({ kind }) => kind === "take_back");
    choose(say("live.take_back"), found.map((each) => ({ text: figure(each.on), tiles: [], does: () => make(each) })));
  },
  answer({ dataset }) {
    const asked = state.question;
    state.question = null;
    asked?.answers[Number(dataset.answer)].does();
  },
  no: () => (state.question = null),
  enter() {
    state.busy.set("enter", "enter");
    const wait = () => {
      state.wait = true;
      render();
    };
    void door.enter?.(wait).then((good) => {
      state.busy.delete("enter");
      state.wait = false;
      state.asks = false;
      state.shut = !good;
      render();
    });
  },
  now: () => begin("now"),
  again,
  friends: () => begin("friends"),
  learn: () => (isTaught() ? TAPS.practise(document.body) : teach(true)),
  attempt: ({ dataset }) => attempt(dataset.on ?? ""),
  lesson_on: goOn,
  lesson_end: () => teach(false),
  practise() {
    teach(false);
    aim("learn");
    send({ kind: "press", private: true, data: table()?.practice && table()?.game === "101" ? "practice.me.0.okey101" : "practice.me.0" }, "learn");
  },
  game({ dataset }) {
    state.game = dataset.game ?? "okey";
    localStorage.game = state.game;
  },
  length({ dataset }) {
    state.length = dataset.length ?? "three";
    localStorage.rounds = state.length;
  },
  name() {
    if (!state.name) rename(guest());
  },
  known() {
    const person = knownPerson();
    if (!person) return;
    be(person);
    state.name = person.name;
    line.renew();
  },
  level({ dataset }) {
    state.level = dataset.level ?? "steady";
    localStorage.level = state.level;
  },
  see_seat: ({ dataset }) => see(Number(dataset.seat)),
  turn: ({ dataset }) => goTo((state.series?.at ?? 0) + Number(dataset.by)),
  unread: closeReading,
  autoplay: ({ dataset }) => autoplay(Number(dataset.speed)),
  select: ({ dataset }) => switchTo(dataset.table ?? ""),
  home: () => switchTo(""),
  menu: () => (state.menu = !state.menu),
  result: () => (state.result = true),
  table: () => (state.result = false),
  share() {
    state.sharing = !state.sharing;
    if (state.sharing && !isLocal && !rack()?.invitation) type("invite");
  },
  pick_tile({ dataset }) {
    const at = dataset.at ?? "";
    state.picked = state.picked?.at === at ? null : { choice: Number(dataset.choice), at };
  },
  solve({ dataset }) {
    const press = state.puzzle?.choices[dataset.choice ? Number(dataset.choice) : (state.picked?.choice ?? -1)]?.press;
    if (press && !isBusy("solve")) send({ kind: "press", private: true, data: press }, "solve");
  },
  send: () => door.share?.(say("live.invitation"), rack()?.invitation ?? ""),
  send_result: () => door.share?.(toldResult(), ""),
  add_home: () => door.home?.add(),
  fill: () => door.fill?.change(),
  copy({ dataset }) {
    void copied(dataset.link ?? "").then((done) => {
      if (done) note(say("live.copied"), false);
      render();
    });
  },
  verb({ dataset, textContent }) {
    state.menu = false;
    if (dataset.fields) fillIn(dataset, textContent ?? "");
    else type(dataset.verb ?? "", dataset.argument);
  },
  sessions() {
    state.menu = false;
    send({ kind: "press", private: true, data: "sessions.me.0" }, "sessions");
  },
  log_out() {
    state.menu = false;
    send({ kind: "press", private: true, data: "log_out.me.0" }, "log_out");
  },
  close: () => door.close?.(),
  sound() {
    set("sound", !state.settings.sound);
    click();
  },
  settings() {
    state.menu = false;
    state.setting = true;
  },
  unset: () => (state.setting = false),
  set({ dataset }) {
    const name = /** @type {"sound"} */ (dataset.setting);
    set(name, !state.settings[name]);
  },
  pick({ dataset }) {
    const name = /** @type {"cloth" | "tiles" | "motion"} */ (dataset.setting);
    set(name, /** @type {never} */ (dataset.value));
  },
  hide: ({ dataset }) => askToHide(Number(dataset.seat)),
  react: () => (state.reacting = !state.reacting),
  emote({ dataset }) {
    const asked = act("react");
    if (asked) send({ kind: "press", private: false, data: `${asked.press}.${dataset.emote}` }, "react");
  },
  notify: () => void Notification.requestPermission().then(render),
  unnote: ({ dataset }) => (state.notes = state.notes.filter(({ id }) => id !== Number(dataset.note))),
};

/**
 * Move the lifted tile to a target of the table, as if it were dropped there.
 * @param {string} target
 */
function dropLifted(target) {
  const tile = lifted();
  if (tile) play(tile, target);
}

/**
 * Ask for the arguments of a command before it is sent.
 * @param {DOMStringMap} command
 * @param {string} text
 */
function fillIn({ verb, argument, fields }, text) {
  const does = () => {
    const filled = [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#question input"))].filter(({ value }) => value.trim());
    type(verb ?? "", [argument, ...filled.map(({ value, dataset }) => dataset.form?.replace("{}", () => value.trim()))].filter(Boolean).join(" "));
  };
  state.question = { move: false, text, tiles: [], fields, answers: [{ text: say("page.go_on"), tiles: [], does }], none: say("page.close") };
}

/**
 * Copy a text. Return whether that was allowed.
 * @param {string} text
 */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https, or in a frame that may not, there is only the old way.
    const [field, focused] = [document.createElement("textarea"), /** @type {HTMLElement} */ (document.activeElement)];
    Object.assign(field, { value: text, readOnly: true, className: "unseen" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused.focus({ preventScroll: true });
    return done;
  }
}

/**
 * Take a name that was typed before anything else is done: a touch leaves its field only afterwards.
 * @param {HTMLElement} button
 */
function commitName(button) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("name"));
  if (field?.value.trim() && button.dataset.do !== "known") rename(field.value);
}

/**
 * Do what a button says.
 * @param {HTMLElement} button
 */
export function activate(button) {
  wakeSounds();
  commitName(button);
  const { dataset, title } = button;
  if (!dataset.note) forgetAdvice();
  if (button.getAttribute("aria-disabled") === "true") {
    if (title) advise(title);
    return render();
  }
  if (!dataset.note) state.notes = state.notes.filter(({ urgent }) => !urgent); // they have been read
  if (dataset.do !== "react") state.reacting = false;
  if (dataset.do) TAPS[dataset.do]?.(button);
  else if (dataset.closes) closeReading();
  else if (dataset.press) send({ kind: "press", private: dataset.surface === "private", data: dataset.press }, dataset.press);
  render();
}
