"""Answers on their way to those who pressed: they may bring a screen, which nobody else need bring then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bot.delivery.outbox import Target
from bot.ids import TableId

GRACE_SECONDS: Final = 2.0
"""How long the answer to a press may take to show the presser his own screen."""


@dataclass(slots=True)
class Reply:
    """An answer on its way to a presser, which may bring his own screen."""

    until: float
    """When it is waited for no longer: seconds of the monotonic clock."""
    revision: int | None = None
    """Of the screen that it brings; None while that is not known."""


class Replies:
    """The answers of this process that have not arrived yet."""

    def __init__(self) -> None:
        self._expected: dict[Target, list[Reply]] = {}

    @contextmanager
    def answering(self, person: str, table: TableId) -> Iterator[Reply]:
        """While a person is being answered, and shortly after an answer with his own screen, that screen
        is left to the answer."""
        now = time.monotonic()
        self._forget_before(now)
        target, reply = Target(table, person), Reply(now + GRACE_SECONDS)
        self._expected.setdefault(target, []).append(reply)
        try:
            yield reply
        finally:
            if reply.revision is None:
                self._over(target, lambda each: each is reply)

    def arrived(self, target: Target, revision: int) -> None:
        """A target sees a screen of this revision."""
        self._over(target, lambda reply: reply.revision is not None and reply.revision <= revision)

    def expected(self, target: Target) -> bool:
        """Whether an answer is on its way that may show a target the same."""
        now = time.monotonic()
        self._over(target, lambda reply: reply.until <= now)
        return target in self._expected

    def _forget_before(self, now: float) -> None:
        """Answers that never arrived, and whose screens nobody needed."""
        for target in [each for each, replies in self._expected.items() if replies[-1].until <= now]:
            del self._expected[target]

    def _over(self, target: Target, over: Callable[[Reply], bool]) -> None:
        left = [reply for reply in self._expected.get(target, ()) if not over(reply)]
        if left:
            self._expected[target] = left
        else:
            self._expected.pop(target, None)
