"""How high a rack's message is on a phone, 390 by 844 pixels, of which the chat's own bars leave some 650.

Over random play its picture, its words and all its buttons fit together.
"""

import io
import random
from collections.abc import Iterator

import pytest
from PIL import Image

from bot.i18n import plain, words_for
from bot.markup import SeatScreen
from bot.pictures import draw
from bot.screens.player import rack_screen
from bot.tables.facts import rack_facts
from engine.rules import rules_from
from tests.adapters.test_rows import on_discord, on_telegram
from tests.bot.test_every_move import a_match

pytestmark = pytest.mark.long

TELEGRAM, DISCORD = (366, 44), (358, 40)
"""The width of a picture and the height of a row of buttons, in pixels."""
LINE, CHARACTERS = 20, 44
"""The height of a line of text, and how much it holds."""
MOST = {"okey": 560, "okey101": 640}


def height(screen: SeatScreen, words: str, rows: int, chat: tuple[int, int]) -> float:
    width, row = chat
    lines = sum(1 + len(line) // CHARACTERS for line in words.splitlines())
    picture = 0.0
    if screen.picture is not None:
        drawn = Image.open(io.BytesIO(draw(screen.picture)))
        picture = drawn.height * width / drawn.width
    return picture + 16 + lines * LINE + rows * row


def racks(preset: str) -> Iterator[SeatScreen]:
    chance, words = random.Random(f"heights {preset}"), words_for("de")
    for table in a_match(rules_from({"preset": preset}), chance, steady=0.9):
        if table.match.turn is not None and chance.random() < 0.2:
            yield rack_screen(rack_facts(table, table.match.turn, 99.0, None), words)


@pytest.mark.parametrize("preset", [*MOST])
def test_a_rack_fits_a_phone(preset: str) -> None:
    found = sorted(
        height(screen, plain(screen.text, words_for("de")), len(rows), chat)
        for screen in racks(preset)
        for rows, chat in ((on_telegram(screen), TELEGRAM), (on_discord(screen), DISCORD))
    )
    print(f"{preset}: median {found[len(found) // 2]:.0f}, highest {found[-1]:.0f} of {len(found)}")
    usual = found[: int(0.95 * len(found))]
    assert usual[-1] <= MOST[preset]
