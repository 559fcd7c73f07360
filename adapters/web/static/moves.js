// Moves: what a tap or a drop of a tile means, on the rack, a pile, the cloth or a meld.

import { say, tileName } from "./words.js";
import { sign } from "./order.js";
import { readings } from "./melds.js";
import { act, acts, isBusy, onTurn, rack, state, table } from "./state.js";
import { dropped, isSorted, lifted, places, rows } from "./places.js";
import { fitting, hasOpened, layable, meldAt, notLaid, takenByTable, tilesOf } from "./laying.js";
import { click, feel } from "./sounds.js";
import { ask, choose, inTurn, keep, make, press } from "./requests.js";
import { advise, tell } from "./notes.js";

/** @typedef {import("./types").Act} Act */
/** @typedef {import("./types").RackTile} RackTile */
/** @typedef {import("./melds.js").Found} Found */

/** Milliseconds within which a second tap belongs to a double tap. */
const DOUBLE = 300;

/**
 * Lift a tile at the first tap, put it back at the second; a double tap discards it if the viewer likes that. Another
 * tile is lifted instead.
 * @param {number} id
 */
export function tapTile(id) {
  const at = places().findIndex((tile) => tile?.id === id);
  const tile = places()[at];
  if (!tile) return;
  state.cursor = at;
  if (state.lifted?.id !== id) {
    state.lifted = { id, at, moved: false, since: performance.now() };
    tell(say("live.lifted", { tile: tileName(tile.code, table()?.okey) }));
  } else if (state.settings.double_tap && performance.now() - state.lifted.since < DOUBLE) play(tile, "pile");
  else {
    state.lifted = null;
    tell(say("live.put_back"));
  }
}

/**
 * Move a tile or a whole meld to a place, and send the new order.
 * @param {number[]} ids
 * @param {number} at
 */
export function put(ids, at) {
  if (!rack() || !state.order) return;
  const before = state.order.places;
  state.order.places = dropped(ids, at);
  if (state.order.bay === ids[0]) state.order.bay = null;
  state.cursor = at;
  feel("tile");
  setTimeout(click); // first the tile lies where it was put
  if (state.order.places === before) return;
  state.order.unsent = true;
  state.sorted = null;
  setTimeout(keep);
}

/**
 * Sort the rack, for the rows in which it is seen. The same button again brings back the order before; the
 * second tap of a double tap does nothing.
 * @param {Act} asked
 */
export function sort(asked) {
  const own = rack();
  if (!own || !state.order || isBusy(asked.kind)) return;
  const { sorted } = state;
  if (sorted && isSorted(asked.kind)) {
    if (performance.now() - sorted.at < DOUBLE) return;
    Object.assign(state.order, { places: sorted.before, unsent: true });
    state.sorted = null;
    return keep();
  }
  state.sorted = { kind: asked.kind, before: places(), at: performance.now(), rows: 0 };
  layAgain();
}

/**
 * Lay a sorted rack for the rows in which it is seen now, as after the window was turned: other rows would cut its
 * melds. An order of the player's own stays as it is.
 */
export function layAgain() {
  const [own, { order, sorted, held }] = [rack(), state];
  const asked = sorted && act(sorted.kind);
  if (!own || !order || !asked || held || sorted.rows === rows(own) || isBusy(sorted.kind)) return;
  sorted.rows = rows(own);
  Object.assign(order, { bay: null, unsent: false });
  press(asked, "private", `${asked.press}.${sorted.rows}`);
}

/**
 * Move a tile, or a whole meld by one of its tiles, to a target of the table, once the earlier moves are answered.
 * @param {RackTile} tile
 * @param {string} target
 */
export function play(tile, target) {
  if (target === "pile" || target === "indicator") {
    state.lifted = null;
    state.leaving = { ...tile, on: target };
  }
  inTurn(() => {
    if (target === "pile") discard(tile.code);
    else if (target === "indicator") make(acts().find(({ kind, tile: code }) => kind === "finish" && code === tile.code));
    else if (target === "cloth") putOnCloth(tile.id);
    else putOnMeld(tile, Number(target.slice(4)));
  });
}

/**
 * Discard a tile; the last one of Okey 101 finishes.
 * @param {string} code
 */
function discard(code) {
  const asked = onTurn() && (act("discard", code) ?? acts().find(({ kind, tile }) => kind === "finish" && tile === code));
  if (!asked) refuse("discard");
  else if (state.settings.confirm && !asked.sure) ask(say("live.sure_discard", { tile: tileName(code, table()?.okey) }), [code], say("live.yes"), () => press(asked));
  else make(asked);
}

/**
 * Draw from the stock, or take the last discard.
 * @param {"draw" | "take"} kind
 */
export function get(kind) {
  const asked = act(kind);
  if (asked) make(asked);
  else refuse(kind);
}

/**
 * Say why something can't be done now.
 * @param {string} kind `draw`, `take` or `discard`.
 */
export function refuse(kind) {
  const own = rack();
  if (!own || table()?.stage !== "playing") return;
  const why = onTurn() ? own.refused[kind] : "not_your_turn";
  if (why) advise(say(`refused.${why}`));
}

/**
 * Lay a tile on a meld, where it lies at once; an okey where it fits in several ways, as the tile that they say.
 * @param {string} code
 * @param {number} on
 */
export function layOff(code, on) {
  const tile = lifted()?.code === code ? lifted() : places().find((each) => each?.code === code);
  const lay = (/** @type {Act} */ each) => {
    if (tile && each.kind === "lay") state.leaving = { ...tile, on: `meld${on}`, as: each.tile };
    make(each);
  };
  choose(say("live.stands_for"), fitting(code, on).map((each) => ({ text: "", tiles: [each.tile], does: () => lay(each) })));
}

/** Lay off every tile that the table takes now. Of several only the last can be taken back for nothing: ask. */
export function layAllOff() {
  const found = takenByTable();
  const does = () => found.forEach(({ tile, on }) => inTurn(() => layOff(tile, on)));
  if (found.length > 1) ask(say("live.lay_off_sure"), found.map(({ tile }) => tile), say("live.do_it"), does);
  else does();
}

/**
 * Lay a tile that was dropped on a meld. One in a meld that can be laid itself may stand for all of it: ask. One that does
 * not fit was meant for the cloth.
 * @param {RackTile} tile
 * @param {number} on
 */
function putOnMeld({ id, code }, on) {
  if (fitting(code, on).length === 0) return putOnCloth(id);
  const meld = meldAt(id);
  if (!meld || !layable().some(({ start }) => start === meld.start)) return layOff(code, on);
  choose(say("live.which", { tile: tileName(code) }), [
    { text: "", tiles: meld.faces, does: () => putDown([meld]) },
    { text: "", tiles: [code], does: () => layOff(code, on) },
  ]);
}

/**
 * Okey 101: lay a tile that was put on the cloth: its meld, or before opening all melds; alone if it is in none
 * and fits one meld there. What can't be laid is answered in words.
 * @param {number} id
 */
function putOnCloth(id) {
  const tile = places().find((each) => each?.id === id);
  const now = table();
  if (!tile || !now) return;
  const meld = meldAt(id);
  const fits = now.melds.flatMap((_, number) => (fitting(tile.code, number).length ? [number] : []));
  if (!onTurn() || !act("put_down")) advise(say("live.lay_on_turn"));
  else if (meld && layable().length) putDown(hasOpened() ? layable().filter(({ start }) => start === meld.start) : layable());
  else if (meld) advise(notLaid());
  else if (fits.length === 1) layOff(tile.code, fits[0]);
  else advise(say(fits.length ? "live.lit" : "live.loose", { tile: tileName(tile.code, now.okey) }));
}

/**
 * Okey 101: lay melds of the rack.
 * @param {Found[]} wanted
 */
export function putDown(wanted) {
  const asked = act("put_down");
  if (asked && wanted.length) putAs(asked, wanted.map((meld) => tilesOf(meld).map((tile) => tile?.code ?? "")), []);
}

/**
 * Put melds down, one after the other read as they say where its okeys may stand for several tiles.
 * @param {Act} asked
 * @param {string[][]} melds
 * @param {string[]} words
 */
function putAs(asked, [codes, ...others], words) {
  if (!codes) return press(asked, "private", `${asked.press}.${words.join("-")}`);
  const { okey } = /** @type {import("./types").LiveTable} */ (table());
  const word = (/** @type {string[]} */ faces) => codes.map((code, at) => (code === okey ? `*${sign(faces[at])}` : sign(code))).join("");
  const ways = readings(codes, okey, Boolean(rack()?.wrap));
  choose(say("live.stands_for"), ways.map(({ faces }) => ({ text: "", tiles: faces, does: () => putAs(asked, others, [...words, word(faces)]) })));
}
