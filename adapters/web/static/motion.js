// What moves and sounds: tiles slide from where they were, a click, a chime. Nothing slides for who wants none.

import { state } from "./state.js";

const SLIDE = 170;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Map<string, DOMRect>} */
let before = new Map();

/** Note where everything is, before the page is drawn anew. */
export function remember() {
  before = new Map();
  for (const each of document.querySelectorAll("[data-anchor]")) {
    before.set(/** @type {HTMLElement} */ (each).dataset.anchor ?? "", each.getBoundingClientRect());
  }
  for (const each of document.querySelectorAll("[data-fly]")) {
    before.set(/** @type {HTMLElement} */ (each).dataset.fly ?? "", each.getBoundingClientRect());
  }
}

/**
 * Something was let go there: its slide begins from that box.
 * @param {string} key
 * @param {DOMRect} box
 */
export function begins(key, box) {
  dropped.set(key, box);
}

/** @type {Map<string, DOMRect>} */
const dropped = new Map();

/** Let everything slide from where it was to where it now is. */
export function slide() {
  for (const each of document.querySelectorAll("[data-fly]")) {
    const { fly = "", from = "" } = /** @type {HTMLElement} */ (each).dataset;
    const was = dropped.get(fly) ?? before.get(fly) ?? dropped.get(from) ?? before.get(from);
    if (!was || still.matches || document.hidden) continue;
    const box = each.getBoundingClientRect();
    const dx = was.left + was.width / 2 - box.left - box.width / 2;
    const dy = was.top + was.height / 2 - box.top - box.height / 2;
    if (Math.hypot(dx, dy) < 3) continue;
    const scale = Math.min(1.5, Math.max(0.5, was.height / (box.height || 1)));
    each.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 5 },
        { transform: "none", zIndex: 5 },
      ],
      { duration: SLIDE, easing: "cubic-bezier(.2, .7, .3, 1)" },
    );
  }
  dropped.clear();
}

/** @type {AudioContext | null} */
let sounds = null;

/** A browser lets a page sound once it has been touched. */
export function wakeSounds() {
  if (!sounds && "AudioContext" in window) sounds = new AudioContext();
}

/** A tile is put down. */
export function click() {
  tone(1900, 0.03, 0.05);
  tone(700, 0.05, 0.04);
}

/** It is the viewer's turn. */
export function chime() {
  tone(784, 0.22, 0.06);
  tone(1175, 0.35, 0.05, 0.13);
  if (state.sound && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
}

/** Somebody won: it was the viewer. */
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
  if (!state.sound || !sounds || sounds.state !== "running") return;
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

/** Whether the page round this one, if there is one, lets it; asking all the same is complained of. */
function mayStayAwake() {
  /** @type {{featurePolicy?: {allowsFeature(name: string): boolean}}} */
  const { featurePolicy } = /** @type {any} */ (document);
  return featurePolicy?.allowsFeature("screen-wake-lock") ?? true;
}

/** @type {WakeLockSentinel | null} */
let awake = null;

/**
 * Keep the screen on while the viewer is to move.
 * @param {boolean} wanted
 */
export async function stayAwake(wanted) {
  if (wanted === Boolean(awake) || document.hidden || !mayStayAwake()) return;
  try {
    if (wanted) {
      awake = (await navigator.wakeLock?.request("screen")) ?? null;
      awake?.addEventListener("release", () => (awake = null));
    } else await awake?.release();
  } catch {
    awake = null; // the battery is low, or the browser has none
  }
}
