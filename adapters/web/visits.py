"""One tab's connection, from its first message to its last: what it sends becomes presses and commands."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Final

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from adapters.web.board import Board, notice, show_leaflet
from adapters.web.markup import markings_for
from adapters.web.messages import Done, Hello, PressSent, Rename, Sent, TypedSent, Welcome, read
from adapters.web.tabs import Tab, person_of
from bot.logs import way_of
from bot.ports import Answer, DeliveryPort, Dispatcher, Press, TypedCommand

PLACE: Final = "web:local"
_HELLO_SECONDS: Final = 10
_HEARTBEAT_SECONDS: Final = 20
_GOODBYE_SECONDS: Final = 2
_LONGEST_MESSAGE: Final = 4096

_NO_TABLE: Final = "no_table"
_STORE_AWAY: Final = "store_away"

_log = logging.getLogger(__name__)


class _NotNow(Exception):
    """The application cannot say now what there is to see: the tab must come back."""


def language_of(request: web.Request) -> str:
    """The language that the browser asks for first, such as `tr` or `en-US`; empty when it asks for none."""
    return request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip()[:35]


class Visits:
    """Lets tabs in, and carries what they do to the router and the answer back."""

    def __init__(self, router: Dispatcher, post: DeliveryPort, board: Board) -> None:
        self._router = router
        self._post = post
        self._board = board
        self._sockets: set[web.WebSocketResponse] = set()

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        """The handler of the page's WebSocket."""
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS, timeout=_GOODBYE_SECONDS, max_msg_size=_LONGEST_MESSAGE
        )
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            await self._visit(socket, language_of(request))
        except msgspec.MsgspecError:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"not a message of this page")
        except _NotNow:
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
        except Exception as error:
            _log.error("a tab could not be served: %s", way_of(error))
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
        finally:
            self._sockets.discard(socket)
        return socket

    async def close(self) -> None:
        """End all visits; the tabs will be back by themselves."""
        await asyncio.gather(*(socket.close(code=WSCloseCode.GOING_AWAY) for socket in tuple(self._sockets)))

    async def _visit(self, socket: web.WebSocketResponse, language: str) -> None:
        first = await _first(socket)
        if first is None:
            return
        hello = read(first)
        if not isinstance(hello, Hello):
            raise msgspec.ValidationError("the first message must be a hello")
        tab = Tab(person_of(hello.token, hello.name, hello.language or language))
        self._board.add(tab)
        sending = asyncio.create_task(tab.send_to(socket))
        try:
            await self._welcome(tab, hello.table)
            async for message in socket:
                if message.type is not WSMsgType.TEXT:  # bytes, or more than a message of the page holds
                    raise msgspec.ValidationError("the page sends text")
                await self._act(tab, read(message.data))
        finally:
            self._board.remove(tab)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _welcome(self, tab: Tab, table: str) -> None:
        """A tab that has just connected, perhaps again, is brought up to date. Raises _NotNow."""
        looked = await self._ask(tab, "look", table)
        seen = await self._see_rack(tab)
        if _STORE_AWAY in (looked.code, seen.code):
            raise _NotNow
        tab.tell(Welcome())

    async def _see_rack(self, tab: Tab) -> Answer:
        """Show the person's rack, or take away what is no longer his."""
        answer = await self._ask(tab, "rack")
        if answer.code == _NO_TABLE:
            tab.drop_racks()
        return answer

    async def _ask(self, tab: Tab, verb: str, argument: str = "") -> Answer:
        """A question of the page's own: nobody is told when there is nothing to see."""
        answer = await self._router.command(self._typed(tab, verb, argument, tab.new_id()))
        await self._show(tab, answer)
        return answer

    async def _act(self, tab: Tab, sent: Sent) -> None:
        match sent:
            case PressSent(id, private, data):
                await self._answer(tab, id, self._router.press(_press(tab, private, data, id)))
            case TypedSent(id, verb, argument):
                await self._answer(tab, id, self._router.command(self._typed(tab, verb, argument, id)))
            case Rename(name):
                tab.rename(name)
            case Hello():
                raise msgspec.ValidationError("a second hello")

    def _typed(self, tab: Tab, verb: str, argument: str, id: str) -> TypedCommand:
        return TypedCommand(
            by=tab.person,
            place=PLACE,
            verb=verb,
            argument=argument,
            id=f"{tab.person.key}:{id}",
        )

    async def _answer(self, tab: Tab, id: str, asked: Awaitable[Answer]) -> None:
        try:
            answer = await asked
            await self._show(tab, answer)
            # Asking once more would only keep him waiting for what he must be told now.
            if not answer.private and answer.code != _STORE_AWAY:
                await self._see_rack(tab)
        except Exception as error:
            _log.error("what a person did on the page could not be answered: %s", way_of(error))
            answer = Answer(notice=markings_for(tab.person.language).failed(), urgent=True)
        if answer.notice:
            notice(tab, answer.notice, urgent=answer.urgent)
        tab.tell(Done(id))

    async def _show(self, tab: Tab, answer: Answer) -> None:
        """Show the answer's screens, and tell the post so that it need not send them again."""
        if public := answer.public:
            await self._board.show_table(public)
            await self._post.shown(PLACE, public.table, public.table, public.revision)
        if private := answer.private:
            await self._board.show_rack(tab.person.key, private)
            await self._post.shown(tab.person.key, private.table, private.table, private.revision)
        if leaflet := answer.page:
            await show_leaflet(tab, leaflet)


async def _first(socket: web.WebSocketResponse) -> str | None:
    """The first message; None when whoever connected says nothing and goes, or nothing for long."""
    try:
        message = await socket.receive(timeout=_HELLO_SECONDS)
    except TimeoutError:
        return None
    return message.data if message.type is WSMsgType.TEXT else None


def _press(tab: Tab, private: bool, data: str, id: str) -> Press:
    return Press(
        by=tab.person,
        place=None if private else PLACE,
        surface="private" if private else "public",
        data=data,
        id=f"{tab.person.key}:{id}",
    )
