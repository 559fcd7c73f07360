"""A real Valkey for whoever tests what is kept."""

import asyncio
import gc
import os
import random
import secrets
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import suppress
from itertools import chain, groupby, islice
from pathlib import Path

import pytest
import redis
from hypothesis import HealthCheck, settings

from bot.store import Store, open_store
from bot.store.embedded import valkey_binary
from engine.shuffle import SECRET_BYTES
from tests.patience import PATIENCE, found

# No test is about how long it takes: a slower machine is no failure.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _UNTIMED, derandomize=True)
settings.register_profile("random", _UNTIMED)

LONG = ("browser", "evening")
"""The folders whose tests are left to `make test-all`, but for those marked `everyday`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deals", default="", help="what deals follow from; a failed test prints its own")
    parser.addoption("--random", action="store_true", help="deal and draw examples anew in each run")
    parser.addoption("--late-messages", action="store_true", help="have what a server tells a page come late")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("random" if config.getoption("--random") else "fixed")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: every worker would search it for garbage again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _is_in_long_folder(path: Path) -> bool:
    return not set(LONG).isdisjoint(path.parts)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread of which no test is run: each worker would read them."""
    if config.option.markexpr != "not long" or not collection_path.match("test_*.py"):
        return None
    text = collection_path.read_text()
    is_left = _is_in_long_folder(collection_path) and "mark.everyday" not in text
    return is_left or "\npytestmark = pytest.mark.long\n" in text or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the long tests. Each worker begins with its part of the evenings, which take longest, and none is
    left with one."""
    for item in items:
        if not item.get_closest_marker("everyday") and _is_in_long_folder(item.path):
            item.add_marker("long")
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    evenings = [item for item in items if "evening" in item.path.parts]
    others = iter([item for item in items if "evening" not in item.path.parts])
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, (_, module) in enumerate(groupby(evenings, key=lambda item: item.path)):
        parts[number % workers].extend(module)
    left = len(items)
    for number, part in enumerate(parts):
        share = left // (workers - number)  # as xdist does, or a worker ends with another's first evening
        part += islice(others, max(0, share - len(part)))
        left -= share
    items[:] = [*chain.from_iterable(parts), *others]


@pytest.fixture(autouse=True)
def _deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have applications in this process deal the same to a test in each run, unless asked otherwise.

    A deal follows from its secret and from the table's id, which follows from the store's secret. All deals
    of a test share one secret, since which of its tables asks first is chance.
    """
    config = request.config
    seed = secrets.token_hex(4) if config.getoption("--random") else request.node.nodeid
    seed = config.getoption("--deals") or seed
    print(f"--deals={seed}")
    of_deals = random.Random(seed).randbytes(SECRET_BYTES)
    monkeypatch.setattr("bot.app.fresh_secret", lambda: of_deals)
    of_stores = random.Random(f"{seed} stores")
    monkeypatch.setattr("bot.store.secret.fresh_secret", lambda: of_stores.randbytes(32))


@pytest.fixture(scope="session")
def _valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("v")
    socket = folder / "s"
    server = subprocess.Popen(
        [valkey_binary(), "--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    url = f"unix://{socket}"
    try:
        with redis.Redis.from_url(
            url, retry=redis.retry.Retry(redis.backoff.ConstantBackoff(0.05), 100)
        ) as client:
            client.ping()
        yield url
    finally:
        server.kill()
        server.wait()


Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]


@pytest.fixture
def until() -> Until:
    """Wait until something holds; however slow the machine."""

    async def wait(holds: Callable[[], Awaitable[bool]]) -> None:
        async with asyncio.timeout(PATIENCE):
            await found(holds)

    return wait


@pytest.fixture
def valkey_url(_valkey: str) -> str:
    """The address of a real server, one for each test process, empty at the start of each test."""
    with redis.Redis.from_url(_valkey) as client:
        client.flushall()
    return _valkey


@pytest.fixture
async def store(valkey_url: str, tmp_path: Path) -> AsyncIterator[Store]:
    """A store on that server."""
    async with open_store(valkey_url, tmp_path) as opened:
        yield opened


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A DATA_DIR; a server that was left in it by a killed program ends with the test."""
    yield tmp_path
    process = tmp_path / "valkey" / "valkey.pid"
    with suppress(FileNotFoundError, ProcessLookupError):  # it may be ending by itself
        os.kill(int(process.read_text()), signal.SIGKILL)
