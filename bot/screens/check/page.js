// The page that checks a record's deals and says in words what was checked.

import { check } from "./check.js";

const words = JSON.parse(document.body.dataset.words ?? "{}");
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** A sentence of the catalogue, its values filled in. */
function say(key, values = {}) {
  return words[key].replaceAll("*", "").replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

function make(tag, text = "", name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

function show(...parts) {
  main.replaceChildren(...parts);
}

/** The record of this file, or of the address. Null: the address is too old. */
async function loaded() {
  const here = document.getElementById("record");
  if (here) return JSON.parse(here.textContent ?? "");
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
  const answer = await fetch("/fair/record", { headers, cache: "no-store" });
  return answer.ok ? answer.json() : null;
}

function digits(text) {
  const told = make("dd", "", "digits");
  told.append(make("b", text.slice(0, 16)), text.slice(16));
  return told;
}

function told(record, done, number) {
  const { context, signature } = done;
  const list = make("dl");
  const names = make("ul");
  for (const seat of context.seats) {
    const line = make("li");
    const gone = !("salt" in seat);
    line.append(make("bdi", gone ? say("check.gone") : `${seat.name}: ${seat.word || say("fair.none")}`));
    names.append(line);
  }
  const seats = make("dd");
  seats.append(names);
  list.append(make("dt", say("check.seal")), digits(context.seal));
  list.append(make("dt", say("check.fingerprint")), digits(context.digest));
  list.append(make("dt", say("check.words")), seats);
  const dealer = done.order.map((seat) => context.seats[seat].name ?? "?")[done.dealer];
  list.append(make("dt", say("check.dealer")), make("dd", dealer));
  if (context.beacon) {
    const values = { number: context.beacon.round, chain: context.beacon.chain, signature };
    const line = say(signature ? "check.drawn" : "check.silent", values);
    list.append(make("dt", say("check.beacon")), make("dd", line, "digits"));
  }
  const section = make("section");
  section.append(make("h2", say("check.round", { round: number })), list);
  return section;
}

/** The field for digits that somebody saw in the chat, and what it answers. */
function comparing(rounds) {
  const label = make("label", say("check.digits"));
  const field = /** @type {HTMLInputElement} */ (make("input"));
  const answer = make("output");
  field.type = "text";
  field.autocomplete = "off";
  field.spellcheck = false;
  field.addEventListener("input", () => {
    const typed = field.value.toLowerCase().replace(/[^0-9a-f]/g, "");
    const found = rounds.findIndex(({ context }) => [context.seal, context.digest].some((all) => all.startsWith(typed)));
    if (typed.length < 8) answer.textContent = typed ? say("check.short") : "";
    else answer.textContent = found < 0 ? say("check.unseen") : say("check.seen", { round: found + 1 });
  });
  label.append(field);
  const form = make("div", "", "compare");
  form.append(make("p", say("check.compare")), label, answer);
  return form;
}

function list(title, keys) {
  const section = make("section");
  const all = make("ul");
  all.append(...keys.map((key) => make("li", say(key, { command: "/okey record" }))));
  section.append(make("h2", say(title)), all);
  return section;
}

async function run() {
  show(make("p", say("check.checking")));
  if (!globalThis.crypto?.subtle) return show(make("p", say("check.unable"), "verdict wrong"));
  const record = await loaded();
  if (record === null) return show(make("p", say("check.old"), "verdict wrong"));
  try {
    const rounds = await check(record);
    const beacon = rounds.some((each) => each.signature);
    const limits = [beacon ? "fair.limits_beacon" : "fair.limits", ...(beacon ? ["check.signature"] : []), "check.trust"];
    show(
      make("p", say("check.right"), "verdict right"),
      comparing(rounds),
      ...rounds.map((each, at) => told(record, each, at + 1)),
      list("check.done", ["check.done_seal", "check.done_bound", "check.done_deal", "check.done_chain"]),
      list("check.limits", limits),
    );
  } catch (error) {
    const why = words[`refused.${error.code}`] ? say(`refused.${error.code}`) : String(error);
    show(make("p", say("check.wrong", { round: error.round }), "verdict wrong"), make("p", why), list("check.limits", ["check.trust"]));
  }
}

void run();
