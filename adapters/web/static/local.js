// The local page's door: a secret, known to no other, is the person. The tab keeps it over reloads; the browser keeps the
// last one, so that a seat survives its tab. While another tab plays as that person, a new one asks who it is.

import { newId } from "./line.js";

/** @typedef {import("./types").Door} Door */

/** Milliseconds in which another tab answers that it plays as somebody. */
const ANSWERS_WITHIN = 200;

const tabs = "BroadcastChannel" in window ? new BroadcastChannel("okey") : null;
tabs?.addEventListener("message", ({ data }) => {
  if (data.asks && data.asks === sessionStorage.token) tabs.postMessage({ plays: data.asks });
});

/** The person whom this browser knows. @returns {{token: string, name: string} | null} */
export function knownPerson() {
  return JSON.parse(localStorage.person ?? "null");
}

/**
 * Be this person in this tab.
 * @param {{token: string, name: string}} person
 */
export function be({ token, name }) {
  Object.assign(sessionStorage, { token, name });
  localStorage.person = JSON.stringify({ token, name });
}

/**
 * Whether another tab plays as somebody.
 * @param {string} token
 * @returns {Promise<boolean>}
 */
function playsElsewhere(token) {
  if (!tabs) return Promise.resolve(false);
  return new Promise((done) => {
    const hear = (/** @type {MessageEvent} */ { data }) => data.plays === token && done(true);
    tabs.addEventListener("message", hear);
    tabs.postMessage({ asks: token });
    setTimeout(() => {
      tabs.removeEventListener("message", hear);
      done(false);
    }, ANSWERS_WITHIN);
  });
}

/** @type {Door} */
export const local = {
  name: "local",
  windowed: true,
  storage: sessionStorage,
  key: "token",
  wish: "",
  async start() {
    const known = knownPerson();
    if (!sessionStorage.token && known && !(await playsElsewhere(known.token))) be(known);
    sessionStorage.token ??= newId(32);
  },
  proof: async () => ({}),
};
