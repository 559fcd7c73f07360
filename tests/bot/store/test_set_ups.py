"""The doctor against set-ups that are wrong in one thing each, with real servers: it names that, and says
what to do about it, and fails. Of a right one it has nothing to say."""

import asyncio
import os
import resource
import secrets
import signal
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
import redis
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.store.embedded import valkey_binary
from tests.bot.test_doctor import BOT, TOKEN, Answers
from tests.patience import PATIENCE
from tests.torture.servers import free_ports

pytestmark = pytest.mark.long

PASSWORD: Final = "hush"
DOCTOR: Final = "import sys; from bot.main import main; sys.exit(main(['doctor']))"
KEPT: Final = ("--appendonly", "yes", "--appendfsync", "everysec")
SMALL: Final = 300_000
"""Bytes of the largest file that a full disk takes."""


def small_files() -> None:
    """Let this process write no file larger than `SMALL`, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))


def started(arguments: list[str], folder: Path, *, full_disk: bool) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [valkey_binary(), *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        preexec_fn=small_files if full_disk else None,
        restore_signals=not full_disk,
    )


@dataclass
class SetUp:
    """A machine with everything that a bot needs, set up well; tests spoil one thing."""

    folder: Path
    stack: AsyncExitStack
    environment: dict[str, str] = field(default_factory=dict)
    full_disk: bool = False
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    async def store(self, *changes: str, password: str = PASSWORD, full_disk: bool = False) -> int:
        """Start a server of one's own, and set REDIS_URL. Return its port."""
        (port,) = free_ports(1)
        folder = self.folder / str(port)
        folder.mkdir()
        guarded = ("--requirepass", password, "--primaryauth", password) if password else ()
        arguments = ("--port", str(port), "--save", "", "--protected-mode", "no", *KEPT, *guarded)
        self.servers.append(started([*arguments, *changes], folder, full_disk=full_disk))
        await until(lambda: self.client(port, password).ping())
        # By this address the machine can be reached from others, too.
        login = f":{password}@" if password else ""
        self.environment.setdefault("REDIS_URL", f"redis://{login}0.0.0.0:{port}")
        return port

    def client(self, port: int, password: str = PASSWORD) -> redis.Redis:
        return redis.Redis(port=port, password=password or None)

    async def replica(self, primary: int) -> int:
        """Start a replica that has caught up. Return its port."""
        port = await self.store("--replicaof", "127.0.0.1", str(primary))
        await until(lambda: self.client(port).info("replication")["master_link_status"] == "up")
        return port

    def certificate(self, days: int) -> Path:
        """Make a certificate that signs itself, with its key in the same file."""
        file = self.folder / f"certificate-{secrets.token_hex(4)}"
        kind = (
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-subj",
            "/CN=okey.test",
        )
        names = ("-addext", "subjectAltName=IP:127.0.0.1", "-days", str(days))
        command = ["openssl", "req", "-x509", *kind, *names, "-keyout", str(file), "-out", f"{file}.public"]
        subprocess.run(command, check=True, capture_output=True)
        file.write_text(file.read_text() + Path(f"{file}.public").read_text())
        return file

    async def speak_tls(self, port: int, days: int) -> None:
        """Put TLS before the store at a port, and set REDIS_URL to that."""
        file = self.certificate(days)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        front = await asyncio.start_server(lambda r, w: pass_on(r, w, port), "127.0.0.1", 0, ssl=context)
        await self.stack.enter_async_context(front)
        address = f"127.0.0.1:{front.sockets[0].getsockname()[1]}"
        self.environment["REDIS_URL"] = f"rediss://:{PASSWORD}@{address}?ssl_ca_certs={file}.public"

    async def public_address(self, days: int) -> None:
        """Serve the app with TLS, and set WEB_URL."""
        file = self.certificate(days)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)

        async def page(request: web.Request) -> web.Response:
            return web.Response(text="the app")

        application = web.Application()
        application.router.add_get("/", page)
        server = TestServer(application, scheme="https")
        await server.start_server(ssl=context)
        self.stack.push_async_callback(server.close)
        url = str(server.make_url("")).rstrip("/")
        self.environment |= {"WEB_URL": url, "SSL_CERT_FILE": f"{file}.public"}

    async def telegram(self) -> None:
        """Serve a Telegram that knows the bot, and set its token."""
        answers, application = Answers(), web.Application()
        application.router.add_get("/{path:.*}", answers.answer)
        server = await self.stack.enter_async_context(TestServer(application))
        described = {"description": "A game.", "short_description": "A game."}
        answers.bodies[f"/bot{TOKEN}/getMe"] = {"ok": True, "result": BOT}
        for method in ("getMyDescription", "getMyShortDescription"):
            answers.bodies[f"/bot{TOKEN}/{method}"] = {"ok": True, "result": described}
        self.environment |= {"OPERATOR_NAME": "Ada", "OPERATOR_CONTACT": "@ada"}
        url = str(server.make_url("")).rstrip("/")
        self.environment |= {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": url}

    async def examined(self) -> subprocess.CompletedProcess[str]:
        """Run `okey doctor` there."""
        return await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", DOCTOR],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "WEB_PORT": "0", **self.environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            preexec_fn=small_files if self.full_disk else None,
        )


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(redis.RedisError):
                if holds():
                    return
            await asyncio.sleep(0.05)


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    from_store, to_store = await asyncio.open_connection("127.0.0.1", port)

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                target.write(data)
        target.close()

    await asyncio.gather(pump(reader, to_store), pump(from_store, writer))


@pytest.fixture
async def set_up(tmp_path: Path) -> AsyncIterator[SetUp]:
    async with AsyncExitStack() as stack:
        made = SetUp(tmp_path, stack)
        await made.telegram()
        try:
            yield made
        finally:
            for server in made.servers:
                server.send_signal(signal.SIGCONT)
                server.kill()
                server.wait()


async def open_page(it: SetUp) -> None:
    it.environment = {"WEB_HOST": "0.0.0.0"}


async def open_page_of_ipv6(it: SetUp) -> None:
    it.environment = {"WEB_HOST": "::"}


async def no_password(it: SetUp) -> None:
    await it.store(password="")


async def snapshots_alone(it: SetUp) -> None:
    await it.store("--appendonly", "no")


async def no_fsync(it: SetUp) -> None:
    await it.store("--appendfsync", "no")


async def evicting(it: SetUp) -> None:
    await it.store("--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru")


async def tiny_memory(it: SetUp) -> None:
    await it.store("--maxmemory", "16mb")


async def nearly_full_memory(it: SetUp) -> None:
    port = await it.store("--maxmemory", "64mb")
    with it.client(port) as client:
        for number in range(57):
            client.set(f"ballast {number}", bytes(1 << 20))


async def full_disk_of_the_store(it: SetUp) -> None:
    port = await it.store(full_disk=True)
    with it.client(port) as client:

        def is_full() -> bool:
            with suppress(redis.ResponseError):  # it refuses to write as soon as it knows
                client.set("ballast", os.urandom(100_000))
            return client.info("persistence")["aof_last_write_status"] != "ok"

        await until(is_full)


async def full_disk_of_the_embedded_store(it: SetUp) -> None:
    it.full_disk = True


async def open_env_file(it: SetUp) -> None:
    file = it.folder / ".env"
    file.write_text(f"TELEGRAM_TOKEN={TOKEN}\n")
    file.chmod(0o644)


async def open_data(it: SetUp) -> None:
    (it.folder / "data" / "valkey").mkdir(parents=True)
    (it.folder / "data" / "valkey").chmod(0o755)


async def lagging_replica(it: SetUp) -> None:
    primary = await it.store()
    await it.replica(primary)
    it.servers[-1].send_signal(signal.SIGSTOP)
    with it.client(primary) as client:
        await until(lambda: client.info("replication")["slave0"]["lag"] > 5)


async def one_replica_that_is_needed(it: SetUp) -> None:
    await it.replica(await it.store("--min-replicas-to-write", "1"))


async def one_replica_that_is_waited_for(it: SetUp) -> None:
    it.environment["DURABILITY"] = "replica"
    await it.replica(await it.store())


async def stores_certificate_that_ends(it: SetUp) -> None:
    await it.speak_tls(await it.store(), days=5)


async def certificate_that_ends(it: SetUp) -> None:
    await it.public_address(days=5)


async def wrong_token(it: SetUp) -> None:
    it.environment["TELEGRAM_TOKEN"] = "4711:other"


WRONG: Mapping[Callable[[SetUp], Awaitable[None]], tuple[str, ...]] = {
    open_page: ("WEB_HOST is 0.0.0.0", "set WEB_HOST=127.0.0.1"),
    open_page_of_ipv6: ("WEB_HOST is ::", "set WEB_HOST=127.0.0.1"),
    no_password: ("every rack", "set requirepass"),
    snapshots_alone: ("lose minutes of play", "set appendonly yes"),
    no_fsync: ("doesn't reach its disk", "set appendfsync everysec"),
    evicting: ("drops tables", "set maxmemory-policy noeviction"),
    tiny_memory: ("may use 16 MB", "set maxmemory 64mb"),
    nearly_full_memory: ("nearly full", "raise maxmemory"),
    full_disk_of_the_store: ("can't write to its disk", "make room"),
    full_disk_of_the_embedded_store: ("disk of data is full", "make room"),
    open_env_file: (".env with your tokens", "chmod 600 .env"),
    open_data: ("every rack in data/valkey", "chmod 700 data/valkey"),
    lagging_replica: ("s behind", "look at its log"),
    one_replica_that_is_needed: ("refuses every move while one is away", "have 2 replicas"),
    one_replica_that_is_waited_for: ("DURABILITY=replica and 1 replica the store", "have 2 replicas"),
    stores_certificate_that_ends: ("certificate of REDIS_URL ends in 4 days", "replace it"),
    certificate_that_ends: ("certificate of WEB_URL ends in 4 days", "replace it"),
    wrong_token: ("refuses TELEGRAM_TOKEN", "/token"),
}


@pytest.mark.parametrize("spoil", WRONG, ids=lambda each: str(each.__name__))
async def test_what_is_wrong_is_named_with_what_to_do(
    set_up: SetUp, spoil: Callable[[SetUp], Awaitable[None]]
) -> None:
    await spoil(set_up)
    told = await set_up.examined()
    named = [line for line in told.stdout.splitlines() if line.startswith("wrong")]
    assert (told.returncode, len(named)) == (1, 1), told.stdout + told.stderr
    assert [words for words in WRONG[spoil] if words not in named[0]] == []
    _, _, left = told.stdout.rpartition("open point")
    assert named[0].removeprefix("wrong").strip() in left
    assert PASSWORD not in told.stdout + told.stderr


async def test_of_a_right_one_there_is_nothing_to_say(set_up: SetUp) -> None:
    port = await set_up.store("--maxmemory", "256mb", "--maxmemory-policy", "noeviction")
    await set_up.replica(port)
    await set_up.replica(port)
    set_up.client(port).config_set("min-replicas-to-write", 1)
    await set_up.speak_tls(port, days=90)
    await set_up.public_address(days=90)
    (set_up.folder / ".env").touch(mode=0o600)
    told = await set_up.examined()
    assert told.stdout.endswith("\n0 open points\n"), told.stdout + told.stderr
    assert told.returncode == 0


async def test_so_is_the_embedded_store(set_up: SetUp) -> None:
    told = await set_up.examined()
    assert told.stdout.endswith("\n0 open points\n"), told.stdout + told.stderr
    assert told.returncode == 0
