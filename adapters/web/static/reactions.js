// Reactions: an emote or a phrase at a player's seat for three seconds, and those that the viewer can show.

import { h } from "./html.js";
import { icon } from "./icons.js";
import { say } from "./words.js";
import { act, rack, state, table } from "./state.js";
import { isStaging } from "./staging.js";

const REACTION_STAYS = 3000;
/** Seconds within which a reaction is news. It may come late, from another process or by a slow line. */
const NEWS = 6;
/** The most players that are kept as hidden; of those before, the matches are over. */
const MOST_HIDDEN = 50;
const EMOTES = /** @type {const} */ (["clap", "laugh", "wow", "sad", "like", "wait"]);
const PHRASES = ["hello", "luck", "thanks", "welcome", "sorry", "hand", "close", "unlucky", "time", "ready", "back", "tea", "fun", "again", "bye", "night"];
/** What a computer player shows that has just won. */
const GLEE = "laugh";

/**
 * Show the reactions that a newer view of a table brings, and the emote of a computer player that has just won.
 * @param {import("./types").LiveTable} live
 * @param {boolean} playing Whether a round was being played in the view before.
 * @param {number} now The server's time, in seconds.
 * @param {() => void} render
 */
export function heard(live, playing, now, render) {
  live.seats.forEach(({ reaction, reacted }, seat) => {
    if (reaction && now - reacted < NEWS) show(`${live.id}.${seat}`, reacted, reaction, say(`live.reaction_${reaction}`), render);
  });
  const { outcome } = live;
  if (playing && outcome?.emote) show(`${live.id}.${outcome.winner}`, now, GLEE, "", render);
}

/**
 * @param {string} key
 * @param {number} at
 * @param {string} emote
 * @param {string} name
 * @param {() => void} render
 */
function show(key, at, emote, name, render) {
  if (at <= (state.reactions.get(key)?.at ?? 0)) return;
  const shown = { at, emote, name, over: !state.settings.reactions };
  state.reactions.set(key, shown);
  setTimeout(() => {
    shown.over = true;
    render();
  }, REACTION_STAYS);
}

/** @param {number} seat */
function at(seat) {
  const shown = state.reactions.get(`${state.selected}.${seat}`);
  const early = shown?.name === "" && isStaging(); // glee waits until the finish has been shown
  return shown && !shown.over && !early && state.settings.reactions && !isHidden(seat) ? shown : null;
}

/** @param {number} seat */
function keyOf(seat) {
  return `${state.selected}.${table()?.seats[seat]?.name}`;
}

/**
 * Whether the viewer has hidden the reactions of the player at a seat.
 * @param {number} seat
 */
export function isHidden(seat) {
  return state.hidden.has(keyOf(seat));
}

/** The hidden players as this device keeps them. */
export function hiddenPlayers() {
  return new Set(JSON.parse(localStorage.hidden ?? "[]"));
}

/**
 * Ask whether to hide, or show again, the reactions of one player at this table.
 * @param {number} seat
 */
export function askToHide(seat) {
  const key = keyOf(seat);
  const change = () => {
    if (!state.hidden.delete(key)) state.hidden.add(key);
    localStorage.hidden = JSON.stringify([...state.hidden].slice(-MOST_HIDDEN));
  };
  const text = say(isHidden(seat) ? "live.reactions_on" : "live.reactions_off");
  state.question = { move: false, text: table()?.seats[seat]?.name ?? "", tiles: [], answers: [{ text, tiles: [], does: change }], none: say("page.close") };
}

/** Whether the viewer can react at the selected table. */
export function reacts() {
  return Boolean(act("react")) && state.settings.reactions;
}

/**
 * The emote at a seat.
 * @param {number} seat
 */
export function emoteView(seat) {
  const shown = at(seat);
  if (!shown) return null;
  const emote = EMOTES.find((each) => each === shown.emote);
  return h("span", { key: "emote", class: `emote${emote ? "" : " says"}`, "aria-hidden": "true" }, emote ? icon(emote) : shown.name);
}

/** The reactions in words, for screen readers. */
export function saidView() {
  const said = table()?.seats.map(({ name }, seat) => at(seat)?.name && `${name}: ${at(seat)?.name}`);
  return h("p", { key: "reacted", class: "unseen", role: "status" }, said?.filter(Boolean).join(", "));
}

/**
 * Whether a seat is a button: the viewer's own to react, other people's to hide their reactions.
 * @param {number} seat
 */
export function isButton(seat) {
  return reacts() && (rack()?.seat === seat || table()?.seats[seat]?.computer === false);
}

/**
 * The properties of the button on a seat.
 * @param {number} seat
 */
export function buttonOf(seat) {
  if (rack()?.seat !== seat) {
    const label = `${table()?.seats[seat]?.name}: ${say(isHidden(seat) ? "live.reactions_on" : "live.reactions_off")}`;
    return { type: "button", "data-do": "hide", "data-seat": seat, "aria-label": label };
  }
  return { type: "button", "data-do": "react", "aria-label": say("live.react"), "aria-expanded": String(state.reacting), "aria-disabled": at(seat) ? "true" : undefined };
}

/** The emotes and phrases to choose from. */
export function chooserView() {
  if (!state.reacting || !reacts()) return null;
  return h(
    "div",
    { key: "reactions", id: "reactions", class: "reactions", role: "group", "aria-label": say("live.react") },
    EMOTES.map((kind) => h("button", { key: kind, type: "button", "data-do": "emote", "data-emote": kind, "aria-label": say(`live.reaction_${kind}`), title: say(`live.reaction_${kind}`) }, icon(kind))),
    PHRASES.map((kind) => h("button", { key: kind, type: "button", class: "phrase", "data-do": "emote", "data-emote": kind }, say(`live.reaction_${kind}`))),
  );
}
