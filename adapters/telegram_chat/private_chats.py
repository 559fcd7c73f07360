"""Private chats: racks and pages for one person, and the chats that are closed to the bot."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from cachetools import TTLCache

from adapters.telegram_chat.addresses import MessageAddress, chat_address, message_address
from adapters.telegram_chat.calls import afford, private_refusal, refusals
from adapters.telegram_chat.limits import LIMITS
from adapters.telegram_chat.messages import Messages
from bot.markup import Page, SeatScreen, Text
from bot.ports import DeliveryPort, PrivateClosed, RateLimit, RetryAfter

_KNOWN_SECONDS: Final = 60.0
"""Seconds for which a chat counts as closed. The person may open it at another process."""
_MOST_KNOWN: Final = 10_000
_PAGES: Final = (3, 3.5)
"""Pages and seconds: slightly less than a chat takes in the long run, so that no long silence follows."""


class PrivateChats:
    """Writes to people. A chat that was found closed is not tried at every turn.

    Every method raises PrivateClosed, at once if the chat is known to be closed, and RetryAfter unless it
    waits.
    """

    def __init__(self, messages: Messages, delivery: DeliveryPort) -> None:
        self._messages = messages
        self._delivery = delivery
        self._closed = TTLCache[str, None](_MOST_KNOWN, _KNOWN_SECONDS)
        """Without it each press of somebody whose chat is closed costs a call in vain, with a picture that is
        drawn in 0.9 ms and weighs 15 kB."""
        self._wanted: dict[str, Page] = {}
        """The page that each person turned to last."""

    def note_opened(self, person: str) -> None:
        """Note that a person acted in their private chat."""
        self._closed.pop(person, None)

    async def show_rack(
        self,
        person: str,
        screen: SeatScreen,
        old: MessageAddress | None,
        *,
        anew: bool = False,
        silent: bool = False,
    ) -> MessageAddress | None:
        """Show a person's own screen by an edit of the old message or, `anew`, in a new one at the bottom.
        None if the old one shows a newer screen already."""
        with self._open(person):
            return await self._messages.show(chat_address(person), screen, old, anew=anew, silent=silent)

    async def remove_rack(self, person: str, message: MessageAddress) -> None:
        """Delete a rack that a newer message has replaced."""
        with self._open(person):
            await self._messages.delete(message)

    async def answer_rack(
        self,
        person: str,
        screen: SeatScreen,
        old: MessageAddress | None,
        *,
        anew: bool = False,
        charged: bool = False,
    ) -> None:
        """Show a screen as an answer to the person. It is charged here unless `charged`, and noted so that
        delivery does not send it again."""
        with self._open(person):
            if not charged:
                await afford(self._delivery, LIMITS.private(person))
            shown = await self.show_rack(person, screen, old, anew=anew)
        if shown is not None:
            await self._delivery.note_shown(person, screen, shown.reference)

    async def bring_rack(self, person: str, screen: SeatScreen, known: str) -> None:
        """Show a screen for a request from elsewhere: in the message `known` to show it or,
        if that is not the last one, in a new one."""
        old = message_address(known) if known else None
        anew = old is not None and not await self.in_sight(person, old)
        await self.answer_rack(person, screen, old, anew=anew)

    async def in_sight(self, person: str, message: MessageAddress) -> bool:
        """Return whether a message is the last one in the chat."""
        last = await self._delivery.last_message(person)
        return bool(last) and message_address(last).message == message.message

    async def say(self, person: str, text: Text, *, charged: bool) -> None:
        """Send words alone."""
        with self._open(person):
            if charged:
                await afford(self._delivery, LIMITS.private(person))
            await self._messages.say(chat_address(person), text)

    async def send_page(self, person: str, page: Page) -> MessageAddress:
        """Send a page as a new message."""
        with self._open(person):
            return await self._messages.send_page(chat_address(person), page, None)

    async def edit_page(self, person: str, page: Page, message: MessageAddress) -> None:
        """Show another page in a message, or remove its buttons if an edit is impossible."""
        with self._open(person):
            await self._messages.show_last(page, message)

    async def turn_page(self, person: str, page: Page, message: MessageAddress | None) -> None:
        """Answer with a page, in place of `message` if possible.

        It waits as long as Telegram asks, because delivery does not bring pages later. A person who turns
        pages faster than Telegram takes them gets the last one only.
        """
        limits = (RateLimit(f"{person} pages", *_PAGES), *LIMITS.private(person))
        self._wanted[person] = page
        try:
            while self._wanted.get(person) is page:
                try:
                    with self._open(person):
                        await afford(self._delivery, limits, seconds=0)
                        await self._messages.send_page(chat_address(person), page, message)
                        return
                except RetryAfter as later:
                    await asyncio.sleep(later.seconds)
        finally:
            if self._wanted.get(person) is page:
                del self._wanted[person]

    @contextmanager
    def _open(self, person: str) -> Iterator[None]:
        """Write to a person inside this."""
        if person in self._closed:
            raise PrivateClosed
        try:
            with refusals(private_refusal):
                yield
        except PrivateClosed:
            self._closed[person] = None
            raise
