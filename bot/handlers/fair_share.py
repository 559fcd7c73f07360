"""Fair share: how much each person may ask for, and how much may be under way at once.

What is too much is refused before anything is loaded for it. Counted in this process alone: whoever is
answered by several processes has a share of each.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from cachetools import TTLCache

from bot.errors import Refused

BURST_SECONDS: Final = 4.0
"""Somebody who was quiet for so long may ask for as much at once: quick sorting of tiles comes in bursts."""

AT_A_TABLE: Final = 32
"""Requests under way at one table; changes of a table take turns."""

IN_ALL: Final = 256
"""Requests under way in this process: a few seconds' work. Later ones would wait in vain."""

TOLD_SECONDS: Final = 10.0
"""At most so often somebody is told that they were refused."""

_MOST: Final = 65_536
"""People who are remembered at once."""


class TokenBuckets:
    """A token bucket for each key: so many tokens a second, and a full bucket at first."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        self._left = TTLCache[str, tuple[float, float]](_MOST, BURST_SECONDS, clock)
        """Tokens, and when they were counted. A bucket that nobody took from for so long is full again."""

    def take(self, key: str) -> bool:
        """Take a token; whether there was one."""
        now, full = self._clock(), self._per_second * BURST_SECONDS
        left, counted = self._left.get(key, (full, now))
        left = min(full, left + (now - counted) * self._per_second)
        taken = left >= 1
        self._left[key] = left - taken, now
        return taken


class FairShare:
    """What is let in. `per_second`: presses and commands of one person."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = TokenBuckets(per_second, clock)
        self._suggestions = TokenBuckets(per_second, clock)
        self._told = TTLCache[str, bool](_MOST, TOLD_SECONDS, clock)
        self._in_all = 0
        self._at_table = Counter[str]()

    @contextmanager
    def admitted(self, person: str, table: str) -> Iterator[None]:
        """While a person's request is under way; `table` is the one that it changes, or empty.

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
        """Whether a person who types is suggested something now."""
        return self._in_all < IN_ALL and self._suggestions.take(person)

    def is_told(self, person: str) -> bool:
        """Whether a person who was refused is to be told so: once, and not for each of a flood."""
        news = person not in self._told
        if news:
            self._told[person] = True
        return news
