"""A deed: one press or command, with its person and place."""

from dataclasses import dataclass

from bot.tables.table import Table


@dataclass(frozen=True)
class Deed:
    """A press or command, the person who made it, and the place."""

    accounts: frozenset[str]
    """The person's keys."""
    place: str | None
    name: str = ""
    """The name that they have in their chat."""
    command: str = ""
    """The text that they typed; empty for a press."""
    press: str = ""
    """The button that they pressed; empty for a command."""
    organised: frozenset[str] = frozenset()
    """The places that they organise."""
    read: frozenset[str] = frozenset()
    """The places that they can read besides the one where they are."""

    @property
    def forgets(self) -> bool:
        return self.press.startswith("forget_now")

    @property
    def links(self) -> bool:
        """Return whether it is about a link, of which the other account is asked or told."""
        return "link" in self.command or self.press.startswith(("link_yes", "link_no"))

    def seat_at(self, table: Table) -> int | None:
        return next((n for n, seat in enumerate(table.seats) if seat.person in self.accounts), None)
