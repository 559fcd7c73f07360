"""Whoever sits at several tables is asked which one they mean, by the names of their places."""

import pytest

from bot.i18n import plain, words_for
from bot.markup import Page
from bot.ports import TypedCommand
from bot.store import Store
from tests.bot.house import PLACE, House, MemoryPlaces, open_house, page_of, said

YARD = "mem:yard"
NAMES = {PLACE: "#okey · Kıraathane", YARD: "#okey · Club"}
WHICH = words_for("en").plain("tables.which")


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemoryPlaces, "name", lambda self, place: NAMES[place])


async def seated_twice(house: House) -> None:
    """Ada plays in one place, where Can is host, and waits in another."""
    ada, can = house.person("Ada"), house.person("Can")
    table = await house.open(can, words="2")
    await house.press(ada, f"join.{table}.0", private=False)
    await house.press(can, f"start.{table}.0", private=False)
    await house.type(ada, "play", place=YARD)


def choices(page: Page) -> dict[str, str]:
    """The presses of a question, by their words."""
    return {str(button.label[0]): button.press for row in page.buttons for button in row}


@pytest.mark.parametrize(("verb", "presses"), [("rack", ("rack", "rack")), ("leave", ("step_out", "leave"))])
async def test_in_private_they_are_asked(store: Store, verb: str, presses: tuple[str, str]) -> None:
    async with open_house(store, work=False) as house:
        await seated_twice(house)
        ada = house.person("Ada")
        asked = page_of(await house.type(ada, verb, place=None))
        assert plain(asked.text, words_for("en")) == WHICH
        found = choices(asked)
        assert list(found) == [f"Table 1 · {NAMES[PLACE]}", f"Table 1 · {NAMES[YARD]}"]
        assert tuple(press.partition(".")[0] for press in found.values()) == presses
        for press in found.values():
            assert not (await house.press(ada, press)).code


async def test_in_a_place_the_table_there_is_meant(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await seated_twice(house)
        ada = house.person("Ada")
        (waiting,) = await store.index.tables_at(YARD)
        shown = (await house.type(ada, "rack", place=YARD)).private
        assert shown is not None
        assert shown.table == waiting
        once = await house.type(ada, "leave", place=YARD, id="twice")
        assert "left" in said(once)
        assert said(await house.type(ada, "leave", place=YARD, id="twice")) == said(once)


async def test_suggestions_and_racks_name_the_place(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await seated_twice(house)
        ada = house.person("Ada")
        typed = TypedCommand(by=ada, place=None, verb="", argument="", id="s")
        offered = [each.words for each in await house.app.router.suggest(typed, "table")]
        assert sorted(offered) == [f"Table 1 · {NAMES[YARD]}: Ada", f"Table 1 · {NAMES[PLACE]}: Can, Ada"]
        (playing,) = await store.index.tables_at(PLACE)
        assert NAMES[PLACE] in plain((await house.rack(ada, playing)).text, words_for("en"))


async def test_zones_are_suggested_those_of_the_language_first(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")

        async def zones(typed: str) -> list[str]:
            so_far = TypedCommand(by=ada, place=PLACE, verb="", argument=typed, id="s")
            return [each.value for each in await house.app.router.suggest(so_far, "zone")]

        assert (await zones(""))[0] in words_for("en").plain("league.zones").split()
        assert "Europe/Istanbul" in await zones("istan")
        assert "America/New_York" in await zones("new yor")
