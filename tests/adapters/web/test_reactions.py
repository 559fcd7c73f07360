"""Reactions through real sockets and the store: who sees them, who can't send them, and what they cost."""

from typing import Any

from msgspec.structs import replace

from bot.ids import NightId, TableId
from bot.ports import Person
from bot.store import Store
from bot.tables.table import AtNight, Change
from tests.adapters.web.test_doors import DoorHouse, doors, of_kind, open_doors, playing
from tests.adapters.web.test_local_page import local_page
from tests.bot.house import PLACE, House, open_house
from tests.bot.store.waiting import dirty
from tests.bot.test_turn_clocks import kept_of
from tests.conftest import Until

__all__ = ["doors"]


def seen(live: dict[str, Any]) -> list[str]:
    """The reactions by seat."""
    return [seat["reaction"] for seat in live["seats"]]


async def code_of(house: House, person: Person, table: str, kind: str = "clap", id: str = "") -> str:
    return (await house.press(person, f"react.{table}.0.{kind}", id=id)).code


async def settled(store: Store) -> bool:
    """Return whether the chats show everything."""
    return await dirty(store) == []


async def test_everybody_sees_a_reaction_in_every_process(doors: DoorHouse, store: Store) -> None:
    ada, can, ece = (doors.house.person(name) for name in ("Ada", "Can", "Ece"))
    table = await playing(doors.house, ada, can)
    async with open_doors(store) as elsewhere:
        elsewhere.house.chat.readers.add((ece.key, PLACE))
        player, watcher = await elsewhere.by_link(can, table), await elsewhere.by_link(ece, table)
        own = await doors.by_link(ada, table)
        (rack,) = of_kind(await own.until("welcome"), "rack")
        for page in (player, watcher):
            await page.until("welcome")
        (act,) = (act for act in rack["live"]["acts"] if act["kind"] == "react")
        answered = await own.press(f"{act['press']}.wow", private=False)
        assert not of_kind(answered, "notice")
        assert seen(of_kind(answered, "rack")[-1]["live"]["table"]) == ["wow", ""]
        for page in (player, watcher):
            (shown,) = of_kind(await page.until("table"), "table")
            assert seen(shown["live"]) == ["wow", ""]
            reactions = (await kept_of(doors.house, table)).value.seats[0].reactions
            assert shown["live"]["seats"][0]["reacted"] == reactions[0].at


async def test_the_tabs_of_the_local_page_see_it_too(store: Store, until: Until) -> None:
    async with local_page(store) as (ada, can):
        (lobby,) = of_kind(await ada.command("play", "2"), "rack")
        table = lobby["live"]["table"]["id"]
        await can.press(f"join.{table}.0")
        await ada.press(f"start.{table}.0")
        await until(lambda: settled(store))
        await ada.press(f"react.{table}.0.sad")
        while seen((await can.until("table"))[-1]["live"]) != ["sad", ""]:
            pass


async def test_no_chat_is_called_and_nothing_is_worth_an_edit(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await playing(house, ada, can)
        await until(lambda: settled(store))
        before, calls = (await kept_of(house, table)).value, _calls(house)
        for person in (ada, can):
            assert await code_of(house, person, table) == ""
        await until(lambda: settled(store))
        after = (await kept_of(house, table)).value
        assert [seat.reactions[-1].kind for seat in after.seats] == ["clap", "clap"]
        assert after.moment == before.moment
        assert _calls(house) == calls


def _calls(house: House) -> tuple[int, ...]:
    chat = house.chat
    return len(chat.tables), len(chat.racks), len(chat.lines), len(chat.letters)


async def test_a_second_one_is_refused_in_every_process_and_one_sent_twice_counts_once(
    house: House, store: Store
) -> None:
    ada, can = house.person("Ada"), house.person("Can")
    table = await playing(house, ada, can)
    async with open_house(store, work=False) as elsewhere:
        assert await code_of(house, ada, table, id="one") == ""
        assert await code_of(elsewhere, ada, table, id="one") == ""
        assert await code_of(elsewhere, ada, table, id="two") == "many_reactions"
        assert await code_of(elsewhere, can, table, id="one") == ""
    assert [len(seat.reactions) for seat in (await kept_of(house, table)).value.seats] == [1, 1]


async def test_what_is_forged_is_refused(doors: DoorHouse) -> None:
    house = doors.house
    ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
    house.chat.readers.add((ece.key, PLACE))
    table = await playing(house, ada, can)
    watcher = await doors.by_link(ece, table)
    await watcher.until("welcome")
    assert of_kind(await watcher.press(f"react.{table}.0.clap", private=False), "notice")
    codes = [await code_of(house, ece, table), await code_of(house, ada, table, "x" * 20)]
    assert codes == ["not_seated", "unknown_button"]
    assert (await house.press(ada, f"react.{table}.0")).code == "unknown_button"
    assert not any(seat.reactions for seat in (await kept_of(house, table)).value.seats)


async def test_at_a_leagues_table_nobody_reacts(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await playing(house, ada, can)
    night = AtNight(NightId("abcde-202603122000"), 1, 1)
    await house.app.tables.change(
        TableId(table), None, lambda stored: Change(replace(stored.value, night=night))
    )
    page = await doors.by_link(ada, table)
    (rack,) = of_kind(await page.until("welcome"), "rack")
    assert all(act["kind"] != "react" for act in rack["live"]["acts"])
    assert of_kind(await page.press(f"react.{table}.0.clap", private=False), "notice")
    assert await code_of(house, can, table) == "no_reactions"
