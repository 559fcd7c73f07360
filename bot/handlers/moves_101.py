"""What the buttons of Okey 101 do to a table: opening, laying, laying off, discarding (RULES 5)."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from bot.errors import Refused
from bot.handlers.moves import Act, Asked, moving, named_tile, okey_of, there
from bot.handlers.request import RequestContext, this_turn
from bot.repository.tables import StoredTable
from bot.screens.player import PLAY, Mode
from bot.tables import drafts, play, racks
from bot.tables.table import Change, RackDraft, Table
from engine.arrange import best_opening, most_pairs
from engine.errors import EngineError
from engine.games import game_of
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.games.okey101.turn import fine_for_discard
from engine.melds import Placed
from engine.moves import Discard, Finish, LayMeld, LayOff, Move, Open, OpenPairs, Reclaim, Return, TakeBack
from engine.record import placed_from
from engine.round import legal_moves
from engine.tiles import Tile
from engine.view import public_view, seat_view

M = TypeVar("M", bound=Move)


def _legal(table: Table, seat: int, kind: type[M]) -> list[M]:
    """The moves of a kind that a seat may make now, the best of them where they are many."""
    if table.match.round is None:
        raise Refused("no_round")
    moves = legal_moves(table.match.rules, table.match.round, seat)
    return [move for move in moves if isinstance(move, kind)]


def _best(kind: type[M]) -> Callable[[RequestContext, StoredTable], M]:
    """The best move of a kind. Raises Refused `no_opening`."""

    def make(context: RequestContext, stored: StoredTable) -> M:
        offered = _legal(stored.value, context.seat(stored), kind)
        if not offered:
            raise Refused("no_opening")
        return offered[0]

    return make


def _open_here(context: RequestContext, stored: StoredTable) -> Move:
    """The best opening, for whom only alerts reach: with sets and runs if that can be."""
    seat = context.seat(stored)
    offered: list[Move] = [*_legal(stored.value, seat, Open), *_legal(stored.value, seat, OpenPairs)]
    if not offered:
        raise Refused("no_opening")
    return offered[0]


def _open_draft(context: RequestContext, stored: StoredTable) -> Move:
    """Open with what he has built: pairs when it is all pairs."""
    draft = tuple(group for group in stored.value.seats[context.seat(stored)].draft if group)
    if not draft:
        raise Refused("empty_draft")
    return OpenPairs(draft) if all(len(group) == 2 for group in draft) else Open(draft)


def _meld(context: RequestContext, stored: StoredTable) -> Move:
    """The meld that the button names, tile by tile."""
    try:
        return LayMeld(tuple(placed_from(word) for word in context.argument().split("-")))
    except EngineError:
        raise Refused("unknown_button") from None


def _lay(context: RequestContext, stored: StoredTable) -> Move:
    return LayOff(Placed(named_tile(context)), context.number(1))


def _lay_wild(context: RequestContext, stored: StoredTable) -> Move:
    return LayOff(Placed(named_tile(context), wild=True), context.number(1))


def _reclaim(context: RequestContext, stored: StoredTable) -> Move:
    return Reclaim(named_tile(context), context.number(1))


def _take_back(context: RequestContext, stored: StoredTable) -> Move:
    return TakeBack(context.number())


def _give_back(context: RequestContext, stored: StoredTable) -> Move:
    return Return()


def _let_go(context: RequestContext, stored: StoredTable) -> Move:
    """A discard. Raises Asked when it is fined or an okey, once, and not at a strict table."""
    tile = named_tile(context)
    if not stored.value.match.rules.strict and (tile is okey_of(stored) or _fined(stored.value, tile)):
        raise Asked(tile)
    return Discard(tile)


def _let_go_anyway(context: RequestContext, stored: StoredTable) -> Move:
    return Discard(named_tile(context))


def _spot(context: RequestContext, stored: StoredTable) -> Move:
    """The tile at a numbered place of his own rack, counted from 1; the last one finishes.

    Raises Refused `okey_asks`, and `playable_asks` while another discard would not be fined.
    """
    table, seat = stored.value, context.seat(stored)
    tiles = racks.flat(table.seats[seat].shelves)
    if not 1 <= context.number() <= len(tiles):
        raise Refused("no_such_place", n=len(tiles))
    if len(tiles) == 1:
        return Finish(tiles[0])
    tile = tiles[context.number() - 1]
    if table.match.rules.strict:
        return Discard(tile)
    if tile is okey_of(stored):
        raise Refused("okey_asks")
    harmless = (each for each in tiles if each is not okey_of(stored) and not _fined(table, each))
    if _fined(table, tile) and any(harmless):
        raise Refused("playable_asks")
    return Discard(tile)


def _fined(table: Table, tile: Tile) -> bool:
    view = public_view(table.match)
    return fine_for_discard(table.match.rules, view.board, view.okey, tile) is not None


def _lay_here(context: RequestContext, stored: StoredTable) -> Change:
    """Lay every further meld and every tile that fits, okeys kept: for whom only alerts reach."""
    seat = context.seat(stored)
    this_turn(context, stored)
    table = there(context, stored)
    if table.seats[seat].computer is not None:
        raise Refused("stand_in_plays")
    change = None
    while (move := _layable(table, seat)) is not None:
        step = play.move(table, seat, move, context.delays, context.entropy)
        entries = step.entries if change is None else change.entries + step.entries
        change = Change(step.table, entries, step.due)
        table = step.table
    if change is None:
        raise Refused("nothing_to_lay")
    return change


def _layable(table: Table, seat: int) -> Move | None:
    plain = (move for move in _legal(table, seat, LayOff) if not move.tile.wild)
    offered: list[Move] = [*_legal(table, seat, LayMeld), *plain]
    return offered[0] if offered else None


ACTS_101: Final[Mapping[str, Act]] = {
    "open_melds": moving(_best(Open)),
    "open_pairs": moving(_best(OpenPairs)),
    "open_draft": moving(_open_draft),
    "meld": moving(_meld),
    "lay": moving(_lay),
    "lay_wild": moving(_lay_wild),
    "reclaim": moving(_reclaim),
    "take_back": moving(_take_back),
    "give_back": moving(_give_back),
    "let_go": moving(_let_go),
    "let_go_anyway": moving(_let_go_anyway),
    "spot": moving(_spot, this_turn),
    "open_here": moving(_open_here, this_turn),
    "lay_here": _lay_here,
}


_DRAFT: Final = Mode("draft")

LOOKS_101: Final[Mapping[str, Mode]] = {
    "draft": _DRAFT,
    "ask_stand": Mode("stand"),
    "ask_lay": Mode("lay"),
    "ask_lay_okey": Mode("lay_okey"),
}
"""Buttons that only turn the cockpit to something else."""


def _drafting(change: Callable[[RequestContext, StoredTable, RackDraft], RackDraft]) -> Act:
    """A button that changes the person's draft; whose turn it is does not matter."""

    def act(context: RequestContext, stored: StoredTable) -> Change:
        seat = context.seat(stored)
        if stored.value.match.round is None or not game_of(stored.value.match.rules).lays_melds:
            raise Refused("no_round")
        draft = change(context, stored, stored.value.seats[seat].draft)
        return Change(there(context, stored).with_seat(seat, draft=draft).seat_touched(seat))

    return act


def _add(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return _put(context, stored, draft, Placed(named_tile(context)))


def _stand(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    tile = named_tile(context)
    if tile is Tile.F:
        raise Refused("unknown_button")
    return _put(context, stored, draft, Placed(tile, wild=True))


def _put(context: RequestContext, stored: StoredTable, draft: RackDraft, placed: Placed) -> RackDraft:
    """Raises Refused `not_on_rack` when no such tile is left beside the draft."""
    okey = okey_of(stored)
    rack = seat_view(stored.value.match, context.seat(stored)).rack
    if drafts.tile_of(placed, okey) not in drafts.left(rack, draft, okey):
        raise Refused("not_on_rack")
    return drafts.added(draft, placed, stored.value.match.rules.meld_rules(okey))


def _new_group(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return drafts.with_new_group(draft)


def _undo(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return drafts.undone(draft)


def _drop(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return drafts.without_group(draft, context.number())


def _best_acts_draft(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    """The best arrangement, to change from there: an opening if he has one, else of the kind that is
    nearer to one."""
    for move in _legal_acts_draft(context, stored):
        if isinstance(move, Open):
            return move.melds
        if isinstance(move, OpenPairs):
            return move.pairs
    view, rules = seat_view(stored.value.match, context.seat(stored)), stored.value.match.rules
    board, meld_rules = view.public.board, rules.meld_rules(view.public.okey)
    points, melds = best_opening(meld_rules, view.rack)
    pairs = most_pairs(meld_rules, view.rack)
    nearer = len(pairs) * points_needed(rules, board) > points * pairs_needed(rules, board)
    way = board.opened[view.seat] or ("pairs" if nearer else "melds")
    return drafts.of_melds(pairs if way == "pairs" else melds, meld_rules.okey)


def _legal_acts_draft(context: RequestContext, stored: StoredTable) -> tuple[Move, ...]:
    round = stored.value.match.round
    assert round is not None
    return legal_moves(stored.value.match.rules, round, context.seat(stored))


ACTS_DRAFT: Final[Mapping[str, Act]] = {
    "add": _drafting(_add),
    "stand": _drafting(_stand),
    "new_group": _drafting(_new_group),
    "undo": _drafting(_undo),
    "drop": _drafting(_drop),
    "best_draft": _drafting(_best_acts_draft),
}


def mode_after(verb: str, *, refused: bool = False) -> Mode:
    """What the presser's cockpit is about after this button: he goes on with what he was doing."""
    if verb in ACTS_DRAFT or (refused and verb == "open_draft"):
        return _DRAFT
    return Mode("lay") if verb == "lay" and not refused else PLAY
