"""What a viewer can't see leaves every byte that is sent to them the same (RULES 3, "may see")."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.web.markup import renderer_for
from adapters.web.protocol import Told, write
from adapters.web.tab import Tab
from bot.handlers.published import on_wall
from bot.markup import Wall
from bot.pictures import draw
from bot.ports import Person
from bot.repository.versioned import Versioned
from bot.screens.live import live_rack, live_table
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Table
from tests.bot.league.leagues import weekly
from tests.bot.test_secrecy import PRESETS, WORDS, a_table, reshuffled


class Listening(Tab):
    """A tab that remembers what it was sent."""

    def tell(self, told: Told, key: str = "") -> None:
        self.heard = write(told)


def sent_to(table: Table, viewer: int | None) -> str:
    """To a seat, or to whoever watches."""
    tab = Listening(Person("mem:0", "Ada", "en"), clock=lambda: 0.0)
    if viewer is None:
        facts = table_facts(table, 1.0)
        tab.show_table(replace(public_screen(facts, WORDS), live=live_table(facts, WORDS)))
    else:
        own = rack_facts(table, viewer, 1.0, None)
        tab.show_rack(replace(rack_screen(own, WORDS), live=live_rack(own, WORDS)))
    return tab.heard


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), PRESETS)
def test_nothing_that_is_sent_depends_on_what_its_reader_may_not_know(
    seed: int, moves: int, preset: str
) -> None:
    chance = random.Random(seed)
    table = a_table(chance, moves, preset)
    if table.stage != "playing":
        return
    for viewer in (None, *range(len(table.seats))):
        assert sent_to(reshuffled(table, viewer, chance), viewer) == sent_to(table, viewer)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), PRESETS)
def test_a_wall_shows_nothing_that_a_bystander_may_not_know(seed: int, moves: int, preset: str) -> None:
    """Not a byte of its page, pictures among them."""
    chance = random.Random(seed)
    table = a_table(chance, moves, preset)
    if table.stage != "playing":
        return
    others = reshuffled(table, None, chance)
    assert on_a_wall(others) == on_a_wall(table)


def on_a_wall(table: Table) -> str:
    shown = on_wall(weekly(), Versioned(table, 1, 1.0), WORDS)
    picture = shown.screen.picture
    return renderer_for("en").wall(Wall("Thursday league", (shown,)), [picture and draw(picture)])


def test_the_check_itself_finds_a_leak() -> None:
    chance = random.Random(1)
    table = a_table(chance, 9, "okey")
    assert sent_to(reshuffled(table, 0, chance), 1) != sent_to(table, 1)
