"""What a round of 101 does to the scores (RULES 5).

What RULES leave open: a pairs opener's own sum counts twice when the stock has run out, too; and a
finisher's partner pays for an okey left on his rack, for that is a penalty.
"""

from typing import Final

from engine.games.okey101.turn import board_of
from engine.rules import Rules
from engine.scoring import doublings, same_side
from engine.state import Ending, Round
from engine.tiles import Tile

FINE: Final = 101
_FINISHED: Final = -101
_NOT_OPENED: Final = 202


def round_changes(rules: Rules, round: Round, ending: Ending) -> tuple[int, ...]:
    """What the end of a round does to every seat; partners carry their team's sum."""
    if ending.kind == "cancelled":
        return (0,) * rules.players
    own = [
        _played_for(rules, round, ending, seat) + FINE * _fines(rules, round, seat)
        for seat in range(rules.players)
    ]
    return tuple(
        sum(points for other, points in enumerate(own) if same_side(rules, seat, other))
        for seat in range(rules.players)
    )


def fines_of(rules: Rules, round: Round) -> tuple[int, ...]:
    """How many penalties the end of a round counts against every seat; empty in a classic round."""
    if round.board is None:
        return ()
    cancelled = round.ending == Ending("cancelled")
    return tuple(0 if cancelled else _fines(rules, round, seat) for seat in range(rules.players))


def _played_for(rules: Rules, round: Round, ending: Ending, seat: int) -> int:
    """A seat's points without its fines."""
    way = board_of(round).opened[seat]
    if seat == ending.winner:
        return _FINISHED * doublings(rules, len(ending.how))
    if ending.winner is not None and same_side(rules, seat, ending.winner):
        return 0
    if way is None:
        return _NOT_OPENED * doublings(rules, len(ending.how))
    return _left(rules, round, seat) * doublings(rules, len(ending.how) + (way == "pairs"))


def _left(rules: Rules, round: Round, seat: int) -> int:
    """The sum of a rack: a false joker counts as the okey's face, an okey that is fined not at all."""
    okey = round.okey
    fined = okey if _joker_left(rules, round, seat) else None
    faces = (okey if tile is Tile.F else tile for tile in round.racks[seat] if tile != fined)
    return sum(face.number or 0 for face in faces)


def _fines(rules: Rules, round: Round, seat: int) -> int:
    return board_of(round).fines[seat] + _joker_left(rules, round, seat)


def _joker_left(rules: Rules, round: Round, seat: int) -> bool:
    """Whether a seat that has opened is fined for an okey on its rack, once however many."""
    opened = board_of(round).opened[seat] is not None
    return opened and "joker_left" in rules.penalties and round.okey in round.racks[seat]
