"""Which store to open: REDIS_URL's, or else the embedded one."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.store.address import client_for
from bot.store.embedded import embedded_valkey
from bot.store.server import Server
from bot.store.store import Store


@asynccontextmanager
async def open_store(redis_url: str | None, data_dir: Path) -> AsyncIterator[Store]:
    """Open the store at `redis_url`, or on an embedded Valkey that keeps its data in `data_dir`.

    Raises `NoStore`, with a sentence for whoever started the program, when there is neither.
    """
    async with AsyncExitStack() as stack:
        if not redis_url:
            redis_url = await stack.enter_async_context(embedded_valkey(data_dir))
        server = Server(client_for(redis_url))
        stack.push_async_callback(server.close)
        await server.check()
        yield Store(server)
