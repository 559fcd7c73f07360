"""`okey run`: the store, the application and every chat that has a token, until told to stop."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Protocol

from bot.app import Application, application
from bot.chats import Chat, ChatRefused
from bot.settings import Settings
from bot.store import open_store
from bot.tables.play import Pace

LOG: Final = logging.getLogger(__name__)

REFUSALS: Final = {
    "bad_token": "its token was refused. Check {token} in the environment or in .env.",
    "missing_intent": "a privileged intent is switched off for it in the developer portal.",
    "unreachable": "its server can't be reached. Check the network and {api}.",
    "port_taken": "WEB_PORT is taken by another program. Choose another one.",
    "bad_address": "WEB_HOST is not an address of this machine.",
}


class RunningChat(Chat, Protocol):
    """A chat with its life: connected by `start`, served by `run` until `stop`."""

    async def start(self) -> None:
        """Connect. Raises ChatRefused."""
        ...

    async def run(self) -> None:
        """Serve until `stop` or cancelled."""
        ...

    async def stop(self) -> None:
        """Disconnect, leaving nothing half said."""
        ...


MakeChats = Callable[[Application, Settings], list[RunningChat]]


async def run(settings: Settings, make_chats: MakeChats) -> int:
    """Run until SIGTERM or SIGINT. The exit status: 1 when a chat was refused, else 0.

    Raises NoStore when there is no store to be had.
    """
    redis = None if settings.redis_url is None else settings.redis_url.reveal()
    async with open_store(redis, settings.data_dir) as store:
        pace = Pace(computer=settings.computer_seconds, next_round=settings.next_round_seconds)
        app = application(store, pace=pace, turn_seconds=round(settings.turn_seconds))
        async with _started(app, make_chats(app, settings)) as started:
            if not app.chats:
                return 1
            await _until_told(app, list(started))
            return 0 if all(started.values()) else 1


@asynccontextmanager
async def _started(app: Application, chats: list[RunningChat]) -> AsyncIterator[dict[RunningChat, bool]]:
    """The chats, each with whether it was let in; those that were are stopped at the end."""
    let_in = dict(zip(chats, await asyncio.gather(*map(_start, chats)), strict=True))
    app.chats.update({chat.name: chat for chat, ok in let_in.items() if ok})
    try:
        yield let_in
    finally:
        await asyncio.gather(*(chat.stop() for chat, ok in let_in.items() if ok))
        await app.mail.close()


async def _start(chat: RunningChat) -> bool:
    try:
        await chat.start()
    except ChatRefused as refused:
        why = REFUSALS.get(refused.code, refused.code)
        upper = {"tg": "TELEGRAM", "dc": "DISCORD"}.get(chat.name, "WEB")
        LOG.error("%s: %s", chat.name, why.format(token=f"{upper}_TOKEN", api=f"{upper}_API_URL"))
        return False
    return True


async def _until_told(app: Application, chats: list[RunningChat]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    tasks: list[asyncio.Task[object]] = [asyncio.create_task(app.worker.run(), name="worker")]
    tasks += [asyncio.create_task(chat.run(), name=chat.name) for chat in app.chats.values()]  # type: ignore[attr-defined]
    told: asyncio.Task[object] = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait([told, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in (told, *tasks):
            task.cancel()
        await asyncio.gather(told, *tasks, return_exceptions=True)
