"""Computer players: their turns, chosen outside the event loop, a few tables at a time."""

from dataclasses import dataclass
from typing import Final

from bot.tables import turns
from bot.tables.play import Delays
from bot.tables.table import Change, Table

AT_ONCE: Final = 2
"""The most batches under way, which leaves room for pictures beside them."""

TABLES: Final = 8
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
        """Return the change that the turn makes."""
        return turns.due(self.table, self.delays, lambda: self.secret, self.now)
