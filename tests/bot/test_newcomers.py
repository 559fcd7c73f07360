"""People who have never heard of the game reach the end of a round by what the bot says."""

import pytest

from bot.i18n import plain, words_for
from bot.markup import Page, PublicScreen, SeatScreen
from bot.ports import Person
from bot.store import Store
from tests.bot.house import House, offers, open_house, page_of

ENGLISH = words_for("en")


def read(screen: SeatScreen | PublicScreen | Page) -> str:
    return plain(screen.text, ENGLISH)


async def begin(house: House, *people: Person, words: str) -> str:
    """Begin a match, and return its table."""
    table = await house.open(*people, words=words)
    await house.press(people[0], f"start.{table}.0", private=False)
    return table


async def discard(house: House, person: Person, table: str) -> None:
    """Discard a tile, even if it is an okey."""
    answer = await house.press(person, offers(await house.rack(person, table), "discard")[0].press)
    if answer.private is not None and (sure := offers(answer.private, "discard")):
        await house.press(person, sure[0].press)


@pytest.mark.parametrize(("words", "tiles"), [("2", 15), ("okey101 2", 22)])
async def test_who_begins_is_told_why_they_do_not_draw(store: Store, words: str, tiles: int) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words=words)
        starter = ada if offers(await house.rack(ada, table), "discard") else can
        first = await house.rack(starter, table)
        assert f"you begin with {tiles} tiles, so discard one" in read(first)
        await discard(house, starter, table)
        second = ada if starter == can else can
        await house.press(second, offers(await house.rack(second, table), "draw")[0].press)
        assert "you begin" not in read(await house.rack(second, table))


@pytest.mark.parametrize(("words", "said"), [("2", "or be seven pairs"), ("okey-rounds 2", "sets and runs.")])
async def test_who_is_about_to_finish_is_told_what_finishes(store: Store, words: str, said: str) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words=words)
        starter = await house.on_turn(table, ada, can)
        (ask,) = offers(await house.rack(starter, table), "ask_finish")
        asked = (await house.press(starter, ask.press)).private
        assert asked is not None
        (task, *_) = read(asked).split(" · ")
        assert task.startswith("Finish: which tile do you discard? The other 14 must all be in sets and runs")
        assert said in task


async def test_the_guide_is_at_hand_during_a_round_and_leaves_the_rack_where_it_is(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words="okey101 2")
        behind = (await house.press(ada, f"order.{table}.0")).private
        assert behind is not None
        (guide,) = offers(behind, "guide")
        page = page_of(await house.press(ada, guide.press))
        assert not page.turns
        assert read(page).startswith("1/3")
        assert "21 tiles" in read(page), "it is of the game that is played"
        assert page_of(await house.press(ada, offers(page, "guide")[0].press)).turns
