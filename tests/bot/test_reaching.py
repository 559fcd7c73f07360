"""How it is learnt that somebody's private chat is open, and how a host is led there."""

import pytest

from bot.i18n import plain, words_for
from bot.ports import Person
from bot.store import Store
from tests.bot.house import PLACE, House, offers, open_house, page_of, said


async def knows(house: House, person: Person) -> bool:
    """Return whether the chat of a person counts as open."""
    return (await house.app.router._services.people.load(person.key)).private_open


@pytest.mark.parametrize("way", ["press", "command"])
async def test_whatever_somebody_does_in_private_opens_the_chat(store: Store, way: str) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada = house.person("Ada")
        opened = await house.type(ada, "play")
        assert opened.open_private is not None
        assert not await knows(house, ada)
        if way == "press":
            await house.press(ada, "guide.me.0.1")
        else:
            await house.type(ada, "help", place=None)
        assert await knows(house, ada)
        (table,) = await store.index.tables_at(PLACE)
        assert (await house.press(ada, f"start.{table}.0", private=False)).open_private is None


async def test_the_start_leads_a_host_to_the_private_chat_who_never_opened_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada = house.person("Ada")
        await house.type(ada, "play")
        (table,) = await store.index.tables_at(PLACE)
        started = await house.press(ada, f"start.{table}.0", private=False)
        assert started.open_private is not None
        assert (await house.type(ada, "start", started.open_private, place=None)).private is not None


async def test_an_anonymous_administrator_is_told_in_the_language_of_the_table_there(store: Store) -> None:
    async with open_house(store, work=False) as house:
        group = Person(PLACE, "Club")
        assert said(await house.type(group, "anonymous")) == words_for("en").plain("notice.anonymous")
        await house.type(Person("mem:ada", "Ada", "tr"), "play")
        assert said(await house.type(group, "anonymous")) == words_for("tr").plain("notice.anonymous")


async def test_a_host_who_asks_for_another_game_is_told_that_theirs_stays(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.open(ada)
        kept = "It keeps its rules"
        usual = page_of(await house.type(ada, "play"))
        assert kept not in plain(usual.text, words_for("en"))
        again = page_of(await house.type(ada, "play", "okey101"))
        assert kept in plain(again.text, words_for("en"))
        assert offers(again, "rules")
