"""Review of Okey 101: choices of a source and the ends of turns, counted in penalties of 101 points.

`worth101` says what each choice was worth.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from engine.arrange import opening_points
from engine.games.okey101.scoring import FINE
from engine.match import Match
from engine.moves import Discard, Draw, Finish, Move, Take
from engine.players.outlook import unseen_by
from engine.replay import Position
from engine.review.decision import Decision, judged
from engine.review.worth101 import Turn, Worth, turns_that_lay, worth_of_discards, worth_of_sources
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, seat_view


def decisions(rules: Rules, played: Sequence[Position], seat: int) -> Iterator[Decision]:
    """Each choice of a source, and each end of a turn, that made a difference."""
    for number, (before, after) in enumerate(pairwise(played), 1):
        if after.by is None or after.by[0] != seat:
            continue
        made = after.by[1]
        if isinstance(made, Draw | Take):
            worth, chances = worth_of_sources(rules, seat_view(before.match, seat))
        elif isinstance(made, Discard):
            worth, chances = _worth_of_ends(rules, seat_view(before.match, seat), made.tile)
        else:
            continue  # to finish with the last tile is no choice
        if len(set(worth.values())) > 1:
            yield judged(number, made, {move: points / FINE for move, points in worth.items()}, chances)


def luck_of_deal(rules: Rules, dealt: Match, seat: int) -> float:
    """The points by which its sets and runs were worth more than the others' on average."""
    assert dealt.round is not None
    meld_rules = rules.meld_rules(dealt.round.okey)
    points = [opening_points(meld_rules, rack) for rack in dealt.round.racks]
    return points[seat] - fmean(points[other] for other in dealt.seats if other != seat)


def luck_of_draw(rules: Rules, before: Match, after: Match) -> float:
    """The points that a draw added to its sets and runs, minus the expected number; 0 after opening."""
    assert before.round is not None
    assert after.round is not None
    seat = before.round.turn
    if before.round.board.opened[seat] is not None:
        return 0.0
    view, meld_rules = seat_view(before, seat), rules.meld_rules(before.round.okey)
    unseen = unseen_by(view)
    expected = sum(
        count * opening_points(meld_rules, (*view.rack, tile)) for tile, count in unseen.items()
    ) / sum(unseen.values())
    return opening_points(meld_rules, after.round.racks[seat]) - expected


def _worth_of_ends(rules: Rules, view: SeatView, made: Tile) -> Worth:
    """The worth of each discard, and of what could have been laid first."""
    turns = sorted(turns_that_lay(rules, view), key=lambda turn: turn.worth)
    worth: dict[Move, float] = {_name_of(turn): turn.worth for turn in turns}
    discards, chances = worth_of_discards(rules, view, turns, made)
    worth |= {Discard(tile): points for tile, points in discards.items()}
    return worth, {Discard(tile): chance for tile, chance in chances.items()}


def _name_of(turn: Turn) -> Move:
    """The move that stands for a turn: the finish that it leads to, else its first."""
    return turn.moves[-1] if isinstance(turn.moves[-1], Finish) else turn.moves[0]
