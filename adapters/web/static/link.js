// The personal link: its secret follows the hash, which no log and no preview sees. A press redeems it.

/** @typedef {import("./types").Door} Door */

const PREFIX = "#k=";
const NOT_VALID = 403;
const AGAIN = 2000;

/** The prefix of an invitation to a table. */
const INVITED = "#c=";
const invitation = location.hash.startsWith(INVITED) ? location.hash.slice(INVITED.length) : "";

let secret = location.hash.startsWith(PREFIX) ? location.hash.slice(PREFIX.length) : "";
if (secret || invitation) history.replaceState(null, "", location.pathname);

// In the address of a page that is open already, another link loads nothing by itself.
addEventListener("hashchange", (event) => {
  if (![PREFIX, INVITED].some((each) => location.hash.startsWith(each))) return;
  event.stopImmediatePropagation();
  location.reload();
});

/** @type {(() => void) | null} */
let entered = null;

/**
 * Whether the server took the secret. It is asked until it answers: nobody has the link a second time.
 * @param {() => void} wait
 */
async function redeemed(wait) {
  for (;;) {
    const answer = await fetch("/enter", { method: "POST", body: secret }).catch(() => null);
    if (answer?.ok || answer?.status === NOT_VALID) return answer.ok;
    wait();
    await new Promise((again) => setTimeout(again, AGAIN));
  }
}

/** @type {Door} */
export const link = {
  name: "link",
  windowed: true,
  storage: sessionStorage,
  key: "",
  wish: invitation,
  asks: () => Boolean(secret),
  start: () => (secret ? new Promise((done) => (entered = done)) : Promise.resolve()),
  proof: async () => ({}),

  /** Redeem the secret for a cookie. Return whether it was valid. */
  async enter(wait) {
    const valid = await redeemed(wait);
    secret = "";
    if (valid) entered?.();
    return valid;
  },
};
