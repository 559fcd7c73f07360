"""Rollouts of Okey 101: what a round comes to (RULES 5), in C and in Python."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine import arrange
from engine.arrange import reference
from engine.arrange.rollouts import WAYS, OtherSeat, Sight
from engine.melds import MeldRules, Way
from engine.players.rollouts import is_modelled
from engine.rules import PRESETS, rules_from
from engine.tiles import FULL_SET, Tile, tiles_from_text

Rollouts = Callable[..., list[int]]

RULES = MeldRules(Tile.K5, wrap=False)
OPENING = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 B9 B10"


@pytest.fixture(params=["c", "python"])
def rollouts(request: pytest.FixtureRequest) -> Rollouts:
    """Both ways."""
    if request.param == "python":
        return reference.rollouts
    if arrange.ARRANGER != "c":
        pytest.skip("no compiler built the extension")
    return arrange.rollouts


def sight(
    *table: str,
    way: Way | None = None,
    stock: int = 0,
    others: Sequence[OtherSeat] = (),
    partners: bool = False,
) -> Sight:
    """A sight at two seats, the other one unopened with a full rack."""
    seats = tuple(others) or (OtherSeat(21, WAYS[None], ()),)
    laid = tuple(tuple(tiles_from_text(meld)) for meld in table)
    return Sight(101, 5, partners, stock, WAYS[way], seats, laid)


def hidden_from(rack: str) -> Counter[Tile]:
    """Tiles for another seat, no matter which."""
    return Counter(sorted((Counter(FULL_SET) - Counter(tiles_from_text(rack))).elements())[:21])


def ask(rollouts: Rollouts, rack: str, given: Sight, *discards: str, unseen: str = "") -> list[int]:
    """The points to which each discard comes in one guess; `-` is to lay and discard as everybody does."""
    tiles = tuple(None if name == "-" else Tile[name] for name in discards)
    hidden = Counter(tiles_from_text(unseen)) if unseen else hidden_from(rack)
    return rollouts(RULES, tiles_from_text(rack), hidden, given, tiles, 1, 7)


def test_the_end_of_the_stock_costs_the_rack_of_who_opened(rollouts: Rollouts) -> None:
    assert ask(rollouts, "R1 K9 Y4", sight(way="melds"), "R1", "K9", "Y4") == [13, 5, 10]
    assert ask(rollouts, "R1 K9 Y4", sight(way="pairs"), "R1", "K9", "Y4") == [26, 10, 20]


def test_it_costs_who_has_not_opened_202(rollouts: Rollouts) -> None:
    assert ask(rollouts, "R1 K9 Y4", sight(), "R1", "K9") == [202, 202]


def test_a_playable_discard_and_an_okey_cost_101_more(rollouts: Rollouts) -> None:
    table = sight("B5 B6 B7", "R9 Y9 B9")
    assert ask(rollouts, "B4 B8 K9 K5 B3", table, "B4", "B8", "K9", "K5", "B3") == [303, 303, 303, 303, 202]


def test_an_okey_left_costs_101_and_not_its_face(rollouts: Rollouts) -> None:
    assert ask(rollouts, "R1 K9 K5", sight(way="melds"), "K9", "R1", "K5") == [102, 110, 111]


def test_the_last_tile_finishes(rollouts: Rollouts) -> None:
    assert ask(rollouts, "R1", sight(way="melds"), "R1", "-") == [-101, -101]
    assert ask(rollouts, "K5", sight(way="melds"), "K5") == [-202]
    assert ask(rollouts, "K5", sight(way="pairs"), "K5") == [-404]


def test_as_everybody_does_they_lay_off_and_finish(rollouts: Rollouts) -> None:
    assert ask(rollouts, "B8 B9 K1", sight("B5 B6 B7", way="melds"), "-", "K1") == [-101, 17]
    assert ask(rollouts, "Y1 Y2 Y3 K1", sight(way="melds"), "-", "K1") == [-101, 6]
    assert ask(rollouts, "Y1 Y1 K1 B9", sight(way="pairs"), "-", "B9") == [2, 6]


def test_as_everybody_does_they_open(rollouts: Rollouts) -> None:
    """102 points, of which a ten is missing then; and five pairs."""
    assert ask(rollouts, f"{OPENING} R1 K2", sight(), "-", "K2") == [3, 202]
    short = OPENING.removesuffix(" B10")
    assert ask(rollouts, f"{short} R1 K2", sight(), "-", "K2") == [202, 202]
    assert ask(rollouts, "R1 R1 Y4 Y4 B7 B7 K9 K9 Y6 Y6 R2 K8", sight(), "-", "K8") == [4, 202]


def test_elden_counts_twice(rollouts: Rollouts) -> None:
    assert ask(rollouts, f"{OPENING} K5 R1", sight(), "-") == [-202]
    opened = [OtherSeat(21, WAYS["melds"], ())]
    assert ask(rollouts, f"{OPENING} K5 R1", sight(others=opened), "-") == [-101]


def test_partners_pay_together(rollouts: Rollouts) -> None:
    others = [OtherSeat(5, WAYS[None], ()), OtherSeat(5, WAYS[None], ()), OtherSeat(5, WAYS[None], ())]
    side = sight(way="melds", others=others, partners=True)
    assert ask(rollouts, "R1 K9", side, "R1") == [9 + 202]
    assert ask(rollouts, "R1", side, "R1") == [-101]


def test_others_draw_the_rest_of_the_stock(rollouts: Rollouts) -> None:
    """One tile is left, with which the other seat, of one tile and opened, finishes by laying it off."""
    other = [OtherSeat(1, WAYS["melds"], ())]
    given = sight("B5 B6 B7", way="melds", stock=1, others=other)
    assert ask(rollouts, "R1 K9", given, "R1", unseen="B8 B4") == [9]
    assert ask(rollouts, "R1", given, "R1", unseen="B8 B4") == [-101]
    waiting = sight("B5 B6 B7", stock=1, others=other)
    assert ask(rollouts, "R1 R2 K9", waiting, "R1", unseen="B8 B4") == [202]


def test_the_same_question_has_the_same_answer(rollouts: Rollouts) -> None:
    rack, hidden = tiles_from_text(f"{OPENING} R1 K9"), hidden_from(f"{OPENING} R1 K9")
    hidden.update(tiles_from_text("K1 K2 K3 K4 K8 K10 K11"))
    asked: tuple[Any, ...] = (RULES, rack, hidden, sight(stock=6), (Tile.R1, Tile.K9), 5, 3)
    assert rollouts(*asked) == rollouts(*asked)


@pytest.mark.parametrize(
    "changed",
    [
        {"guesses": 0},
        {"guesses": 1 << 40},
        {"seed": -1},
        {"seed": 1 << 64},
        {"discards": (Tile.R9,)},
        {"discards": ()},
        {"discards": [Tile.R1]},
        {"discards": (99,)},
        {"unseen": Counter([*FULL_SET])},
        {"unseen": Counter(FULL_SET[1:21])},
        {"sight": sight(stock=-1)},
        {"sight": sight(partners=True)},
        {"sight": sight()._replace(points=0)},
        {"sight": sight()._replace(others=())},
        {"sight": sight()._replace(others=(7,))},
        {"sight": sight()._replace(others=(OtherSeat(-1, 0, ()),))},
        {"sight": sight()._replace(others=(OtherSeat(21, 0, (99,)),))},
        {"sight": sight()._replace(table=((),))},
        {"sight": sight()._replace(table=((Tile.F, Tile.R1),))},
        {"sight": list(sight())},
        {"sight": (101, 5)},
    ],
)
def test_what_makes_no_sense_is_refused(changed: dict[str, object]) -> None:
    speedups = pytest.importorskip("engine.arrange._speedups", reason="no compiler built the extension")
    asked: dict[str, object] = {
        "rules": RULES,
        "tiles": tiles_from_text("R1 K9"),
        "unseen": hidden_from("R1 K9"),
        "sight": sight(way="melds"),
        "discards": (Tile.R1,),
        "guesses": 3,
        "seed": 1,
    }
    assert speedups.rollouts(*asked.values()) == [9 * 3]
    with pytest.raises((ValueError, TypeError, OverflowError)):
        speedups.rollouts(*(asked | changed).values())


def test_the_rules_that_they_know() -> None:
    known = {
        name for name in PRESETS if name.startswith("okey101") and is_modelled(rules_from({"preset": name}))
    }
    assert known == {"okey101", "okey101-partners"}
    for switch in ("raising", "reclaim_joker", "one_after_thirteen", "declare_pairs", "elden_below"):
        assert not is_modelled(rules_from({"preset": "okey101", switch: True}))
    assert not is_modelled(rules_from({"preset": "okey101", "openers_pay": "uncombined"}))
