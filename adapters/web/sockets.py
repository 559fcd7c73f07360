"""Sockets: a page's connection from its first message to its end."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from adapters.web.protocol import PROTOCOL, Done, Enter, Hello, Sent, read
from adapters.web.tab import Tab
from bot.i18n import words_for
from bot.logs import way_of
from bot.ports import Answer, SessionOver, StoreUnavailable

_HELLO_SECONDS: Final = 10
_HEARTBEAT_SECONDS: Final = 20
_GOODBYE_SECONDS: Final = 2
_LONGEST_MESSAGE: Final = 4096
_BETWEEN_MESSAGES: Final = 0.02
"""Seconds between two messages of a page. Further ones wait on the network."""

OTHER_PROTOCOL: Final = 4001
"""The close code for a page that another version of the program served: it reloads."""

LOG: Final = logging.getLogger(__name__)


class NotNow(Exception):
    """The application cannot show its screens now: the page must reconnect."""


class Sockets(ABC):
    """All connections of one kind of page."""

    def __init__(self) -> None:
        self._sockets: set[web.WebSocketResponse] = set()

    @abstractmethod
    async def _check(self, request: web.Request) -> None:
        """Refuse a client that may not connect, by a status."""

    @abstractmethod
    async def _serve(self, socket: web.WebSocketResponse, request: web.Request, first: Enter | Hello) -> None:
        """Serve a page until it disconnects. Raises NotNow, and MsgspecError for a message that no page
        sends."""

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """Serve a page by its WebSocket, until it disconnects."""
        await self._check(request)
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS, timeout=_GOODBYE_SECONDS, max_msg_size=_LONGEST_MESSAGE
        )
        try:
            await socket.prepare(request)
        except ConnectionError:  # the page has gone meanwhile
            return web.Response()
        self._sockets.add(socket)
        try:
            first = await socket.receive(timeout=_HELLO_SECONDS)
            if first.type is WSMsgType.TEXT:  # the client left without a message
                await self._begin(socket, request, read(first.data))
        except TimeoutError:
            pass
        except msgspec.MsgspecError:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"not a message of this page")
        except (NotNow, StoreUnavailable):
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
        except Exception as error:
            LOG.error("a page could not be served: %s", way_of(error))
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
        finally:
            self._sockets.discard(socket)
        return socket

    async def _begin(self, socket: web.WebSocketResponse, request: web.Request, first: Sent) -> None:
        if not isinstance(first, Enter | Hello):
            raise msgspec.ValidationError("the first message must say who it is")
        if first.protocol != PROTOCOL:
            await socket.close(code=OTHER_PROTOCOL)
        else:
            await self._serve(socket, request, first)

    async def close(self) -> None:
        """End all connections. The pages reconnect by themselves."""
        await asyncio.gather(*(socket.close(code=WSCloseCode.GOING_AWAY) for socket in tuple(self._sockets)))


async def messages(socket: web.WebSocketResponse) -> AsyncIterator[Sent]:
    """Yield the messages of a page until it disconnects. Raises MsgspecError."""
    async for message in socket:
        if message.type is not WSMsgType.TEXT:  # bytes, or a message that is too long
            raise msgspec.ValidationError("the page sends text")
        yield read(message.data)
        await asyncio.sleep(_BETWEEN_MESSAGES)


async def show_answer(tab: Tab, id: str, doing: Awaitable[Answer]) -> None:
    """Show a page the notice of an act, and report the act done. Raises SessionOver."""
    try:
        answer = await doing
    except SessionOver:
        raise
    except StoreUnavailable:
        answer = Answer(notice=words_for(tab.person.language).say("refused.store_away"), urgent=True)
    except Exception as error:
        LOG.error("what a person did on the page could not be answered: %s", way_of(error))
        answer = Answer(notice=words_for(tab.person.language).say("refused.failed"), urgent=True)
    if answer.notice:
        tab.show_notice(answer.notice, urgent=answer.urgent)
    tab.tell(Done(id))


@asynccontextmanager
async def sending(tab: Tab, socket: web.WebSocketResponse) -> AsyncIterator[None]:
    """Send a tab's messages to its page while the body runs."""
    task = asyncio.create_task(tab.send_to(socket))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
