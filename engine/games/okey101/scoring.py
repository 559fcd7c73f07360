"""Scoring of Okey 101: the changes that a round makes to every seat's score (RULES 5 and 9).

RULES leave open, and this module decides: a pairs opener's own sum counts twice also when the stock has run
out; a finisher's partner pays for an okey left on their rack, since that is a penalty. From a pairs opener's
remaining tiles, `openers_pay` combines only pairs, since they may lay nothing else; from another opener's,
sets and runs, even where they could lay pairs too. A seat that declared pairs in vain pays double in addition
to all doublings of the finish, as a pairs opener does.
"""

from typing import Final

from engine.arrange import most_combined
from engine.melds import Way
from engine.rules import Rules
from engine.state import Ending, Round
from engine.tiles import Tile

FINE: Final = 101
NOT_OPENED: Final = 202
_FINISHED: Final = -101


def round_changes(rules: Rules, round: Round) -> tuple[int, ...]:
    """Return the changes to every seat's score: none before the round's end; partners carry their team's
    sum."""
    if round.ending is None:
        return (0,) * rules.players
    own = [own_points(rules, round, seat) for seat in range(rules.players)]
    return tuple(
        sum(points for other, points in enumerate(own) if rules.same_side(seat, other))
        for seat in range(rules.players)
    )


def own_points(rules: Rules, round: Round, seat: int) -> int:
    """Return a seat's points for a round that is over, without its partner's."""
    ending = round.ending
    assert ending is not None
    if ending.kind == "cancelled":
        return 0
    points = (
        _points_without_fines(rules, round, ending, seat) * round.factor + FINE * fines_of(rules, round)[seat]
    )
    return points * (1 + round.riziko)


def fines_of(rules: Rules, round: Round) -> tuple[int, ...]:
    """Return the number of penalties that the end of a round counts against every seat."""
    if round.ending == Ending("cancelled"):
        return (0,) * rules.players
    return tuple(
        0 if _is_wiped(rules, round, seat) else fines + _joker_left(rules, round, seat)
        for seat, fines in enumerate(round.board.fines)
    )


def _is_wiped(rules: Rules, round: Round, seat: int) -> bool:
    """Return whether a seat's penalties go because its partner finished (`partner_penalties`)."""
    winner = None if round.ending is None else round.ending.winner
    partner_won = winner is not None and winner != seat and rules.same_side(seat, winner)
    return partner_won and rules.partner_penalties == "wiped"


def _points_without_fines(rules: Rules, round: Round, ending: Ending, seat: int) -> int:
    """Return a seat's points without its fines."""
    way = round.board.opened[seat]
    if seat == ending.winner:
        return _FINISHED * rules.multiply(len(ending.how))
    if ending.winner is not None and rules.same_side(seat, ending.winner):
        return 0
    if way is None:
        return NOT_OPENED * rules.multiply(len(ending.how) + (seat in round.board.declared))
    return _points_left(rules, round, seat, way) * rules.multiply(len(ending.how) + (way == "pairs"))


def _points_left(rules: Rules, round: Round, seat: int, way: Way) -> int:
    """Return the sum for which a seat that has opened pays: its rack, or only the tiles that no meld holds. A
    false joker counts as the okey's face, a fined okey not at all."""
    okey, rack = round.okey, round.racks[seat]
    fined = okey if _joker_left(rules, round, seat) else None
    faces = (okey if tile is Tile.F else tile for tile in rack if tile != fined)
    total = sum(face.number or 0 for face in faces)
    if rules.openers_pay == "rack":
        return total
    return total - most_combined(rules.meld_rules(okey), rack, way, 0 if fined else okey.number or 0)


def _joker_left(rules: Rules, round: Round, seat: int) -> bool:
    """Return whether a seat that has opened is fined for an okey on its rack: once, even for two."""
    opened = round.board.opened[seat] is not None
    return opened and "joker_left" in rules.penalties and round.okey in round.racks[seat]
