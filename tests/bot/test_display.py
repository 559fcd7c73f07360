"""How people see the game: in words, with letters, in strong contrast, with large tiles."""

import asyncio
from dataclasses import replace as replace_page
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from bot.i18n import LANGUAGES, plain, words_for
from bot.markup import (
    Button,
    FiguresPicture,
    Folded,
    Name,
    Page,
    PublicScreen,
    RackPicture,
    RulesPicture,
    SeatScreen,
    Strong,
    TablePicture,
    TileFace,
    TileMark,
)
from bot.ports import Person
from bot.screens.display import LARGE_SHELVES, adapt_to_display, large_shelves
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.store import Store
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Display, HostChoices
from engine.melds import Way
from engine.tiles import Tile
from tests.bot.house import House, offers, open_house, page_of, said, without_clock
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import ADA, CAN, ENOUGH, LITTLE, build, kept_of, labels, press_one, shown

ENGLISH = words_for("en")


async def settings(house: House, person: Person, *switches: str) -> Page:
    """They throw switches of their own settings, starting from their rack's button."""
    answer = await house.type(person, "settings", place=None)
    page = page_of(answer)
    for name in switches:
        page = page_of(await house.press(person, switch(page, name).press))
        assert page.turns
    return page


def switch(page: Page, name: str) -> Button:
    (found,) = [b for row in page.buttons for b in row if f".{name}." in b.press]
    return found


def told(screen: SeatScreen | Page) -> str:
    return plain(screen.text, ENGLISH)


async def test_the_rack_leads_to_its_player_s_settings_with_one_tap(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        for person in (ada, bo):
            await house.rack(person, table)
            behind = (await house.press(person, f"order.{table}.0")).private
            assert behind is not None
            (ask,) = offers(behind, "preferences")
            page = page_of(await house.press(person, ask.press))
            assert len(offers(page, "prefer")) == 5


async def test_switches_thrown_at_the_same_moment_are_all_kept(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        thrown = ("words", "letters", "large")
        await asyncio.gather(*(house.press(ada, f"prefer.me.0.{name}.1") for name in thrown))
        page = await settings(house, ada)
        # A switch that is on offers to be thrown back.
        assert [switch(page, name).press for name in thrown] == [f"prefer.me.0.{name}.0" for name in thrown]


async def test_words_only_leaves_no_picture_and_nothing_out(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        usual = {each.key: await house.rack(each, table) for each in (ada, bo)}
        await settings(house, ada, "words")
        rack = await house.rack(ada, table)
        before = usual[ada.key]
        assert before.picture is not None
        assert rack.picture is None
        for face in filter(None, chain(*before.picture.shelves, (before.picture.indicator,))):
            assert ENGLISH.tile_name(TileMark(face.code, face.wild)) in told(rack)
        assert [b.press for row in rack.buttons for b in row] == [
            b.press for row in before.buttons for b in row
        ]
        assert all(isinstance(part, str) for row in rack.buttons for b in row for part in b.label)
        assert told(rack).count("Indicator ") == 1
        # What they chose is theirs alone.
        assert without_clock(await house.rack(bo, table)) == without_clock(usual[bo.key])
        assert (await house.look()).picture is not None


async def test_a_picture_is_described_below_it_for_who_wants_that(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        usual = await house.rack(ada, table)
        assert not [part for part in usual.text if isinstance(part, Folded)]
        await settings(house, ada, "described")
        rack = await house.rack(ada, table)
        below = rack.text[-1]
        assert isinstance(below, Folded)
        shelves = {line for line in usual.alt.splitlines() if line.startswith("Shelf ")}
        assert shelves <= set(below.text.splitlines())
        assert (rack.picture, rack.alt, rack.buttons) == (usual.picture, usual.alt, usual.buttons)
        # What they chose is theirs alone.
        assert not [part for part in (await house.rack(bo, table)).text if isinstance(part, Folded)]
        assert not [part for part in (await house.look()).text if isinstance(part, Folded)]


async def test_a_host_has_the_table_described_for_everybody(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words="2")
        await house.press(ada, f"appear.{table}.0.described.1")
        await house.press(ada, f"start.{table}.0", private=False)
        shown = await house.look()
        assert shown.picture is not None
        assert isinstance(shown.text[-1], Folded)
        assert not [part for part in (await house.rack(bo, table)).text if isinstance(part, Folded)]


def test_a_description_leaves_out_what_the_text_says() -> None:
    picture = FiguresPicture(sections=())
    said = (
        Strong("Night 1"),
        "\n1. ",
        Name("Ada"),
        ": ",
        Strong("3 points"),
        "\n2. ",
        Name("Can"),
        ": 1 point",
    )
    page = Page(text=said, picture=picture, alt="Night 1\n1. Ada: 3 points")
    described = Display(described=True)
    assert adapt_to_display(page, described, ENGLISH) == page
    other = replace_page(page, alt=f"{page.alt}\n2. Ece: none")
    assert adapt_to_display(other, described, ENGLISH).text == (*said, "\n", Folded("2. Ece: none"))
    assert adapt_to_display(replace_page(page, text=()), described, ENGLISH).text == (Folded(page.alt),)


async def in_words(house: House, person: Person, **given: Any) -> str:
    """A table of Okey 101 at which they are on turn, and read words for signs."""
    await settings(house, person, "words")
    return await laid_out(house, person, CAN, others=LITTLE, **given)


def signs_in(*screens: SeatScreen | PublicScreen) -> set[str]:
    """The signs of tiles in texts and on buttons."""
    told = [plain(each.text, ENGLISH) for each in screens]
    for each in screens:
        told += [label for row in each.buttons for label in labels(list(row))]
    return set("🔴⭐🔷⬛👑🃏") & set("".join(told))


async def test_a_draft_is_in_words_for_who_wants_words(house: House) -> None:
    table = await in_words(house, ADA, rack=ENOUGH.replace("B8", "K1"))
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    draft = await build(house, ADA, draft, "blue 7", "blue 9")
    asked = shown(await press_one(house, ADA, draft, "ask_stand"))
    draft = shown(await press_one(house, ADA, asked, "stand", "okey for blue 8"))
    draft = await build(house, ADA, draft, "red 10", "red 11")
    assert "blue 7, okey for 8, 9 = 24" in told(draft)
    assert "red 10, red 11 …" in told(draft)
    assert signs_in(asked, draft) == set()


async def test_laid_melds_are_told_in_words_once(house: House) -> None:
    opened: dict[int, Way] = {0: "melds", 1: "melds"}
    rack = "R7 K1 Y1 Y2 Y3 Y6 Y9 B2"
    table = await in_words(house, ADA, rack=rack, melds="R4 R5 R6/K9 B9 *R9", opened=opened)
    before = await house.rack(ADA, table)
    assert "1: red 4, 5, 6\n2: 9 black, blue, okey for red" in told(before)
    assert labels(offers(before, "meld")) == ["Lay yellow 1, 2, 3, okey for 4"]
    places = shown(await press_one(house, ADA, before, "ask_lay"))
    assert "red 7 → #1" in labels(offers(places, "lay"))
    okeys = shown(await press_one(house, ADA, before, "ask_lay_okey"))
    assert "okey for red 3 → #1" in labels(offers(okeys, "lay_wild"))
    assert signs_in(before, places, okeys) == set()

    kept = replace(await kept_of(house, table), choices=HostChoices(display=Display(words=True)))
    for language in LANGUAGES:
        words = words_for(language)
        facts = table_facts(kept, None)
        screen = adapt_to_display(public_screen(facts, words), kept.choices.display, words)
        lines = plain(screen.text, words).splitlines()
        (red,) = [line for line in lines if line.endswith(" 4, 5, 6")]
        assert red.startswith("1: ")
        assert words.plain("table.round", round=facts.round_told) not in lines
        assert signs_in(screen) == set()


async def test_an_empty_shelf_is_left_out(house: House) -> None:
    table = await kept_of(house, await laid_out(house, ADA, CAN, rack="R1 Y1", others=LITTLE))
    table = table.with_seat(0, shelves=((None, None), (Tile.R1,)))
    alt = rack_screen(rack_facts(table, 0, None, None), ENGLISH).alt
    assert alt.startswith("Shelf 2: red 1\nIndicator ")


async def test_a_switch_brings_the_rack_anew_and_thrown_twice_the_same_way_stays(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        press = switch(await settings(house, ada), "letters").press
        for _ in range(2):
            page = page_of(await house.press(ada, press))
            assert str(switch(page, "letters").label[0]).startswith("✓")
        rack = await house.rack(ada, table)
        assert rack.picture is not None
        assert rack.picture.letters
        assert not rack.picture.contrast
        named = (*rack.text, *(part for row in rack.buttons for button in row for part in button.label))
        marks = [part for part in named if isinstance(part, TileMark)]
        assert all(mark.letter for mark in marks)


async def test_pages_come_as_their_reader_wants_them(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await settings(house, ada, "contrast")
        shown_page = page_of(await house.type(ada, "rules"))
        assert isinstance(shown_page.picture, RulesPicture)
        assert shown_page.picture.contrast
        await settings(house, ada, "words")
        shown_page = page_of(await house.type(ada, "rules"))
        assert shown_page.picture is None
        assert "black 12, black 13, black 1" in told(shown_page)


async def test_the_host_says_in_the_lobby_how_all_see_the_table(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        table = await house.open(ada, bo, words="2")
        page = page_of(await house.press(ada, f"appearance.{table}.0"))
        press = switch(page, "contrast").press
        assert (await house.press(bo, press)).code == "not_host"
        assert str(switch(page_of(await house.press(ada, press)), "contrast").label[0]).startswith("✓")
        await house.press(ada, f"start.{table}.0", private=False)
        picture = (await house.look()).picture
        assert isinstance(picture, TablePicture)
        assert picture.contrast
        private = (await house.rack(bo, table)).picture
        assert private is not None
        assert not private.contrast


async def test_organisers_say_how_new_tables_look(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, bo = house.person("Ada"), house.person("Bo")
        assert (await house.type(bo, "display", "words")).code == "organisers_only"
        assert (await house.organise(ada, "display", "purple")).code == "unknown_display"
        assert "In words" in said(await house.organise(ada, "display", "words"))
        table = await house.open(ada, bo, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        screen = await house.look(table)
        assert screen.picture is None
        assert "Bo: 20 points" in plain(screen.text, ENGLISH)
        assert "plain" in said(await house.organise(ada, "display", "plain"))


async def test_a_damaged_switch_is_refused(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        for press in ("prefer.me.0", "prefer.me.0.words", "prefer.me.0.__class__.1", "prefer.me.0.words.x"):
            assert (await house.press(ada, press)).code == "unknown_button"
        assert page_of(await house.type(ada, "settings")).picture is None


def shelf(text: str) -> tuple[TileFace | None, ...]:
    return tuple(None if code == "." else TileFace(code) for code in text.split())


@pytest.mark.parametrize(
    "shelves",
    [
        ("R9 R10 R11 R12 . R7 B7 K7 . B2 B3 R5", "K12 K13 K1 . Y11 . B5"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B1 B2", "B3 B4 B5 B6 B7 B8 B9"),
        ("R1 . R3 . R5 . R7 . R9 . R11", ". Y2 . Y4 . Y6 . Y8 . Y10 ."),
        ("", "R1"),
        ("", ""),
    ],
)
def test_three_shelves_hold_the_same_tiles_in_the_same_order(shelves: tuple[str, str]) -> None:
    before = tuple(map(shelf, shelves))
    large = large_shelves(before)
    assert len(large) == LARGE_SHELVES
    assert len({len(each) for each in large}) == 1
    assert list(filter(None, chain(*large))) == list(filter(None, chain(*before)))
    assert len(large[0]) <= max(-(-sum(map(bool, chain(*before))) // LARGE_SHELVES), 1) + 3


def test_groups_stay_together_where_they_fit() -> None:
    upper, middle, lower = large_shelves((shelf("R9 R10 R11 . Y5 Y6 Y7"), shelf("B1 B2 B3")))
    assert [[face.code for face in each if face] for each in (upper, middle, lower)] == [
        ["R9", "R10", "R11"],
        ["Y5", "Y6", "Y7"],
        ["B1", "B2", "B3"],
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_stand_beside_every_sign_of_a_colour(language: str) -> None:
    picture = RackPicture(
        shelves=(shelf("R1"),), indicator=TileFace("R4"), okey=TileFace("R5"), captions=("a", "b")
    )
    screen = SeatScreen(
        table="t",
        version=1,
        text=("🔴 4 5 · ⭐ 7", TileMark("K3")),
        picture=picture,
        buttons=((Button((TileMark("B2"), " 🔷 ⬛"), "x.t.0"),),),
    )
    shown = adapt_to_display(screen, Display(letters=True), words_for(language))
    assert shown.text == ("🔴R 4 5 · ⭐Y 7", TileMark("K3", letter=True))
    assert shown.buttons[0][0].label == (TileMark("B2", letter=True), " 🔷B ⬛K")
