"""A server that cannot do its part is told in a sentence at the start, not by a game that fails later."""

import asyncio
import re
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis

import bot.store
from bot.store import NoStore, open_store
from tests.bot.store.conftest import StartValkey
from tests.conftest import Until

pytestmark = pytest.mark.long

FreePorts = Callable[[int], list[int]]
SOURCES = Path(bot.store.__file__).parent
NOT_IN_SCRIPTS = {"PING", "INFO", "MEMORY", "WAITAOF"}
"""Called by themselves: the first two at the start, `MEMORY` by the benchmark alone."""


async def refusal(url: str, folder: Path) -> NoStore:
    """Why there is no store at an address."""
    with pytest.raises(NoStore) as refused:
        async with open_store(url, folder):
            pass
    assert "hush" not in str(refused.value)
    return refused.value


@pytest.fixture
async def server(
    start_valkey: StartValkey, free_ports: FreePorts, until: Until
) -> AsyncIterator[redis.Redis]:
    """A server of one's own on a port."""
    (port,) = free_ports(1)
    start_valkey("--port", str(port), "--save", "", "--bind", "127.0.0.1")
    with redis.Redis(port=port) as client:
        await until(lambda: answers(client))
        yield client


async def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def address(client: redis.Redis, login: str = "", scheme: str = "redis") -> str:
    return f"{scheme}://{login}127.0.0.1:{client.get_connection_kwargs()['port']}"


async def test_a_server_that_makes_room_is_refused(server: redis.Redis, tmp_path: Path) -> None:
    server.config_set("maxmemory-policy", "volatile-ttl")
    async with open_store(address(server), tmp_path):
        pass  # it has room without end
    server.config_set("maxmemory", "100mb")
    assert (await refusal(address(server), tmp_path)).code == "evicts"
    server.config_set("maxmemory-policy", "noeviction")
    async with open_store(address(server), tmp_path):
        pass


async def test_a_user_who_lacks_rights_is_told_which(server: redis.Redis, tmp_path: Path) -> None:
    for rights, lacking in {
        "~* +@all -zadd -hset": "use HSET, ZADD",
        "~* +@all -del": "use DEL",
        "~* +@all -eval": "use EVAL",
        "~* +@all -evalsha": "use EVALSHA",
        "~* +@all -info": "use INFO",
        "~okey:* +@all": "touch all keys",
    }.items():
        server.execute_command(f"ACL SETUSER okey reset on >hush {rights}")  # type: ignore[no-untyped-call]
        refused = await refusal(address(server, "okey:hush@"), tmp_path)
        assert refused.code == "not_allowed"
        assert f"may not {lacking}:" in str(refused)
    assert (await refusal(address(server, "okey:hush2@"), tmp_path)).code == "refused"
    assert server.dbsize() == 0, "nothing is left behind"


def test_every_command_is_asked_for() -> None:
    asked = set(re.findall(r"\{'([a-z]+)'", (SOURCES / "scripts" / "probe.lua").read_text()))
    used = {
        name.lower()
        for pattern, call in (
            ("scripts/*.lua", r"redis\.call\('([A-Z]+)'"),
            ("*.py", r"\.call\(\s*\"([A-Z]+)\""),
        )
        for file in SOURCES.glob(pattern)
        for name in re.findall(call, file.read_text())
        if name not in NOT_IN_SCRIPTS
    }
    assert asked == used


async def test_tls_where_there_is_none_and_none_where_there_is(
    server: redis.Redis, free_ports: FreePorts, tmp_path: Path
) -> None:
    plain = await refusal(address(server, ":hush@", "rediss"), tmp_path)
    assert plain.code == "tls"
    assert "write redis instead of rediss" in str(plain)
    async with tls_server(tmp_path) as port:
        spoken = await refusal(f"redis://:hush@127.0.0.1:{port}", tmp_path)
        assert spoken.code == "tls"
        assert "write rediss instead of redis" in str(spoken)
        unknown = await refusal(f"rediss://:hush@127.0.0.1:{port}", tmp_path)
        assert unknown.code == "certificate"
        assert "?ssl_ca_certs=" in str(unknown)


@pytest.mark.parametrize("answered", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
async def test_what_is_no_redis_is_said_so(answered: bytes, tmp_path: Path) -> None:
    async with saying(answered) as port:
        assert (await refusal(f"redis://127.0.0.1:{port}", tmp_path)).code == "no_redis"


async def test_a_database_that_is_not_there_is_said_so(server: redis.Redis, tmp_path: Path) -> None:
    refused = await refusal(f"{address(server)}/99", tmp_path)
    assert (refused.code, "/0" in str(refused)) == ("no_database", True)


async def test_a_cluster_and_a_server_alone_are_told_apart(
    server: redis.Redis, start_valkey: StartValkey, free_ports: FreePorts, tmp_path: Path, until: Until
) -> None:
    (port,) = free_ports(1)
    start_valkey("--port", str(port), "--save", "", "--bind", "127.0.0.1", "--cluster-enabled", "yes")
    with redis.Redis(port=port) as client:
        await until(lambda: answers(client))
        one_of_many = await refusal(address(client), tmp_path)
    assert (one_of_many.code, "write redis+cluster instead" in str(one_of_many)) == ("cluster", True)
    alone = await refusal(address(server, scheme="redis+cluster"), tmp_path)
    assert (alone.code, "write redis instead" in str(alone)) == ("cluster", True)


async def test_a_replica_is_told_to_be_one(
    server: redis.Redis, start_valkey: StartValkey, free_ports: FreePorts, tmp_path: Path, until: Until
) -> None:
    (port,) = free_ports(1)
    primary = str(server.get_connection_kwargs()["port"])
    replica = ("--port", str(port), "--save", "", "--bind", "127.0.0.1", "--replicaof", "127.0.0.1", primary)
    start_valkey(*replica)
    with redis.Redis(port=port) as client:
        await until(lambda: answers(client))
        refused = await refusal(address(client), tmp_path)
        assert (refused.code, "address of its primary" in str(refused)) == ("replica", True)
        client.replicaof("NO", "ONE")
        async with open_store(address(client), tmp_path):
            pass


@pytest.mark.parametrize(
    ("answered", "code"),
    [
        (b"-LOADING Redis is loading the dataset in memory\r\n", "loading"),
        (b"-DENIED Redis is running in protected mode because protected mode is enabled\r\n", "protected"),
    ],
)
async def test_a_server_that_is_there_and_lets_nobody_in_says_why(
    answered: bytes, code: str, tmp_path: Path
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if code == "protected":
            writer.write(answered)
        while code == "loading" and (told := await reader.read(4096)):
            writer.write(told.count(b"*") * answered)
        writer.close()

    serving = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with serving:
        port = serving.sockets[0].getsockname()[1]
        refused = await refusal(f"redis://127.0.0.1:{port}", tmp_path)
    assert refused.code == code


async def test_a_redis_that_is_too_old_is_told_its_version(tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while told := await reader.read(4096):
            for command in re.findall(rb"\*\d+\r\n\$\d+\r\n(\w+)", told):
                info = b"redis_version:6.2.14\r\nmaxmemory:0\r\n"
                writer.write(b"$%d\r\n%b\r\n" % (len(info), info) if command == b"INFO" else b"+OK\r\n")
        writer.close()

    old = await asyncio.start_unix_server(answer, tmp_path / "old")
    async with old:
        refused = await refusal(f"unix://{tmp_path}/old", tmp_path)
    assert (refused.code, "6.2.14" in str(refused)) == ("too_old", True)


@asynccontextmanager
async def saying(answer: bytes) -> AsyncIterator[int]:
    """The port of a server that says the same to everything."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(4096):
            writer.write(answer)
        writer.close()

    serving = await asyncio.start_server(say, "127.0.0.1", 0)
    async with serving:
        yield serving.sockets[0].getsockname()[1]


@asynccontextmanager
async def tls_server(folder: Path) -> AsyncIterator[int]:
    """The port of a server with a certificate that nobody knows."""
    files = "-keyout", str(folder / "key"), "-out", str(folder / "certificate")
    made = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    await asyncio.to_thread(
        subprocess.run, [*made, *files, "-subj", "/CN=127.0.0.1"], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate", folder / "key")

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"-NOAUTH Authentication required.\r\n")
        writer.close()

    serving = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with serving:
        yield serving.sockets[0].getsockname()[1]
