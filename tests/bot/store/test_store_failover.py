"""A cluster of three shards, each with a replica: one primary stops answering while moves are made."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from redis.crc import key_slot

from bot.store import Committed, Store, StoreUnavailable, open_store
from bot.store.keys import state
from tests.conftest import Until

pytestmark = pytest.mark.long

StartValkey = Callable[..., subprocess.Popen[bytes]]
FreePorts = Callable[[int], list[int]]

SHARD_SLOTS = 5462


@dataclass
class Shards:
    """A running cluster: three primaries, and the replica of the first."""

    store: Store
    first: subprocess.Popen[bytes]
    follower: redis.Redis

    def tables(self, shard: int, count: int) -> list[str]:
        """Names of tables that live in a shard."""
        names = (f"T{number}" for number in range(1000))
        there = (name for name in names if key_slot(state(name).encode()) // SHARD_SLOTS == shard)
        return [next(there) for _ in range(count)]

    def promoted(self) -> bool:
        """Return whether the replica has taken over."""
        return bool(self.follower.info("replication")["role"] == "master")


@pytest.fixture
async def shards(
    start_valkey: StartValkey, free_ports: FreePorts, tmp_path: Path, until: Until
) -> AsyncIterator[Shards]:
    """Healthy shards go on when one is lost: the setting that large clusters have."""
    ports = free_ports(8)
    nodes, buses = ports[:4], ports[4:]
    processes = [
        start_valkey(
            *("--port", str(port), "--cluster-enabled", "yes", "--cluster-port", str(bus), "--save", ""),
            *("--cluster-config-file", f"{port}.conf", "--bind", "127.0.0.1"),
            *("--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no"),
            *("--repl-diskless-sync-delay", "0"),
        )
        for port, bus in zip(nodes, buses, strict=True)
    ]
    clients = [redis.Redis(port=port) for port in nodes]

    def ask(client: redis.Redis, *words: str | int) -> str:
        answer = client.execute_command(*words)  # type: ignore[no-untyped-call]
        return answer.decode() if isinstance(answer, bytes) else str(answer)

    async def met() -> bool:
        try:
            return all("'cluster_known_nodes': '4'" in ask(client, "CLUSTER INFO") for client in clients)
        except redis.ConnectionError:
            return False

    async def listening() -> bool:
        try:
            return all(client.ping() for client in clients)
        except redis.ConnectionError:
            return False

    await until(listening)
    for number, client in enumerate(clients):
        if number < 3:
            start = SHARD_SLOTS * number
            ask(client, "CLUSTER ADDSLOTSRANGE", start, min(start + SHARD_SLOTS - 1, 16383))
        ask(client, "CLUSTER MEET", "127.0.0.1", nodes[0], buses[0])
    await until(met)
    ask(clients[3], "CLUSTER REPLICATE", ask(clients[0], "CLUSTER MYID"))

    async def ready() -> bool:
        follows = clients[3].info("replication").get("master_link_status") == "up"
        return follows and all("'cluster_state': 'ok'" in ask(client, "CLUSTER INFO") for client in clients)

    await until(ready)
    async with open_store(f"redis+cluster://127.0.0.1:{nodes[1]}", tmp_path) as store:
        yield Shards(store, processes[0], clients[3])
    for client in clients:
        client.close()


async def moved(store: Store, table: str) -> int:
    """The version of a table after one more move."""
    found = await store.documents.load(table)
    made = await store.documents.commit(
        table, expected=0 if found is None else found.version, state=b"", action=None, dirty=False
    )
    assert isinstance(made, Committed)
    return made.version


async def test_a_primary_that_hangs_is_followed_and_holds_up_no_other_shard(
    shards: Shards, until: Until
) -> None:
    """The program that runs learns of it by itself; today's moves of its tables are all there."""
    lost, healthy = shards.tables(0, 40), shards.tables(1, 2)
    acknowledged = {table: await moved(shards.store, table) for table in (*lost, *healthy)}

    async def copied() -> bool:
        return shards.follower.dbsize() >= len(lost)

    await until(copied)
    shards.first.send_signal(signal.SIGSTOP)
    hanging = [asyncio.create_task(moved(shards.store, table)) for table in lost]
    while not shards.promoted():  # more calls hang than may be on their way to one node
        acknowledged |= {table: await moved(shards.store, table) for table in healthy}
    await asyncio.gather(*hanging, return_exceptions=True)

    async def goes_on() -> bool:
        try:
            return all([await moved(shards.store, table) > acknowledged[table] for table in lost[:3]])
        except StoreUnavailable:
            return False

    await until(goes_on)
