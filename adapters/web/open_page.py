"""An open page of the app: it follows the store's changes, and carries out presses."""

import asyncio
import logging
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import Final

import msgspec
from aiohttp import WSCloseCode, web

from adapters.web.ports import AppPage
from adapters.web.protocol import (
    At,
    Enter,
    Hello,
    Looking,
    OpenTable,
    PressSent,
    Rename,
    Sent,
    SessionBegun,
    Speak,
    TabToken,
    TypedSent,
    Welcome,
)
from adapters.web.sockets import NotNow, messages, sending, show_answer
from adapters.web.tab import Tab
from bot.logs import way_of
from bot.ports import Answer, SessionOver, StoreUnavailable

LOG: Final = logging.getLogger(__name__)

OPEN_AGAIN: Final = 4002
"""The close code for a page whose proof or session is invalid: it has to be opened from the chat again."""

_MESSAGES, _MESSAGES_SECONDS = 100, 20.0
"""The most messages that a page may send within this many seconds."""


class OpenPage:
    """An open page of one person: the screens shown there, and the messages from it."""

    def __init__(self, app: AppPage, tab: Tab, socket: web.WebSocketResponse) -> None:
        self._app = app
        self._tab = tab
        self._socket = socket
        self._looking = asyncio.Lock()
        self._sent = deque[float](maxlen=_MESSAGES)

    async def serve(self, first: Hello | Enter, new: TabToken | None = None) -> None:
        """Serve the page until it disconnects. `new`: the token of a session that has just begun.

        Raises SessionOver, MsgspecError.
        """
        async with sending(self._tab, self._socket):
            renderer = self._tab.renderer
            if first.language and first.language != renderer.language:
                self._tab.tell(Speak(renderer.language, renderer.page_words))
            if new is not None:
                self._tab.tell(SessionBegun(new))
            await self._look()
            self._tab.tell(Welcome(opens=await self._app.opens(), table=self._app.wish))
            following = asyncio.create_task(self._follow())
            try:
                async for sent in messages(self._socket):
                    self._count()
                    await self._act(sent)
            finally:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)

    async def _follow(self) -> None:
        """Show changes as they come."""
        try:
            while True:
                await self._app.news()
                await self._look()
        except SessionOver:
            await self._socket.close(code=OPEN_AGAIN)
        except Exception as error:
            LOG.warning("an open app can't be brought up to date: %s", way_of(error))
            await self._socket.close(code=WSCloseCode.TRY_AGAIN_LATER)

    async def _look(self) -> None:
        async with self._looking:
            view = await self._app.look()
            for table in view.gone:
                self._tab.drop(table)
            for table in view.left:
                self._tab.drop_rack(table)
            # Racks first: a player on turn stays so for the page, which waits for the rack of a newer table.
            for rack in view.racks:
                self._tab.show_rack(rack)
            for public in view.tables:
                self._tab.show_table(public)

    def _count(self) -> None:
        """Count a message. Raises NotNow for one too many."""
        now = monotonic()
        if len(self._sent) == _MESSAGES and now - self._sent[0] < _MESSAGES_SECONDS:
            raise NotNow
        self._sent.append(now)

    async def _act(self, sent: Sent) -> None:
        match sent:
            case Looking(visible):
                await self._app.looks(visible=visible)
            case At(table):
                self._tab.look_at(table)
            case Rename(name):
                self._tab.rename(name)
            case PressSent() | TypedSent():
                await show_answer(self._tab, sent.id, self._carry_out(sent))
            case _:
                raise msgspec.ValidationError("a second hello")

    async def _carry_out(self, sent: PressSent | TypedSent) -> Answer:
        """Carry out a person's act, and show them its result."""
        if isinstance(sent, PressSent):
            answer = await self._app.press(sent.data, sent.id, public=not sent.private)
        else:
            answer = await self._app.command(sent.verb, sent.argument, sent.id)
        with suppress(StoreUnavailable):  # whoever follows tries again, and the answer says what happened
            await self._look()
        if answer.launch:
            self._tab.tell(OpenTable(self._app.wish))
        if answer.page is not None:
            await self._tab.show_page(answer.page)
        return answer
