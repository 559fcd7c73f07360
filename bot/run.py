"""Process: opens the store and every chat that has a token, and runs until told to stop."""

import asyncio
import gc
import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from bot import metrics
from bot.app import Application, application, delays_of
from bot.handlers.fair_share import FairShare
from bot.logs import way_of
from bot.pictures import warm_up
from bot.pool import POOL
from bot.ports import Chat, ChatRefused
from bot.repository.leagues import TimeSource
from bot.screens.policies import Operator
from bot.settings import Settings
from bot.store import open_store
from bot.worker.beacon import open_beacon
from bot.worker.shares import Shares

LOG: Final = logging.getLogger(__name__)

RETRY_SECONDS: Final = 10.0
"""Seconds between two attempts to reach a chat that can't be reached, or that broke down."""

REFUSALS: Final = {
    "bad_token": "its token was refused. Check {token} in the environment or in .env.",
    "missing_intent": "a privileged intent is switched off for it in the developer portal.",
    "unreachable": "its server can't be reached. Trying again; check the network and {api}.",
    "bad_webhook": "it doesn't take TELEGRAM_WEBHOOK_URL: that must be a public https address, at port 443,"
    " 80, 88 or 8443. Trying again.",
    "port_taken": "port {port} is taken by another program. Choose another one: WEB_PORT={other} make run",
    "port_forbidden": "this user may not serve at port {port}. Set WEB_PORT to a number above 1023.",
    "bad_address": "WEB_HOST is not an address of this machine.",
}


_PASSING: Final = ("unreachable", "bad_webhook")
"""Refusals that may pass without a new start: an address's name may not be known everywhere yet."""

WARM_UP_SECONDS: Final = 10.0
"""The longest that chats wait for the processes that draw, before they receive what people do."""

_YOUNG_OBJECTS: Final = 10_000
"""The number of new objects after which Python looks for reference cycles, instead of its default of 700 or
2000."""

_IN_PROCESSES: Final = ("bot.pictures", "bot.worker.computers", "engine.hints", "engine.review")
"""Modules with the work that other processes do for this one."""


class Life(Protocol):
    """Something that begins with `start`, goes on in `run`, and ends with `stop`."""

    async def start(self) -> None:
        """Begin. Raises ChatRefused; then there is nothing to stop."""
        ...

    async def run(self) -> None:
        """Work until cancelled, or until something ends it."""
        ...

    async def stop(self) -> None:
        """End, leaving no message half sent."""
        ...


class RunningChat(Chat, Life, Protocol):
    """A chat with its life. From `start` to `stop` delivery can use it, whether it runs or not."""

    @property
    def received_by_one(self) -> bool:
        """Return whether the platform reports people's actions to one process only: then only one runs it."""
        ...


@dataclass(frozen=True, slots=True)
class ServedChat:
    """A chat that this process is to serve."""

    name: str
    """Its short name: `tg`, `dc`, `web`."""
    title: str
    """Its name for people."""
    make: Callable[[], RunningChat]
    """Makes a new one for each attempt to start."""
    token: str = ""
    """The setting that holds its token."""
    api: str = ""
    """The setting that holds its address."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that `run` keeps alive."""

    server: Life
    """The web server that several parts share."""
    chats: list[ServedChat]
    greet: Callable[[], None] = lambda: None
    """Called once the server can be reached."""


async def run(
    settings: Settings, parts_of: Callable[[Application, Settings], Parts], *, clock: TimeSource | None = None
) -> int:
    """Run until SIGTERM or SIGINT, or until no chat is left. Returns the exit status: 1 when a chat was
    refused.

    `clock` is the leagues' clock (see `application`). Raises NoStore when no store can be opened.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    redis = None if settings.redis_url is None else settings.redis_url.reveal()
    async with (
        POOL.processes(settings.processes, _IN_PROCESSES),
        open_store(redis, settings.data_dir, settings.durability) as store,
        open_beacon(settings.beacon_url) as beacon,
    ):
        app = application(
            store,
            delays=delays_of(settings),
            turn_seconds=round(settings.turn_seconds),
            share=FairShare(settings.presses_per_second),
            web_url=settings.web_url or "",
            operator=Operator(settings.operator_name or "", settings.operator_contact or ""),
            clock=clock,
            beacon=beacon,
        )
        parts = parts_of(app, settings)
        shorten_collections()
        app.startup.begin({offer.name: offer.title for offer in parts.chats})
        try:
            await parts.server.start()
        except ChatRefused as refused:
            port = settings.web_port
            other = port + 1 if port < 65535 else 8106
            LOG.error("web: %s", REFUSALS[refused.code].format(port=port, other=other))
            return 1
        parts.greet()
        try:
            return await _serve(app, parts, stop)
        finally:
            await parts.server.stop()
            await app.delivery.close()


def shorten_collections() -> None:
    """Exempt from garbage collection what stays as long as the process: modules and the application. Looking
    through all of it stops the event loop for a fifth of a second, and finds nothing."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, *gc.get_threshold()[1:])


async def _serve(app: Application, parts: Parts, stop: asyncio.Event) -> int:
    warm = asyncio.create_task(_warm_up())
    chats = [asyncio.create_task(_keep_up(app, offer, warm)) for offer in parts.chats]
    ends: list[asyncio.Task[Any]] = [
        asyncio.create_task(stop.wait()),
        asyncio.create_task(app.worker.run()),
        asyncio.create_task(asyncio.wait(chats)),  # until all are refused
    ]
    try:
        for ended in (await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED))[0]:
            ended.result()
        return int(any(chat.done() for chat in chats))
    finally:
        for task in (*ends, *chats, warm):
            task.cancel()
        await asyncio.gather(*ends, *chats, warm, return_exceptions=True)


async def _warm_up() -> None:
    """Make the processes ready that draw. Without them everything is only slower."""
    try:
        async with asyncio.timeout(WARM_UP_SECONDS):
            await warm_up()
    except Exception as error:
        LOG.warning("the first pictures will be slow: %s", way_of(error))


async def _keep_up(app: Application, offer: ServedChat, warm: asyncio.Task[None]) -> None:
    """Serve a chat, again and again if it breaks down. Ends when it is refused for good."""
    while True:
        try:
            if await _life(app, offer, warm):
                continue
        except ChatRefused as refused:
            why = REFUSALS[refused.code].format(token=offer.token, api=offer.api)
            LOG.error("%s: %s", offer.title, why)
            if refused.code not in _PASSING:
                return
        except Exception as error:
            LOG.error("%s broke down and is started again: %s", offer.title, way_of(error))
        await asyncio.sleep(RETRY_SECONDS)


async def _life(app: Application, offer: ServedChat, warm: asyncio.Task[None]) -> bool:
    """Run a chat once, after `warm`; whether to start a new one at once, because another process receives
    now."""
    chat = offer.make()
    metrics.RECEIVING.labels(chat.name)  # 0 until it receives: alerts see a chat that is refused at once
    try:
        await chat.start()
        await asyncio.wait({warm})
        app.chats[chat.name] = chat
    finally:
        # Only once: a chat that is out of reach later must not take the other chats from people.
        app.startup.end(offer.name)
    try:
        if chat.received_by_one:
            return await _receive(app.worker.shares, chat)
        await chat.run()
        return False
    finally:
        del app.chats[chat.name]
        await chat.stop()


async def _receive(shares: Shares, chat: RunningChat) -> bool:
    """Run a chat that only one process can run, when it is this one; whether it became another."""
    await shares.until_receiver(chat.name)
    LOG.info("%s: what people do comes to this process", chat.name)
    running = asyncio.create_task(chat.run())
    lost = asyncio.create_task(shares.until_another_receives(chat.name))
    try:
        await asyncio.wait({running, lost}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
            return False
        LOG.warning("%s: another process receives what people do", chat.name)
        return True
    finally:
        for task in (running, lost):
            task.cancel()
        await asyncio.gather(running, lost, return_exceptions=True)
