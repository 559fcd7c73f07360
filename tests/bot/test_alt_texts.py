"""Whoever sees no picture is told all of it: what stands in its description stands in its alt text."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from bot.i18n import words_for
from bot.markup import (
    Page,
    PublicScreen,
    ReplayPicture,
    ResultPicture,
    SeatScreen,
    TileFace,
    TileMark,
)
from bot.ports import Person
from bot.screens.parts import name_sorted_tiles
from bot.store import Store
from engine.tiles import Tile
from tests.bot.house import House, offers, open_house
from tests.bot.rounds import begin, play_round

ENGLISH = words_for("en")
UNSAID = ("letters", "contrast", "clockwise", "marked")
"""How it is drawn, and what the words beside it say: which tile they drew."""


def shown(value: object) -> Iterator[str]:
    """Everything that a picture shows, in words."""
    if isinstance(value, TileFace):
        yield ENGLISH.tile_name(TileMark(value.code))
    elif isinstance(value, str):
        yield from (value,) if value else ()
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value).replace("-", "−")
    elif isinstance(value, tuple):
        for each in value:
            yield from shown(each)
    elif is_dataclass(value):
        for field in fields(value):
            said = () if field.name in UNSAID else shown(getattr(value, field.name))
            # Melds and a replay's racks are told shortly: a colour once, an okey as what it stands for.
            short = field.name in ("melds", "racks")
            yield from (each.split()[-1] for each in said) if short else said


def unsaid(screen: PublicScreen | SeatScreen | Page) -> list[str]:
    assert screen.picture is not None
    return [said for said in shown(screen.picture) if said.lower() not in screen.alt.lower()]


async def played(house: House, table: str, *people: Person) -> None:
    """One turn, from the draw to the discard."""
    racks = [(person, await house.rack(person, table)) for person in people]
    ((who, rack),) = [each for each in racks if offers(each[1], "draw", "discard")]
    if draw := offers(rack, "draw"):
        await house.press(who, draw[0].press)
        rack = await house.rack(who, table)
    discard = offers(rack, "discard")[-1]
    answer = await house.press(who, discard.press)
    if answer.private is not None and (sure := offers(answer.private, "discard")):
        await house.press(who, sure[0].press)


@pytest.mark.parametrize("game", ["2", "okey101 2"])
async def test_table_and_rack_are_told_completely(store: Store, game: str) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words=game)
        await house.press(ada, f"start.{table}.0", private=False)
        for _ in range(4):
            screen = await house.look(table)
            assert unsaid(screen) == []
            assert screen.alt.count("on turn") == 1
            for person in (ada, bo):
                assert unsaid(await house.rack(person, table)) == []
            await played(house, table, ada, bo)


@pytest.mark.parametrize("game", ["quick", "okey101 quick"])
async def test_result_and_replay_are_told_completely(store: Store, game: str) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Bo", "Can", "Ece")]
        table = await house.open(*people, words=game)
        await begin(house, table, people[0])
        await play_round(house, table)
        result = await house.look(table)
        assert isinstance(result.picture, ResultPicture)
        assert unsaid(result) == []
        assert result.picture.melds
        (replay,) = offers(result, "replay")
        for press in (replay.press, f"replay_last.{table}.0.1"):
            shown_page = (await house.press(people[0], press, private=False)).page
            assert shown_page is not None
            assert isinstance(shown_page.picture, ReplayPicture)
            assert unsaid(shown_page) == []


async def test_explained_rules_are_told_completely(store: Store) -> None:
    async with open_house(store, work=False) as house:
        for game in ("okey", "okey101"):
            await house.open(house.person(game), words=game)
            shown_page = (await house.type(house.person("Ada"), "rules")).page
            assert shown_page is not None
            assert unsaid(shown_page) == []
            for line in shown_page.alt.casefold().splitlines():
                caption, _, tiles = line.partition(": ")
                assert caption != tiles, "the same said twice"


@pytest.mark.parametrize(("start", "said"), [(1, "Ada: 1 point, "), (2, "Ada: 2 points, ")])
async def test_one_point_is_one(store: Store, start: int, said: str) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words=f"2 start_points={start}")
        await house.press(ada, f"start.{table}.0", private=False)
        assert said in (await house.look(table)).alt


def test_a_sorted_rack_names_each_colour_once() -> None:
    rack = (Tile.R1, Tile.R12, Tile.R12, Tile.Y4, Tile.Y5, Tile.Y6, Tile.K13, Tile.F)
    assert name_sorted_tiles(rack, Tile.Y5, ENGLISH) == (
        "red 1 12 12, yellow 4, yellow 5 (okey), yellow 6, black 13, false joker"
    )
    assert name_sorted_tiles((), Tile.Y5, ENGLISH) == ""


async def test_a_rack_is_described_anew_only_when_its_picture_changes(store: Store) -> None:
    """The same picture with another description would be uploaded again."""
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2 clock=5m")
        await house.press(ada, f"start.{table}.0", private=False)
        starter = await house.on_turn(table, ada, can)
        other = can if starter is ada else ada
        discard, *_ = offers(await house.rack(starter, table), "discard")
        await house.press(starter, discard.press)
        before = await house.rack(starter, table)
        (draw,) = offers(await house.rack(other, table), "draw")
        await house.press(other, draw.press)
        after = await house.rack(starter, table)
        assert after.picture == before.picture
        assert after.alt == before.alt
        assert after.text != before.text, "the stock is told there"
