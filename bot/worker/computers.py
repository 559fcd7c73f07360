"""Computer players: their turns, chosen outside the event loop, a few tables at a time."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.logs import way_of
from bot.pool import POOL
from bot.tables import turns
from bot.tables.play import Delays
from bot.tables.table import Change, Table

AT_ONCE: Final = 2
"""The most batches under way, which leaves room for pictures beside them."""

BATCH: Final = 8
"""The most tables in a batch."""


@dataclass(frozen=True, slots=True)
class ComputerTurn:
    """Everything that a computer player's turn depends on."""

    table: Table
    delays: Delays
    secret: bytes
    """The secret for the next shuffle, if the turn ends the round."""
    now: float

    def play(self) -> Change | None:
        """The change that the turn makes."""
        return turns.due(self.table, self.delays, lambda: self.secret, self.now)


class ComputerPlayers:
    """The computer players of one process."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[ComputerTurn, asyncio.Future[Change | None]]] = deque()
        self._under_way: set[asyncio.Task[None]] = set()

    async def play(self, turn: ComputerTurn) -> Change | None:
        """The change that a turn makes."""
        played: asyncio.Future[Change | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((turn, played))
        self._go_on()
        return await played

    def _go_on(self) -> None:
        while self._waiting and len(self._under_way) < AT_ONCE:
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            task = asyncio.create_task(self._play(batch))
            self._under_way.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            self._go_on()

    async def _play(self, batch: Sequence[tuple[ComputerTurn, "asyncio.Future[Change | None]"]]) -> None:
        wanted = [(turn, played) for turn, played in batch if not played.done()]
        changes: Sequence[Change | Exception | None]
        try:
            changes = await POOL.run(played_out, [turn for turn, _ in wanted])
        except Exception as error:
            changes = [error] * len(wanted)
        for (_, played), change in zip(wanted, changes, strict=True):
            if played.done():  # the caller has given up
                continue
            if isinstance(change, Exception):
                played.set_exception(change)
            else:
                played.set_result(change)


def played_out(batch: Sequence[ComputerTurn]) -> list[Change | Exception | None]:
    """The changes of several turns. One that fails does not affect the others."""
    return [_played_out(turn) for turn in batch]


def _played_out(turn: ComputerTurn) -> Change | Exception | None:
    try:
        return turn.play()
    except Exception as error:
        return RuntimeError(way_of(error))  # not every error can be sent to another process
