"""The worth of a rack: RULES 1 (sets, runs, pairs, okeys), 3 (finish) and 7 (distance)."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.arrange import (
    best_opening,
    distance,
    finishing_discards,
    most_pairs,
    pair_count,
    useful_tiles,
    winning_arrangements,
)
from engine.melds import MeldRules, meld_as_laid, meld_of, tiles_in, words_of
from engine.tiles import FACES, FULL_SET, Tile, okey_of, text_of, tiles_from_text
from tests.engine.compare_arrange import (
    Held,
    are_melds,
    are_pairs,
    compare,
    is_arrangement,
    random_racks,
    winning_racks,
)

pytestmark = pytest.mark.long

R5 = Tile.R5
RULES = MeldRules(R5)
NO_PAIRS = MeldRules(R5, pairs=False)
NO_WRAP = MeldRules(R5, wrap=False)

MELDS = [
    pytest.param("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", id="runs"),
    pytest.param("R1 Y1 B1 R2 Y2 K2 R3 Y3 B3 K3 R9 Y9 B9 K9", id="sets of three and four"),
    pytest.param("R1 R2 R3 R1 R2 R3 B4 B5 B6 B7 Y8 B8 K8 R8", id="the same run twice"),
    pytest.param("K12 K13 K1 Y1 Y2 Y3 Y4 R6 R7 R8 R9 R10 R11 R12", id="12-13-1"),
    pytest.param("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K1", id="1-13, and the other 1 in 12-13-1"),
    pytest.param("F R6 R7 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", id="a false joker as the okey's face"),
    pytest.param("R5 R6 R7 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", id="an okey as its own face"),
    pytest.param("R5 R5 R7 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", id="one plain tile and two okeys"),
    pytest.param("R7 Y7 B7 R5 R8 Y8 B8 R5 R9 Y9 K9 B10 Y10 K10", id="an okey in each of two sets"),
    pytest.param("R1 Y1 B1 K1 R6 Y6 B6 K6 R10 Y10 B10 K10 R5 R5", id="two okeys beside three full sets"),
]

NO_MELDS = [
    pytest.param("K13 K1 K2 Y1 Y2 Y3 Y4 R6 R7 R8 R9 R10 R11 R12", id="13-1-2"),
    pytest.param("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K12", id="one tile alone"),
    pytest.param("R1 Y1 Y1 B2 Y2 K2 R3 Y3 B3 K3 R9 Y9 B9 K9", id="a set with a colour twice"),
    pytest.param("F B8 B9 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", id="a false joker as anything else"),
]


@pytest.mark.parametrize("rack", MELDS)
def test_sets_and_runs_win(rack: str) -> None:
    tiles = tiles_from_text(rack)
    assert tuple(winning_arrangements(NO_PAIRS, tiles)) == ("melds",)
    assert winning_arrangements(NO_PAIRS, tiles)
    assert distance(NO_PAIRS, tiles) == 0
    melds = winning_arrangements(NO_PAIRS, tiles)["melds"]
    assert is_arrangement(melds, Held(R5, tiles), pairs=False, wrap=True)


@pytest.mark.parametrize("rack", NO_MELDS)
def test_other_racks_do_not_win(rack: str) -> None:
    tiles = tiles_from_text(rack)
    assert tuple(winning_arrangements(RULES, tiles)) == ()
    assert not winning_arrangements(RULES, tiles)
    assert distance(RULES, tiles) == 1
    assert winning_arrangements(RULES, tiles) == {}


@pytest.mark.parametrize("rack", [MELDS[3], MELDS[4]])
def test_a_one_after_a_thirteen_is_a_switch(rack: str) -> None:
    assert not winning_arrangements(NO_WRAP, tiles_from_text(rack))


@pytest.mark.parametrize(
    ("rack", "distance_in_pairs"),
    [
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12", 0),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 F F", 0),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 R5 R5", 0),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 R5 K12 R5", 0),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 F R5", 0),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 Y12", 1),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K4 R5 K12 Y12", 1),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 Y10 K2 Y2 K12 Y12", 3),
    ],
)
def test_seven_pairs(rack: str, distance_in_pairs: int) -> None:
    tiles = tiles_from_text(rack)
    assert distance(RULES, tiles) == distance_in_pairs
    assert ("pairs" in winning_arrangements(RULES, tiles)) == (distance_in_pairs == 0)
    if distance_in_pairs == 0:
        pairs = winning_arrangements(RULES, tiles)["pairs"]
        assert is_arrangement(pairs, Held(R5, tiles), pairs=True, wrap=True)
        assert not winning_arrangements(NO_PAIRS, tiles)


def test_a_rack_can_win_both_ways() -> None:
    tiles = tiles_from_text("R1 R1 R2 R2 R3 R3 Y7 Y7 Y8 Y8 Y9 Y9 Y10 Y10")
    assert tuple(winning_arrangements(RULES, tiles)) == ("melds", "pairs")
    assert set(winning_arrangements(RULES, tiles)) == {"melds", "pairs"}


def test_okeys_are_named_for_what_they_stand_for() -> None:
    tiles = tiles_from_text("B6 R5 R5 B9 F R6 R7 Y1 Y2 Y3 K7 K8 K9 K10")
    melds = winning_arrangements(NO_PAIRS, tiles)["melds"]
    assert ("B6", "*B7", "*B8", "B9") in [words_of(meld, R5) for meld in melds]
    assert ("F", "R6", "R7") in [words_of(meld, R5) for meld in melds]


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ("R9 R5 R11 R12 R13", "R9 *R10 R11 R12 R13"),
        ("R5 B13 R5", "*B12 B13 *B1"),
        ("R5 F R6", "*R4 F R6"),
        ("K12 K13 R5", "K12 K13 *K1"),
        ("Y8 R5 K8", "Y8 *R8 K8"),
        ("R5 Y8 B8 K8", "*R8 Y8 B8 K8"),
        ("K3 R5", "K3 *K3"),
        ("R5 R5", "*R5 *R5"),
    ],
)
def test_where_an_okey_lies_says_what_it_stands_for(tiles: str, words: str) -> None:
    assert words_of(meld_as_laid(RULES, tiles_from_text(tiles)), R5) == tuple(words.split())


def test_a_winning_rack_can_be_read_from_how_it_lies() -> None:
    for wrap in (True, False):
        for held in winning_racks(Random(7), 50, wrap):
            rules = MeldRules(held.okey, wrap=wrap)
            for laid in winning_arrangements(rules, held.tiles).values():
                read = tuple(meld_as_laid(rules, tiles_in([meld])) for meld in laid)
                assert tiles_in(read) == tiles_in(laid)
                assert all(meld_of(rules, meld.tiles) == meld for meld in read)
                for meld, again in zip(laid, read, strict=True):
                    if sum(played.tile != held.okey for played in meld.tiles) > 1:
                        assert again == meld


def test_where_false_jokers_are_wild_no_tile_stands_in_for_another() -> None:
    """RULES 8: the okey is then written F."""
    okey = okey_of(Tile.F)
    assert okey is Tile.F
    tiles = tiles_from_text("R4 F R6 R1 R2 R3 Y1 Y2 Y3 K7 K8 K9 K10 K11")
    melds = winning_arrangements(MeldRules(okey), tiles)["melds"]
    assert ("R4", "*R5", "R6") in [words_of(meld, okey) for meld in melds]
    assert winning_arrangements(MeldRules(okey), tiles_from_text("R4 R5 R6 R5 R6 R7 Y1 Y2 Y3 K7 K8 K9 K10 F"))


@pytest.mark.parametrize(
    ("rack", "finishing"),
    [
        ("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11 R9", {Tile.R9: ("melds",)}),
        (
            "R1 R2 R3 R4 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11",
            dict.fromkeys(tiles_from_text("R1 R4 K7 K11"), ("melds",)),
        ),
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12 R5", dict.fromkeys(
            tiles_from_text("R1 R3 R5 Y6 B8 B10 K2 K12"), ("pairs",))),
        ("R1 R4 R9 R12 Y1 Y5 Y8 Y12 B2 B5 B10 B13 K2 K6 K7", {}),
    ],
)  # fmt: skip
def test_every_discard_that_finishes(rack: str, finishing: dict[Tile, tuple[str, ...]]) -> None:
    tiles = tiles_from_text(rack)
    found = finishing_discards(RULES, tiles)
    assert found == finishing
    assert list(found) == sorted(found)
    assert (distance(RULES, tiles) == 0) == bool(finishing)


def test_finishing_by_the_okey_itself() -> None:
    tiles = tiles_from_text("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11 R5")
    assert Tile.R5 in finishing_discards(RULES, tiles)


def test_useful_tiles() -> None:
    tiles = tiles_from_text("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 Y13")
    assert (
        text_of(sorted(useful_tiles(MeldRules(Tile.R6, pairs=False), tiles))) == "R4 R6 Y4 B4 K1 K2 K3 K6 K11"
    )
    assert useful_tiles(RULES, tiles_from_text(str(MELDS[0].values[0]))) == frozenset()


def test_tiles_useful_for_pairs() -> None:
    tiles = tiles_from_text("R1 R1 R7 R7 Y6 Y6 B4 B4 B10 B10 K2 K2 K12 Y12")
    assert useful_tiles(RULES, tiles) == {R5, Tile.K12, Tile.Y12}


@pytest.mark.parametrize(
    ("rack", "points"),
    [
        ("", 0),
        ("R1 R2 Y9 Y9 B9", 0),
        ("R1 R2 R3 Y9 B9 K9", 6 + 27),
        ("R8 R9 R10 R11 R12 R13 Y12 B12 K12 Y4", 63 + 36),
        ("K11 K12 K13 K1", 36),
        ("K1 K2 K3 K13", 6),
        ("K12 K13 R5", 36),
        ("K12 R5 R5 Y13", 39),
        ("K12 K13 Y7 Y8 R5 R5", 36 + 24),
        ("R7 R7 Y7 Y7 B7 B7 K7 K7", 56),
        ("R7 R7 Y7 Y7 B7 B7 K7 K7 R5", 63),
        ("R7 R7 Y7 Y7 B7 B7 K7 K7 R5 R5", 49 + 24),
        ("F R6 R7 Y1 Y2", 18),
        ("F B4 B6 Y1 Y2", 0),
        ("B4 R5 B6", 15),
    ],
)
def test_the_best_opening(rack: str, points: int) -> None:
    """RULES 5: an okey counts as the tile it stands for, a false joker as the okey's face."""
    tiles = tiles_from_text(rack)
    found, melds = best_opening(NO_WRAP, tiles)
    assert found == points
    assert are_melds(melds, Held(R5, tiles), wrap=False)
    assert sum(tile.face.number or 0 for meld in melds for tile in meld.tiles) == points


def test_a_one_after_a_thirteen_counts_one() -> None:
    assert best_opening(RULES, tiles_from_text("K12 K13 K1"))[0] == 26


@pytest.mark.parametrize(
    ("rack", "pairs"),
    [
        ("R1 R2 R3", 0),
        ("R1 R1 Y1 Y1 R2 R3", 2),
        ("R1 R1 R2 R5", 2),
        ("R1 R1 R5 R5", 2),
        ("R1 R1 R2 R5 R5", 2),
        ("R1 R1 R2 R3 R5 R5", 3),
        ("F F R2 R2", 2),
        ("F R5", 1),
    ],
)
def test_the_most_pairs(rack: str, pairs: int) -> None:
    tiles = tiles_from_text(rack)
    found = most_pairs(RULES, tiles)
    assert len(found) == pairs == pair_count(RULES, tiles)
    assert are_pairs(found, Held(R5, tiles))


def test_the_same_as_a_slow_search() -> None:
    differences = compare(Random(2), dealt=25, winning=25, dense=10, finishing=3, useful=1, openings=40)
    assert list(differences) == []


def test_the_shares_of_distances() -> None:
    """RULES 7: of 20 000 racks, within 0.7 points; here of 5 000, within 2."""
    racks = [held for held in random_racks(Random(3), 5200) if held.okey is not Tile.F][:5000]
    counts = Counter(distance(MeldRules(held.okey), held.tiles) for held in racks)
    expected = {1: 0.1, 2: 2.9, 3: 20.6, 4: 46.3, 5: 28.3, 6: 1.8}
    assert set(counts) <= set(expected)
    for steps, share in expected.items():
        assert counts[steps] / 50 == pytest.approx(share, abs=2)
    assert sum(steps * count for steps, count in counts.items()) / 5000 == pytest.approx(4.05, abs=0.05)


@given(st.permutations(FULL_SET), st.sampled_from(FACES))
def test_a_drawn_tile_brings_a_rack_nearer_by_one_or_not_at_all(order: list[Tile], okey: Tile) -> None:
    tiles, drawn = order[:14], order[14]
    rules = MeldRules(okey)
    now, then = distance(rules, tiles), distance(rules, [*tiles, drawn])
    assert then == (now - 1 if drawn in useful_tiles(rules, tiles) else now)
