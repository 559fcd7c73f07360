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
from bot.store.wires import wire_to


@asynccontextmanager
async def open_store(redis_url: str | None, data_dir: Path) -> AsyncIterator[Store]:
    """Open the store at `redis_url`, or on an embedded Valkey that keeps its data in `data_dir`.

    Raises `NoStore`, with a sentence for whoever started the program, when there is neither.
    """
    async with AsyncExitStack() as stack:
        if not redis_url:
            redis_url = await stack.enter_async_context(embedded_valkey(data_dir))
        client = client_for(redis_url)
        stack.push_async_callback(client.aclose)
        await _let_in(client)
        yield Store(Server(await stack.enter_async_context(wire_to(client))))


async def _let_in(client: "Redis | RedisCluster") -> None:
    """Raise `NoStore` unless the server answers within `PATIENCE` and lets us in."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                if await _answers(client):
                    return
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise NoStore("unreachable", "No Redis server answers at REDIS_URL.") from None


async def _answers(client: "Redis | RedisCluster") -> bool:
    try:
        await client.execute_command("PING")
    except AWAY as error:
        if isinstance(error.__cause__ or error, AuthenticationError):
            raise NoStore("refused", "The server at REDIS_URL refuses its user name or password.") from None
        return False
    return True
