"""What screens are made from: a table as everybody may know it, and as one seat may know it."""

from dataclasses import dataclass

from bot.tables.model import Opened, Recent, Stage
from bot.tables.racks import Shelves
from engine.rules import Rules
from engine.view import PublicView, SeatView


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFacts:
    """One seat as everybody sees it."""

    name: str
    score: int
    computer: bool
    """Whether a computer player plays it now."""
    stand_in: bool
    """Whether that computer player keeps the seat for a person."""
    host: bool
    private_closed: bool
    word: bool
    """Whether he has added a word to the next shuffle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """A table as everybody may know it."""

    id: str
    stamp: int
    moves: int
    turn_number: int
    """For the numbered buttons, which stay good for a whole turn."""
    stage: Stage
    rules: Rules
    seats: tuple[SeatFacts, ...]
    round_number: int
    view: PublicView | None
    """None before the first round."""
    recent: tuple[Recent, ...]
    deadline: float | None
    """When the clock acts: seconds since the epoch."""
    commitment: str
    """The published commitment to the next shuffle, or to the one being played: hex."""
    opened: Opened | None
    winners: tuple[int, ...]
    blind: bool
    """Whether the player on turn can only be reached by alerts: his tiles get numbered buttons."""

    @property
    def free(self) -> int:
        """Seats that nobody has."""
        return self.rules.players - len(self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class RackFacts:
    """A table as one seated person may know it."""

    table: TableFacts
    seat: int
    stamp: int
    view: SeatView | None
    """None before the first round."""
    shelves: Shelves
    can_show: bool
    link: str | None
    """Where the table's public message is."""
