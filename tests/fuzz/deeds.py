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
    """What they typed; empty for a press."""
    press: str = ""
    """The button that they pressed."""
    organised: frozenset[str] = frozenset()
    """The places that they run."""

    @property
    def forgets(self) -> bool:
        return self.press.startswith("forget_now")

    def seat_at(self, table: Table) -> int | None:
        return next((n for n, seat in enumerate(table.seats) if seat.person in self.accounts), None)
