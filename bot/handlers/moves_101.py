"""Moves of Okey 101: opening, laying, laying off, discarding, and building melds on the rack (RULES 5)."""

from collections.abc import Callable
from typing import Final, TypeVar

from bot.errors import Refused
from bot.handlers.context import RequestContext, this_turn
from bot.handlers.moves import admit_player, in_brief, move_button, okey_of, read_tile
from bot.handlers.presence import mark_presser
from bot.handlers.table_buttons import look_button, table_button
from bot.handlers.who import SEAT
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.player import Mode
from bot.screens.table import tell_call
from bot.tables import drafts, play
from bot.tables.facts import table_facts
from bot.tables.table import Change, RackDraft, Table
from engine.arrange import best_opening, most_pairs
from engine.errors import EngineError
from engine.games import game_of
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.melds import Placed
from engine.moves import (
    Call,
    Declare,
    LayMeld,
    LayOff,
    Move,
    Open,
    OpenPairs,
    Reclaim,
    Return,
    TakeBack,
)
from engine.record import read_placed
from engine.round import legal_moves
from engine.tiles import Tile
from engine.view import seat_view

M = TypeVar("M", bound=Move)

ChangeDraft = Callable[[RequestContext, StoredTable, RackDraft], RackDraft]

_DRAFT: Final = Mode("draft")

look_button("draft", _DRAFT)
look_button("ask_stand", Mode("stand"))
look_button("ask_lay", Mode("lay"))
look_button("ask_lay_okey", Mode("lay_okey"))
look_button("piles", Mode("piles"))


def _legal(table: Table, seat: int, kind: type[M]) -> list[M]:
    """Return the moves of a kind that a seat may make now; where they are many, the best of them. Raises
    Refused `no_round`."""
    if table.match.round is None:
        raise Refused("no_round")
    moves = legal_moves(table.match.rules, table.match.round, seat)
    return [move for move in moves if isinstance(move, kind)]


def _openings(context: RequestContext, stored: StoredTable) -> list[Open | OpenPairs]:
    """Return the presser's best opening of each kind: first that with sets and runs."""
    seat = context.seat(stored)
    return [*_legal(stored.value, seat, Open), *_legal(stored.value, seat, OpenPairs)]


@move_button("open_melds")
@move_button("open_pairs")
@move_button("open_here", this_turn, tells=in_brief)
def _open(context: RequestContext, stored: StoredTable) -> Move:
    """Return the best opening of a kind; for people who get alerts only, with sets and runs if possible.
    Raises Refused `no_opening`."""
    kinds = {"open_melds": Open, "open_pairs": OpenPairs}.get(context.verb, (Open, OpenPairs))
    for move in _openings(context, stored):
        if isinstance(move, kinds):
            return move
    raise Refused("no_opening")


@move_button("open_draft", refused=_DRAFT)
def _open_draft(context: RequestContext, stored: StoredTable) -> Move:
    """Open with the draft."""
    draft = tuple(group for group in stored.value.seats[context.seat(stored)].draft if group)
    if not draft:
        raise Refused("empty_draft")
    return _opening(draft)


@move_button("put_down")
def _put_down(context: RequestContext, stored: StoredTable) -> Move:
    """Lay the melds that stand together on the rack: an opening, or one further meld."""
    try:
        melds = drafts.read_melds(context.argument())
    except ValueError:
        raise Refused("unknown_button") from None
    seat = context.seat(stored)
    if stored.value.match.round is not None and stored.value.match.round.board.opened[seat] is not None:
        return LayMeld(melds[0])
    return _opening(melds)


def _opening(melds: tuple[tuple[Placed, ...], ...]) -> Open | OpenPairs:
    """To open with these melds: with pairs when all are pairs."""
    return OpenPairs(melds) if all(len(meld) == 2 for meld in melds) else Open(melds)


@move_button("meld")
def _meld(context: RequestContext, stored: StoredTable) -> Move:
    """Return the meld that the button names, tile by tile."""
    try:
        return LayMeld(tuple(read_placed(word) for word in context.argument().split("-")))
    except EngineError:
        raise Refused("unknown_button") from None


@move_button("lay", after=Mode("lay"))
def _lay(context: RequestContext, stored: StoredTable) -> Move:
    return LayOff(Placed(read_tile(context)), context.number(1))


@move_button("lay_wild")
def _lay_wild(context: RequestContext, stored: StoredTable) -> Move:
    return LayOff(Placed(read_tile(context), wild=True), context.number(1))


@move_button("reclaim")
def _reclaim(context: RequestContext, stored: StoredTable) -> Move:
    return Reclaim(read_tile(context), context.number(1))


@move_button("take_back")
def _take_back(context: RequestContext, stored: StoredTable) -> Move:
    return TakeBack(context.number())


@move_button("give_back")
def _give_back(context: RequestContext, stored: StoredTable) -> Move:
    return Return()


@move_button("declare")
@move_button("declare_here", this_turn, tells=in_brief)
def _declare(context: RequestContext, stored: StoredTable) -> Move:
    return Declare()


async def _tell_call(context: RequestContext, stored: StoredTable) -> Answer:
    """Return what came of a call. On turn one's rack tells only the turn."""
    facts = table_facts(stored.value, stored.deadline, None)
    seat = stored.value.seat_of(context.by.key)
    return Answer(notice=() if seat is None else tell_call(facts, seat, context.words))


@move_button("call", this_turn, tells=_tell_call)
def _call(context: RequestContext, stored: StoredTable) -> Move:
    return Call()


@table_button("lay_here", who=SEAT, tells=in_brief)
def _lay_here(context: RequestContext, stored: StoredTable) -> Change:
    """Lay every further meld and every tile that fits, except okeys, for people who get alerts only."""
    (table, seat), dealing = admit_player(context, stored, this_turn), context.services.dealing
    change = None
    while (move := _layable(table, seat)) is not None:
        step = play.move(table, seat, move, dealing.delays, dealing.entropy)
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


def _draft_button(verb: str) -> Callable[[ChangeDraft], ChangeDraft]:
    """Declare the function as this button's change to the presser's draft. It works in other players' turns
    too."""

    def declare(change: ChangeDraft) -> ChangeDraft:
        @table_button(verb, who=SEAT, after=_DRAFT, refused=_DRAFT)
        def act(context: RequestContext, stored: StoredTable) -> Change:
            seat = context.seat(stored)
            if stored.value.match.round is None or not game_of(stored.value.match.rules).lays_melds:
                raise Refused("no_round")
            draft = change(context, stored, stored.value.seats[seat].draft)
            return Change(mark_presser(context, stored).with_seat(seat, draft=draft))

        return change

    return declare


@_draft_button("add")
def _add(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return _put(context, stored, draft, Placed(read_tile(context)))


@_draft_button("stand")
def _stand(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    tile = read_tile(context)
    if tile is Tile.F:
        raise Refused("unknown_button")
    return _put(context, stored, draft, Placed(tile, wild=True))


def _put(context: RequestContext, stored: StoredTable, draft: RackDraft, placed: Placed) -> RackDraft:
    """Raises Refused `not_on_rack` when no such tile is left beside the draft."""
    okey = okey_of(stored)
    rack = seat_view(stored.value.match, context.seat(stored)).rack
    if drafts.tile_of(placed, okey) not in drafts.subtract(rack, draft, okey):
        raise Refused("not_on_rack")
    return drafts.add(draft, placed, stored.value.match.rules.meld_rules(okey))


@_draft_button("new_group")
def _new_group(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return drafts.with_new_group(draft)


@_draft_button("undo")
def _undo(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return drafts.undone(draft)


@_draft_button("drop")
def _drop(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    return drafts.without_group(draft, context.number())


@_draft_button("best_draft")
def _best_draft(context: RequestContext, stored: StoredTable, draft: RackDraft) -> RackDraft:
    """Return the best arrangement as a draft to edit: an opening if they have one, else of the kind that is
    nearer to one."""
    for opening in _openings(context, stored):
        return opening.melds if isinstance(opening, Open) else opening.pairs
    view, rules = seat_view(stored.value.match, context.seat(stored)), stored.value.match.rules
    board, meld_rules = view.public.board, rules.meld_rules(view.public.okey)
    points, melds = best_opening(meld_rules, view.rack)
    pairs = most_pairs(meld_rules, view.rack)
    nearer = len(pairs) * points_needed(rules, board) > points * pairs_needed(rules, board)
    way = board.opened[view.seat] or ("pairs" if nearer else "melds")
    return drafts.of_melds(pairs if way == "pairs" else melds, meld_rules.okey)
