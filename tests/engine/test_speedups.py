"""The arrangement in C answers like the reference, and refuses invalid questions."""

import subprocess
import sys
from functools import partial
from random import Random

import pytest

from engine import arrange
from engine.arrange import reference
from engine.melds import MeldRules
from engine.tiles import Tile, tiles_from_text
from tests.engine.compare_speedups import ask_nonsense, differences

pytestmark = pytest.mark.long

speedups = pytest.importorskip("engine.arrange._speedups", reason="no compiler built the extension")


def test_the_same_as_the_reference() -> None:
    """More of them: `python -m tests.engine.compare_speedups --racks 1000000`."""
    assert list(differences(Random(13), 3_000, speedups)) == []


def test_every_question_of_the_extension_is_one_of_the_reference_and_asked() -> None:
    asked = {name for name in vars(speedups) if not name.startswith("_")}
    assert asked <= set(vars(reference))
    assert arrange.ARRANGER == "c"
    assert all(getattr(arrange, name) is getattr(speedups, name) for name in asked)


def test_nonsense_is_refused() -> None:
    ask_nonsense(Random(3), 2_000, speedups)


@pytest.mark.parametrize(
    ("tiles", "error"),
    [
        ([Tile.R1] * 3, ValueError),  # more than the set has
        ([53], ValueError),
        ([-1], ValueError),
        (list(tiles_from_text("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 Y1 Y2")) * 2, ValueError),
        (["R1"], TypeError),
        (7, TypeError),
        ([1 << 70], OverflowError),
    ],
)
def test_what_is_no_rack(tiles: object, error: type[Exception]) -> None:
    for question in ("distance", "useful_tiles", "distances_without", "finishing_discards", "opening_points"):
        with pytest.raises(error):
            getattr(speedups, question)(MeldRules(Tile.K1), tiles)


def test_without_the_extension_everything_is_answered_in_python() -> None:
    code = (
        "import sys; sys.modules['engine.arrange._speedups'] = None\n"
        "from engine import arrange; from engine.arrange import reference\n"
        "assert arrange.ARRANGER == 'python' and arrange.distance is reference.distance\n"
        "from engine.simulate import simulate; from engine.rules import Rules\n"
        "print(simulate(Rules(), ['steady', 'easy', 'greedy', 'nearest'], 2, b'same'))"
    )
    run = partial(subprocess.run, capture_output=True, check=True, text=True)
    by_python = run([sys.executable, "-c", code]).stdout
    with_c = code.partition("\n")[2].replace("'python'", "'c'").replace("is reference", "is not reference")
    assert run([sys.executable, "-c", with_c]).stdout == by_python
