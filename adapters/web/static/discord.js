// Discord's door: the Activity. The surrounding window sends arrays, `[opcode, data]`.

/** @typedef {import("./types").Door} Door */
/** @typedef {Record<string, any>} Data */

const [HANDSHAKE, FRAME, CLOSE] = [0, 1, 2];
const HEARD = /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com$/;
const FULL_SIZE = 0;
const NORMAL_CLOSE = 1000;
const CLIENT_ANSWERS_WITHIN = 8000;

const query = new URLSearchParams(location.search);
const client = document.body.dataset.client ?? "";

/** @type {Window} */
const outside = parent.opener ?? parent;
/** @type {Map<string, {resolve: (data: Data) => void, reject: (why: Error) => void}>} */
const asked = new Map();
let nonce = 0;
let there = false;

/**
 * @param {number} opcode
 * @param {Data} data
 */
function frame(opcode, data) {
  outside.postMessage([opcode, data], "*");
}

/**
 * @param {string} cmd
 * @param {Data} args
 * @param {string} [evt]
 * @returns {Promise<Data>}
 */
function command(cmd, args, evt) {
  const id = `okey-${++nonce}`;
  frame(FRAME, { cmd, args, nonce: id, ...(evt && { evt }) });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

/** @type {Door} */
export const discord = {
  name: "discord",
  storage: sessionStorage,
  key: `discord ${query.get("instance_id") ?? ""}`,
  wish: query.get("custom_id") ?? "",

  start: () =>
    /** @type {Promise<void>} */ (new Promise((ready) => {
      addEventListener("message", ({ origin, source, data }) => {
        if (source !== outside || !HEARD.test(origin) || !Array.isArray(data) || data[0] !== FRAME) return;
        const { evt, nonce: id, data: told } = data[1];
        if (evt === "READY") {
          there = true;
          ready();
        } else if (evt === "ACTIVITY_LAYOUT_MODE_UPDATE") {
          document.documentElement.dataset.layout = told.layout_mode === FULL_SIZE ? "full" : "small";
        } else if (asked.has(id)) {
          const { resolve, reject } = /** @type {NonNullable<ReturnType<typeof asked.get>>} */ (asked.get(id));
          asked.delete(id);
          if (evt === "ERROR") reject(new Error(told.message));
          else resolve(told);
        }
      });
      setTimeout(ready, CLIENT_ANSWERS_WITHIN); // not in a window of Discord
      frame(HANDSHAKE, { v: 1, encoding: "json", client_id: client, frame_id: query.get("frame_id") });
    })).then(() => {
      if (!there) return;
      const unlocked = { lock_state: 1 };
      for (const told of [command("SUBSCRIBE", {}, "ACTIVITY_LAYOUT_MODE_UPDATE"), command("SET_ORIENTATION_LOCK_STATE", unlocked)]) {
        told.catch(() => {}); // an older Discord does not know it
      }
    }),

  async proof() {
    if (!there) return {};
    const about = { client_id: client, response_type: "code", scope: ["identify"], prompt: "none" };
    const { code } = await command("AUTHORIZE", about).catch(() => ({ code: "" }));
    return { proof: code, instance: query.get("instance_id") ?? "" };
  },

  share(message, invitation) {
    command("SHARE_LINK", { message, ...(invitation && { custom_id: invitation }) }).catch(() => {}); // an older Discord
  },

  close: () => frame(CLOSE, { code: NORMAL_CLOSE, message: "" }),
};
