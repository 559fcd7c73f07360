"""Chats that Telegram asked to leave alone for a while: whoever writes there again waits the longer."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from adapters.telegram_chat.refusals import Silenced
from bot.ports import RetryAfter


class Silences:
    """Silences that this process was told of."""

    def __init__(self) -> None:
        self._ends: dict[int, float] = {}

    @contextmanager
    def kept(self, chat: int) -> Iterator[None]:
        """Write to a chat inside this. Raises RetryAfter, at once while the chat is to be left alone."""
        now = time.monotonic()
        left = self._ends.get(chat, 0.0) - now
        if left > 0:
            raise RetryAfter(left)
        try:
            yield
        except Silenced as silenced:
            self._ends = {each: end for each, end in self._ends.items() if end > now}
            self._ends[chat] = time.monotonic() + silenced.seconds
            raise
