"""One press or command: who did it, and where."""

from dataclasses import dataclass

from bot.tables.table import Table


@dataclass(frozen=True)
class Deed:
    """Who did what, and where."""

    accounts: frozenset[str]
    """The person's keys."""
    place: str | None
    command: str = ""
    """What he typed; empty for a press."""
    organised: frozenset[str] = frozenset()
    """The places that he runs."""

    @property
    def forgets(self) -> bool:
        return "forget" in self.command

    def seat_at(self, table: Table) -> int | None:
        return next((n for n, seat in enumerate(table.seats) if seat.person in self.accounts), None)
