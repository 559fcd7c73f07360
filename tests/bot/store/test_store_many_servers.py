"""The same store on a cluster, and behind Sentinel."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from bot.doctor.store import examine_store
from bot.settings import settings_from
from bot.store import (
    Committed,
    Conflict,
    Note,
    Repeated,
    Store,
    StoreUnavailable,
    condition,
    league_hints,
    open_store,
    value_digest,
)
from bot.store.history import MatchEntry
from tests.bot.store.deadlines import next_due
from tests.bot.store.hints import note_table
from tests.bot.store.waiting import clean, dirty, due, ended

pytestmark = pytest.mark.long

ALL = range(64)
Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]
StartValkey = Callable[..., subprocess.Popen[bytes]]
FreePorts = Callable[[int], list[int]]


def ask(client: redis.Redis, *words: str | int) -> Any:
    """Send a command that the library has no typed method for."""
    return client.execute_command(*words)  # type: ignore[no-untyped-call]


@pytest.fixture
async def cluster(
    start_valkey: StartValkey, free_ports: FreePorts, tmp_path: Path, until: Until
) -> AsyncIterator[Store]:
    """A store on three nodes."""
    ports = free_ports(6)
    nodes, buses = ports[:3], ports[3:]
    for port, bus in zip(nodes, buses, strict=True):
        start_valkey(
            *("--port", str(port), "--cluster-enabled", "yes", "--cluster-port", str(bus)),
            *("--cluster-config-file", f"{port}.conf", "--save", "", "--bind", "127.0.0.1"),
            *("--appendonly", "yes", "--appenddirname", f"aof-{port}", "--appendfsync", "no"),
        )
    clients = [redis.Redis(port=port) for port in nodes]

    async def listen() -> bool:
        try:
            return all(client.ping() for client in clients)
        except redis.ConnectionError:
            return False

    await until(listen)
    for index, client in enumerate(clients):
        ask(client, "CLUSTER ADDSLOTSRANGE", 5462 * index, min(5462 * index + 5461, 16383))
        ask(client, "CLUSTER MEET", "127.0.0.1", nodes[0], buses[0])

    async def agree() -> bool:
        return all(ask(client, "CLUSTER INFO")["cluster_state"] == "ok" for client in clients)

    await until(agree)
    async with open_store(f"redis+cluster://127.0.0.1:{nodes[1]}", tmp_path) as store:
        yield store
    for client in clients:
        client.close()


async def test_a_node_is_waited_for_until_its_disk_has_what_must_last(
    cluster: Store, tmp_path: Path, until: Until
) -> None:
    ports = (int(name.removesuffix(".conf")) for name in os.listdir(tmp_path) if name.endswith(".conf"))
    nodes = [redis.Redis(port=port) for port in ports]

    async def one_is_waited_for() -> bool:
        return sum(ask(node, "INFO", "clients")["blocked_clients"] for node in nodes) == 1

    await cluster.documents.commit("T1", expected=0, state=b"", action=None)
    waiting = asyncio.create_task(cluster.documents.on_disk("T1"))
    await until(one_is_waited_for)
    assert not waiting.done()
    for node in nodes:
        ask(node, "CONFIG SET", "appendfsync", "always")
        node.close()
    await waiting


async def test_each_primary_of_a_cluster_is_asked_for_its_condition(
    cluster: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [each.append_only for each in await cluster.conditions.read()] == [True] * 3
    ports = [int(name.removesuffix(".conf")) for name in os.listdir(tmp_path) if name.endswith(".conf")]
    for port in ports[1:]:
        with redis.Redis(port=port) as node:
            ask(node, "CONFIG SET", "appendfsync", "always")
    with monkeypatch.context() as impatient:
        impatient.setattr(condition, "DISK_PATIENCE", 0.3)
        assert await cluster.conditions.write_to_disk() == "slow"
    with redis.Redis(port=ports[0]) as node:
        ask(node, "CONFIG SET", "appendfsync", "always")
    assert await cluster.conditions.write_to_disk() == ""


async def test_a_cluster_keeps_all_that_one_server_keeps(cluster: Store) -> None:
    tables = [f"T{n}" for n in range(20)]
    made = await asyncio.gather(
        *(
            cluster.documents.commit(
                t, expected=0, state=t.encode(), action="open", entries=[b"o"], due=30 + n
            )
            for n, t in enumerate(tables)
        )
    )
    assert all(isinstance(one, Committed) for one in made)
    assert await cluster.documents.commit("T3", expected=0, state=b"", action="other") == Conflict(1)
    assert await cluster.documents.commit("T3", expected=1, state=b"", action="open") == Repeated(1)
    found = await cluster.documents.load_many(tables)
    assert [one and one.state for one in found] == [t.encode() for t in tables]
    assert await cluster.documents.log("T7") == [b"o"]

    clocks, nothing = dict.fromkeys(ALL, frozenset({"clock"})), dict.fromkeys(ALL, frozenset[str]())
    alive = (await cluster.leases.attend("ada", frozenset({"tg"}), 60)).workers
    assert alive == {"ada": frozenset({"tg"})}
    assert await cluster.leases.claim("ada", clocks, frozenset(alive)) == clocks
    assert await cluster.leases.claim("can", clocks, frozenset(alive)) == nothing
    wait = await next_due(cluster, ALL)
    assert wait is not None
    assert 20 < wait < 31  # its clock stood still until somebody was at work
    assert await due(cluster) == []
    marked = await dirty(cluster)
    assert sorted(table for table, _ in marked) == sorted(tables)
    for table, mark in marked:
        await clean(cluster, table, mark)
    assert await dirty(cluster) == []
    assert await cluster.leases.claim("ada", nothing, frozenset(alive)) == nothing
    await cluster.leases.leave("ada")

    await cluster.notes.set("T3", {"tg:1": Note("m", 4)})
    assert await cluster.notes.load("T3") == {"tg:1": Note("m", 4)}
    assert await cluster.notes.swap("T3", ["call 0"], None, Note("", 1))
    await cluster.notes.drop("T3", "call 0")
    stored = await cluster.documents.load("T3")
    assert stored is not None
    assert (stored.state, stored.notes) == (b"T3", {"tg:1": Note("m", 4)})
    for table in tables:
        await cluster.documents.forget(table)
    assert await cluster.documents.load_many(tables) == [None] * 20

    await note_table(cluster, "A", places=["tg:-1", "tg:-2"], persons=["tg:1"])
    await cluster.people.move_place("tg:-1", "tg:-1001")
    assert await cluster.index.tables_at("tg:-1") == ["A"]
    assert await cluster.index.tables_of("tg:1") == ["A"]
    assert await cluster.people.swap_settings("person", "tg:1", value_digest(None), b"tr")
    assert await cluster.people.settings("person", ["tg:1", "tg:2"]) == [b"tr", None]
    hints = league_hints("b", ["mem:hall", "mem:attic"])
    await cluster.documents.commit("league:b", expected=0, state=b"b", action=None, hints=hints)
    assert await cluster.index.leagues_at("mem:attic") == ["b"]
    await cluster.tokens.put("k", b"seat", 60)
    assert [await cluster.tokens.take("k"), await cluster.tokens.take("k")] == [b"seat", None]
    window = [("tg:-1", 1, 60.0), ("tg", 30, 1.0)]
    assert [await cluster.calls.spend(window) > 0 for _ in range(2)] == [False, True]
    wide = ("wide", 1, 60.0)
    assert await cluster.calls.spend([wide, *window]) > 0
    assert await cluster.calls.spend([wide]) == 0, "it was refunded"


async def test_a_cluster_keeps_books(cluster: Store) -> None:
    for number in range(20):
        await cluster.documents.commit(f"T{number}", expected=0, state=b"", action=None, ended=True)
        for owner in ("tg:1", "dc:2"):
            before = await cluster.history.load_tally(owner)
            entry = MatchEntry(f"T{number}", 1, 1000.5 + number, b"m")
            assert await cluster.history.keep_match(owner, entry, before, b"%d" % number)
    marked = await ended(cluster)
    assert {table for table, _ in marked} == {f"T{number}" for number in range(20)}
    for table, mark in marked:
        await cluster.timers.history_written(table, mark)
    assert await ended(cluster) == []
    newest, *_, oldest = await cluster.history.matches("dc:2")
    assert (newest, oldest) == (MatchEntry("T19", 1, 1019.5, b"m"), MatchEntry("T0", 1, 1000.5, b"m"))
    assert await cluster.history.match("tg:1", "T7") == b"m"
    assert await cluster.history.swap_match("tg:1", "T7", b"m", b"n")
    assert not await cluster.history.swap_match("tg:1", "T7", b"m", b"o")
    assert await cluster.history.match("tg:1", "T7") == b"n"
    await cluster.history.drop_match("tg:1", "T7")
    assert not await cluster.history.swap_match("tg:1", "T7", b"n", b"o")
    assert await cluster.history.match("tg:1", "T7") is None
    await cluster.history.drop_matches("tg:1")
    assert await cluster.history.matches("tg:1") == []
    await cluster.history.archive("T1", b"whole", 60)
    assert await cluster.history.swap_archived("T1", b"whole", b"less")
    assert not await cluster.history.swap_archived("T1", b"whole", b"more")
    assert not await cluster.history.swap_archived("T2", b"whole", b"less")
    assert (await cluster.history.load_archived("T1"), await cluster.history.load_archived("T2")) == (
        b"less",
        None,
    )


async def test_behind_sentinel_the_store_follows_the_primary(
    start_valkey: StartValkey, free_ports: FreePorts, tmp_path: Path, until: Until
) -> None:
    first, second, sentinel = free_ports(3)
    primary = start_valkey("--port", str(first), "--save", "", "--repl-diskless-sync-delay", "0")
    start_valkey("--port", str(second), "--save", "", "--replicaof", "127.0.0.1", str(first))

    replica = redis.Redis(port=second)

    async def attached() -> bool:
        try:
            return bool(ask(replica, "INFO", "replication")["master_link_status"] == "up")
        except redis.RedisError:
            return False

    await until(attached)
    (tmp_path / "sentinel.conf").write_text(
        f"port {sentinel}\nsentinel monitor okey 127.0.0.1 {first} 1\n"
        "sentinel down-after-milliseconds okey 1100\nsentinel failover-timeout okey 1000\n"
    )
    start_valkey("sentinel.conf", "--sentinel")
    watcher = redis.Redis(port=sentinel)

    async def ready() -> bool:
        try:
            return bool(ask(watcher, "SENTINEL SLAVES", "okey"))
        except redis.RedisError:
            return False

    await until(ready)
    url = f"redis+sentinel://127.0.0.1:{sentinel}/okey"
    found = await examine_store(settings_from({"REDIS_URL": url, "DATA_DIR": str(tmp_path)}))
    assert "store_file" in [each.code for each in found], "a restarted server would not know of a failover"
    async with open_store(url, tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"kept", action="open")

        async def copied() -> bool:
            return bool(replica.dbsize())

        await until(copied)
        primary.kill()

        async def follows() -> bool:
            try:
                found = await store.documents.load("T1")
                return found is not None and isinstance(
                    await store.documents.commit("T1", expected=1, state=b"", action="go"),
                    Committed | Repeated,
                )
            except StoreUnavailable:
                return False

        await until(follows)


async def test_a_server_tells_whether_it_was_started_with_a_file(
    start_valkey: StartValkey, free_ports: FreePorts, tmp_path: Path, until: Until
) -> None:
    with_file, without = free_ports(2)
    (tmp_path / "valkey.conf").write_text(f"port {with_file}\n")
    start_valkey("valkey.conf", "--save", "")
    start_valkey("--port", str(without), "--save", "")
    for port, has_file in ((with_file, True), (without, False)):

        async def told(port: int = port) -> bool:
            try:
                return bool(ask(redis.Redis(port=port), "PING"))
            except redis.RedisError:
                return False

        await until(told)
        async with open_store(f"redis://127.0.0.1:{port}", tmp_path) as store:
            (condition,) = await store.conditions.read()
            assert condition.has_file == has_file
