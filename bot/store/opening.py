"""Which store to open: REDIS_URL's, or else the embedded one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import AuthenticationError

from bot.store.address import client_for
from bot.store.embedded import embedded_valkey
from bot.store.server import AWAY, PATIENCE, Server
from bot.store.store import Store
from bot.store.values import NoStore


@asynccontextmanager
async def open_store(redis_url: str | None, data_dir: Path) -> AsyncIterator[Store]:
    """Open the store at `redis_url`, or on an embedded Valkey that keeps its data in `data_dir`.

    Raises `NoStore`, with a sentence for whoever started the program, when there is neither.
    """
    async with AsyncExitStack() as stack:
        if not redis_url:
            redis_url = await stack.enter_async_context(embedded_valkey(data_dir))
        await _let_in(redis_url)
        server = Server(client_for(redis_url))
        stack.push_async_callback(server.close)
        yield Store(server)


async def _let_in(url: str) -> None:
    """Raise `NoStore` unless a server answers at the address within `PATIENCE` and lets us in."""
    # Without the library's own retries, which take a wrong password for a passing trouble.
    client = client_for(url, retries=0)
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                if await _answers(client):
                    return
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise NoStore("unreachable", "No Redis server answers at REDIS_URL.") from None
    finally:
        await client.aclose()


async def _answers(client: "Redis | RedisCluster") -> bool:
    try:
        await client.execute_command("PING")
    except AWAY as error:
        if isinstance(error, AuthenticationError) or isinstance(error.__cause__, AuthenticationError):
            raise NoStore("refused", "The server at REDIS_URL refuses its user name or password.") from None
        return False
    return True
