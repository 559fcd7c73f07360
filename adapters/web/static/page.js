// The page: who this tab is, which table it looks at, and what its buttons do.

import { Line, newId } from "./line.js";
import { goAlong, setClock, settled, show, startClocks } from "./screens.js";

const LINE_STAYS = 5000;
const LONG_LINE = 100;
const MOST_LINES = 3;

const part = (id) => document.getElementById(id);
const say = document.body.dataset;
const tables = new Map();
const racks = new Map();
const busy = new Map();
let stale = new Set();

// A tab's secret makes it the same person after a reload and a restart; no other tab knows it.
const token = (sessionStorage.token ??= newId(32));
let selected = sessionStorage.table ?? "";

const line = new Line({
  hello() {
    stale = new Set([...tables.values(), ...racks.values()]);
    const language = document.documentElement.lang;
    return { token, name: sessionStorage.name ?? "", table: selected, language };
  },
  heard(message) {
    if (message.now) setClock(message.now);
    hear[message.kind](message);
  },
  changed(open) {
    part("away").hidden = open;
    document.body.classList.toggle("away", !open);
  },
});

const hear = {
  table(screen) {
    const before = put(tables, screen);
    if (!selected) select(screen.table);
    listTables();
    if (screen.table === selected) {
      show(part("table"), screen.html);
      speak(screen, before);
    }
  },
  rack(screen) {
    const before = put(racks, screen);
    if (screen.notify || !before) select(screen.table);
    if (!tables.has(screen.table)) listTables();
    if (document.hidden) document.title = "● Okey";
    if (screen.table === selected) {
      show(part("rack"), screen.html);
      speak(screen, before);
    }
  },
  reading(screen) {
    // Its next page comes to whoever is in it; anything else is a new thing to read.
    const opens = !part("reading").contains(document.activeElement);
    show(part("reading"), screen.html);
    speak(screen);
    if (opens) settled().then(openReading);
  },
  notice: ({ html, urgent }) => (urgent ? addAlert(html) : addLine(html)),
  norack() {
    racks.clear();
    show(part("rack"), "");
  },
  // Until the new screen stands there, a second tap would fall on an old button.
  async done({ id }) {
    await settled();
    busy.get(id)?.removeAttribute("aria-busy");
    busy.delete(id);
  },
  welcome() {
    for (const screens of [tables, racks]) {
      for (const [table, screen] of screens) if (stale.has(screen)) screens.delete(table);
    }
    stale.clear();
    if (!tables.has(selected) && !racks.has(selected)) select([...tables.keys()].at(-1) ?? "");
    listTables();
  },
};

function select(table) {
  if (table === selected && table) return;
  selected = table;
  sessionStorage.table = table;
  show(part("table"), tables.get(table)?.html ?? "");
  show(part("rack"), racks.get(table)?.html ?? "");
  listTables();
}

// What is to be read takes the focus, and gives it back to where it was.
let beforeReading = null;

function openReading() {
  beforeReading = document.activeElement;
  part("reading").focus({ preventScroll: true });
  part("reading").scrollIntoView({ behavior: "smooth" });
}

async function closeReading() {
  if (part("reading").hidden) return;
  const held = part("reading").contains(document.activeElement);
  show(part("reading"), "");
  await settled();
  if (held) (again(beforeReading) ?? part("table")).focus({ preventScroll: true });
}

// An element, or what stands for it on a fresh screen.
function again(element) {
  if (element.isConnected) return element;
  return [...document.querySelectorAll("main [data-key]")].find(({ dataset }) => dataset.key === element.dataset.key);
}

// Keep a screen and return what it replaces.
function put(screens, screen) {
  const before = screens.get(screen.table);
  screens.set(screen.table, screen);
  return before;
}

function listTables() {
  const list = part("tables");
  // Who practises sits at a table that is shown to nobody.
  const all = [...tables.values(), ...[...racks.values()].filter(({ table }) => !tables.has(table))];
  part("nothing").hidden = all.length > 0;
  part("open").hidden = all.length === 0;
  const listed = all.filter(({ table, over }) => !over || table === selected).reverse();
  list.hidden = listed.length < 2;
  list.replaceChildren(...listed.map(({ table, spoken }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "press plain";
    button.textContent = spoken.split("\n", 1)[0];
    button.dataset.table = table;
    if (table === selected) button.setAttribute("aria-current", "true");
    return button;
  }));
}

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const notes of [part("alerts"), part("lines")]) notes.replaceChildren();
  closeReading();
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { table, press, surface, verb, closes } = button.dataset;
  part("alerts").replaceChildren(); // Who goes on has read it.
  if (table) select(table);
  else if (closes) closeReading();
  else if (press) ask(button, { kind: "press", private: surface === "private", data: press });
  else if (verb) ask(button, { kind: "typed", verb, argument: "" });
});

// Ask the server on behalf of an element, which is busy until the answer is there; whether it could be asked.
function ask(element, message) {
  if (element.getAttribute("aria-busy") || !line.isOpen) return false;
  if (!sessionStorage.name) {
    addLine(say.nameFirst);
    part("name").focus();
    return false;
  }
  element.setAttribute("aria-busy", "true");
  busy.set(line.ask(message), element);
  return true;
}

part("rack").addEventListener("keydown", (event) => goAlong(part("rack"), event));

part("name").value = sessionStorage.name ?? "";
part("person").classList.toggle("known", Boolean(sessionStorage.name));
part("name").addEventListener("input", () => part("person").classList.remove("known"));
part("person").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = part("name").value.trim();
  if (!name) return;
  sessionStorage.name = name;
  part("person").classList.add("known");
  part("name").blur();
  line.say({ kind: "name", name });
});

// What is typed in the chats' way: `/word luck`, with or without the stroke.
part("command").addEventListener("submit", (event) => {
  event.preventDefault();
  const [, verb, argument] = part("words").value.trim().match(/^\/?(\S+)\s*(.*)$/s) ?? [];
  if (!verb || !ask(part("words"), { kind: "typed", verb: verb.toLowerCase().slice(0, 32), argument })) return;
  part("words").value = "";
});

// A short line passes; a long one, such as the help, stays until it is closed.
function addLine(html) {
  const lines = part("lines");
  const added = noted(html);
  lines.append(added);
  while (lines.childElementCount > MOST_LINES) lines.firstElementChild.remove();
  if (added.textContent.length > LONG_LINE) addClose(added);
  else setTimeout(() => added.remove(), LINE_STAYS);
}

function addAlert(html) {
  const added = noted(html);
  addClose(added);
  part("alerts").replaceChildren(added);
}

function noted(html) {
  const note = document.createElement("div");
  note.append(document.createElement("p"));
  note.firstElementChild.innerHTML = html;
  return note;
}

function addClose(note) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "press plain";
  button.textContent = say.close;
  button.onclick = () => note.remove();
  note.append(button);
}

// What a screen reader is told: the lines that were not there before.
function speak({ spoken }, before) {
  const known = new Set(before?.spoken.split("\n"));
  const news = spoken.split("\n").filter((line) => !known.has(line));
  if (news.length) part("voice").textContent = news.join(". ");
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = "Okey";
});

startClocks();
line.open();
