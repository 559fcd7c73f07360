"""Deal"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.events import DiceThrown, SeatsDrawn
from engine.rules import Rules
from engine.shuffle import Chance
from engine.tiles import FULL_SET, Tile

RACK_SIZE: Final = {"classic": 14, "101": 21}
STACK_SIZE: Final = {"classic": 5, "101": 7}


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: who has which tiles, and what lies on the table."""

    dealer: int
    starter: int
    """Who has one tile more and discards first."""
    indicator: Tile
    dice: tuple[int, ...]
    """First die (it chose the stack, counted from the dealer's left), second die, and its throws again
    where a false joker came up; empty for the quick deal."""
    racks: tuple[tuple[Tile, ...], ...] = field(repr=False)
    """By seat, sorted; empty for a seat that no longer plays."""
    stock: tuple[Tile, ...] = field(repr=False)
    """The first drawn first."""


def starter_of(rules: Rules, dealer: int, seats: Sequence[int]) -> int:
    """Who starts when `dealer` deals to `seats`, which are in order of play (RULES 2, `starter`)."""
    if rules.starter == "dealer":
        return dealer
    return seats[(seats.index(dealer) + 1) % len(seats)]


def deal(rules: Rules, dealer: int, seats: Sequence[int], chance: Chance) -> Dealt:
    """Shuffle and deal to `seats` (in order of play, the dealer among them)."""
    tiles = chance.shuffle(FULL_SET)
    starter = starter_of(rules, dealer, seats)
    first = seats.index(starter)
    order = [*seats[first:], *seats[:first]]
    if rules.deal == "quick":
        hands, stock, indicator = _quick(rules, len(order), tiles)
        dice: tuple[int, ...] = ()
    else:
        hands, stock, indicator, dice = _from_stacks(rules, len(order), tiles, chance)
    by_seat = dict(zip(order, hands, strict=True))
    racks = tuple(tuple(sorted(by_seat.get(seat, ()))) for seat in range(rules.players))
    return Dealt(dealer, starter, indicator, dice, racks, tuple(stock))


def _quick(rules: Rules, players: int, tiles: list[Tile]) -> tuple[list[list[Tile]], list[Tile], Tile]:
    size = RACK_SIZE[rules.game]
    hands = [tiles[: size + 1]]
    for player in range(1, players):
        hands.append(tiles[player * size + 1 : (player + 1) * size + 1])
    stock = tiles[players * size + 1 :]
    turned = next(place for place, tile in enumerate(stock) if _may_lie_open(rules, tile))
    return hands, stock, stock.pop(turned)


def _from_stacks(
    rules: Rules, players: int, tiles: list[Tile], chance: Chance
) -> tuple[list[list[Tile]], list[Tile], Tile, tuple[int, ...]]:
    size = STACK_SIZE[rules.game]
    stacks = [tiles[start : start + size] for start in range(0, len(tiles) - 1, size)]
    first_die = chance.die()
    chosen = [*stacks[first_die - 1], tiles[-1]]
    throws = _throw_for_indicator(rules, chosen, chance)
    indicator = chosen.pop(_place(rules, chosen, throws[-1]))
    line = stacks[first_die:] + stacks[: first_die - 1]
    taken = 3 if rules.game == "101" else 2
    hands = _take_stacks(rules, players, taken, line)
    rest = [tile for stack in line[_stacks_taken(rules, players) :] for tile in reversed(stack)]
    for hand in hands:
        missing = RACK_SIZE[rules.game] + (hand is hands[0]) - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return hands, rest + chosen[::-1], indicator, (first_die, *throws)


def _stacks_taken(rules: Rules, players: int) -> int:
    """How many whole stacks the players take in all."""
    return 3 * players if rules.game == "101" else 2 * players + 1


def _take_stacks(rules: Rules, players: int, each: int, line: list[list[Tile]]) -> list[list[Tile]]:
    """Whole stacks, one at a time in turn; in a classic deal the starter takes one more."""
    hands: list[list[Tile]] = [[] for _ in range(players)]
    for number, stack in enumerate(line[: _stacks_taken(rules, players)]):
        hands[number % players] += stack
    return hands


def _throw_for_indicator(rules: Rules, chosen: list[Tile], chance: Chance) -> list[int]:
    """The second die, thrown until it names a tile that may lie open."""
    throws = [chance.die()]
    while not _may_lie_open(rules, chosen[_place(rules, chosen, throws[-1])]):
        throws.append(chance.die())
    return throws


def _place(rules: Rules, chosen: list[Tile], die: int) -> int:
    """Where in the chosen stack (bottom first) a die points."""
    return die - 1 if rules.die_counts_from == "bottom" else len(chosen) - die


def _may_lie_open(rules: Rules, tile: Tile) -> bool:
    return tile is not Tile.F or rules.false_joker_indicator == "false_jokers_wild"


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
