"""`DURABILITY=replica`: nobody is told of a move before a replica has it."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
import redis

from bot.store import Committed, NoStore, Store, StoreUnavailable, open_store
from tests.bot.store.conftest import StartValkey


@dataclass
class Followed:
    """A store on a primary with one replica."""

    store: Store
    url: str
    replica: Popen[bytes]


@pytest.fixture
async def followed(
    start_valkey: StartValkey,
    free_ports: Callable[[int], list[int]],
    tmp_path: Path,
    until: Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]],
) -> AsyncIterator[Followed]:
    first, second = free_ports(2)
    start_valkey("--port", str(first), "--save", "", "--repl-diskless-sync-delay", "0")
    replica = start_valkey("--port", str(second), "--save", "", "--replicaof", "127.0.0.1", str(first))
    url = f"redis://127.0.0.1:{first}"

    async def attached() -> bool:
        with redis.Redis(port=second) as asked:
            try:
                return bool(ask(asked, "INFO", "replication")["master_link_status"] == "up")
            except redis.RedisError:
                return False

    await until(attached)
    async with open_store(url, tmp_path, "replica") as store:
        yield Followed(store, url, replica)


def ask(client: redis.Redis, *words: str) -> Any:
    """Send a command that the library has no typed method for."""
    return client.execute_command(*words)  # type: ignore[no-untyped-call]


async def test_a_move_that_is_in_no_replica_is_not_told_and_counts_once_when_one_has_it(
    followed: Followed,
) -> None:
    assert isinstance(
        await followed.store.documents.commit("A", expected=0, state=b"a", action="1"), Committed
    )
    followed.replica.send_signal(signal.SIGSTOP)
    with pytest.raises(StoreUnavailable):
        await followed.store.documents.commit("A", expected=1, state=b"b", action="2")
    followed.replica.send_signal(signal.SIGCONT)
    stored = await followed.store.documents.load("A")
    assert stored is not None
    assert (stored.version, stored.state) == (2, b"b")
    assert isinstance(
        await followed.store.documents.commit("A", expected=2, state=b"c", action="3"), Committed
    )


async def test_what_is_read_waits_for_no_replica(followed: Followed) -> None:
    await followed.store.documents.commit("A", expected=0, state=b"a", action="1")
    followed.replica.send_signal(signal.SIGSTOP)
    assert await followed.store.notes.load("A") == {}


async def test_a_store_that_waits_for_no_replica_answers_without_one(
    followed: Followed, tmp_path: Path
) -> None:
    followed.replica.send_signal(signal.SIGSTOP)
    async with open_store(followed.url, tmp_path) as store:
        assert isinstance(await store.documents.commit("A", expected=0, state=b"a", action="1"), Committed)


async def test_the_embedded_store_has_no_replica(tmp_path: Path) -> None:
    with pytest.raises(NoStore) as refused:
        async with open_store(None, tmp_path, "replica"):
            pass
    assert refused.value.code == "no_replica"
