"""Several processes on one store: each delivers its share, and only to chats that it serves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.app import Application, application
from bot.ports import Press
from bot.store import Store
from bot.store.keys import partition_of
from bot.tables.play import Delays
from tests.bot.house import PLACE, House, open_house
from tests.conftest import Until

pytestmark = pytest.mark.long


@asynccontextmanager
async def without_chats(store: Store) -> AsyncIterator[Application]:
    """A process that has no token."""
    app = application(store, delays=Delays(computer=0.0, next_round=60.0), turn_seconds=60)
    worker = asyncio.create_task(app.worker.run())
    try:
        yield app
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        await app.delivery.close()


async def at_work(house: House, until: Until, partitions: int) -> None:
    """Wait until a house has its share of the deliveries."""
    shares = house.app.worker.shares

    async def shared() -> bool:
        return sum(bool(shares.chats_at(each)) for each in range(64)) == partitions

    await until(shared)


async def test_a_process_without_the_chat_takes_none_of_its_deliveries(store: Store, until: Until) -> None:
    async with without_chats(store) as other, open_house(store) as house:
        await at_work(house, until, 64)
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        # The press that starts the match reaches the process that can show nobody anything.
        start = Press(by=ada, place=PLACE, surface="public", data=f"start.{table}.0", id="elsewhere")
        await other.router.press(start)

        async def both_have_racks() -> bool:
            return {person for person, _, _ in house.chat.racks} == {ada.key, can.key}

        await until(both_have_racks)


async def test_two_processes_show_each_table_once(store: Store, until: Until) -> None:
    async with open_house(store) as one, open_house(store) as two:
        await at_work(one, until, 32)
        await at_work(two, until, 32)
        tables: list[str] = []

        def each_has_some() -> bool:
            shares = [house.app.worker.shares for house in (one, two)]
            return all(any(map(share.chats_at, map(partition_of, tables))) for share in shares)

        while len(tables) < 6 or not each_has_some():  # where a table lives is left to chance
            number = len(tables)
            tables.append(await one.open(one.person(f"Ada {number}"), one.person(f"Can {number}")))
        for number, table in enumerate(tables):
            await two.press(one.person(f"Ada {number}"), f"start.{table}.0", private=False)

        people = {f"mem:{name} {number}" for name in ("ada", "can") for number in range(len(tables))}

        async def all_have_racks() -> bool:
            return {person for house in (one, two) for person, _, _ in house.chat.racks} == people

        await until(all_have_racks)
        assert one.chat.racks
        assert two.chat.racks
        served = [{person for person, _, _ in house.chat.racks} for house in (one, two)]
        assert not served[0] & served[1], "each table is one process's"
