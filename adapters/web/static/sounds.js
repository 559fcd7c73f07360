// Sounds, and what a hand feels with them: a click, the last seconds, the viewer's turn and win. Silent by choice.

import { state } from "./state.js";
import { door } from "./doors.js";

/** @type {AudioContext | null} */
let sounds = null;

/** Enable sounds: a browser allows them once the page has been touched, and some silence them when it was left. */
export function wakeSounds() {
  if (!sounds && "AudioContext" in window) sounds = new AudioContext();
  if (sounds && sounds.state !== "running") sounds.resume().catch(() => {}); // a browser may allow none
}

/**
 * Let the hand feel a tile or the turn, where the door can.
 * @param {"tile" | "turn"} what
 */
export function feel(what) {
  if (state.settings.sound) door.feel?.(what);
}

/** The sound of a tile that is put down. */
export function click() {
  tone(1900, 0.03, 0.05);
  tone(700, 0.05, 0.04);
}

/** The sound of a second, when few are left. */
export function tock() {
  tone(440, 0.05, 0.06);
}

/** The sound of the viewer's turn. */
export function chime() {
  tone(784, 0.22, 0.06);
  tone(1175, 0.35, 0.05, 0.13);
  feel("turn");
  if (state.settings.sound && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
}

/** The sound of the viewer's win. */
export function fanfare() {
  [523, 659, 784, 1047].forEach((pitch, number) => tone(pitch, 0.35, 0.05, number * 0.12));
}

/**
 * @param {number} pitch
 * @param {number} seconds
 * @param {number} loud
 * @param {number} [after]
 */
function tone(pitch, seconds, loud, after = 0) {
  if (!state.settings.sound || !sounds || sounds.state !== "running") return;
  const begins = sounds.currentTime + after;
  const source = sounds.createOscillator();
  const volume = sounds.createGain();
  source.frequency.value = pitch;
  source.type = "triangle";
  volume.gain.setValueAtTime(loud, begins);
  volume.gain.exponentialRampToValueAtTime(0.0001, begins + seconds);
  source.connect(volume).connect(sounds.destination);
  source.start(begins);
  source.stop(begins + seconds);
}
