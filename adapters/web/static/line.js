// The connection to the server. It sends hello, keeps unanswered messages, and reconnects by itself.

const ANSWER_WITHIN = 8000;
const WELCOME_WITHIN = 20_000;
/** The server tells something every 8 seconds. Of an end that vanished without a word, only its silence tells. */
const LONGEST_SILENCE = 18_000;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 3000;
const MOST_TRIES = 3;
const LONG_HIDDEN = 20_000;
const OTHER_PROTOCOL = 4001;
const OPEN_AGAIN = 4002;
const TRY_AGAIN_LATER = 1013;

/** @typedef {import("./types").Told} Told */
/** @typedef {{message: {id: string} & Record<string, unknown>, tries: number}} Asked */

export class Line {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Asked>} */
  #unanswered = new Map();
  /** What was said since the hello was written, before there is a connection for both. @type {object[]} */
  #unsaid = [];
  #pause = FIRST_PAUSE;
  #retry = 0;
  #hidden = Infinity;
  #opened = false;
  #greeting = false;
  #welcomed = false;

  /** @param {{hello: () => Promise<object>, heard: (told: Told) => void, changed: (open: boolean, wait: boolean) => void, shut: () => void}} does */
  constructor({ hello, heard, changed, shut }) {
    this.#hello = hello;
    this.#shut = shut;
    this.#heard = heard;
    this.#changed = changed;
    for (const event of ["online", "pageshow"]) addEventListener(event, () => this.#comeBack());
    document.addEventListener("visibilitychange", () => this.#turned());
  }

  #hello;
  #shut;
  #heard;
  #changed;

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  async open() {
    this.#opened = true;
    clearTimeout(this.#retry);
    if (this.#greeting) return;
    this.#greeting = true;
    this.#unsaid = [];
    const hello = await this.#hello().catch(() => null); // a door may have to ask people, and the server's wait is short
    this.#greeting = false;
    if (!hello) return this.#lost();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.#socket = socket;
    let welcomed = false;
    let silence = setTimeout(() => this.#giveUp(socket), WELCOME_WITHIN);
    socket.onopen = () => {
      for (const said of [hello, ...this.#unsaid.splice(0)]) socket.send(JSON.stringify(said));
      this.#unanswered.forEach((asked) => this.#try(asked));
    };
    socket.onmessage = (event) => {
      const told = JSON.parse(event.data);
      welcomed ||= told.kind === "welcome";
      if (welcomed) {
        clearTimeout(silence);
        silence = setTimeout(() => this.#giveUp(socket), LONGEST_SILENCE);
      }
      this.#receive(told);
    };
    socket.onclose = ({ code }) => {
      clearTimeout(silence);
      if (socket !== this.#socket) return; // it was given up, and another may be open
      if (code === OTHER_PROTOCOL) this.#renew();
      else if (code === OPEN_AGAIN) this.#shut();
      else this.#lost(code === TRY_AGAIN_LATER);
    };
  }

  /** Connect anew, as somebody else. */
  renew() {
    if (this.#socket) this.#giveUp(this.#socket);
  }

  /**
   * Send a message that is answered with `done`. It is sent once there is a connection, and again with the
   * same id when that breaks.
   * @param {Record<string, unknown>} message
   */
  ask(message) {
    const id = newId();
    const asked = { message: { ...message, id }, tries: 0 };
    this.#unanswered.set(id, asked);
    this.#try(asked);
    return id;
  }

  /**
   * Don't send a message again.
   * @param {string} id
   */
  forget(id) {
    this.#unanswered.delete(id);
  }

  /**
   * Send a message without an answer.
   * @param {Record<string, unknown>} message
   */
  say(message) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
    else this.#unsaid.push(message);
  }

  /** @param {Asked} asked */
  #try(asked) {
    const { id } = asked.message;
    const socket = this.#socket;
    if (!socket || !this.isOpen) return;
    asked.tries += 1;
    if (asked.tries > MOST_TRIES) return this.#receive({ kind: "done", id });
    socket.send(JSON.stringify(asked.message));
    setTimeout(() => this.#unanswered.has(id) && this.#giveUp(socket), ANSWER_WITHIN);
  }

  /** @param {Told} message */
  #receive(message) {
    if (message.kind === "welcome") {
      this.#welcomed = true;
      this.#pause = FIRST_PAUSE;
      this.#changed(true, false);
    }
    if (message.kind === "done") this.#unanswered.delete(message.id);
    this.#heard(message);
  }

  /**
   * Close a socket without an answer in time. It would stay "open" for minutes after its other end vanished.
   * @param {WebSocket} socket
   */
  #giveUp(socket) {
    if (socket !== this.#socket) return;
    socket.close();
    this.#lost();
  }

  /**
   * Load the server's version of the page. A page that has just been loaded waits: while servers are replaced one by
   * one, it may come from one and speak to another, again and again.
   */
  #renew() {
    setTimeout(() => location.reload(), this.#welcomed ? 0 : LONGEST_PAUSE);
  }

  /** Try again in a moment. @param {boolean} [asked] Whether the server asked for that. */
  #lost(asked = false) {
    this.#socket = null;
    this.#changed(false, asked);
    this.#retry = setTimeout(() => this.open(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  /** A socket that nobody looked at for long may have lost its other end: phones cut it without a word. */
  #turned() {
    if (document.hidden) this.#hidden = Date.now();
    else if (this.#socket && Date.now() - this.#hidden > LONG_HIDDEN) this.#giveUp(this.#socket);
    if (!document.hidden) this.#comeBack();
  }

  #comeBack() {
    if (this.#opened && this.#socket === null) this.open();
  }
}

export function newId(bytes = 16) {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random)).replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=/g, "");
}
