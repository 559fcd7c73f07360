// Telegram's door: the Mini App. The person's data is signed; events go to and from the surrounding window.

/** @typedef {import("./types").Door} Door */
/** @typedef {Record<string, any>} Data */

const PARENT = "https://web.telegram.org";
const INSETS = ["top", "right", "bottom", "left"];
/** The page's names for the colours of Telegram's theme. */
const THEME_COLOURS = {
  bg_color: "--paper", secondary_bg_color: "--card", text_color: "--words", hint_color: "--quiet",
  button_color: "--accent", button_text_color: "--on-accent", section_separator_color: "--edge",
};
/** The page's own colours on a light and on a dark theme: Telegram's may be another than the system's. */
const OWN = {
  light: { "--good": "#1d6b35", "--danger": "#9c2a1c", "--words": "#2a2620", "--accent": "#17664a", "--on-accent": "#fff" },
  dark: { "--good": "#7ecb8f", "--danger": "#f0907f", "--words": "#ece6d8", "--accent": "#63c29b", "--on-accent": "#0c1a14" },
};
/** Those that a theme lacks, between its paper and its words. */
const BETWEEN = { "--card": 6, "--edge": 20, "--quiet": 70 };

// The data after the hash is kept for a reload, and removed from the address that people copy.
const inHash = location.hash.includes("tgWebAppData=");
if (inHash) sessionStorage.telegram = location.hash.slice(1);
const launched = new URLSearchParams(sessionStorage.telegram ?? "");
const initData = launched.get("tgWebAppData") ?? "";
const start = new URLSearchParams(initData).get("start_param") ?? "";
const named = new URLSearchParams(location.search).get("table") ?? "";
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
let backShown = false;
let match = false;
/** The prefix of invitations, if the bot's app has an address of its own. */
const invitationLink = document.body.dataset.link ?? "";
const sendable = invitationLink.startsWith("https://t.me/");
/** Whether the window can put the app on the home screen, and whether it is offered to at this result. */
let addable = false;
let offering = false;
/** Only phones and tablets have a screen to fill and an orientation to lock. */
const onPhone = /^(?:ios|android)$/.test(launched.get("tgWebAppPlatform") ?? "");
const fill = { wanted: localStorage.fill !== "off", change: changeFill };

/**
 * Whether the surrounding window has the features of a version.
 * @param {number} version
 */
function knows(version) {
  return Number(launched.get("tgWebAppVersion") ?? 0) >= version;
}

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
  else if (type === "home_screen_checked") addable = data.status === "missed" || data.status === "unknown";
  else if (type === "back_button_pressed") events?.back();
  else if (type === "main_button_pressed") events?.main();
}

/** @param {Data} theme */
function paint(theme) {
  if (!isColour(theme.bg_color)) return;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(theme.bg_color.slice(at, at + 2), 16));
  const scheme = 0.3 * red + 0.59 * green + 0.11 * blue < 128 ? "dark" : "light";
  root.style.setProperty("color-scheme", scheme);
  const mixed = Object.entries(BETWEEN).map(([variable, percent]) => [variable, `color-mix(in srgb, var(--words) ${percent}%, var(--paper))`]);
  const told = Object.entries(THEME_COLOURS).flatMap(([name, variable]) => (isColour(theme[name]) ? [[variable, theme[name]]] : []));
  for (const [variable, colour] of [...Object.entries(OWN[scheme]), ...mixed, ...told]) root.style.setProperty(variable, colour);
}

/** @param {string | undefined} text */
function isColour(text) {
  return /^#[0-9a-f]{6}$/i.test(text ?? "");
}

/**
 * Add the system's insets and Telegram's own, which arrive separately.
 * @param {string} type
 * @param {Data} data
 */
function inset(type, data) {
  for (const side of INSETS) {
    insets[type + side] = Number(data[side]) || 0;
    const both = (insets[`safe_area_changed${side}`] ?? 0) + (insets[`content_safe_area_changed${side}`] ?? 0);
    root.style.setProperty(`--safe-${side}`, `${both}px`);
  }
}

function listenToTelegram() {
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

/** Fill a phone's screen during a match, and lock its orientation. */
function fit() {
  if (!onPhone || !knows(8)) return;
  const filled = match && fill.wanted;
  post(filled ? "web_app_request_fullscreen" : "web_app_exit_fullscreen");
  post("web_app_toggle_orientation_lock", { locked: filled });
}

function changeFill() {
  fill.wanted = !fill.wanted;
  localStorage.fill = fill.wanted ? "on" : "off";
  if (match) fit();
}

/**
 * @param {string} text
 * @param {string} invitation
 */
function share(text, invitation) {
  const query = new URLSearchParams({ url: invitationLink + invitation, text });
  post("web_app_open_tg_link", { path_full: `/share/url?${query}` });
}

const home = {
  offered() {
    if (addable && !localStorage.home) {
      localStorage.home = "offered";
      offering = true;
    }
    return offering;
  },
  add() {
    offering = false;
    post("web_app_add_to_home_screen");
  },
};

const KEPT = "telegram ";

/**
 * A key for the session, made from the proof, which a tab that Telegram reopens brings again. Nobody else
 * knows it.
 */
const key = KEPT + (new URLSearchParams(initData).get("hash") ?? "");

/** @type {Door} */
export const telegram = {
  name: "telegram",
  storage: localStorage,
  key,
  wish: named || start,
  proof: async () => ({ proof: initData }),

  async start(handlers) {
    events = handlers;
    listenToTelegram();
    for (const each of Object.keys(localStorage)) if (each.startsWith(KEPT) && each !== key) delete localStorage[each];
    paint(JSON.parse(launched.get("tgWebAppThemeParams") ?? "{}"));
    post("web_app_ready");
    post("web_app_expand");
    post("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
    for (const what of ["theme", "viewport", "safe_area", "content_safe_area"]) post(`web_app_request_${what}`);
    if (knows(8)) post("web_app_check_home_screen");
  },

  ...(onPhone && knows(8) && { fill }),
  ...(sendable && knows(6.1) && { share }),
  ...(knows(8) && { home }),

  shows({ big, deep, playing }) {
    if (playing) offering = false;
    if (playing !== match) {
      match = playing;
      if (knows(6.2)) post("web_app_setup_closing_behavior", { need_confirmation: playing });
      fit();
    }
    if (deep !== backShown) post("web_app_setup_back_button", { is_visible: deep });
    if (big !== main) post("web_app_setup_main_button", { is_visible: Boolean(big), is_active: Boolean(big), text: big });
    [main, backShown] = [big, deep];
  },

  feel(what) {
    post("web_app_trigger_haptic_feedback", what === "turn" ? { type: "selection_change" } : { type: "impact", impact_style: "light" });
  },

  close: () => post("web_app_close"),
};
