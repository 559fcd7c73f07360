"""The store says whether its server keeps what it is given, and waits until the disk has it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis

from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.store import Mark, Store, StoreUnavailable, open_store
from tests.bot.house import open_house
from tests.bot.store.conftest import StartValkey
from tests.conftest import Until

ENGLISH = words_for("en")


@pytest.mark.parametrize("setting", ["yes", "no"])
async def test_a_server_of_ones_own_is_asked_whether_it_appends(
    start_valkey: StartValkey, tmp_path: Path, setting: str
) -> None:
    start_valkey("--port", "0", "--unixsocket", "s", "--save", "", "--appendonly", setting)
    async with open_store(f"unix://{tmp_path}/s", tmp_path) as store:
        assert [each.append_only for each in await store.conditions.read()] == [setting == "yes"]


async def test_the_embedded_server_appends(tmp_path: Path) -> None:
    async with open_store(None, tmp_path) as store:
        assert [each.append_only for each in await store.conditions.read()] == [True]
        assert await store.conditions.write_to_disk() == ""


class SlowDisk:
    """A store whose server never has anything written to the disk until it is told to."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self._raw = redis.Redis(unix_socket_path=str(folder / "s"))

    async def is_waited_for(self) -> bool:
        return self.waiting() > 0

    def waiting(self) -> int:
        """How many calls wait for the disk."""
        return int(self._asked("INFO", "clients")["blocked_clients"])

    def write(self) -> None:
        """From now on everything is on the disk before it is answered."""
        self._asked("CONFIG", "SET", "appendfsync", "always")

    def _asked(self, *words: str) -> Any:
        return self._raw.execute_command(*words)  # type: ignore[no-untyped-call]


@pytest.fixture
async def slow_disk(start_valkey: StartValkey, tmp_path: Path) -> AsyncIterator[SlowDisk]:
    start_valkey(
        *["--port", "0", "--unixsocket", "s", "--appendonly", "yes", "--appendfsync", "no", "--save"], ""
    )
    async with open_store(f"unix://{tmp_path}/s", tmp_path) as store:
        yield SlowDisk(store, tmp_path)


async def test_what_must_last_is_waited_for_until_the_disk_has_it(slow_disk: SlowDisk, until: Until) -> None:
    await slow_disk.store.documents.commit("T1", expected=0, state=b"", action=None)
    waiting = asyncio.create_task(slow_disk.store.documents.on_disk("T1"))
    await until(slow_disk.is_waited_for)
    assert not waiting.done()
    slow_disk.write()
    await waiting


async def test_many_who_wait_for_the_disk_share_a_wait(slow_disk: SlowDisk, until: Until) -> None:
    """As at the end of a league's round. Each wait takes a connection, and there are few."""
    waiting = [asyncio.create_task(slow_disk.store.documents.on_disk(f"T{n}")) for n in range(100)]
    await until(slow_disk.is_waited_for)
    assert slow_disk.waiting() == 1
    await slow_disk.store.ping()
    slow_disk.write()
    await asyncio.gather(*waiting)


async def test_a_disk_that_never_has_it_is_a_store_that_is_away(slow_disk: SlowDisk) -> None:
    with pytest.raises(StoreUnavailable):
        await slow_disk.store.documents.on_disk("T1")


async def test_where_nothing_is_kept_on_a_disk_nothing_is_waited_for(store: Store) -> None:
    await store.documents.on_disk("T1")


async def test_nobody_is_told_of_the_end_of_a_match_before_the_disk_has_it(
    slow_disk: SlowDisk, until: Until
) -> None:
    async with open_house(slow_disk.store) as house:
        ada = house.person("Ada")
        table = TableId(await house.open(ada))
        await house.press(ada, f"start.{table}.0")

        async def plays() -> bool:
            return house.chat.tables[-1][1].picture is not None

        async def tells_of_the_end() -> bool:
            return "ended" in plain(house.chat.tables[-1][1].text, ENGLISH)

        await until(plays)
        ending = asyncio.create_task(house.organise(ada, "close", table))
        await until(slow_disk.is_waited_for)
        look = house.app.delivery.settle(table, Mark(0))
        await asyncio.wait({look, ending}, timeout=0.15)
        assert (look.done(), ending.done()) == (False, False)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.stage == "over"
        assert not await tells_of_the_end()
        slow_disk.write()
        await ending
        await until(tells_of_the_end)


@pytest.mark.parametrize("fsync", ["everysec", "always"])
async def test_the_embedded_server_writes_to_the_disk_as_often_as_it_is_told(
    fsync: str, tmp_path: Path
) -> None:
    async with open_store(None, tmp_path, fsync) as store:
        await store.documents.on_disk("T1")
        with redis.Redis(unix_socket_path=str(tmp_path / "valkey" / "valkey.sock")) as raw:
            assert raw.config_get("appendfsync") == {"appendfsync": fsync}
