"""Fair share: limits on each person's requests, and on all requests under way at once.

A request over a limit is refused before anything is loaded for it. Each process counts for itself, so a
person whose requests reach several processes has a share of each.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from cachetools import TTLCache

from bot.errors import Refused

BURST_SECONDS: Final = 4.0
"""Seconds of quiet after which a person may use their whole share at once: sorting tiles comes in bursts."""

AT_A_TABLE: Final = 32
"""Requests under way at one table. Changes of a table take turns."""

IN_ALL: Final = 256
"""Requests under way in this process: a few seconds' work. Later ones would wait in vain."""

TOLD_SECONDS: Final = 10.0
"""Seconds between two notices to a person that they were refused."""

_MOST: Final = 65_536
"""The most people remembered at once."""


class TokenBuckets:
    """A token bucket for each key. It gains `per_second` tokens a second, starts full, and is full after so
    many `seconds`."""

    def __init__(
        self, per_second: float, clock: Callable[[], float] = time.monotonic, seconds: float = BURST_SECONDS
    ) -> None:
        self._per_second = per_second
        self._full = per_second * seconds
        self._clock = clock
        self._left = TTLCache[str, tuple[float, float]](_MOST, seconds, clock)
        """The tokens and the time of the count, until the bucket is full again."""

    def take(self, key: str) -> bool:
        """Take a token. Return whether there was one."""
        now, full = self._clock(), self._full
        left, counted = self._left.get(key, (full, now))
        left = min(full, left + (now - counted) * self._per_second)
        taken = left >= 1
        self._left[key] = left - taken, now
        return taken


class FairShare:
    """The limits on requests. `per_second`: presses and commands of one person."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = TokenBuckets(per_second, clock)
        self._suggestions = TokenBuckets(per_second, clock)
        self._notices = TokenBuckets(1 / TOLD_SECONDS, clock, TOLD_SECONDS)
        self._in_all = 0
        self._at_table = Counter[str]()

    @contextmanager
    def admit(self, person: str, table: str) -> Iterator[None]:
        """Count a person's request while it is under way. `table` is the one that it changes, or empty.

        Raises Refused `too_fast`, `busy`, `overloaded`.
        """
        if not self._requests.take(person):
            raise Refused("too_fast")
        if self._in_all >= IN_ALL:
            raise Refused("overloaded")
        if table and self._at_table[table] >= AT_A_TABLE:
            raise Refused("busy")
        self._in_all += 1
        self._at_table[table] += 1
        try:
            yield
        finally:
            self._in_all -= 1
            self._at_table[table] -= 1
            if not self._at_table[table]:
                del self._at_table[table]

    def suggests(self, person: str) -> bool:
        """Return whether a person who types gets suggestions now."""
        return self._in_all < IN_ALL and self._suggestions.take(person)

    def is_told(self, person: str) -> bool:
        """Return whether to tell a person that they were refused: once for a flood, not for each request."""
        return self._notices.take(person)
