"""Deal: the first dealer and the seats; shuffled tiles become racks, stock and indicator (RULES 2).

RULES leave open, and the formats fix: the shuffled tiles build the stacks from the dealer's left, each from
its bottom to its top, and the last tile is the spare. The quick deal gives each player their tiles in one go
from the front, the starter first. A seat is drawn for with a numbered tile, whose colour does not matter, and
tiles are mixed again before each draw; partners keep their seats, since they have chosen each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.events import DiceThrown, SeatsDrawn
from engine.games import game_of
from engine.rules import Rules
from engine.shuffle import Rng
from engine.tiles import FULL_SET, Tile

_NUMBERED: Final = tuple(tile for tile in FULL_SET if tile is not Tile.F)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: the tiles of each player, and those on the table."""

    dealer: int
    starter: int
    """The seat that has one tile more and discards first."""
    indicator: Tile
    dice: tuple[int, ...]
    """The first die (it chose the stack, counted from the dealer's left), the second die, and its repeated
    throws after a false joker came up; empty for the quick deal."""
    racks: tuple[tuple[Tile, ...], ...] = field(repr=False)
    """By seat, sorted; empty for a seat that no longer plays."""
    stock: tuple[Tile, ...] = field(repr=False)
    """The first drawn first."""
    riziko: bool = False
    """Whether a false joker was turned first, where that doubles the round (RULES 9)."""


def starter_of(rules: Rules, dealer: int, seats: Sequence[int]) -> int:
    """Return the seat that starts when `dealer` deals to `seats` in order of play (RULES 2, `starter`)."""
    if rules.starter == "dealer":
        return dealer
    return seats[(seats.index(dealer) + 1) % len(seats)]


def deal(rules: Rules, dealer: int, seats: Sequence[int], rng: Rng) -> Dealt:
    """Shuffle and deal to `seats` (in order of play, the dealer among them)."""
    tiles = rng.shuffle(FULL_SET)
    starter = starter_of(rules, dealer, seats)
    first = seats.index(starter)
    order = [*seats[first:], *seats[:first]]
    if rules.deal == "quick":
        laid_out = _quick(rules, len(order), tiles)
    else:
        laid_out = _from_stacks(rules, len(order), tiles, rng)
    by_seat = dict(zip(order, laid_out.hands, strict=True))
    return Dealt(
        dealer=dealer,
        starter=starter,
        indicator=laid_out.indicator,
        dice=laid_out.dice,
        racks=tuple(tuple(sorted(by_seat.get(seat, ()))) for seat in range(rules.players)),
        stock=tuple(laid_out.stock),
        riziko=rules.riziko and laid_out.false_joker_turned,
    )


class _LaidOut(NamedTuple):
    """Tiles laid out for players in the order in which they get them."""

    hands: list[list[Tile]]
    stock: list[Tile]
    indicator: Tile
    false_joker_turned: bool
    """Whether a false joker came up before the indicator."""
    dice: tuple[int, ...] = ()


def _quick(rules: Rules, players: int, tiles: list[Tile]) -> _LaidOut:
    size = game_of(rules).rack_size
    hands = [tiles[: size + 1]]
    for player in range(1, players):
        hands.append(tiles[player * size + 1 : (player + 1) * size + 1])
    stock = tiles[players * size + 1 :]
    turned = next(place for place, tile in enumerate(stock) if _may_lie_open(rules, tile))
    return _LaidOut(hands, stock, stock.pop(turned), turned > 0)


def _from_stacks(rules: Rules, players: int, tiles: list[Tile], rng: Rng) -> _LaidOut:
    game = game_of(rules)
    size = game.stack_size
    stacks = [tiles[start : start + size] for start in range(0, len(tiles) - 1, size)]
    first_die = rng.die()
    chosen = [*stacks[first_die - 1], tiles[-1]]
    throws = _throw_for_indicator(rules, chosen, rng)
    joker_turned = not _may_lie_open(rules, chosen[_place(rules, chosen, throws[0])])
    line = stacks[first_die:] + stacks[: first_die - 1]
    indicator = _take_indicator(rules, [chosen, *line], _place(rules, chosen, throws[-1]))
    taken = game.stacks_each * players + game.stacks_more
    hands = [[tile for stack in line[seat:taken:players] for tile in stack] for seat in range(players)]
    rest = [tile for stack in line[taken:] for tile in reversed(stack)]
    for hand in hands:
        missing = game.rack_size + (hand is hands[0]) - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return _LaidOut(hands, rest + chosen[::-1], indicator, joker_turned, (first_die, *throws))


def _throw_for_indicator(rules: Rules, chosen: list[Tile], rng: Rng) -> list[int]:
    """Return the throws of the second die: under `reroll`, until it names a tile that may lie open."""
    throws = [rng.die()]
    while rules.false_joker_indicator == "reroll" and not _may_lie_open(
        rules, chosen[_place(rules, chosen, throws[-1])]
    ):
        throws.append(rng.die())
    return throws


def _take_indicator(rules: Rules, stacks: list[list[Tile]], place: int) -> Tile:
    """Take the tile at a place of the first stack, or the next that may lie open: below it, and then from the
    top of the next stack down (`next_tile`; if the starter's first stack so lacks a tile, they draw one)."""
    for stack in stacks:
        for below in range(place if stack is stacks[0] else len(stack) - 1, -1, -1):
            if _may_lie_open(rules, stack[below]):
                return stack.pop(below)
    raise AssertionError("there are but two false jokers")


def _place(rules: Rules, chosen: list[Tile], die: int) -> int:
    """Return the position in the chosen stack (bottom first) to which a die points."""
    return die - 1 if rules.die_counts_from == "bottom" else len(chosen) - die


def _may_lie_open(rules: Rules, tile: Tile) -> bool:
    return tile is not Tile.F or rules.false_joker_indicator == "false_jokers_wild"


def first_dealer(rules: Rules, rng: Rng) -> tuple[int, tuple[DiceThrown | SeatsDrawn, ...]]:
    """Return the first dealer, and the events by which everybody saw them found.

    After `SeatsDrawn` the seats are renumbered: the dealer is already given by the new number.
    """
    if rules.first_dealer == "random":
        return rng.below(rules.players), ()
    if rules.first_dealer == "highest_die":
        thrown = _throw(rules.players, rng)
        return _dealer_before(rules, thrown.starter), (thrown,)
    drawn = _draw(rules, rng)
    return _dealer_before(rules, drawn.starter), (drawn,)


def _dealer_before(rules: Rules, starter: int) -> int:
    return starter if rules.starter == "dealer" else (starter - 1) % rules.players


def _throw(players: int, rng: Rng) -> DiceThrown:
    """Return the throws of everybody; those who are equal and highest throw again."""
    highest = list(range(players))
    throws = []
    while len(highest) > 1:
        thrown = {seat: rng.die() for seat in highest}
        throws.append(tuple(thrown.get(seat) for seat in range(players)))
        highest = [seat for seat in highest if thrown[seat] == max(thrown.values())]
    return DiceThrown(tuple(throws), highest[0])


def _draw(rules: Rules, rng: Rng) -> SeatsDrawn:
    """Return the draws of everybody; those who are equal draw again, until all differ."""
    seats = range(rules.players)
    ranks: list[tuple[int, ...]] = [() for _ in seats]
    draws = []
    while len(set(ranks)) < rules.players:
        tied = [seat for seat in seats if ranks.count(ranks[seat]) > 1]
        drawn = dict(zip(tied, rng.shuffle(_NUMBERED), strict=False))
        draws.append(tuple(drawn.get(seat) for seat in seats))
        ranks = [
            (*rank, drawn[seat].number or 0) if seat in drawn else rank for seat, rank in enumerate(ranks)
        ]
    order = sorted(seats, key=ranks.__getitem__, reverse=True)
    if rules.teams:
        return SeatsDrawn(tuple(draws), tuple(seats), order[0])
    return SeatsDrawn(tuple(draws), tuple(order), 0)
