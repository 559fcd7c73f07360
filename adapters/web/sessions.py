"""Sessions: a tab's connection from hello to goodbye; what it sends becomes presses and commands."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from adapters.web.headers import HostCheck, language_of
from adapters.web.protocol import PROTOCOL, Done, Hello, PressSent, Rename, Sent, Welcome, read
from adapters.web.tabs import Tab, Tabs, person_of
from bot.i18n import words_for
from bot.logs import way_of
from bot.ports import Answer, DeliveryPort, Dispatcher, Press, TypedCommand

PLACE: Final = "web:local"
_HELLO_SECONDS: Final = 10
_HEARTBEAT_SECONDS: Final = 20
_GOODBYE_SECONDS: Final = 2
_LONGEST_MESSAGE: Final = 4096
_BETWEEN_MESSAGES: Final = 0.02
"""Seconds that the next message of a tab waits; the rest is held up on its way."""

_OTHER_PROTOCOL: Final = 4001
"""Closes the connection of a page that another version of the program served: it loads itself again."""

_NO_TABLE: Final = "no_table"
_STORE_AWAY: Final = "store_away"
_NOT_NOW: Final = {_STORE_AWAY, "too_fast", "overloaded"}

_log = logging.getLogger(__name__)


class _NotNow(Exception):
    """The application cannot say now what there is to see: the tab must come back."""


@dataclass(eq=False)
class Sessions:
    """Lets tabs in, and carries what they do to the router and the answer back."""

    _router: Dispatcher
    _delivery: DeliveryPort
    _tabs: Tabs
    _hosts: HostCheck
    _sockets: set[web.WebSocketResponse] = field(default_factory=set)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """The handler of the page's WebSocket."""
        self._hosts.check_host(request)
        self._hosts.check_origin(request)
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS, timeout=_GOODBYE_SECONDS, max_msg_size=_LONGEST_MESSAGE
        )
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            await self._serve(socket, language_of(request))
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
        """End all sessions; the tabs will be back by themselves."""
        await asyncio.gather(*(socket.close(code=WSCloseCode.GOING_AWAY) for socket in tuple(self._sockets)))

    async def _serve(self, socket: web.WebSocketResponse, language: str) -> None:
        """Raises _NotNow, and MsgspecError for what the page would not send."""
        try:
            first = await socket.receive(timeout=_HELLO_SECONDS)
        except TimeoutError:
            return
        if first.type is not WSMsgType.TEXT:  # whoever connected goes without a word
            return
        hello = read(first.data)
        if not isinstance(hello, Hello):
            raise msgspec.ValidationError("the first message must be a hello")
        if hello.protocol != PROTOCOL:
            await socket.close(code=_OTHER_PROTOCOL)
            return
        tab = Tab(person_of(hello.token, hello.name, hello.language or language))
        self._tabs.add(tab)
        sending = asyncio.create_task(tab.send_to(socket))
        try:
            await self._welcome(tab, hello.table)
            async for message in socket:
                if message.type is not WSMsgType.TEXT:  # bytes, or more than a message of the page holds
                    raise msgspec.ValidationError("the page sends text")
                await self._act(tab, read(message.data))
                await asyncio.sleep(_BETWEEN_MESSAGES)
        finally:
            self._tabs.remove(tab)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _welcome(self, tab: Tab, table: str) -> None:
        """Bring a tab up to date that has just connected, perhaps again. Raises _NotNow."""
        looked = await self._ask(tab, "look", table)
        seen = await self._see_rack(tab)
        if _NOT_NOW & {looked.code, seen.code}:
            raise _NotNow
        tab.tell(Welcome())

    async def _see_rack(self, tab: Tab) -> Answer:
        """Show the person's rack, or take away what is no longer theirs."""
        answer = await self._ask(tab, "rack")
        if answer.code == _NO_TABLE:
            tab.drop_racks()
        return answer

    async def _ask(self, tab: Tab, verb: str, argument: str = "") -> Answer:
        """A question of the page's own: nobody is told when there is nothing to see."""
        answer = await self._router.command(_typed(tab, verb, argument, tab.new_id()))
        await self._show(tab, answer)
        return answer

    async def _act(self, tab: Tab, sent: Sent) -> None:
        """Carry out what a person did, and show them the answer."""
        match sent:
            case Rename(name):
                tab.rename(name)
                return
            case Hello():
                raise msgspec.ValidationError("a second hello")
        try:
            if isinstance(sent, PressSent):
                answer = await self._router.press(_press(tab, sent))
            else:
                answer = await self._router.command(_typed(tab, sent.verb, sent.argument, sent.id))
            await self._show(tab, answer)
            # Asking once more would only keep them waiting for what they must be told now.
            if not answer.private and answer.code not in _NOT_NOW:
                await self._see_rack(tab)
        except Exception as error:
            _log.error("what a person did on the page could not be answered: %s", way_of(error))
            answer = Answer(notice=words_for(tab.person.language).say("refused.failed"), urgent=True)
        if answer.notice:
            tab.show_notice(answer.notice, urgent=answer.urgent)
        tab.tell(Done(sent.id))

    async def _show(self, tab: Tab, answer: Answer) -> None:
        """Show the answer's screens, and tell delivery so that it need not send them again."""
        if public := answer.public:
            await self._tabs.show_table(public)
            await self._delivery.shown(PLACE, public.table, public.table, public.revision)
        if private := answer.private:
            await self._tabs.show_rack(tab.person.key, private)
            await self._delivery.shown(tab.person.key, private.table, private.table, private.revision)
        if page := answer.page:
            await tab.show_page(page)


def _press(tab: Tab, sent: PressSent) -> Press:
    return Press(
        by=tab.person,
        place=None if sent.private else PLACE,
        surface="private" if sent.private else "public",
        data=sent.data,
        id=f"{tab.person.key}:{sent.id}",
    )


def _typed(tab: Tab, verb: str, argument: str, id: str) -> TypedCommand:
    return TypedCommand(by=tab.person, place=PLACE, verb=verb, argument=argument, id=f"{tab.person.key}:{id}")
