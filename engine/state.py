"""State: one round as a value, and the handling of tiles that every game shares.

Whose turn it is, what lies where. What a move may do to it is the games' own.
"""

from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeVar

from engine.errors import NotAllowed
from engine.melds import Board
from engine.tiles import Tile, okey_of

_T = TypeVar("_T")

Phase = Literal["draw", "discard", "over"]
EndingKind = Literal["win", "exhausted", "cancelled"]

LAST_TURN: Final = 400
"""A round that would need one turn more is exhausted (RULES 3)."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a round ended. What it costs is the game's."""

    kind: EndingKind
    winner: int | None = None
    how: tuple[str, ...] = ()
    """A sorted subset of color, elden, joker, pairs."""
    melds: tuple[tuple[Tile, ...], ...] = ()
    """The winning arrangement; the printed okey face where an okey stands for a tile."""
    tile: Tile | None = None
    """The finishing discard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round in progress or over. Tuples by seat hold one entry for every seat of the match."""

    dealer: int
    starter: int
    indicator: Tile
    dice: tuple[int, ...]
    seats: tuple[int, ...]
    """Who plays, in order of play."""
    racks: tuple[tuple[Tile, ...], ...] = field(repr=False)
    """Each sorted."""
    stock: tuple[Tile, ...] = field(repr=False)
    """The next drawn first."""
    piles: tuple[tuple[Tile, ...], ...] = field(repr=False)
    """Every seat's discards, oldest first."""
    turn: int
    phase: Phase
    drawn: Tile | None = field(default=None, repr=False)
    """What the seat on turn drew or took."""
    source: int | None = None
    """Whose discard `drawn` was; None when it came from the stock."""
    shown_by: int | None = None
    twin_dealt_to: int | None = field(default=None, repr=False)
    """Who was dealt the indicator's twin: a secret until they show it or the round is over."""
    turns: int = 0
    """Turns ended so far."""
    ending: Ending | None = None
    board: Board
    """What has been laid on the table."""

    @property
    def okey(self) -> Tile:
        """The wild face."""
        return okey_of(self.indicator)


def seat_after(round: Round, seat: int) -> int:
    """Who plays after `seat`."""
    return round.seats[(round.seats.index(seat) + 1) % len(round.seats)]


def seat_before(round: Round, seat: int) -> int:
    """Who plays before `seat`, and whose discards they take."""
    return round.seats[round.seats.index(seat) - 1]


def has_drawn(round: Round, seat: int) -> bool:
    """Whether `seat` has drawn in this round or, as the starter, ended the first turn."""
    place = (round.seats.index(seat) - round.seats.index(round.starter)) % len(round.seats)
    return round.turns > place or (round.turns == place > 0 and round.phase == "discard")


def draw(round: Round) -> Round:
    """The seat on turn draws. Raises NotAllowed `already_drawn`, `stock_empty`."""
    if round.phase != "draw":
        raise NotAllowed("already_drawn")
    if not round.stock:
        raise NotAllowed("stock_empty")
    return _received(replace(round, stock=round.stock[1:]), round.stock[0], None)


def take(round: Round, source: int) -> Round:
    """The seat on turn takes the top discard of `source`.

    Raises NotAllowed `already_drawn`, `nothing_to_take`.
    """
    if round.phase != "draw":
        raise NotAllowed("already_drawn")
    if not round.piles[source]:
        raise NotAllowed("nothing_to_take", source=source)
    top = round.piles[source][-1]
    return _received(
        replace(round, piles=at_seat(round.piles, source, round.piles[source][:-1])), top, source
    )


def discard(round: Round, tile: Tile) -> Round:
    """The seat on turn discards and the turn passes on.

    Raises NotAllowed `draw_first`, `not_on_rack`.
    """
    if round.phase != "discard":
        raise NotAllowed("draw_first")
    seat = round.turn
    return replace(
        round,
        racks=at_seat(round.racks, seat, without(round.racks[seat], (tile,))),
        piles=at_seat(round.piles, seat, (*round.piles[seat], tile)),
        turn=seat_after(round, seat),
        phase="draw",
        drawn=None,
        source=None,
        turns=round.turns + 1,
    )


def over(round: Round, ending: Ending) -> Round:
    """The round, ended."""
    return replace(round, phase="over", drawn=None, source=None, ending=ending)


def at_seat(by_seat: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    """Values by seat (racks, piles, fines), with another one at one seat."""
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def without(rack: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The rack less these tiles. Raises NotAllowed `not_on_rack`."""
    left = list(rack)
    for tile in tiles:
        if tile not in left:
            raise NotAllowed("not_on_rack", tile=tile.name)
        left.remove(tile)
    return tuple(left)


def _received(round: Round, tile: Tile, source: int | None) -> Round:
    rack = tuple(sorted((*round.racks[round.turn], tile)))
    return replace(
        round, racks=at_seat(round.racks, round.turn, rack), phase="discard", drawn=tile, source=source
    )
