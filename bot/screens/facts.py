"""What screens are made from: a table as everybody may know it, and as one seat may know it."""

from dataclasses import dataclass, field

from bot.tables.display import PLAIN, Display
from bot.tables.hints import Hint
from bot.tables.model import AtNight, Draft, FirstDraw, Opened, Recent, Stage
from bot.tables.racks import Shelves
from engine.moves import Move
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
    missing: bool = False
    """Whether his league night's table began and he has not been seen at it yet."""


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
    scored: int = 0
    """Rounds that are over and counted; a cancelled one is not."""
    first: tuple[FirstDraw, ...] = ()
    """How the start of the match was found."""
    openings: tuple[int, ...] = ()
    """Okey 101: with how many points or pairs each seat opened; 0: not yet."""
    turn_seconds: int = 60
    stopped: bool = False
    """Whether it was ended by who runs the place."""
    warned: bool = False
    """Whether the player on turn has been warned that the clock will end it."""
    display: Display = PLAIN
    """How the table's places see it."""
    practice: bool = False
    """Whether somebody practises here by himself."""
    night: AtNight | None = None
    """Which table of a league night it is."""

    @property
    def free(self) -> int:
        """Seats that nobody has."""
        return self.rules.players - len(self.seats)

    @property
    def round_told(self) -> str:
        """The round's number; where their number is fixed, which of them it is: `2/5`.

        A round that was cancelled is dealt again and does not count.
        """
        if self.rules.end != "rounds":
            return str(self.round_number)
        ended = self.stage in ("between", "over")
        cancelled = (
            self.view is not None and self.view.outcome is not None and self.view.outcome.kind == "cancelled"
        )
        return f"{self.scored + (not ended or cancelled)}/{self.rules.rounds}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackFacts:
    """A table as one seated person may know it."""

    table: TableFacts
    seat: int
    stamp: int
    view: SeatView | None
    """None before the first round."""
    shelves: Shelves = field(repr=False)
    can_show: bool = field(repr=False)
    link: str | None
    """Where the table's public message is."""
    draft: Draft = field(default=(), repr=False)
    """Okey 101: the melds that he is building."""
    legal: tuple[Move, ...] = field(default=(), repr=False)
    """Okey 101: what he may do now, of openings and melds the best; empty when it is not his turn."""
    hint: Hint | None = field(default=None, repr=False)
    """Of a practice round: what he could do now."""
