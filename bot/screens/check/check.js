// Checks the deals of a record, as docs/verify.md describes it, with nothing but WebCrypto.

const FACES = [..."RYBK"].flatMap((colour) => Array.from({ length: 13 }, (_, n) => `${colour}${n + 1}`)).concat("F");
const FULL_SET = FACES.flatMap((face) => [face, face]);
const NUMBERED = FULL_SET.slice(0, 104);
const NOTHING = new Uint8Array();

/** Why a record is refused: a code of docs/errors.md, and the round from 1. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
    this.round = 0;
  }
}

function demand(right, code) {
  if (!right) throw new Refused(code);
}

// Bytes

const utf8 = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const same = (one, other) => hex(one) === hex(other);

function unhex(text) {
  demand(typeof text === "string" && /^([0-9a-f]{2})*$/i.test(text), "bad_context");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The values one after the other, each with its length before it. */
function fields(...values) {
  const data = values.map((value) => (value instanceof Uint8Array ? value : utf8.encode(String(value))));
  const all = new Uint8Array(data.reduce((length, each) => length + 4 + each.length, 0));
  let at = 0;
  for (const each of data) {
    new DataView(all.buffer).setUint32(at, each.length);
    all.set(each, at + 4);
    at += 4 + each.length;
  }
  return all;
}

function unpacked(data) {
  const found = [];
  for (let at = 0; at < data.length; ) {
    demand(at + 4 <= data.length, "bad_seed");
    const end = at + 4 + new DataView(data.buffer, data.byteOffset + at).getUint32(0);
    demand(end <= data.length, "bad_seed");
    found.push(data.slice(at + 4, end));
    at = end;
  }
  return found;
}

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const digest = (...values) => sha256(fields(...values));

// Numbers

/** The numbers that a secret draws for one purpose. */
class Numbers {
  constructor(key, purpose, context, randomness) {
    this.key = key;
    this.message = (block) => fields("okey-shuffle/3", purpose, block, context, randomness);
    this.block = 0;
    this.bytes = [];
  }

  async below(bound) {
    const mask = 2 ** Math.ceil(Math.log2(bound)) - 1;
    for (let number = bound; mask; number = bound) {
      if (!this.bytes.length) {
        this.bytes = [...new Uint8Array(await crypto.subtle.sign("HMAC", this.key, this.message(this.block++)))];
      }
      number = /** @type {number} */ (this.bytes.shift()) & mask;
      if (number < bound) return number;
    }
    return 0;
  }

  async shuffled(items) {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = await this.below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}

// The deal

/** The first dealer, and the seats from then on by their numbers before. */
async function firstDealer(rules, numbers) {
  const seats = Array.from({ length: rules.players }, (_, seat) => seat);
  if (rules.first_dealer === "random") return [await numbers.below(rules.players), seats];
  const [starter, order] = await (rules.first_dealer === "highest_die" ? byDie : byTile)(rules, seats, numbers);
  return [rules.starter === "dealer" ? starter : (starter + rules.players - 1) % rules.players, order];
}

async function byDie(rules, seats, numbers) {
  let tied = seats;
  while (tied.length > 1) {
    const thrown = new Map();
    for (const seat of tied) thrown.set(seat, await numbers.below(6));
    const highest = Math.max(...thrown.values());
    tied = tied.filter((seat) => thrown.get(seat) === highest);
  }
  return [tied[0], seats];
}

async function byTile(rules, seats, numbers) {
  const drawn = seats.map(() => /** @type {number[]} */ ([]));
  const alike = (seat) => drawn.filter((each) => String(each) === String(drawn[seat])).length > 1;
  for (let tied = seats; tied.length; tied = seats.filter(alike)) {
    const tiles = await numbers.shuffled(NUMBERED);
    tied.forEach((seat, place) => drawn[seat].push(Number(tiles[place].slice(1))));
  }
  const higher = (one, other) => drawn[other].map((number, i) => number - drawn[one][i]).find(Boolean) ?? 0;
  const order = [...seats].sort(higher);
  return rules.teams ? [order[0], seats] : [0, order];
}

async function deal(rules, dealer, seats, numbers) {
  const big = rules.game === "101";
  const mayLie = (tile) => tile !== "F" || rules.false_joker_indicator === "false_jokers_wild";
  const first = (seats.indexOf(dealer) + Number(rules.starter === "after_dealer")) % seats.length;
  const order = [...seats.slice(first), ...seats.slice(0, first)];
  const wanted = (seat) => (big ? 21 : 14) + Number(seat === order[0]);
  const tiles = await numbers.shuffled(FULL_SET);
  const racks = new Map(order.map((seat) => [seat, /** @type {string[]} */ ([])]));
  if (rules.deal === "quick") {
    for (const seat of order) racks.set(seat, tiles.splice(0, wanted(seat)));
    const at = tiles.findIndex(mayLie);
    const [indicator] = tiles.splice(at, 1);
    return { indicator, racks, stock: tiles, riziko: rules.riziko && at > 0 };
  }
  const size = big ? 7 : 5;
  const spare = tiles.pop();
  const stacks = Array.from({ length: 105 / size }, (_, i) => tiles.slice(i * size, (i + 1) * size));
  const die = await numbers.below(6);
  const chosen = [...stacks[die], spare];
  const line = [...stacks.slice(die + 1), ...stacks.slice(0, die)];
  let place;
  let riziko = false;
  do {
    const thrown = await numbers.below(6);
    place = rules.die_counts_from === "bottom" ? thrown : chosen.length - 1 - thrown;
    riziko ||= rules.riziko && !mayLie(chosen[place]);
  } while (!mayLie(chosen[place]) && rules.false_joker_indicator !== "next_tile");
  let stack = chosen;
  for (let next = 0; !mayLie(stack[place]); ) {
    place -= 1;
    if (place >= 0) continue;
    stack = line[next++];
    place = stack.length - 1;
  }
  const [indicator] = stack.splice(place, 1);
  const taken = big ? 3 * order.length : 2 * order.length + 1;
  line.splice(0, taken).forEach((stack, turn) => racks.get(order[turn % order.length])?.push(...stack));
  const rest = line.flatMap((stack) => stack.reverse());
  for (const seat of order) racks.get(seat)?.push(...rest.splice(0, wanted(seat) - (racks.get(seat)?.length ?? 0)));
  return { indicator, racks, stock: [...rest, ...chosen.reverse()], riziko };
}

// The checks

/** Check what a deal was bound to, and return its digest. */
async function contextOf(record, number, round, secret, before) {
  const { context } = round;
  const { rules, seats, beacon } = context;
  demand(sorted(rules) === sorted(record.rules), "wrong_rules");
  demand(seats.length === rules.players && record.seats.length === rules.players, "wrong_seats");
  const salts = context.salts.map(unhex);
  demand(salts.length === 4, "bad_context");
  const seal = await digest("okey-commitment/2", secret, context.table, number, ...salts);
  demand(hex(seal) === context.seal && hex(seal) === round.commitment, "wrong_commitment");
  demand(context.round === number && (!before || context.table === before.table), "wrong_context");
  demand(context.previous === (before ? before.deal : ""), "wrong_previous");
  demand(context.dealer === (before ? round.dealer : null), "wrong_dealer");
  for (const [seat, told] of seats.entries()) await checkSeat(told, salts[seat]);
  const found = await digest(
    "okey-context/1", seal, context.table, number, sorted(rules), context.dealer ?? "", context.playing.join(" "),
    beacon ? beacon.chain : "", beacon ? beacon.round : "", unhex(context.previous),
    ...seats.map((told) => unhex(told.mark)),
  );
  demand(hex(found) === context.digest, "wrong_context");
  return found;
}

async function checkSeat(told, salt) {
  if (!("salt" in told)) return;
  const own = unhex(told.salt);
  demand(same(await sha256(own), salt), "wrong_word");
  demand(hex(await digest("okey-seat/1", own, told.name, told.word)) === told.mark, "wrong_word");
}

const sorted = (rules) => JSON.stringify(Object.fromEntries(Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1))));

async function checkDealer(round, seats, before, rules, numbers) {
  const everybody = Array.from({ length: rules.players }, (_, seat) => seat);
  if (before) {
    const next = seats.find((seat) => seat > before.dealer) ?? seats[0];
    demand(round.dealer === before.dealer || round.dealer === next, "wrong_dealer");
    return everybody;
  }
  demand(String(seats) === String(everybody), "wrong_seats");
  const [dealer, order] = await firstDealer(rules, numbers("seats"));
  demand(dealer === round.dealer, "wrong_dealer");
  return order;
}

async function checkRound(record, number, round, before) {
  demand(typeof round.seed === "string", "no_seed");
  demand(round.commitment, "no_commitment");
  demand(round.context, "no_context");
  const [version, secret, bound, signature, ...more] = unpacked(unhex(round.seed));
  demand(new TextDecoder().decode(version) === "okey-seed/3" && secret.length === 64 && !more.length, "bad_seed");
  const { context } = round;
  const found = await contextOf(record, number, round, secret, before);
  demand(same(bound, found) && (context.beacon || !signature.length), "wrong_context");
  const randomness = signature.length ? await sha256(signature) : NOTHING;
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
  const numbers = (purpose) => new Numbers(key, purpose, found, randomness);
  const seats = context.playing;
  const order = await checkDealer(round, seats, before, context.rules, numbers);
  if (round.deal) {
    const told = round.deal;
    demand(String(seats) === String(order.map((_, seat) => seat).filter((seat) => told.racks[seat].length)), "wrong_seats");
    const made = await deal(context.rules, round.dealer, seats, numbers("deal"));
    demand(told.indicator === made.indicator && String(told.stock) === String(made.stock), "deal_mismatch");
    demand(Boolean(told.riziko) === Boolean(made.riziko), "deal_mismatch");
    for (const seat of seats) {
      demand(String([...told.racks[seat]].sort()) === String(made.racks.get(seat)?.sort()), "deal_mismatch");
    }
  }
  const done = hex(await digest("okey-deal/1", found, randomness));
  return { table: context.table, dealer: round.dealer, deal: done, order, signature: hex(signature), context };
}

/** Check all deals of a record, and return what each was bound to. Throws Refused. */
export async function check(record) {
  const done = [];
  for (const [at, round] of (record?.rounds ?? []).entries()) {
    try {
      done.push(await checkRound(record, at + 1, round, done.at(-1)));
      if (at === record.rounds.length - 1) checkNames(record, done[at]);
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused("bad_context");
      refused.round = at + 1;
      throw refused;
    }
  }
  demand(done.length, "no_context");
  return done;
}

function checkNames(record, last) {
  const names = last.order.map((seat) => last.context.seats[seat].name ?? "?");
  demand(names.length === record.seats.length && names.every((name, seat) => name === record.seats[seat]), "wrong_names");
}
