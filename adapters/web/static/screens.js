// Puts fresh screens in place of old ones without losing the focus, and keeps the clocks going.

const PICTURE_WITHIN = 300;
const SOON = 10;

const newest = new WeakMap();
let settling = Promise.resolve();
let ahead = 0;

// Show `html` in a section once its pictures can be drawn, so that nothing flickers or jumps.
export function show(section, html) {
  settling = Promise.all([settling, replace(section, html)]);
}

// Fulfilled when everything that was to be shown so far is shown.
export function settled() {
  return settling;
}

async function replace(section, html) {
  const turn = (newest.get(section) ?? 0) + 1;
  newest.set(section, turn);
  const template = document.createElement("template");
  template.innerHTML = html;
  const fresh = document.importNode(template.content, true);
  await Promise.race([decoded(fresh), later(PICTURE_WITHIN)]);
  if (newest.get(section) !== turn) return;
  inOwnTime(fresh);
  const focus = focusIn(section);
  const isResult = fresh.querySelector(".result") && !section.querySelector(".result");
  section.replaceChildren(fresh);
  if (isResult) section.scrollIntoView({ behavior: "smooth" });
  section.hidden = html === "";
  sayOnce();
  tick();
  if (focus) restore(section, focus);
}

// The server's clock, in seconds, as it just said; ours may go wrong.
export function setClock(now) {
  ahead = now - Date.now() / 1000;
}

export function startClocks() {
  setInterval(tick, 500);
}

// Arrow keys go from tile to tile, over gaps and from shelf to shelf.
export function goAlong(rack, event) {
  const tiles = [...rack.querySelectorAll("button.tile")];
  const here = tiles.indexOf(document.activeElement);
  if (here < 0) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = step ? tiles[here + step] : otherShelf(tiles, tiles[here], event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function otherShelf(tiles, from, key) {
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  const centre = (tile) => tile.getBoundingClientRect().x + tile.offsetWidth / 2;
  const there = tiles.filter((tile) => tile.parentElement !== from.parentElement);
  const isBelow = (tile) => Boolean(from.compareDocumentPosition(tile) & Node.DOCUMENT_POSITION_FOLLOWING);
  return there
    .filter((tile) => isBelow(tile) === (key === "ArrowDown"))
    .sort((a, b) => Math.abs(centre(a) - centre(from)) - Math.abs(centre(b) - centre(from)))[0];
}

// What the table says is not said again beside the rack, where its figures may be those of a while ago.
function sayOnce() {
  const bare = (line) => line.textContent.replace(/\d+/g, "");
  const said = new Set([...document.querySelectorAll("#table .line")].map(bare));
  for (const line of document.querySelectorAll("#rack .line")) line.classList.toggle("said", said.has(bare(line)));
}

// Moments in the reader's own time; what they were told in stays in their titles.
function inOwnTime(fragment) {
  const own = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });
  for (const moment of fragment.querySelectorAll("time.moment")) {
    moment.textContent = own.format(new Date(moment.dateTime));
  }
}

function decoded(fragment) {
  return Promise.allSettled([...fragment.querySelectorAll("img")].map((image) => image.decode()));
}

function later(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

function focusIn(section) {
  const focused = document.activeElement;
  if (!section.contains(focused)) return null;
  const { key } = focused.dataset;
  const kind = focused.classList.contains("tile") ? "button.tile" : "button:not(.tile)";
  return {
    key,
    kind,
    among: key ? alike(section, key).indexOf(focused) : 0,
    index: [...section.querySelectorAll(kind)].indexOf(focused),
  };
}

// The same button again; else the one that stands in its place; else the section, so that Tab goes on from here.
function restore(section, { key, kind, among, index }) {
  const same = key ? alike(section, key) : [];
  const inPlace = [...section.querySelectorAll(kind)];
  const target = same[among] ?? same[0] ?? inPlace[Math.min(index, inPlace.length - 1)] ?? section;
  target.focus({ preventScroll: true });
}

function alike(section, key) {
  return [...section.querySelectorAll("[data-key]")].filter((button) => button.dataset.key === key);
}

function tick() {
  const now = Date.now() / 1000 + ahead;
  for (const clock of document.querySelectorAll("time.clock")) {
    const left = Math.max(0, Math.round(Number(clock.dataset.at) - now));
    const words = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== words) clock.textContent = words;
    clock.classList.toggle("soon", left <= SOON);
  }
}
