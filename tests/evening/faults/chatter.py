"""Chatter: a place where other people talk, and how far away its table is meanwhile."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from tests.evening.faults.evidence import Trouble
from tests.servers.discord_api.client import Impossible as ImpossibleOnDiscord
from tests.servers.telegram_api.client import Impossible as ImpossibleOnTelegram

FAR: Final = 10
"""More lines than these between a table and the newest message, and it is out of sight."""

POSTED_SECONDS: Final = 120.0
"""A table is posted again at most so often."""

SLACK_SECONDS: Final = 15.0
"""Seconds more for a busy machine, and for the turn at which it is noticed."""


@dataclass(frozen=True, slots=True)
class Look:
    """What somebody saw who looked at a place."""

    at: float
    below: int
    """The messages below the table's newest one."""


@dataclass
class Chatter:
    """Somebody who talks in a place, and looks for its table after each line."""

    pause: float
    """Seconds from one line to the next."""
    say: Callable[[str], Awaitable[object]]
    read: Callable[[], Awaitable[Sequence[bool]]]
    """Returns for each message of the place, the newest last, whether it is the table's."""
    looks: list[Look] = field(default_factory=list)

    async def talk(self) -> None:
        """Talk until cancelled."""
        number = 0
        while True:
            await asyncio.sleep(self.pause)
            number += 1
            with suppress(ImpossibleOnDiscord, ImpossibleOnTelegram):  # a closed topic takes no lines
                await self.say(f"Line {number} of something else")
                shown = await self.read()
                if any(shown):
                    self.looks.append(Look(time.time(), list(reversed(shown)).index(True)))

    @property
    def farthest(self) -> int:
        """The most lines between the table and the newest message."""
        return max((look.below for look in self.looks), default=0)

    def far(self) -> Iterator[tuple[float, float]]:
        """Yield when the table was out of sight: from the first such look to the last one in a row."""
        for is_far, looks in groupby(self.looks, key=lambda look: look.below > FAR):
            if is_far:
                seen = list(looks)
                yield seen[0].at, seen[-1].at

    def findings(self, where: str, turn_seconds: float, troubles: Sequence[Trouble]) -> Iterator[str]:
        """Yield the times when it was out of sight for longer than a turn, though it could be posted."""
        for began, ended in self.far():
            # Whoever may not write, or is started again, posts nothing.
            held = sum(max(0.0, min(each.end, ended) - max(each.begin, began)) for each in troubles)
            if ended - began - held > POSTED_SECONDS + turn_seconds + SLACK_SECONDS:
                yield f"the table in {where} was out of sight for {ended - began:.0f} s"
