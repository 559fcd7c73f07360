"""Discord's rate limits: a window for each route, one for the whole bot, one for refused calls."""

import time
from dataclasses import dataclass, field
from typing import Final, Self

ROUTES: Final = {
    "POST message": (5, 5.0),
    "PATCH message": (5, 5.0),
    "DELETE message": (5, 1.0),
    "POST emoji": (100, 60.0),
    "POST direct": (10, 10.0),
    "webhook": (30, 60.0),
}
"""Calls and seconds of a route's window. They are similar to Discord's figures, not equal."""

ANY_ROUTE: Final = (10, 5.0)
GLOBAL: Final = (50, 1.0)
REFUSED: Final = (10_000, 600.0)
"""The number of 401, 403 and 429 after which an address is blocked, and the seconds that count."""


@dataclass
class Window:
    """A fixed window that opens with its first call."""

    calls: int
    seconds: float
    used: int = 0
    opened: float = field(default=-1e9)
    told_empty: bool = False
    """Whether the bot was told that no calls remain."""

    def take(self) -> bool:
        now = time.monotonic()
        if now - self.opened >= self.seconds:
            self.opened, self.used, self.told_empty = now, 0, False
        if self.used >= self.calls:
            return False
        self.used += 1
        return True

    @property
    def remaining(self) -> int:
        return self.calls - self.used

    @property
    def reset_after(self) -> float:
        return max(0.0, self.opened + self.seconds - time.monotonic())


class Limits:
    """All windows of one bot."""

    def __init__(self, whole: tuple[int, float] = GLOBAL) -> None:
        self._routes: dict[tuple[str, str], Window] = {}
        self.overall = Window(*whole)
        self.refused = Window(*REFUSED)

    def emptied(self) -> Self:
        """The same limits, unused."""
        return type(self)((self.overall.calls, self.overall.seconds))

    def route(self, kind: str, target: str) -> Window:
        """The window for a kind of call and its channel or webhook, if any."""
        key = (kind, target)
        if key not in self._routes:
            self._routes[key] = Window(*ROUTES.get(kind, ANY_ROUTE))
        return self._routes[key]
