"""What people read, handed to them in their private chats."""

import asyncio
from typing import Final

from adapters.telegram_chat.doors import Doors
from adapters.telegram_chat.keys import Reference, spot
from adapters.telegram_chat.messages import Messages
from bot.markup import Page
from bot.ports import Chat, DeliveryPort, RateLimit, RetryAfter

_PATIENCE: Final = 12.0
"""Seconds for which a page is worth waiting. Nothing brings it later, as the post brings screens."""
_PACE: Final = (3, 3.5)
"""Pages and seconds: a little less than a chat takes in the long run, so that no long silence follows."""


class Pages:
    """Hands out leaflets. Who turns pages faster than Telegram takes them gets the one he turned to last."""

    def __init__(self, messages: Messages, doors: Doors, chat: Chat, post: DeliveryPort) -> None:
        self._messages = messages
        self._doors = doors
        self._chat = chat
        self._post = post
        self._wanted: dict[str, Page] = {}

    async def hand(self, person: str, leaflet: Page, message: Reference | None) -> None:
        """The leaflet as the next page of `message`, or a new message. Raises PrivateClosed, RetryAfter."""
        end = asyncio.get_running_loop().time() + _PATIENCE
        self._wanted[person] = leaflet
        try:
            while self._wanted.get(person) is leaflet:
                try:
                    return await self._handed(person, leaflet, message)
                except RetryAfter as later:
                    if asyncio.get_running_loop().time() + later.seconds > end:
                        raise
                    await asyncio.sleep(later.seconds)
        finally:
            if self._wanted.get(person) is leaflet:
                del self._wanted[person]

    async def _handed(self, person: str, leaflet: Page, message: Reference | None) -> None:
        with self._doors.through(person):
            pace = RateLimit(f"{person} pages", *_PACE)
            wait = await self._post.spend((pace, *self._chat.private_limits(person)))
            if wait > 0:
                raise RetryAfter(wait)
            await self._messages.hand(spot(person), leaflet, message)
