"""RULES 2: stacks, dice, indicator, the tiles of each player, and those left over."""

from collections import Counter

import pytest

from engine.deal import Dealt, deal
from engine.rules import Rules
from engine.shuffle import Rng, Seed
from engine.tiles import FULL_SET, Tile, text_of
from tests.engine.laid_out import Scripted, rules_of

# An order in which equal faces are far apart, so that a tile shows its place; no false joker near the front.
SPREAD = [*FULL_SET[::2][:-1], *FULL_SET[1::2][:-1], Tile.F, Tile.F]


def stacked(size: int) -> list[list[Tile]]:
    """SPREAD in stacks, each from bottom to top, with the spare left over."""
    return [SPREAD[start : start + size] for start in range(0, 105, size)]


def in_line(first_die: int, size: int) -> list[list[Tile]]:
    """The stacks after the chosen one, in the order in which they are taken, each from its top."""
    stacks = stacked(size)
    return [stack[::-1] for stack in stacks[first_die:] + stacks[: first_die - 1]]


def laid(rules: Rules, dealer: int, *dice: int, order: list[Tile] | None = None) -> Dealt:
    return deal(rules, dealer, tuple(range(rules.players)), Scripted(order or SPREAD, dice))


def same(tiles: tuple[Tile, ...], *parts: list[Tile]) -> bool:
    return Counter(tiles) == Counter(tile for part in parts for tile in part)


@pytest.mark.parametrize("first_die", [1, 3, 6])
def test_four_players_take_the_stacks_that_the_rules_letter(first_die: int) -> None:
    """Starter a e i, second b f + 4 of j, third c g + 1 of j + 3 of k, dealer d h + 2 of k + 2 of l."""
    got = laid(rules_of(), 0, first_die, 2)
    a, b, c, d, e, f, g, h, i, j, k, el, *rest = in_line(first_die, 5)
    assert got.starter == 1
    assert same(got.racks[1], a, e, i)
    assert same(got.racks[2], b, f, j[:4])
    assert same(got.racks[3], c, g, j[4:], k[:3])
    assert same(got.racks[0], d, h, k[3:], el[:2])
    chosen = [*stacked(5)[first_die - 1], SPREAD[-1]]
    assert got.indicator == chosen.pop(1)
    expected = el[2:] + [tile for stack in rest for tile in stack] + chosen[::-1]
    assert list(got.stock) == expected
    assert got.dice == (first_die, 2)


def test_two_players_take_turns_at_the_stacks() -> None:
    got = laid(rules_of(players=2), 1, 4, 1)
    a, b, c, d, e, f, *_ = in_line(4, 5)
    assert got.starter == 0
    assert same(got.racks[0], a, c, e)
    assert same(got.racks[1], b, d, f[:4])
    assert got.stock[0] == f[4]


def test_three_players_take_turns_at_the_stacks() -> None:
    got = laid(rules_of(players=3), 2, 5, 1)
    a, b, c, d, e, f, g, h, i, *_ = in_line(5, 5)
    assert same(got.racks[0], a, d, g)
    assert same(got.racks[1], b, e, h[:4])
    assert same(got.racks[2], c, f, h[4:], i[:3])
    assert got.stock[:2] == tuple(i[3:])


def test_in_101_each_takes_three_whole_stacks_and_the_starter_one_tile_more() -> None:
    got = laid(rules_of(preset="okey101"), 2, 6, 3)
    a, b, c, d, e, f, g, h, i, j, k, el, m, *rest = in_line(6, 7)
    assert got.starter == 2
    assert same(got.racks[2], a, e, i, m[:1])
    assert same(got.racks[3], b, f, j)
    assert same(got.racks[0], c, g, k)
    assert same(got.racks[1], d, h, el)
    chosen = [*stacked(7)[5], SPREAD[-1]]
    assert got.indicator == chosen.pop(2)
    assert list(got.stock) == m[1:] + [tile for stack in rest for tile in stack] + chosen[::-1]


@pytest.mark.parametrize(
    ("switches", "stock"),
    [
        ({"players": 4}, 48),
        ({"players": 3}, 62),
        ({"players": 2}, 76),
        ({"preset": "okey101", "players": 4}, 20),
        ({"preset": "okey101", "players": 3}, 41),
        ({"preset": "okey101", "players": 2}, 62),
    ],
)
@pytest.mark.parametrize("way", ["stacks", "quick"])
def test_what_is_left_after_the_deal(switches: dict[str, object], stock: int, way: str) -> None:
    rules = rules_of(**switches, deal=way)
    got = deal(rules, 0, range(rules.players), Rng(Seed(bytes(64), (), "t", 1), "deal"))
    assert len(got.stock) == stock
    size = 21 if rules.game == "101" else 14
    assert [len(rack) for rack in got.racks] == [
        size + (seat == got.starter) for seat in range(rules.players)
    ]
    assert Counter([got.indicator, *got.stock, *(t for rack in got.racks for t in rack)]) == Counter(FULL_SET)


@pytest.mark.parametrize(("counts_from", "die", "place"), [
    ("bottom", 1, 0), ("bottom", 5, 4), ("bottom", 6, 5), ("top", 1, 5), ("top", 2, 4), ("top", 6, 0),
])  # fmt: skip
def test_the_second_die_counts_from_the_bottom_or_the_top(counts_from: str, die: int, place: int) -> None:
    order = [*SPREAD[:-1], Tile.F]
    order[0], order[105] = order[105], order[0]  # the spare is no false joker here, but the bottom is
    got = laid(rules_of(die_counts_from=counts_from), 0, 2, die, order=order)
    assert got.indicator == [*order[5:10], order[105]][place]


def test_the_second_die_is_thrown_again_for_a_false_joker() -> None:
    got = laid(rules_of(), 0, 2, 6, 6, 3)
    assert got.indicator == SPREAD[7]
    assert got.dice == (2, 6, 6, 3)


def test_the_false_joker_lies_open_where_false_jokers_are_wild() -> None:
    got = laid(rules_of(false_joker_indicator="false_jokers_wild"), 0, 2, 6)
    assert got.indicator is Tile.F
    assert got.dice == (2, 6)
    assert [tile for rack in (*got.racks, got.stock) for tile in rack].count(Tile.F) == 1


def test_the_quick_deal_turns_the_next_tile_that_is_no_false_joker() -> None:
    order = [*SPREAD[:57], Tile.F, Tile.F, *SPREAD[57:104]]
    got = laid(rules_of(deal="quick"), 3, order=order)
    assert got.starter == 0
    assert text_of(got.racks[0]) == text_of(sorted(order[:15]))
    assert text_of(got.racks[1]) == text_of(sorted(order[15:29]))
    assert got.indicator == order[59]
    assert got.stock == (Tile.F, Tile.F, *order[60:])
    assert got.dice == ()
    wild = laid(rules_of(deal="quick", false_joker_indicator="false_jokers_wild"), 3, order=order)
    assert wild.indicator is Tile.F


@pytest.mark.parametrize(("starter", "dealer", "starts"), [
    ("after_dealer", 0, 1), ("after_dealer", 3, 0), ("dealer", 0, 0), ("dealer", 3, 3),
])  # fmt: skip
def test_who_starts(starter: str, dealer: int, starts: int) -> None:
    got = laid(rules_of(starter=starter), dealer, 1, 1)
    assert got.starter == starts
    assert len(got.racks[starts]) == 15


def test_a_seat_that_has_left_gets_no_tiles_and_does_not_start() -> None:
    got = deal(rules_of(end="elimination"), 0, (0, 2, 3), Scripted(SPREAD, (1, 1)))
    assert got.starter == 2
    assert [len(rack) for rack in got.racks] == [14, 0, 15, 14]
    assert len(got.stock) == 62


def test_a_deal_does_not_print_racks_or_stock() -> None:
    shown = repr(laid(rules_of(), 0, 1, 1))
    assert "racks" not in shown
    assert "stock" not in shown
