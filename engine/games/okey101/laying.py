"""Laying in Okey 101: opening, further melds, laying off, taking back, reclaiming an okey (RULES 5, 9)."""

from dataclasses import replace
from typing import Final

from engine.errors import NotAllowed
from engine.events import Cancelled, Event, LaidOff, MeldLaid, Opened, Reclaimed, TookBack
from engine.games.game import Stepped
from engine.games.okey101.turn import add_fine, like_taken, must_use, off_rack, rack_less, way_opened
from engine.melds import (
    Board,
    Laid,
    Meld,
    Placed,
    Played,
    Way,
    fitting,
    meld_of,
    points_of,
    read_as_played,
    tiles_in,
)
from engine.rules import Rules
from engine.state import Ending, Round, at_seat, over, without
from engine.tiles import Tile

FEW: Final = 2
"""The tiles that a pairs opener may lay off in a turn where `pairs_lay_off` says so."""


def points_needed(rules: Rules, board: Board) -> int:
    """Return the points that sets and runs need to open now."""
    return max(rules.opening_points, board.points + 1) if rules.raising else rules.opening_points


def pairs_needed(rules: Rules, board: Board) -> int:
    """Return the number of pairs needed to open now."""
    return max(rules.opening_pairs, board.pairs + 1) if rules.raising else rules.opening_pairs


def open_with_melds(rules: Rules, round: Round, named: tuple[tuple[Placed, ...], ...]) -> Stepped:
    """Open with sets and runs worth enough, laid at once. Raises NotAllowed."""
    melds = _opening(rules, round, "melds", named)
    points, needed = sum(map(points_of, melds)), points_needed(rules, round.board)
    if points < needed and not may_open_below(rules, round, len(tiles_in(melds))):
        missing = needed - points
        too_low = NotAllowed("opening_too_low", points=points, needed=needed, missing=missing)
        return _fail(rules, round, too_low)
    board = replace(round.board, points=max(points, round.board.points))
    return _open(rules, replace(round, board=board), "melds", points, melds)


def open_with_pairs(rules: Rules, round: Round, named: tuple[tuple[Placed, ...], ...]) -> Stepped:
    """Open with enough pairs at once; when everybody has, the round is cancelled. Raises NotAllowed."""
    pairs = _opening(rules, round, "pairs", named)
    count, needed = len(pairs), pairs_needed(rules, round.board)
    if count < needed and not may_open_below(rules, round, 2 * count):
        missing = needed - count
        too_few = NotAllowed("too_few_pairs", pairs=count, needed=needed, missing=missing)
        return _fail(rules, round, too_few)
    board = replace(round.board, pairs=max(count, round.board.pairs))
    opened, events = _open(rules, replace(round, board=board), "pairs", count, pairs)
    if all(opened.board.opened[seat] == "pairs" for seat in round.seats):
        return over(opened, Ending("cancelled")), (*events, Cancelled())
    return opened, events


def may_open_below(rules: Rules, round: Round, tiles: int) -> bool:
    """Return whether the seat on turn may open with so many tiles, whatever they are worth (`elden_below`).

    They are all but the finishing discard, and nobody has opened.
    """
    return rules.elden_below and not any(round.board.opened) and len(round.racks[round.turn]) == tiles + 1


def lay_meld(rules: Rules, round: Round, named: tuple[Placed, ...]) -> Stepped:
    """Lay a further meld of the kind that the seat opened with, or a pair if it may. Raises NotAllowed."""
    way = way_opened(round)
    meld = _meld(rules, round, named)
    if meld.kind != "pair" or not may_lay_pairs(rules, round.board, way):
        if meld.kind == "pair" and rules.lay_pairs == "once_opened":
            raise NotAllowed("no_pairs_yet")
        _refuse_unless_of(way, (meld,))
    return _onto_table(round, (meld,)), (MeldLaid(round.turn, meld),)


def may_lay_pairs(rules: Rules, board: Board, way: Way) -> bool:
    """Return whether a seat that opened in this way may lay pairs (`lay_pairs`)."""
    return way == "pairs" or (rules.lay_pairs == "once_opened" and "pairs" in board.opened)


def may_lay_off(rules: Rules, round: Round) -> bool:
    """Return whether the seat on turn has not yet laid off all that it may in a turn (`pairs_lay_off`)."""
    few = rules.pairs_lay_off == "2" and round.board.opened[round.turn] == "pairs"
    return not few or round.board.added < FEW


def lay_off(rules: Rules, round: Round, placed: Placed, on: int) -> Stepped:
    """Add a tile to a meld. Raises NotAllowed."""
    way_opened(round)
    if not may_lay_off(rules, round):
        raise NotAllowed("laid_off_enough", most=FEW)
    meld, played = _meld_on(round.board, on), read_as_played(placed, round.okey)
    fits = fitting(rules.meld_rules(round.okey), meld)
    if played.face not in fits:
        raise NotAllowed("does_not_fit", tile=str(placed), on=on)
    front = fits[played.face]
    board = _with_meld(round.board, on, (played, *meld.tiles) if front else (*meld.tiles, played))
    laid_off = (*board.laid_off, (on, front))
    board = replace(board, laid_off=laid_off, added=board.added + 1, took_back=False)
    return off_rack(replace(round, board=board), (played.tile,)), (LaidOff(round.turn, played, on),)


def take_back(rules: Rules, round: Round, count: int) -> Stepped:
    """Take back the last tiles laid off in this turn: only the very last is free. Raises NotAllowed."""
    board, seat = round.board, round.turn
    if not 1 <= count <= len(board.laid_off):
        raise NotAllowed("nothing_to_take_back", count=count)
    costs = (count > 1 or board.took_back) and "takeback" in rules.penalties
    back = []
    for on, front in board.laid_off[: -count - 1 : -1]:
        tiles = board.melds[on].meld.tiles
        back.append(tiles[0 if front else -1].tile)
        board = _with_meld(board, on, tiles[1:] if front else tiles[:-1])
    used = board.used - like_taken(round, back)
    after = replace(
        round,
        racks=at_seat(round.racks, seat, tuple(sorted((*round.racks[seat], *back)))),
        board=replace(
            board, laid_off=board.laid_off[:-count], added=board.added - count, used=used, took_back=True
        ),
    )
    events: tuple[Event, ...] = (TookBack(seat, tuple(back)),)
    return add_fine(after, seat, "takeback", events) if costs else (after, events)


def reclaim(rules: Rules, round: Round, tile: Tile, on: int) -> Stepped:
    """Put a tile in the place of the okey that stands for it, and take the okey. Raises NotAllowed."""
    if not rules.reclaim_joker:
        raise NotAllowed("no_reclaiming")
    way_opened(round)
    meld, put = _meld_on(round.board, on), read_as_played(Placed(tile), round.okey)
    place = okey_place(meld, put.face, round.okey)
    if place is None or tile == round.okey:
        raise NotAllowed("nothing_to_reclaim", tile=tile.name, on=on)
    rack = without(round.racks[round.turn], (tile,))
    board = replace(
        _with_meld(round.board, on, (*meld.tiles[:place], put, *meld.tiles[place + 1 :])),
        laid_off=(),  # tiles laid before may have made room for this, so they stay
        used=round.board.used + like_taken(round, (tile,)),
    )
    racks = at_seat(round.racks, round.turn, tuple(sorted((*rack, round.okey))))
    return replace(round, racks=racks, board=board), (Reclaimed(round.turn, tile, on),)


def okey_place(meld: Meld, face: Tile, okey: Tile) -> int | None:
    """Return the place in a meld where an okey stands for a face; None: there is none."""
    wanted = Played(okey, face)
    return meld.tiles.index(wanted) if wanted in meld.tiles else None


def _opening(rules: Rules, round: Round, way: Way, named: tuple[tuple[Placed, ...], ...]) -> tuple[Meld, ...]:
    """Return the melds with which a seat wants to open, before their worth is checked. Raises NotAllowed."""
    if round.board.opened[round.turn] is not None:
        raise NotAllowed("already_opened")
    if way == "melds" and round.turn in round.board.declared:
        raise NotAllowed("declared_pairs")
    melds = tuple(_meld(rules, round, tiles) for tiles in named)
    tiles = tiles_in(melds)
    rack_less(round, tiles)
    taken = must_use(round)
    if taken is not None and taken not in tiles:
        raise NotAllowed("open_with_taken", tile=taken.name)
    _refuse_unless_of(way, melds)
    return melds


def _refuse_unless_of(way: Way, melds: tuple[Meld, ...]) -> None:
    if any((meld.kind == "pair") != (way == "pairs") for meld in melds):
        raise NotAllowed("wrong_kind")


def _fail(rules: Rules, round: Round, refusal: NotAllowed) -> Stepped:
    """Handle too little to open: refused, or at a strict table the tiles go back and a fine is due."""
    if not rules.strict or "failed_opening" not in rules.penalties:
        raise refusal
    return add_fine(round, round.turn, "failed_opening", ())


def _meld(rules: Rules, round: Round, named: tuple[Placed, ...]) -> Meld:
    """Return the meld that these tiles make. Raises NotAllowed."""
    meld = meld_of(rules.meld_rules(round.okey), [read_as_played(tile, round.okey) for tile in named])
    if meld is None:
        raise NotAllowed("no_meld", tiles=" ".join(map(str, named)))
    return meld


def _open(rules: Rules, round: Round, way: Way, worth: int, melds: tuple[Meld, ...]) -> Stepped:
    opened = at_seat(round.board.opened, round.turn, way)
    board = replace(round.board, opened=opened, opened_now=True)
    after = _onto_table(replace(round, board=board), melds)
    events: tuple[Event, ...] = (Opened(round.turn, way, worth, melds),)
    if round.source is None or round.drawn not in tiles_in(melds) or "fed_opening" not in rules.penalties:
        return after, events
    return add_fine(after, round.source, "fed_opening", events)


def _onto_table(round: Round, melds: tuple[Meld, ...]) -> Round:
    laid = (*round.board.melds, *(Laid(round.turn, meld) for meld in melds))
    return off_rack(replace(round, board=replace(round.board, melds=laid)), tiles_in(melds))


def _meld_on(board: Board, on: int) -> Meld:
    if not 0 <= on < len(board.melds):
        raise NotAllowed("no_such_meld", on=on)
    return board.melds[on].meld


def _with_meld(board: Board, on: int, tiles: tuple[Played, ...]) -> Board:
    laid = board.melds[on]
    grown = replace(laid, meld=replace(laid.meld, tiles=tiles))
    return replace(board, melds=(*board.melds[:on], grown, *board.melds[on + 1 :]))
