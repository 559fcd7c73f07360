"""Rows of buttons as people see them: over random play, a tile's button shares no row with anything else.

A finger that slips would discard the tile.
"""

import random
from collections.abc import Iterator

import pytest

from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import Rendered
from adapters.telegram_chat.rendering import keyboard
from bot.i18n import LANGUAGES, words_for
from bot.markup import PublicScreen, SeatScreen, TileMark
from bot.screens.player import Mode, rack_screen
from bot.screens.table import public_screen
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Table
from engine.rules import rules_from
from tests.bot.test_every_move import a_match
from tests.servers.discord_api.bodies import message_problems, walk
from tests.servers.discord_api.world import COMPONENTS_V2

pytestmark = pytest.mark.long

Screen = PublicScreen | SeatScreen
MODES = (Mode(), Mode("arrange"), Mode("arrange", picked=0), Mode("draft"), Mode("finish"))


def screens(table: Table, language: str) -> Iterator[Screen]:
    """What everybody sees, and what each player may see."""
    words = words_for(language)
    yield public_screen(table_facts(table, None), words)
    for seat in range(len(table.seats)):
        for mode in MODES:
            yield rack_screen(rack_facts(table, seat, None, None), words, mode)


def on_discord(screen: Screen) -> list[list[str]]:
    shown = Rendered(screen, b"\x89PNG", TileEmojis())
    fields = shown.as_new()
    components, content = fields["view"].to_components(), fields.get("content")
    flags = COMPONENTS_V2 if shown.needs_v2 else 0
    body = {"content": content, "components": components}
    assert message_problems(body, [file.filename for file in fields["files"]], flags, new=True) == []
    rows = [each["components"] for each in walk(components) if each["type"] == 1]
    return [[button["custom_id"] for button in row if button["type"] == 2] for row in rows]


def on_telegram(screen: Screen) -> list[list[str]]:
    shown = keyboard(screen.buttons)
    return [[str(button.callback_data) for button in row] for row in shown.inline_keyboard] if shown else []


@pytest.mark.parametrize("preset", ["okey", "okey101"])
def test_tiles_share_no_row_with_anything_else(preset: str) -> None:
    chance = random.Random(f"rows {preset}")
    rows = 0
    for table in a_match(rules_from({"preset": preset}), chance, steady=0.8):
        if chance.random() < 0.7:
            continue
        for screen in screens(table, chance.choice(LANGUAGES)):
            tiles = {
                button.press
                for row in screen.buttons
                for button in row
                if len(button.label) == 1 and isinstance(button.label[0], TileMark)
            }
            for row in (*on_discord(screen), *on_telegram(screen)):
                assert len({press in tiles for press in row}) <= 1, row
                rows += bool(tiles)
    assert rows > 300
