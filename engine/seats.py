"""Who deals first, and who sits where (RULES 2, `first_dealer`).

RULES leave open: a seat is drawn for with a numbered tile, its colour does not matter, and tiles are
mixed again before each draw; and partners keep their seats, for they have chosen each other.
"""

from typing import Final

from engine.events import DiceThrown, SeatsDrawn
from engine.rules import Rules
from engine.shuffle import Chance
from engine.tiles import FULL_SET, Tile

_NUMBERED: Final = tuple(tile for tile in FULL_SET if tile is not Tile.F)


def first_dealer(rules: Rules, chance: Chance) -> tuple[int, tuple[DiceThrown | SeatsDrawn, ...]]:
    """The first dealer, and what everybody saw of how he was found.

    After `SeatsDrawn` the seats are numbered anew: the dealer's number already is a new one.
    """
    if rules.first_dealer == "random":
        return chance.below(rules.players), ()
    if rules.first_dealer == "highest_die":
        thrown = _throw(rules.players, chance)
        return _dealer_before(rules, thrown.starter), (thrown,)
    drawn = _draw(rules, chance)
    return _dealer_before(rules, drawn.starter), (drawn,)


def _dealer_before(rules: Rules, starter: int) -> int:
    return starter if rules.starter == "dealer" else (starter - 1) % rules.players


def _throw(players: int, chance: Chance) -> DiceThrown:
    """Everybody throws; those who are equal and highest throw again."""
    highest = list(range(players))
    throws = []
    while len(highest) > 1:
        thrown = {seat: chance.die() for seat in highest}
        throws.append(tuple(thrown.get(seat) for seat in range(players)))
        highest = [seat for seat in highest if thrown[seat] == max(thrown.values())]
    return DiceThrown(tuple(throws), highest[0])


def _draw(rules: Rules, chance: Chance) -> SeatsDrawn:
    """Everybody draws a tile; those who are equal draw again, until all differ."""
    seats = range(rules.players)
    ranks: list[tuple[int, ...]] = [() for _ in seats]
    draws = []
    while len(set(ranks)) < rules.players:
        tied = [seat for seat in seats if ranks.count(ranks[seat]) > 1]
        drawn = dict(zip(tied, chance.shuffle(_NUMBERED), strict=False))
        draws.append(tuple(drawn.get(seat) for seat in seats))
        ranks = [
            (*rank, drawn[seat].number or 0) if seat in drawn else rank for seat, rank in enumerate(ranks)
        ]
    order = sorted(seats, key=ranks.__getitem__, reverse=True)
    if rules.teams:
        return SeatsDrawn(tuple(draws), tuple(seats), order[0])
    return SeatsDrawn(tuple(draws), tuple(order), 0)
