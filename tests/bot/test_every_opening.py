"""Every opening and every further meld of Okey 101 can be laid with the buttons of the draft, and none of
these buttons is dead."""

import asyncio
import random
from itertools import islice

import pytest

from bot.screens.player import Mode
from bot.tables.table import Table
from engine.melds import Way, empty_board
from engine.rules import rules_from
from engine.tiles import Tile, tiles_from_text
from engine.view import public_view
from tests.bot.hands import switched
from tests.bot.openings import PRESETS_101, Arranger, Builder, discarding, play_on, presses, seated

pytestmark = pytest.mark.long


@pytest.mark.parametrize("preset", PRESETS_101)
def test_openings_and_further_melds_can_be_built(preset: str) -> None:
    held = asyncio.run(play_on(preset, range(4)))
    assert {"opened with melds", "opened with pairs", "laid melds"} <= held.keys()


@pytest.mark.parametrize(
    ("way", "rack", "switches", "openings"),
    [
        ("melds", "R12 R13 Y13 B13 K1 K1 K4", "", 16),
        ("melds", "R10 R11 R12 R13 Y11 B11 K1 K4", "", 10),
        ("melds", "B11 B12 B13 B1 K1 R12 Y12 R2", "one_after_thirteen=true", 9),
        ("melds", "R7 R7 R8 R8 R9 R9 Y8 B8 K8 F K2", "", 2),
        ("melds", "K2 K3 F F K1 R13 Y13 B13 K12 K13", "", 17),
        ("pairs", "R2 R2 Y4 Y4 B6 F F K1 K1 R9", "", 15),
        ("melds", "R11 R12 R13 Y13 B13 F K2", "false_joker_indicator=false_jokers_wild", 5),
    ],
)
def test_all_openings_of_a_rack_can_be_built(way: Way, rack: str, switches: str, openings: int) -> None:
    """51 points or four pairs open, and a tile is left to discard. The okey is black 1, and the false jokers
    are played as that; in the last one it is the false joker."""
    fewer = {"opening_points": 51, "opening_pairs": 4}
    rules = rules_from({"preset": "okey101"} | fewer | dict(map(_read, switches.split())))
    indicator = Tile.F if "wild" in switches else Tile.K13
    table = seated(
        next(discarding(rules, random.Random(rack))),
        tiles_from_text(rack),
        indicator=indicator,
        drawn=None,
        source=None,
        board=empty_board(4),
    )
    round = table.match.round
    assert round is not None
    found = list(Arranger(rules, round).openings(way))
    assert len(found) == openings

    async def build_all() -> None:
        for melds in found:
            await Builder(table, round.turn).opens_with(melds)

    asyncio.run(build_all())


def _read(switch: str) -> tuple[str, str | bool]:
    name, value = switch.split("=")
    return name, value == "true" or value


def drafting(preset: str, chance: random.Random) -> Table:
    """Somebody has built some melds, under some switches, and may open or lay them."""
    table = chance.choice(list(islice(discarding(switched(preset, chance), chance, often=0.5), 8)))
    round = table.match.round
    assert round is not None
    arranger = Arranger(table.match.rules, round)
    return table.with_seat(round.turn, draft=arranger.disjoint(chance.choice(("melds", "pairs")), chance))


@pytest.mark.parametrize("preset", PRESETS_101)
def test_no_button_of_the_draft_is_dead(preset: str) -> None:
    """Only opening may be refused, which says what is missing."""

    async def press_on(table: Table, chance: random.Random) -> None:
        builder = Builder(table, public_view(table.match).turn or 0)
        screen = builder.screen(Mode("draft"))
        for _ in range(30):
            verbs = sorted({button.press.split(".")[0] for row in screen.buttons for button in row})
            verb = chance.choice(verbs)
            shown = await builder.press(chance.choice(presses(screen, verb)))
            if verb != "open_draft":
                assert not builder.refused
                assert shown is not None
                same = (shown.text, shown.buttons) == (screen.text, screen.buttons)
                assert builder.made or not same or verb == "best_draft"
                assert verb != "ask_stand" or len(presses(shown, "stand")) > 1
            leaves = builder.made or builder.refused or verb == "look"
            screen = builder.screen(Mode("draft")) if shown is None or leaves else shown
            builder.refused.clear()
            builder.made.clear()

    for number in range(8):
        chance = random.Random(f"{preset} {number}")
        asyncio.run(press_on(drafting(preset, chance), chance))
