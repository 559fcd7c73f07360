"""From shuffled tiles to racks, stock and indicator (RULES 2).

What RULES leave open and our formats fix: the shuffled tiles build the stacks from the dealer's left,
each from its bottom to its top, and the last tile is the spare. The quick deal hands each player his
tiles in one go from the front, the starter first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

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
