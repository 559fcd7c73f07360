"""In-flight answers: the answer to a press may bring the presser's rack, which then need not be sent."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bot.markup import SeatScreen

GRACE_SECONDS: Final = 2.0
"""Seconds that the answer to a press may take to show the presser their own screen."""


Recipient = tuple[str, str]
"""A table, and a person there."""


@dataclass(slots=True)
class InFlightAnswer:
    """An answer on its way to a presser, which may bring their own screen."""

    until: float
    """The moment after which it is no longer waited for: seconds of the monotonic clock."""
    version: int | None = None
    """The version of the table on the screen that it brings; None while that is unknown."""

    def bring(self, screen: SeatScreen | None) -> None:
        """Note the presser's own screen that it brings; None: it has none."""
        self.version = None if screen is None else screen.version


class InFlightAnswers:
    """The answers of this process that have not arrived yet."""

    def __init__(self) -> None:
        self._expected: dict[Recipient, list[InFlightAnswer]] = {}
        self.being_made = 0
        """The number of presses at tables that are not answered yet."""

    @contextmanager
    def answering(self, person: str, table: str) -> Iterator[InFlightAnswer]:
        """Leave a person's own screen to the answer while they are being answered, and shortly after an
        answer that contains it."""
        now = time.monotonic()
        while self._expected:
            oldest, answers = next(iter(self._expected.items()))
            if answers[-1].until > now:
                break
            del self._expected[oldest]  # they never arrived, and nobody needs their contents
        recipient, answer = (table, person), InFlightAnswer(now + GRACE_SECONDS)
        self._expected.setdefault(recipient, []).append(answer)
        self.being_made += 1
        try:
            yield answer
        finally:
            self.being_made -= 1
            if answer.version is None:
                self._over(recipient, lambda each: each is answer)

    def note_arrival(self, recipient: Recipient, version: int) -> None:
        """Note that a recipient sees a screen of this version of the table."""
        self._over(recipient, lambda answer: answer.version is not None and answer.version <= version)

    def is_expected(self, recipient: Recipient) -> bool:
        """Return whether an answer is on its way that may show a recipient the same screen."""
        now = time.monotonic()
        self._over(recipient, lambda answer: answer.until <= now)
        return recipient in self._expected

    def _over(self, recipient: Recipient, over: Callable[[InFlightAnswer], bool]) -> None:
        left = [answer for answer in self._expected.get(recipient, ()) if not over(answer)]
        if left:
            self._expected[recipient] = left
        else:
            self._expected.pop(recipient, None)
