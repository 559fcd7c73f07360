// Telegram's door: the Mini App. Who opened it is signed; the window round the page is asked and told by events.

/** @typedef {import("./types").Door} Door */
/** @typedef {Record<string, any>} Data */

const PARENT = "https://web.telegram.org";
const SIDES = ["top", "right", "bottom", "left"];
/** What the page calls the colours of Telegram's theme. */
const COLOURS = {
  bg_color: "--paper", secondary_bg_color: "--card", text_color: "--words", hint_color: "--quiet",
  button_color: "--accent", button_text_color: "--on-accent", section_separator_color: "--edge",
};

// What stands behind the hash is kept for a reload, and out of the address that people copy.
const inHash = location.hash.includes("tgWebAppData=");
if (inHash) sessionStorage.telegram = location.hash.slice(1);
const launched = new URLSearchParams(sessionStorage.telegram ?? "");
const initData = launched.get("tgWebAppData") ?? "";
const table = new URLSearchParams(location.search).get("table") ?? "";
if (inHash) history.replaceState(null, "", location.pathname);

/** @type {any} */
const here = window;
const framed = window.parent !== window;
const root = document.documentElement;
/** @type {Record<string, number>} */
const insets = {};
/** @type {import("./types").DoorEvents | null} */
let events = null;
let main = "";
let back = false;

/**
 * @param {string} type
 * @param {Data} [data]
 */
function post(type, data = {}) {
  if (here.TelegramWebviewProxy) here.TelegramWebviewProxy.postEvent(type, JSON.stringify(data));
  else if (framed) parent.postMessage(JSON.stringify({ eventType: type, eventData: data }), PARENT);
}

/**
 * @param {string} type
 * @param {Data} data
 */
function receive(type, data) {
  if (type === "theme_changed") paint(data.theme_params ?? {});
  else if (type === "viewport_changed" && data.height) root.style.setProperty("--height", `${data.height}px`);
  else if (type === "safe_area_changed" || type === "content_safe_area_changed") inset(type, data);
  else if (type === "back_button_pressed") events?.back();
  else if (type === "main_button_pressed") events?.main();
}

/** @param {Data} theme */
function paint(theme) {
  for (const [name, variable] of Object.entries(COLOURS)) {
    if (/^#[0-9a-f]{6}$/i.test(theme[name] ?? "")) root.style.setProperty(variable, theme[name]);
  }
}

/**
 * The system's and Telegram's own edges come one by one, and both count.
 * @param {string} type
 * @param {Data} data
 */
function inset(type, data) {
  for (const side of SIDES) {
    insets[type + side] = Number(data[side]) || 0;
    const both = (insets[`safe_area_changed${side}`] ?? 0) + (insets[`content_safe_area_changed${side}`] ?? 0);
    root.style.setProperty(`--safe-${side}`, `${both}px`);
  }
}

function listen() {
  here.Telegram = { WebView: { receiveEvent: receive } };
  here.TelegramGameProxy = { receiveEvent: receive };
  here.TelegramGameProxy_receiveEvent = receive;
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== PARENT || source !== parent || typeof data !== "string") return;
    try {
      const { eventType, eventData } = JSON.parse(data);
      receive(eventType, eventData ?? {});
    } catch {
      // not for us
    }
  });
}

const KEPT = "telegram ";

/** A tab that Telegram opens again brings the same proof, and finds its session by that: nobody else knows it. */
const key = KEPT + (new URLSearchParams(initData).get("hash") ?? "");

/** @type {Door} */
export const telegram = {
  name: "telegram",
  storage: localStorage,
  key,
  table,
  proof: async () => ({ proof: initData }),

  async start(handlers) {
    events = handlers;
    listen();
    for (const each of Object.keys(localStorage)) if (each.startsWith(KEPT) && each !== key) delete localStorage[each];
    paint(JSON.parse(launched.get("tgWebAppThemeParams") ?? "{}"));
    post("web_app_ready");
    post("web_app_expand");
    post("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
    for (const what of ["theme", "viewport", "safe_area", "content_safe_area"]) post(`web_app_request_${what}`);
  },

  shows({ big, deep }) {
    if (deep !== back) post("web_app_setup_back_button", { is_visible: deep });
    if (big !== main) post("web_app_setup_main_button", { is_visible: Boolean(big), is_active: Boolean(big), text: big });
    [main, back] = [big, deep];
  },

  feel(what) {
    post("web_app_trigger_haptic_feedback", what === "turn" ? { type: "selection_change" } : { type: "impact", impact_style: "light" });
  },

  close: () => post("web_app_close"),
};
