// The felt: the seats round the table, their discards, the indicator and the stock.

import { h } from "./html.js";
import { icon } from "./icons.js";
import { faceOf } from "./faces.js";
import { figure, say, tileName } from "./words.js";
import { act, acts, finish, hasResult, onTurn, rack, state, table } from "./state.js";
import { coming, leaving, lifted } from "./places.js";
import { fitting } from "./laying.js";
import { face, laidFace } from "./tiles.js";
import { markOn, seenFrom } from "./replay.js";
import { buttonOf, chooserView, emoteView, isButton, isHidden } from "./reactions.js";

/** @typedef {import("./types").LiveTable} LiveTable */
/** @typedef {import("./types").LiveSeat} LiveSeat */

const SIDES = /** @type {Record<number, string[]>} */ ({
  2: ["me", "top"],
  3: ["me", "right", "left"],
  4: ["me", "right", "top", "left"],
});
const PILES = /** @type {Record<number, string[]>} */ ({
  2: ["br", "tl"],
  3: ["br", "tr", "bl"],
  4: ["br", "tr", "tl", "bl"],
});

/** The table during a round and after it. */
export function feltView() {
  const now = /** @type {LiveTable} */ (table());
  const lays = now.game === "101";
  return h(
    "section",
    { key: "felt", id: "table", class: `felt${now.clockwise ? " clockwise" : ""}${lays ? " lays" : ""}${state.dealing ? " dealing" : ""}`, "aria-label": say("page.table") },
    now.seats.map((seat, number) => seatView(now, seat, number)),
    now.seats.map((_, number) => pileView(now, number)),
    lays && cloth(now),
    h("div", { class: "centre", key: "centre" }, indicator(now), stock(now)),
    !hasResult() && chooserView(),
  );
}

/**
 * What this round counts more than others, and the chips in the bowl.
 * @param {LiveTable} now
 */
export function stakes(now) {
  return [
    now.riziko && say("live.riziko"),
    now.factor > 1 && say("live.factor", { factor: now.factor }),
    now.chips.length > 0 && say("live.bowl", { bowl: figure(now.bowl) }),
  ].filter(Boolean).join(" · ");
}

/**
 * The distance of a seat from the viewer's, in order of play. A spectator sees it from seat 1.
 * @param {LiveTable} now
 * @param {number} number
 */
function from(now, number) {
  return (number - (rack()?.seat ?? 0) + now.seats.length) % now.seats.length;
}

/**
 * @param {LiveTable} now
 * @param {LiveSeat} seat
 * @param {number} number
 */
function seatView(now, seat, number) {
  const turn = now.turn === number && now.stage === "playing";
  const side = (SIDES[now.seats.length] ?? [])[from(now, number)];
  const deadline = turn && !seat.computer ? now.deadline : null;
  const pressed = Boolean(state.replay) || isButton(number);
  const opened = state.shown?.opened[number] ?? seat.opened;
  const label = [
    seat.name,
    seat.computer && say(seat.stand_in ? "live.stand_in" : "live.computer"),
    points(seat),
    say("live.tiles", { n: seat.tiles }),
    turn && say("live.on_turn"),
    seat.shown && say("live.shown"),
    seat.opened ? openedWith(seat) : seat.declared && say("live.declared"),
    now.chips.length > 0 && say("live.chips", { points: figure(now.chips[number]) }),
  ].filter(Boolean);
  return h(
    "div",
    { key: `seat${number}`, class: `seat ${side}${turn ? " turn" : ""}`, role: "group", "aria-label": label.join(", ") },
    h(
      pressed ? "button" : "div",
      { class: "disc", "data-anchor": `seat${number}`, ...(pressed ? (state.replay ? seenFrom(number) : buttonOf(number)) : { "aria-hidden": "true" }) },
      turn &&
        h(
          "svg",
          { class: "ring", viewBox: "0 0 40 40", "data-deadline": deadline ?? undefined, "data-seconds": now.turn_seconds },
          h("circle", { cx: 20, cy: 20, r: 18 }),
          h("circle", { class: "left", cx: 20, cy: 20, r: 18, pathLength: 100 }),
        ),
      h("span", { class: `head h${number}` }, faceOf(seat.name, seat.computer)),
      turn && deadline && h("span", { class: "seconds", "data-seconds-of": deadline }),
      pressed && !state.replay && rack()?.seat === number && h("span", { key: "react", class: "react" }, icon("smile")),
      opened && now.game === "101" && rack()?.seat !== number && h("span", { key: "holds", class: "holds" }, seat.tiles),
      isHidden(number) && h("span", { key: "hidden", class: "react" }, icon("muted")),
      emoteView(number),
      badgeView(state.badges.get(number)),
    ),
    h(
      "div",
      { class: "plate", "aria-hidden": "true" },
      h("bdi", null, seat.name),
      h("span", { class: "score" }, pointsView(state.shown?.scores[number] ?? seat.score), seat.shown && icon("shown"), seat.fines > 0 && h("span", { class: "fined" }, ` +${101 * seat.fines}`)),
      now.game === "101" && h("span", { class: "opened" }, opened ? [...openedShort(opened), h("span", { class: "rest" }, ` · ${say("live.tiles", { n: seat.tiles })}`)] : seat.declared ? say("live.declared") : "\u00a0"),
      now.chips.length > 0 && h("span", { class: "opened" }, icon("bowl"), figure(now.chips[number])),
    ),
  );
}

/**
 * What a seat has just done; where there is no room for all of it, the last of it.
 * @param {string[] | undefined} words
 */
function badgeView(words) {
  return words && h("span", { key: "badge", class: "badge" }, words.map((word, at) => h("span", { key: at }, at < words.length - 1 ? `${word} · ` : word)));
}

/**
 * The points, their unit set apart: the lowest felts have no room for it.
 * @param {number} score
 */
function pointsView(score) {
  return unitView(score, say("live.score", { n: score, points: "|" }));
}

/**
 * @param {number} n
 * @param {string} words Those about the figure, with a bar in its place.
 */
function unitView(n, words) {
  const [before, after] = words.split("|");
  return [before && h("span", { key: "before", class: "unit" }, before), figure(n), after && h("span", { key: "after", class: "unit" }, after)];
}

/**
 * Whether the clock has played a seat's last move.
 * @param {LiveTable} now
 * @param {number} seat
 */
function isByClock({ happened }, seat) {
  return happened.findLast((each) => each.seat === seat)?.kind === "overdue";
}

/** @param {LiveSeat} seat */
function openedWith(seat) {
  const [n, way] = seat.opened.split(" ");
  return say(`live.opened_${way}`, { n });
}

/** @param {string} opened */
function openedShort(opened) {
  const [n, way] = opened.split(" ");
  return unitView(Number(n), say(`live.badge_opened_${way}`, { n: "|" }));
}

/** @param {LiveSeat} seat */
function points({ score }) {
  return say("live.score", { n: score, points: figure(score) });
}

/**
 * A seat's discard pile: the next seat may take its top, and the viewer discards by dropping a tile on
 * theirs.
 * @param {LiveTable} now
 * @param {number} number
 */
function pileView(now, number) {
  const corner = (PILES[now.seats.length] ?? [])[from(now, number)];
  const code = state.masks.get(number) ?? now.seats[number].discard;
  const own = rack()?.seat === number;
  const taking = onTurn() ? acts().find(({ kind, on }) => kind === "take" && on === number) : undefined;
  const dropping = own && onTurn() && now.phase === "discard";
  const put = own && leaving()?.on === "pile" ? leaving() : null;
  const gone = coming()?.kind === "take" && coming()?.from === number;
  const top = state.tops.get(String(number));
  const hinted = taking && rack()?.hint?.kind === "take" && rack()?.hint?.tile === code;
  const name = code ? tileName(code, now.okey) : say("live.nothing");
  const last = code && now.stage === "playing" && (number + 1) % now.seats.length === now.turn;
  const classes = `pile ${corner}${last ? " last" : ""}${(taking && !coming()) || dropping ? " open" : ""}${hinted ? " hinted" : ""}${own && isByClock(now, number) ? " clocked" : ""}${markOn("take", number)}`;
  const inside = put
    ? h("span", { key: `tile${put.id}`, class: "tile lying", "data-fly": `tile${put.id}` }, face(put.code, now.okey))
    : code && !gone
    ? h("span", { key: `top${top?.n ?? 0}${code}`, class: "tile lying", "data-fly": `top${number}.${top?.n ?? 0}`, "data-from": top?.from || undefined }, face(code, now.okey))
    : h("span", { key: "none", class: "tile none" });
  const mark = own && isByClock(now, number) && icon("clock");
  const props = { key: `pile${number}`, class: classes, "data-drop": own ? "pile" : undefined, "data-anchor": taking ? "taken" : `pile${number}`, "data-spot": `pile${number}` };
  if (taking) {
    return h("button", { ...props, type: "button", "data-do": "take", "data-press": taking.press, "aria-label": say("live.take", { tile: name }) }, inside, mark);
  }
  if (dropping) {
    return h("button", { ...props, type: "button", "data-do": "discard", "aria-label": say("live.discard_here", { tile: name }) }, inside, mark);
  }
  const next = (number + 1) % now.seats.length === rack()?.seat;
  const asked = state.replay ? {} : own ? { "data-do": "discard" } : next ? refusing("take") : {};
  return h("div", { ...props, ...asked, role: "img", "aria-label": say("live.pile", { who: now.seats[number].name, tile: name }) }, inside, mark);
}

/** @param {LiveTable} now */
function indicator(now) {
  const put = leaving()?.on === "indicator" ? leaving() : null;
  const tile = put
    ? h("span", { key: `tile${put.id}`, class: "tile lying", "data-fly": `tile${put.id}` }, face(put.code, now.okey))
    : now.indicator && h("span", { key: "indicator", class: "tile lying" }, face(now.indicator, now.okey));
  const label = `${say("live.indicator", { tile: tileName(now.indicator) })}, ${say("live.okey", { tile: tileName(now.okey) })}`;
  const open = onTurn() && Boolean(finish());
  const props = { key: "indicator", class: `indicator${open ? " open" : ""}`, "data-drop": "indicator" };
  const inside = [tile, h("span", { key: "okey", class: "okey", "aria-hidden": "true" }, h("span", { class: "small tile" }, face(now.okey, now.okey)))];
  if (finish(lifted()?.code ?? "")) {
    return h("button", { ...props, type: "button", "data-do": "finish", "aria-label": `${label}. ${say("live.finish_here")}` }, inside);
  }
  return h("div", { ...props, "data-do": state.replay ? undefined : "indicator", role: "img", "aria-label": label }, inside);
}

/** @param {LiveTable} now */
function stock(now) {
  const draws = onTurn() ? act("draw") : undefined;
  const hinted = draws && rack()?.hint?.kind === "draw";
  const inside = [
    h("span", { class: "tile back", "data-anchor": "stock", "aria-hidden": "true" }),
    h("span", { class: "count", "aria-hidden": "true" }, now.stock - Number(coming()?.kind === "draw")),
  ];
  const props = { key: "stock", class: `stock${draws && !coming() ? " open" : ""}${hinted ? " hinted" : ""}${now.stock ? "" : " out"}${markOn("draw")}` };
  if (draws) {
    return h("button", { ...props, type: "button", "data-do": "draw", "aria-label": say("live.draw", { n: now.stock }) }, inside);
  }
  return h("div", { ...props, ...refusing("draw"), role: "img", "aria-label": say("live.stock", { n: now.stock }) }, inside);
}

/**
 * The properties of something that can't be used now: a touch is answered with the reason.
 * @param {string} what
 */
function refusing(what) {
  return rack() && !state.replay ? { "data-do": "refuse", "data-what": what } : {};
}

/**
 * The melds of Okey 101. Those that the lifted tile fits are highlighted.
 * @param {LiveTable} now
 */
function cloth(now) {
  const code = lifted()?.code ?? "";
  const open = onTurn() && acts().some(({ kind }) => kind === "put_down");
  const newest = newestMelds(now);
  const melds = state.shown?.melds ?? now.melds;
  return h(
    "div",
    { key: "cloth", class: `cloth${open ? " open" : ""}`, "data-drop": "cloth", "data-do": state.lifted ? "cloth" : undefined, role: "group", "aria-label": say("live.cloth"), tabindex: melds.length > 6 ? 0 : undefined },
    melds.length === 0 && h("span", { class: "empty", "aria-hidden": "true" }, say("live.cloth_empty")),
    now.seats.map((_, seat) => ownerView(now, melds, seat, newest, code)),
  );
}

/**
 * The melds that a player has laid, under their colour: runs, then the others.
 * @param {LiveTable} now
 * @param {import("./types").LiveMeld[]} melds
 * @param {number} seat
 * @param {Set<number>} newest
 * @param {string} code The lifted tile.
 */
function ownerView(now, melds, seat, newest, code) {
  const laid = melds.flatMap(({ by, kind }, number) => (by === seat ? [{ number, kind }] : []));
  const order = laid.sort((a, b) => Number(b.kind === "run") - Number(a.kind === "run"));
  if (!laid.length) return null;
  return h(
    "div",
    { key: `owner${seat}`, class: `owner o${seat}`, role: "group", "aria-label": now.seats[seat].name },
    h("span", { key: "whose", class: `head h${seat}`, "aria-hidden": "true" }, faceOf(now.seats[seat].name, now.seats[seat].computer)),
    order.map(({ number }) => {
      const meld = melds[number];
      const fits = code && fitting(code, number).length > 0;
      const names = meld.tiles.map(([tile, as]) => (tile === as ? tileName(tile) : `${tileName(tile, now.okey)} = ${tileName(as)}`)).join(", ");
      const props = { key: `meld${number}`, class: `laid${newest.has(number) ? " newest" : ""}${fits ? " lit" : ""}`, "data-drop": `meld${number}` };
      const put = leaving()?.on === `meld${number}` ? leaving() : null;
      const from = newest.has(number) ? [...state.gone] : [];
      const tiles = meld.tiles.map(([tile, as], at) => {
        const [mine] = from.splice(from.findIndex(({ code }) => code === tile) >>> 0, 1);
        return h("span", { key: mine ? `tile${mine.id}` : `${at}${tile}`, class: "tile lying", "data-fly": mine && `tile${mine.id}` }, laidFace(tile, as, now.okey));
      });
      if (put?.as) {
        const laying = h("span", { key: `tile${put.id}`, class: "tile lying", "data-fly": `tile${put.id}` }, laidFace(put.code, put.as, now.okey));
        if (isBefore(put.as, meld)) tiles.unshift(laying);
        else tiles.push(laying);
      }
      return fits
        ? h("button", { ...props, type: "button", "data-do": "lay", "data-on": number, "aria-label": say("live.lay_here", { tile: tileName(code, now.okey), meld: names }) }, tiles)
        : h("span", { ...props, role: "img", "aria-label": names }, tiles);
    }),
  );
}

/**
 * Whether a tile is laid at the beginning of a meld: below the first of a run, but for a 1 after its 13.
 * @param {string} as
 * @param {import("./types").LiveMeld} meld
 */
function isBefore(as, { kind, tiles }) {
  const [first, last] = [tiles[0][1], tiles.at(-1)?.[1]].map((face) => Number(face?.slice(1)));
  const number = Number(as.slice(1));
  return kind === "run" && number < first && !(number === 1 && last === 13);
}

/**
 * The melds that the last turn on the cloth laid or added to.
 * @param {LiveTable} now
 */
function newestMelds({ happened, melds }) {
  const found = new Set();
  const on = ["melded", "laid_off", "reclaimed"];
  const last = happened.findLast(({ kind }) => on.includes(kind));
  let laid = melds.length;
  for (const { kind, seat, count } of [...happened].reverse()) {
    if (last && seat !== last.seat && found.size) break;
    if (!on.includes(kind) || seat !== last?.seat) continue;
    found.add(kind === "melded" ? (laid -= 1) : count - 1);
  }
  return found;
}
