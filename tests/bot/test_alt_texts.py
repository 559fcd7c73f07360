"""Whoever sees no picture is told all of it: what stands in its description stands in its alt text."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from bot.chats import Person
from bot.screens.model import Leaflet, PublicScreen, ResultRow, SeatScreen, TileFace, TileMark
from bot.store import Store
from bot.words import words_for
from tests.bot.house import House, offers, open_house

ENGLISH = words_for("en")
UNSAID = ("letters", "contrast", "clockwise", "marked")
"""How it is drawn, and what the words beside it say: which tile he drew."""


def shown(value: object) -> Iterator[str]:
    """Everything that a picture shows, in words."""
    if isinstance(value, TileFace):
        # An okey in a meld on the table is drawn as what it stands for.
        yield ENGLISH.tile_name(TileMark(value.code)).split()[-1]
    elif isinstance(value, ResultRow):
        yield value.name
        yield f"{value.score} points".replace("-", "−")
    elif isinstance(value, str):
        yield from (value,) if value else ()
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value).replace("-", "−")
    elif isinstance(value, tuple):
        for each in value:
            yield from shown(each)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in UNSAID:
                yield from shown(getattr(value, field.name))


def unsaid(screen: PublicScreen | SeatScreen | Leaflet) -> list[str]:
    assert screen.picture is not None
    return [said for said in shown(screen.picture) if said.lower() not in screen.alt.lower()]


async def played(house: House, table: str, *people: Person) -> None:
    """One turn, from the draw to the discard."""
    racks = [(person, await house.rack(person, table)) for person in people]
    ((who, rack),) = [each for each in racks if offers(each[1], "draw", "discard", "let_go")]
    if draw := offers(rack, "draw"):
        await house.press(who, draw[0].press)
        rack = await house.rack(who, table)
    discard = offers(rack, "discard", "let_go")[-1]
    answer = await house.press(who, discard.press)
    if answer.private is not None and (sure := offers(answer.private, "discard_okey", "let_go_anyway")):
        await house.press(who, sure[0].press)


@pytest.mark.parametrize("game", ["2", "okey101 2"])
async def test_table_and_rack_are_told_completely(store: Store, game: str) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words=game)
        await house.press(ada, f"start.{table}.0", private=False)
        for _ in range(4):
            screen = await house.look(ada, table)
            assert unsaid(screen) == []
            assert screen.alt.count("on turn") == 1
            for person in (ada, bo):
                assert unsaid(await house.rack(person, table)) == []
            await played(house, table, ada, bo)


async def test_explained_rules_are_told_completely(store: Store) -> None:
    async with open_house(store, work=False) as house:
        for game in ("okey", "okey101"):
            await house.open(house.person(game), words=game)
            leaflet = (await house.type(house.person("Ada"), "rules")).leaflet
            assert leaflet is not None
            assert unsaid(leaflet) == []
