// Motion and sound: sliding tiles, a click, a chime. Nothing slides for people who prefer no motion.

import { onTurn, state } from "./state.js";

const SLIDE = 170;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Map<string, DOMRect>} */
let before = new Map();

/** Note the position of everything before the page is drawn anew. */
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
 * Begin an element's slide from the box where it was dropped.
 * @param {string} key
 * @param {DOMRect} box
 */
export function begins(key, box) {
  dropped.set(key, box);
}

/** @type {Map<string, DOMRect>} */
const dropped = new Map();

/** Where tiles come from that slide only once the server has said which. @type {Record<string, string>} */
const DRAWN = { draw: "stock", take: "taken" };

/** Slide everything from its old position to the new one. */
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
  const awaited = [...state.busy.values()].map((about) => DRAWN[about]);
  for (const key of dropped.keys()) if (!awaited.includes(key)) dropped.delete(key);
}

/** @type {AudioContext | null} */
let sounds = null;

/** Enable sounds: a browser allows them once the page has been touched, and some silence them when it was left. */
export function wakeSounds() {
  if (!sounds && "AudioContext" in window) sounds = new AudioContext();
  if (sounds && sounds.state !== "running") sounds.resume().catch(() => {}); // a browser may allow none
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
  if (state.sound && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
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

/** Whether a surrounding page allows it. Browsers warn about a request that is not allowed. */
function mayStayAwake() {
  /** @type {{featurePolicy?: {allowsFeature(name: string): boolean}}} */
  const { featurePolicy } = /** @type {any} */ (document);
  return featurePolicy?.allowsFeature("screen-wake-lock") ?? true;
}

/** @type {WakeLockSentinel | null} */
let awake = null;
let asking = false;

/**
 * Keep the screen on while the viewer is to move.
 * @param {boolean} wanted
 */
export async function stayAwake(wanted) {
  if (asking || wanted === Boolean(awake) || document.hidden || !mayStayAwake()) return;
  asking = true; // a second lock would never be released
  try {
    if (wanted) {
      awake = (await navigator.wakeLock?.request("screen")) ?? null;
      awake?.addEventListener("release", () => (awake = null));
    } else await awake?.release();
  } catch {
    awake = null; // the battery is low, or the browser has no wake lock
  }
  asking = false;
  if (wanted && !onTurn()) void stayAwake(false);
}
