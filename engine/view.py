"""View: what a seat, or everybody, may know of a round, built up from nothing (RULES 3, "may see").

A view is never a state with parts removed, and the two types are unrelated, so that a type checker refuses a
rack where the public looks.
"""

from dataclasses import dataclass, field
from typing import Literal

from engine.errors import NotAllowed
from engine.games import game_of
from engine.match import Match
from engine.melds import Board, Meld, meld_as_laid
from engine.moves import Take
from engine.state import Phase as Phase
from engine.state import Round, seat_before
from engine.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a round: public, because the winning rack is laid open."""

    kind: Literal["win", "exhausted", "cancelled"]
    winner: int | None
    how: tuple[str, ...]
    """A sorted subset of color, elden, joker, pairs."""
    changes: tuple[int, ...]
    """The changes by the round to every seat's score, including shown indicators and penalties."""
    winning_melds: tuple[Meld, ...] = ()
    """The winning arrangement."""
    finishing_tile: Tile | None = None
    fines: tuple[int, ...] = ()
    """Okey 101: the penalties of every seat, including an okey left on its rack."""
    price_of_showing: int = 0
    """The change to the score of each seat that pays for the shown indicator; 0: none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView:
    """Everything that the players at the table and all spectators may know of a round."""

    indicator: Tile
    okey: Tile
    dealer: int
    turn: int | None
    """The seat on turn; None when the round is over."""
    phase: Phase
    discard_tops: tuple[Tile | None, ...]
    """The top of every seat's own discard pile."""
    rack_sizes: tuple[int, ...]
    stock_left: int
    shown_by: int | None
    turns: int
    """Turns ended so far in this round."""
    outcome: Outcome | None
    board: Board
    """The melds on the table, the seats that opened, and fines."""
    sources: tuple[int, ...] = ()
    """The seats whose top discard the seat on turn may take until it draws."""
    dice: tuple[int, ...] = ()
    """As in `engine.deal.Dealt`: the first chose the stack."""
    next_draw: Tile | None = None
    """The tile that the seat on turn would draw, where everybody knows it: the indicator as the last one."""
    factor: int = 1
    """What multiplies the changes by this round, without its penalties."""
    riziko: bool = False
    """Whether everything counts twice, because a false joker was turned first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """Everything that one seat may know: the public view, its own rack, and the two piles beside it.

    Whoever declared pairs or opened with them may look through every pile (RULES 9, `declare_pairs`).
    """

    public: PublicView
    seat: int
    rack: tuple[Tile, ...] = field(repr=False)
    """Their tiles, sorted by face. The order in which they keep them belongs to the application."""
    own_pile: tuple[Tile, ...] = field(repr=False)
    """The seat's own discards, oldest first."""
    left_pile: tuple[Tile, ...] = field(repr=False)
    """The previous player's pile, oldest first."""
    all_piles: tuple[tuple[Tile, ...], ...] = field(default=(), repr=False)
    """Every seat's pile, oldest first, for a seat that may look through them all; empty for others."""
    drawn: Tile | None = field(repr=False)
    """The tile that they drew or took in this turn; None before that, and when it is not their turn."""
    source: int | None = None
    """The seat whose discard that tile was; None when it came from the stock."""


def find_taken(view: PublicView, take: Take) -> Tile:
    """Return the tile that a player on turn takes; without a named source, from the player before them."""
    tile = view.discard_tops[view.sources[-1] if take.source is None else take.source]
    assert tile is not None
    return tile


def public_view(match: Match) -> PublicView:
    """Return the view that everybody has of the match's round. Raises NotAllowed `no_round` before the
    first."""
    round = _round_of(match)
    indicator_next = (
        match.rules.indicator_last_draw and round.phase == "draw" and round.stock == (round.indicator,)
    )
    return PublicView(
        indicator=round.indicator,
        okey=round.okey,
        dealer=round.dealer,
        turn=match.turn,
        phase=round.phase,
        discard_tops=tuple(pile[-1] if pile else None for pile in round.piles),
        rack_sizes=tuple(len(rack) for rack in round.racks),
        stock_left=len(round.stock),
        shown_by=round.shown_by,
        turns=round.turns,
        outcome=_outcome(match, round),
        board=round.board,
        sources=() if round.phase == "over" else game_of(match.rules).sources(match.rules, round),
        dice=round.dice,
        next_draw=round.indicator if indicator_next else None,
        factor=round.factor,
        riziko=round.riziko,
    )


def seat_view(match: Match, seat: int) -> SeatView:
    """Everything that `seat` may know. Raises NotAllowed `no_round` before the first round."""
    round = _round_of(match)
    plays = seat in round.seats
    return SeatView(
        public=public_view(match),
        seat=seat,
        rack=round.racks[seat],
        own_pile=round.piles[seat],
        left_pile=round.piles[seat_before(round, seat)] if plays else (),
        all_piles=round.piles if _may_look_through_piles(match, round, seat) else (),
        drawn=round.drawn if seat == round.turn else None,
        source=round.source if seat == round.turn else None,
    )


def _may_look_through_piles(match: Match, round: Round, seat: int) -> bool:
    with_pairs = seat in round.board.declared or round.board.opened[seat] == "pairs"
    return match.rules.declare_pairs and with_pairs


def _round_of(match: Match) -> Round:
    if match.round is None:
        raise NotAllowed("no_round")
    return match.round


def _outcome(match: Match, round: Round) -> Outcome | None:
    if round.ending is None:
        return None
    rules = match.rules.meld_rules(round.okey)
    return Outcome(
        kind=round.ending.kind,
        winner=round.ending.winner,
        how=round.ending.how,
        changes=match.changes,
        winning_melds=tuple(meld_as_laid(rules, meld) for meld in round.ending.melds),
        finishing_tile=round.ending.tile,
        fines=game_of(match.rules).fines(match.rules, round),
        price_of_showing=game_of(match.rules).price_of_showing(match.rules, round),
    )
