"""State: one round as a value, and the handling of tiles that all games share.

The effects of a move on it belong to the games.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeVar

from engine.errors import NotAllowed
from engine.melds import Board
from engine.tiles import Tile, okey_of

_T = TypeVar("_T")

Phase = Literal["draw", "discard", "over"]
EndingKind = Literal["win", "exhausted", "cancelled"]

LAST_TURN: Final = 400
"""The last turn: a round that would need one more is exhausted (RULES 3)."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a round. Its cost belongs to the game."""

    kind: EndingKind
    winner: int | None = None
    how: tuple[str, ...] = ()
    """A sorted subset of color, elden, joker, pairs."""
    melds: tuple[tuple[Tile, ...], ...] = ()
    """The winning arrangement, with the printed okey where an okey stands for a tile."""
    tile: Tile | None = None
    """The finishing discard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round in progress or over. Tuples by seat have one entry for every seat of the match."""

    dealer: int
    starter: int
    indicator: Tile
    dice: tuple[int, ...]
    seats: tuple[int, ...]
    """The seats that play, in order of play."""
    racks: tuple[tuple[Tile, ...], ...] = field(repr=False)
    """Each sorted."""
    stock: tuple[Tile, ...] = field(repr=False)
    """The next drawn first."""
    piles: tuple[tuple[Tile, ...], ...] = field(repr=False)
    """Every seat's discards, oldest first."""
    turn: int
    phase: Phase
    drawn: Tile | None = field(default=None, repr=False)
    """The tile that the seat on turn drew or took."""
    source: int | None = None
    """The seat whose discard `drawn` was; None when it came from the stock."""
    shown_by: int | None = None
    twin_dealt_to: int | None = field(default=None, repr=False)
    """The seat that was dealt the indicator's twin: a secret until they show it or the round is over."""
    turns: int = 0
    """Turns ended so far."""
    ending: Ending | None = None
    board: Board
    """The melds on the table."""
    factor: int = 1
    """What multiplies the changes by this round, but not its penalties (`factors`, `last_factor`)."""
    riziko: bool = False
    """Whether a false joker was turned first, so that everything counts twice, penalties too."""
    spared: tuple[int, ...] = ()
    """The seats with too few points to pay for a shown indicator (`show_spares`)."""

    @property
    def okey(self) -> Tile:
        """The wild face."""
        return okey_of(self.indicator)


def seat_after(round: Round, seat: int) -> int:
    """Return the seat that plays after `seat`."""
    return round.seats[(round.seats.index(seat) + 1) % len(round.seats)]


def seat_before(round: Round, seat: int) -> int:
    """Return the seat that plays before `seat`, and whose discards it takes."""
    return round.seats[round.seats.index(seat) - 1]


def has_drawn(round: Round, seat: int) -> bool:
    """Return whether `seat` has drawn in this round or, as the starter, ended the first turn."""
    place = (round.seats.index(seat) - round.seats.index(round.starter)) % len(round.seats)
    return round.turns > place or (round.turns == place > 0 and round.phase == "discard")


def draw(round: Round) -> Round:
    """Draw for the seat on turn. Raises NotAllowed `already_drawn`, `stock_empty`."""
    if round.phase != "draw":
        raise NotAllowed("already_drawn")
    if not round.stock:
        raise NotAllowed("stock_empty")
    return _receive(round, round.stock[0], None, stock=round.stock[1:])


def take(round: Round, source: int) -> Round:
    """Take the top discard of `source` for the seat on turn.

    Raises NotAllowed `already_drawn`, `nothing_to_take`.
    """
    if round.phase != "draw":
        raise NotAllowed("already_drawn")
    if not round.piles[source]:
        raise NotAllowed("nothing_to_take", source=source)
    *left, top = round.piles[source]
    return _receive(round, top, source, piles=at_seat(round.piles, source, tuple(left)))


def discard(round: Round, tile: Tile) -> Round:
    """Discard for the seat on turn, and pass the turn on.

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
    """Return the round, ended."""
    return replace(round, phase="over", drawn=None, source=None, ending=ending)


def at_seat(by_seat: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    """Values by seat (racks, piles, fines), with one of them replaced."""
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def without(rack: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the rack without these tiles. Raises NotAllowed `not_on_rack`."""
    left = list(rack)
    for tile in tiles:
        if tile not in left:
            raise NotAllowed("not_on_rack", tile=tile.name)
        left.remove(tile)
    return tuple(left)


def _receive(round: Round, tile: Tile, source: int | None, **left: Any) -> Round:
    """Return the round after the seat on turn got a tile, with what is `left` where it lay."""
    rack = tuple(sorted((*round.racks[round.turn], tile)))
    racks = at_seat(round.racks, round.turn, rack)
    return replace(round, racks=racks, phase="discard", drawn=tile, source=source, **left)
