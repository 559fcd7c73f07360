"""Melds that are being built: what belongs together, what they come to, what stays when tiles leave."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables import drafts
from bot.tables.table import RackDraft
from engine.melds import MeldRules
from engine.record import read_placed
from engine.tiles import FULL_SET, Tile, tiles_from_text

OKEY = Tile.K1
RULES = MeldRules(OKEY, wrap=False)
RACKS = st.randoms(use_true_random=False).map(lambda chance: chance.sample(FULL_SET, 22))


def draft_of(*groups: str) -> RackDraft:
    """A draft in text: `B7 *B8`."""
    return tuple(tuple(read_placed(word) for word in group.split()) for group in groups)


def built(*words: str) -> list[str]:
    """The groups that arise when these are pressed one after the other."""
    draft: RackDraft = ()
    for word in words:
        draft = drafts.add(draft, read_placed(word), RULES)
    return [" ".join(map(str, group)) for group in draft]


@pytest.mark.parametrize(
    ("pressed", "groups"),
    [
        ("B7 B8 B9 B10", ["B7 B8 B9 B10"]),
        ("B9 B7 B8", ["B9 B7 B8"]),
        ("B7 B10", ["B7", "B10"]),
        ("B7 R7 K7 Y7", ["B7 R7 K7 Y7"]),
        ("B7 R7 B7", ["B7 R7", "B7"]),
        ("B7 B7 B7", ["B7 B7", "B7"]),
        ("B7 B8 R8", ["B7 B8", "R8"]),
        ("B12 B13 B1", ["B12 B13", "B1"]),
        ("K2 F K3", ["K2 F K3"]),
        ("B7 *B8 B9", ["B7 *B8 B9"]),
        ("*R7 R8 Y1", ["*R7 R8", "Y1"]),
    ],
)
def test_a_tile_joins_the_last_meld_where_it_may_belong(pressed: str, groups: list[str]) -> None:
    """The false joker is played as the okey's face, black 1."""
    assert built(*pressed.split()) == groups


def test_only_finished_melds_count() -> None:
    """24 points in a run and 27 in a set; two of a run and a pair count no points."""
    draft = draft_of("B7 *B8 B9", "R9 K9 Y9", "R1 R2", "Y4 Y4")
    assert drafts.worth(draft, RULES) == drafts.DraftWorth(points=51, pairs=1)


@pytest.mark.parametrize(
    ("draft", "faces"),
    [
        ((), "K1"),
        (("B7",), "R7 Y7 B5 B6 B7 B8 B9 K7"),
        (("B7 B9",), "B5 B6 B8 B10 B11"),
        (("B7 R7",), "Y7 K7"),
        (("B7 B7",), "K1"),
        (("B7 R7 Y7 K7",), "K1"),
        (("B12 B13",), "B10 B11"),
        (("B7 B8 B9", ""), "K1"),
    ],
)
def test_what_an_okey_may_stand_for(draft: tuple[str, ...], faces: str) -> None:
    found = drafts.stands_for(draft_of(*draft), RULES)
    assert found == tiles_from_text(faces)


def test_what_leaves_the_rack_leaves_the_draft() -> None:
    draft = draft_of("B7 *B8 B9", "R1 R2 R3", "Y4 Y4")
    rack = tiles_from_text("B7 B9 R1 R2 R3 Y4 K1")
    assert drafts.keep(draft, rack, OKEY) == draft_of("B7 *B8 B9", "R1 R2 R3", "Y4")
    assert drafts.keep(draft, rack[:-1], OKEY) == draft_of("B7 B9", "R1 R2 R3", "Y4")
    assert drafts.keep(draft, tiles_from_text("R2"), OKEY) == draft_of("R2")


@given(RACKS, st.lists(st.integers(0, 40), max_size=40))
def test_a_draft_and_what_is_left_are_always_the_rack(rack: list[Tile], steps: list[int]) -> None:
    draft: RackDraft = ()
    for step in steps:
        free = drafts.subtract(rack, draft, OKEY)
        if step < len(free):
            placed = read_placed("*B5" if free[step] is OKEY else free[step].name)
            more = drafts.add(draft, placed, RULES)
            assert drafts.undone(more) == drafts.keep(draft, rack, OKEY)
            draft = more
        elif step < 30:
            draft = drafts.with_new_group(draft)
        else:
            draft = drafts.without_group(draft, step - 30)
        used = [drafts.tile_of(placed, OKEY) for group in draft for placed in group]
        assert Counter(used) + Counter(drafts.subtract(rack, draft, OKEY)) == Counter(rack)
        assert drafts.keep(draft, rack, OKEY) == tuple(group for group in draft if group)


@pytest.mark.parametrize(
    ("groups", "rack", "stays"),
    [
        (("R5 R6 R7", "R5 Y5 B5"), "R5 Y5 B5", ("R5 Y5 B5",)),
        (("R5 Y5 B5", "R5 R6 R7"), "R5 R6 R7", ("R5 R6 R7",)),
        (("R4 *R5 R6", "Y4 *Y5 Y6"), "Y4 K1 Y6", ("Y4 *Y5 Y6",)),
        (("R5", "R5 Y5 B5"), "R5 Y5 B5", ("R5 Y5 B5",)),
        (("R5 R6 R7", "R5 R6 R7"), "R5 R6 R7", ("R5 R6 R7",)),
    ],
)
def test_a_laid_meld_takes_no_tile_from_another(
    groups: tuple[str, ...], rack: str, stays: tuple[str, ...]
) -> None:
    assert drafts.keep(draft_of(*groups), tiles_from_text(rack), OKEY) == draft_of(*stays)
