"""Whose private chat is closed to the bot: known for a while, so that nobody is tried at every turn."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from telegram.error import TelegramError

from adapters.telegram_chat.refusals import private_refusal
from bot.ports import PrivateClosed

_KNOWN_SECONDS = 60.0
"""A person who opens the chat is seen to do so, but maybe by another process than this one."""


class Doors:
    """Doors that were found closed in this process."""

    def __init__(self) -> None:
        self._closed: dict[str, float] = {}

    @contextmanager
    def through(self, person: str) -> Iterator[None]:
        """Write to a person inside this. Raises PrivateClosed, at once where that is known already."""
        now = time.monotonic()
        if self._closed.get(person, 0.0) > now:
            raise PrivateClosed
        try:
            yield
        except TelegramError as error:
            refusal = private_refusal(error)
            if isinstance(refusal, PrivateClosed):
                self._closed = {who: until for who, until in self._closed.items() if until > now}
                self._closed[person] = now + _KNOWN_SECONDS
            raise refusal from None

    def opened(self, person: str) -> None:
        """He has done something in his private chat."""
        self._closed.pop(person, None)
