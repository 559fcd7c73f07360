// The screen stays on while the viewer is to move.

import { onTurn } from "./state.js";

/** Whether a surrounding page allows it. Browsers warn about a request that is not allowed. */
function mayStayAwake() {
  /** @type {{featurePolicy?: {allowsFeature(name: string): boolean}}} */
  const { featurePolicy } = /** @type {any} */ (document);
  return featurePolicy?.allowsFeature("screen-wake-lock") ?? true;
}

/** @type {WakeLockSentinel | null} */
let awake = null;
let asking = false;
/** Whether it was refused, on this turn. */
let refused = false;

/**
 * Keep the screen on while the viewer is to move.
 * @param {boolean} wanted
 */
export async function stayAwake(wanted) {
  refused &&= wanted;
  if (asking || refused || wanted === Boolean(awake) || document.hidden || !mayStayAwake()) return;
  asking = true; // a second lock would never be released
  try {
    if (wanted) {
      awake = (await navigator.wakeLock?.request("screen")) ?? null;
      awake?.addEventListener("release", () => (awake = null));
    } else await awake?.release();
  } catch {
    [awake, refused] = [null, wanted]; // the battery is low
  }
  asking = false;
  if (wanted && !onTurn()) void stayAwake(false);
}
