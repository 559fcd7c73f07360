"""The Valkey of our own: kept data, shared by processes, started again, and gone with its last user."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.store import Committed, Conflict, NoStore, Repeated, Store, StoreUnavailable, open_store
from bot.store.keys import PARTITIONS
from tests.bot.store.deadlines import next_due, nobody_for
from tests.bot.store.waiting import due

pytestmark = pytest.mark.long

Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]

FIRST_BOT = """
import asyncio, pathlib, sys
from bot.store import open_store

async def main():
    async with open_store(None, pathlib.Path(sys.argv[1])) as store:
        await store.documents.commit("T1", expected=0, state=b"kept", action="open", due=600)
        print("in", flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main())
"""


def server_of(data_dir: Path) -> int:
    """The process id of the folder's server, 0 while none runs."""
    noted = data_dir / "valkey" / "valkey.pid"
    return int((noted.read_text() if noted.exists() else "") or 0)


def serves(data_dir: Path) -> bool:
    """Return whether a server listens in the folder."""
    with socket.socket(socket.AF_UNIX) as attempt:
        return attempt.connect_ex(str(data_dir / "valkey" / "valkey.sock")) == 0


def kill_server(data_dir: Path) -> None:
    os.kill(server_of(data_dir), signal.SIGKILL)


async def test_what_was_committed_is_there_when_it_is_opened_again(data_dir: Path) -> None:
    async with open_store(None, data_dir) as store:
        made = await store.documents.commit(
            "T1", expected=0, state=b"kept", action="open", entries=[b"o"], due=600
        )
    async with open_store(None, data_dir) as store:
        found = await store.documents.load("T1")
        assert isinstance(made, Committed)
        assert found is not None
        assert (found.state, found.version, found.due) == (b"kept", 1, made.due)
        assert await store.documents.commit("T1", expected=1, state=b"", action="open") == Repeated(1)


async def test_who_comes_second_joins_and_leaves_the_server_running(data_dir: Path) -> None:
    async with open_store(None, data_dir) as first:
        server = server_of(data_dir)
        async with open_store(None, data_dir) as second:
            assert server_of(data_dir) == server
            await first.documents.commit("T1", expected=0, state=b"shared", action=None)
            found = await second.documents.load("T1")
            assert found is not None
            assert found.state == b"shared"
        assert serves(data_dir)
        await first.ping()
    assert not serves(data_dir)


@pytest.mark.parametrize("end", ["a clean end", "a kill"])
async def test_when_its_starter_ends_whoever_is_left_starts_the_server_again(
    end: str, data_dir: Path, until: Until
) -> None:
    first = await asyncio.create_subprocess_exec(
        sys.executable, "-c", FIRST_BOT, str(data_dir), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert first.stdin is not None
    assert first.stdout is not None
    assert await first.stdout.readline() == b"in\n"
    server = server_of(data_dir)
    async with open_store(None, data_dir) as second:
        assert server_of(data_dir) == server
        if end == "a kill":
            first.kill()
        else:
            first.stdin.write(b"\n")
        await first.wait()

        async def another_runs() -> bool:
            return server_of(data_dir) not in (0, server)

        await until(another_runs)
        found = await second.documents.load("T1")
        assert found is not None
        assert found.state == b"kept"
    assert not serves(data_dir)


async def test_a_killed_bot_leaves_its_data_and_no_server(data_dir: Path, until: Until) -> None:
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", FIRST_BOT, str(data_dir), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert bot.stdout is not None
    assert await bot.stdout.readline() == b"in\n"
    bot.kill()
    await bot.wait()

    async def ended() -> bool:
        return not serves(data_dir)

    await until(ended)
    async with open_store(None, data_dir) as store:
        found = await store.documents.load("T1")
        assert found is not None
        assert found.state == b"kept"


async def test_a_bot_that_is_killed_and_started_at_once_goes_on(data_dir: Path) -> None:
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", FIRST_BOT, str(data_dir), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert bot.stdout is not None
    assert await bot.stdout.readline() == b"in\n"
    bot.kill()
    async with open_store(None, data_dir) as store:
        await bot.wait()
        found = await store.documents.load("T1")
        assert found is not None
        assert isinstance(await store.documents.commit("T1", expected=1, state=b"on", action=None), Committed)


async def test_a_ctrl_c_for_the_bot_is_not_for_the_server(data_dir: Path) -> None:
    async with open_store(None, data_dir):
        assert os.getpgid(server_of(data_dir)) != os.getpgid(0)


async def play_on(store: Store, acknowledged: list[tuple[float, int]], enough: asyncio.Event) -> None:
    """One move after another as a table would: each of three parts that belong together."""
    version = 0
    while not enough.is_set():
        try:
            outcome = await store.documents.commit(
                "T1",
                expected=version,
                state=b"%d" % version,
                action=f"move {version}",
                entries=[b"%d" % version],
            )
        except StoreUnavailable:
            continue
        if isinstance(outcome, Conflict):
            version = outcome.version
            continue
        version = outcome.version
        acknowledged.append((time.monotonic(), version))


async def test_a_server_killed_between_moves_loses_nothing_and_leaves_nothing_half_done(
    data_dir: Path, until: Until
) -> None:
    acknowledged: list[tuple[float, int]] = []
    enough = asyncio.Event()
    async with open_store(None, data_dir) as store:
        playing = asyncio.create_task(play_on(store, acknowledged, enough))
        for _ in range(2):
            since, before = time.monotonic(), len(acknowledged)

            async def far_enough(since: float = since, before: int = before) -> bool:
                return time.monotonic() > since + 1.3 and len(acknowledged) > before + 500

            await until(far_enough)
            kill_server(data_dir)
            killed_at, so_far = time.monotonic(), len(acknowledged)

            async def goes_on(so_far: int = so_far) -> bool:
                return len(acknowledged) > so_far + 1

            await until(goes_on)
            # With `everysec` only what was acknowledged in the last second may be lost.
            safe = max((version for at, version in acknowledged[:so_far] if at < killed_at - 1), default=0)
            assert safe > 0
            assert acknowledged[so_far + 1][1] > safe
        enough.set()
        await playing
        found = await store.documents.load("T1")
        entries = await store.documents.log("T1")
        assert found is not None
        assert entries == [b"%d" % n for n in range(found.version)]
        assert found.state == entries[-1]
        assert found.version >= acknowledged[-1][1]


async def test_deadlines_wait_while_the_server_is_down(data_dir: Path) -> None:
    async with open_store(None, data_dir) as store:
        await store.documents.commit("T1", expected=0, state=b"", action=None, due=30)
        await nobody_for(store, 50)
    async with open_store(None, data_dir) as store:
        assert await due(store) == []
        await store.leases.claim("can", dict.fromkeys(PARTITIONS, frozenset({"clock"})), frozenset())
        works = await store.timers.look(PARTITIONS, "can", 0.0, 9)
        assert max(work.stood_still for work in works.values()) >= 50
        assert await due(store) == []
        assert 0 < (await next_due(store, PARTITIONS) or 0) <= 30


async def test_a_data_folder_deeper_than_a_socket_address_is_no_trouble(data_dir: Path) -> None:
    deep = data_dir.joinpath(*["a folder with ünusual & long name"] * 6)
    for version in range(2):
        async with open_store(None, deep) as store:
            made = await store.documents.commit("T1", expected=version, state=b"", action=None)
            assert isinstance(made, Committed)


async def test_a_log_that_ends_in_the_middle_of_a_move_is_read_up_to_it(data_dir: Path) -> None:
    async with open_store(None, data_dir) as store:
        await store.documents.commit("T1", expected=0, state=b"whole", action=None)
        await store.documents.commit("T1", expected=1, state=b"torn", action=None)
    [newest] = (data_dir / "valkey" / "appendonlydir").glob("*.incr.aof")
    newest.write_bytes(newest.read_bytes()[:-5])
    async with open_store(None, data_dir) as store:
        found = await store.documents.load("T1")
        assert found is not None
        assert (found.state, found.version) == (b"whole", 1)


async def test_unreadable_data_is_left_alone_and_said_so(data_dir: Path) -> None:
    async with open_store(None, data_dir) as store:
        await store.documents.commit("T1", expected=0, state=b"whole", action=None)
    [newest] = (data_dir / "valkey" / "appendonlydir").glob("*.incr.aof")
    broken = b"no such thing\r\n" + newest.read_bytes()
    newest.write_bytes(broken)
    with pytest.raises(NoStore, match="okey repair") as failed:
        async with open_store(None, data_dir):
            pass
    assert failed.value.code == "damaged"
    assert newest.read_bytes() == broken


async def test_where_nothing_can_be_kept_is_said(data_dir: Path) -> None:
    (data_dir / "file").write_text("")
    with pytest.raises(NoStore, match="file") as failed:
        async with open_store(None, data_dir / "file"):
            pass
    assert failed.value.code == "bad_folder"
