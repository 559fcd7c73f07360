"""A thread or topic for every table: opened before it is shown, found from the channel, closed at the end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.ports import RetryAfter
from bot.repository.tables import StoredTable
from bot.store import Store
from bot.tables.table import Change
from tests.bot.house import PLACE, House, open_house, said
from tests.conftest import Until

ENGLISH = words_for("en")


@asynccontextmanager
async def with_rooms(store: Store) -> AsyncIterator[House]:
    """A house that gives every table a room."""
    async with open_house(store) as house:
        await house.organise(house.person("Boss"), "rooms", "on")
        yield house


async def opened(house: House) -> str:
    """Ada opens a table; its id."""
    before = set(await house.store.index.tables_at(PLACE))
    assert not (await house.type(house.person("Ada"), "play", "2")).code
    (table,) = set(await house.store.index.tables_at(PLACE)) - before
    return table


def holds(what: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    """Something of this process, to be waited for."""

    async def asked() -> bool:
        return what()

    return asked


def places_shown(house: House) -> list[str]:
    return [place for place, _, _ in house.chat.tables]


async def places_of(house: House, table: str) -> tuple[str, ...]:
    stored = await house.app.tables.load(table)
    assert stored is not None
    return stored.value.places


async def test_a_table_is_shown_in_its_own_room_and_the_channel_says_where(
    store: Store, until: Until
) -> None:
    async with with_rooms(store) as house:
        table = await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        assert house.chat.rooms == {(PLACE, "Okey 1"): f"{PLACE}/1"}
        assert set(places_shown(house)) == {f"{PLACE}/1"}
        (line,) = house.chat.lines.values()
        assert f"Table 1 is here: {PLACE}/1" in plain(line[1], ENGLISH)
        assert await places_of(house, table) == (f"{PLACE}/1",)


async def test_who_is_in_the_channel_sits_down_in_the_room(store: Store, until: Until) -> None:
    async with with_rooms(store) as house:
        table = await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        await house.type(house.person("Can"), "join", table)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert len(stored.value.people()) == 2
        assert stored.value.places == (f"{PLACE}/1",)


async def test_a_place_whose_chat_nobody_serves_is_not_waited_for(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        table = await opened(house)

        def begins_anew(stored: StoredTable) -> Change:
            return Change(
                replace(
                    stored.value, places=("away:1", PLACE), postings=replace(stored.value.postings, room=True)
                )
            )

        await house.app.tables.change(TableId(table), None, begins_anew)
        await until(holds(lambda: f"{PLACE}/1" in places_shown(house)))
        assert await places_of(house, table) == ("away:1", f"{PLACE}/1")


async def test_the_room_is_closed_once_its_end_has_been_shown(store: Store, until: Until) -> None:
    async with with_rooms(store) as house:
        table = await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        assert house.chat.closed_rooms == []
        house.chat.refuse.append(RetryAfter(0.3))
        await house.press(house.person("Ada"), f"cancel.{table}.0")
        await until(holds(lambda: bool(house.chat.closed_rooms)))
        assert house.chat.closed_rooms == [f"{PLACE}/1"]
        assert house.chat.tables[-1][1].over


async def test_nothing_leads_from_the_channel_to_a_table_that_is_forgotten(
    store: Store, until: Until
) -> None:
    async with with_rooms(store) as house:
        table = await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        stored = await house.app.tables.load(table)
        assert stored is not None
        await house.app.tables.forget(stored.value)
        assert [await store.index.tables_at(place) for place in (PLACE, f"{PLACE}/1")] == [[], []]


@pytest.mark.parametrize(
    ("lacks", "told"), [(("Create Public Threads",), "Create Public Threads"), (None, "their own threads")]
)
async def test_what_is_missing_is_said_to_the_organiser_and_tables_stay(
    store: Store, until: Until, lacks: tuple[str, ...] | None, told: str
) -> None:
    async with open_house(store) as house:
        house.chat.lacks = lacks
        assert told in said(await house.organise(house.person("Boss"), "rooms", "on"))
        table = await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        assert set(places_shown(house)) == {PLACE}
        assert await places_of(house, table) == (PLACE,)
        assert house.chat.lines == {}
        assert house.chat.asked_rooms == [(PLACE, "Okey 1")]


async def test_without_the_setting_nothing_is_opened(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        assert house.chat.asked_rooms == []
        assert places_shown(house) == [PLACE]


async def test_a_line_that_could_not_be_told_opens_no_second_room(store: Store, until: Until) -> None:
    async with with_rooms(store) as house:
        house.chat.refuse_lines.append(RetryAfter(0.1))
        await opened(house)
        await until(holds(lambda: bool(house.chat.tables)))
        assert len(house.chat.asked_rooms) == 1
        assert len(house.chat.lines) == 1


async def test_a_process_that_ends_in_between_leaves_one_room_and_one_line(
    store: Store, until: Until
) -> None:
    async with with_rooms(store) as house:
        house.chat.refuse_lines.append(RetryAfter(60.0))
        table = await opened(house)
        await until(holds(lambda: not house.chat.refuse_lines))
        chat = house.chat
    async with open_house(store) as house:
        house.app.chats["mem"] = chat
        await until(holds(lambda: bool(chat.tables)))
        assert len(chat.asked_rooms) == 1
        assert len(chat.lines) == 1
        assert await places_of(house, table) == (f"{PLACE}/1",)
