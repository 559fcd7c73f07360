// The personal link: its secret follows the hash, which no log and no preview sees. A press redeems it.

/** @typedef {import("./types").Door} Door */

const PREFIX = "#k=";

/** The prefix of an invitation to a table. */
const INVITED = "#c=";
const invitation = location.hash.startsWith(INVITED) ? location.hash.slice(INVITED.length) : "";

let secret = location.hash.startsWith(PREFIX) ? location.hash.slice(PREFIX.length) : "";
if (secret || invitation) history.replaceState(null, "", location.pathname);

/** @type {(() => void) | null} */
let entered = null;

/** @type {Door} */
export const link = {
  name: "link",
  storage: sessionStorage,
  key: "",
  table: "",
  invitation,
  asks: () => Boolean(secret),
  start: () => (secret ? new Promise((done) => (entered = done)) : Promise.resolve()),
  proof: async () => ({}),

  /** Redeem the secret for a cookie. Return whether it was valid. */
  async enter() {
    const answer = await fetch("/enter", { method: "POST", body: secret });
    secret = "";
    if (answer.ok) entered?.();
    return answer.ok;
  },
};
