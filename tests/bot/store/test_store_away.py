"""When the server is away: told within 2.5 s, nothing half done, and well again afterwards."""

import asyncio
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import FunctionType
from typing import Protocol

import pytest
import redis
from redis.asyncio.connection import AbstractConnection

from bot.store import Committed, NoStore, Note, Repeated, Store, StoreUnavailable, open_store, wire
from bot.store import server as server_module
from bot.store.time_limits import TimeLimits
from tests.bot.store.hints import note_table
from tests.patience import PATIENCE

pytestmark = pytest.mark.long

Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]


class Wire(Protocol):
    url: str
    broken: int

    def break_before_answers(self, times: int) -> None: ...

    def fall_silent(self) -> None: ...


async def test_a_commit_whose_answer_was_lost_is_not_carried_out_twice(wire: Wire, tmp_path: Path) -> None:
    async with open_store(wire.url, tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action="open", entries=[b"o"])
        wire.break_before_answers(2)
        outcome = await store.documents.commit(
            "T1", expected=1, state=b"drawn", action="press 7", entries=[b"d"]
        )

        assert wire.broken == 2
        assert isinstance(outcome, Committed)
        assert outcome.version == 2
        again = await store.documents.commit("T1", expected=2, state=b"", action="press 7")
        assert again == Repeated(2)
        assert await store.documents.log("T1") == [b"o", b"d"]


async def test_a_nameless_commit_whose_answer_was_lost_knows_itself_again(wire: Wire, tmp_path: Path) -> None:
    async with open_store(wire.url, tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action=None)
        wire.break_before_answers(1)
        outcome = await store.documents.commit("T1", expected=1, state=b"played", action=None, due=30)

        assert wire.broken == 1
        assert isinstance(outcome, Committed)
        assert outcome.version == 2
        assert outcome.due == pytest.approx(outcome.now + 30, abs=3)


async def test_a_token_whose_answer_was_lost_is_still_given(wire: Wire, tmp_path: Path) -> None:
    async with open_store(wire.url, tmp_path) as store:
        await store.tokens.put("k", b"seat 3", 60)
        await store.tokens.take("other")
        wire.break_before_answers(1)
        assert await store.tokens.take("k") == b"seat 3"
        assert wire.broken == 1
        assert await store.tokens.take("k") is None


async def test_a_note_whose_answer_was_lost_is_still_made_by_one_alone(wire: Wire, tmp_path: Path) -> None:
    """Whoever makes it pings: if neither did, the ping would be lost."""
    async with open_store(wire.url, tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action=None)
        first, ping = Note("", 7), Note("", 9)
        assert await store.notes.swap("T1", ["call 0"], None, first)
        wire.break_before_answers(2)
        assert await store.notes.swap("T1", ["call 0"], first, ping)
        assert wire.broken == 2
        assert not await store.notes.swap("T1", ["call 0"], first, ping)
        assert await store.notes.load("T1") == {"call 0": ping}


async def test_a_connection_that_has_silently_died_is_given_up_in_time(wire: Wire, tmp_path: Path) -> None:
    async with open_store(wire.url, tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action=None)
        wire.fall_silent()
        outcome = await store.documents.commit("T1", expected=1, state=b"", action="press 7")
        assert isinstance(outcome, Committed)


@pytest.fixture
async def own_server(
    start_valkey: Callable[..., subprocess.Popen[bytes]], tmp_path: Path, until: Until
) -> subprocess.Popen[bytes]:
    """A server that the test may stop, at the socket `s` of its folder."""
    server = start_valkey("--port", "0", "--unixsocket", str(tmp_path / "s"), "--save", "")

    async def listens() -> bool:
        return (tmp_path / "s").exists()

    await until(listens)
    return server


async def test_a_server_that_hangs_is_told_in_time_and_used_again_when_it_goes_on(
    own_server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    async with open_store(f"unix://{tmp_path / 's'}", tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action="open")
        own_server.send_signal(signal.SIGSTOP)

        async def told() -> None:
            with pytest.raises(StoreUnavailable):
                await store.documents.commit(
                    "T1", expected=1, state=b"press", action="press 7", entries=[b"p"]
                )

        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(told() for _ in range(200)))
        own_server.send_signal(signal.SIGCONT)

        outcomes = await asyncio.gather(
            *(
                store.documents.commit("T1", expected=1, state=b"press", action="press 7", entries=[b"p"])
                for _ in range(200)
            )
        )
        assert {outcome.version for outcome in outcomes} == {2}
        assert await store.documents.log("T1") == [b"p"]


async def test_a_commit_that_was_given_up_is_not_carried_out_when_the_server_goes_on(
    own_server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    """Whoever pressed was told that it failed, and may have thought better of it."""
    async with open_store(f"unix://{tmp_path / 's'}", tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action="open")
        own_server.send_signal(signal.SIGSTOP)
        with pytest.raises(StoreUnavailable):
            await store.documents.commit("T1", expected=1, state=b"press", action="press 7", entries=[b"p"])
        own_server.send_signal(signal.SIGCONT)
        await store.ping()
        held = await store.documents.load("T1")
        assert held is not None
        assert held.version == 1
        assert await store.documents.log("T1") == []


async def test_a_note_that_was_given_up_is_not_made_when_the_server_goes_on(
    own_server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    """Nobody would send what it tells of."""
    async with open_store(f"unix://{tmp_path / 's'}", tmp_path) as store:
        await store.documents.commit("T1", expected=0, state=b"", action="open")
        first, ping = Note("", 7), Note("", 9)
        assert await store.notes.swap("T1", ["call 0"], None, first)
        own_server.send_signal(signal.SIGSTOP)
        with pytest.raises(StoreUnavailable):
            await store.notes.swap("T1", ["call 0"], first, ping)
        own_server.send_signal(signal.SIGCONT)
        await store.ping()
        assert await store.notes.load("T1") == {"call 0": first}


@pytest.mark.parametrize("wrong", [-3600.0, 3600.0])
async def test_a_machine_whose_clock_is_an_hour_off_commits_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + wrong)
    outcome = await store.documents.commit("T1", expected=0, state=b"", action="open")
    assert isinstance(outcome, Committed)
    assert outcome.now == pytest.approx(now(), abs=60)


async def test_a_process_that_stalls_does_not_take_its_server_for_absent(
    valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "_ONE_TRY", 0.5)
    monkeypatch.setattr(server_module, "PATIENCE", 1.0)
    async with open_store(valkey_url, tmp_path) as store:
        commits = (store.documents.commit(f"T{n}", expected=0, state=b"", action=None) for n in range(40))
        calls = asyncio.gather(*commits)
        await asyncio.sleep(0)
        time.sleep(1.5)  # noqa: ASYNC251 - the event loop stands still
        assert {type(outcome) for outcome in await calls} == {Committed}


async def test_what_never_answers_is_given_up_and_nothing_else_is() -> None:
    limits, answered = TimeLimits(0.2), asyncio.Event()

    async def wait_for(event: asyncio.Event) -> None:
        with limits.limit():
            await event.wait()

    silent, answer = asyncio.create_task(wait_for(asyncio.Event())), asyncio.create_task(wait_for(answered))
    cancelled = asyncio.create_task(wait_for(asyncio.Event()))
    await asyncio.sleep(0)
    answered.set()
    cancelled.cancel()
    await answer
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    await asyncio.sleep(0.11)  # in the middle between two looks
    start = time.monotonic()
    later = asyncio.create_task(wait_for(asyncio.Event()))
    with pytest.raises(TimeoutError):
        await silent
    with pytest.raises(TimeoutError):
        await later
    assert time.monotonic() - start >= 0.2, "what is given up too early may still be carried out"


async def refusal(url: str, data_dir: Path) -> NoStore:
    with pytest.raises(NoStore) as refused:
        async with open_store(url, data_dir):
            pass
    return refused.value


async def test_where_nobody_answers_there_is_no_store(
    tmp_path: Path, free_ports: Callable[[int], list[int]]
) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_unix_server(silent, tmp_path / "s")
    nobody = f":hunter2@127.0.0.1:{free_ports(1)[0]}"
    async with asyncio.timeout(PATIENCE):
        refusals = await asyncio.gather(
            refusal(f"unix://{tmp_path / 's'}", tmp_path),
            *(refusal(f"{scheme}://{nobody}", tmp_path) for scheme in ("redis", "rediss", "redis+cluster")),
            refusal(f"redis+sentinel://{nobody}/okey", tmp_path),
        )
    server.close()
    assert [refused.code for refused in refusals] == ["unreachable"] * 5
    assert "hunter2" not in "".join(map(str, refusals))


async def test_of_a_socket_s_server_nothing_is_asked_elsewhere(tmp_path: Path) -> None:
    heard = []

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(writer)
        writer.write(b"-DENIED")
        writer.close()

    server = await asyncio.start_server(hear, "127.0.0.1", 0)
    elsewhere = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    assert (await refusal(f"unix://{elsewhere}{tmp_path / 's'}", tmp_path)).code == "unreachable"
    assert heard == []
    server.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://:hunter2@host",
        "hunter2",
        "redis://:hunter2@host:port",
        "redis+sentinel://:hunter2@host:26379",
        "redis+sentinel://:hunter2@host:x/okey",
        "redis+cluster://:hunter2@host:x",
    ],
)
async def test_an_address_that_makes_no_sense_is_refused_unquoted(url: str, tmp_path: Path) -> None:
    refused = await refusal(url, tmp_path)
    assert refused.code == "bad_url"
    assert "redis://host:6379/0" in str(refused)
    assert "hunter2" not in str(refused)


async def test_a_wrong_password_is_said_and_not_repeated(valkey_url: str, tmp_path: Path) -> None:
    with redis.Redis.from_url(valkey_url) as raw:
        raw.config_set("requirepass", "hunter2")
        try:
            for url in (valkey_url, f"{valkey_url}?password=hunter1"):
                refused = await refusal(url, tmp_path)
                assert refused.code == "refused"
                assert "hunter" not in str(refused)
            async with open_store(f"{valkey_url}?password=hunter2", tmp_path) as store:
                await store.ping()
        finally:
            raw.config_set("requirepass", "")


@pytest.mark.parametrize("trouble", ["a full memory", "a replica"])
async def test_a_server_that_cannot_write_is_away_until_it_can(
    trouble: str, store: Store, valkey_url: str
) -> None:
    await store.documents.commit("T1", expected=0, state=b"before", action=None)
    with redis.Redis.from_url(valkey_url) as raw:
        if trouble == "a full memory":
            raw.config_set("maxmemory", 1)
        else:
            raw.replicaof("127.0.0.1", "1")
        try:
            with pytest.raises(StoreUnavailable) as away:
                await store.documents.commit("T1", expected=1, state=b"secret rack", action=None)
        finally:
            raw.config_set("maxmemory", 0)
            raw.replicaof("no", "one")
    assert "secret" not in str(away.value)
    assert isinstance(await store.documents.commit("T1", expected=1, state=b"after", action=None), Committed)


async def test_a_mistake_of_ours_is_not_taken_for_an_absent_server(store: Store, valkey_url: str) -> None:
    await note_table(store, "T1", places=["p"])
    with redis.Redis.from_url(valkey_url) as raw:
        raw.rename("place:p", "token:p")
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        await store.tokens.look_at("p")


async def test_a_call_that_makes_no_sense_fails_and_takes_no_other_with_it(
    store: Store,
) -> None:
    outcomes = await asyncio.gather(
        *(store.documents.commit(f"T{n}", expected=0, state=b"", action=None) for n in range(10)),
        store.documents.commit("T", expected=0, state=None, action=None),  # type: ignore[arg-type]
        *(store.documents.commit(f"U{n}", expected=0, state=b"", action=None) for n in range(10)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Committed] * 10 + [TypeError] + [Committed] * 10


@pytest.mark.parametrize("error", [AttributeError, TypeError])
async def test_a_mistake_in_our_own_code_around_a_call_looks_like_one(
    store: Store, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    async def mistaken(*words: object) -> None:
        raise error("ours")

    # As if it were written in the module in which the wires are.
    ours = FunctionType(mistaken.__code__, {**vars(wire), "error": error}, closure=mistaken.__closure__)
    monkeypatch.setattr(store._server._wire, "carry", ours)
    with pytest.raises(error, match="ours"):
        await store.ping()


@pytest.mark.parametrize("error", [AttributeError, TypeError])
async def test_what_a_lost_connection_raises_inside_the_library_is_no_mistake(
    store: Store, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """redis-py issue 4287: a connection that was closed under its hands."""
    send, breaks = AbstractConnection.send_packed_command, 3

    async def lost(*command: object, **options: object) -> None:
        nonlocal breaks
        breaks -= 1
        if breaks >= 0:
            raise error("'NoneType' object has no attribute 'write'")
        await send(*command, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(AbstractConnection, "send_packed_command", lost)
    assert isinstance(await store.documents.commit("T1", expected=0, state=b"", action=None), Committed)
    assert breaks < 0
