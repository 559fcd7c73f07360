"""What a night comes to, as standings, ratings, pages and exports read it."""

from dataclasses import dataclass
from typing import Literal

TableState = Literal["running", "counted", "disputed", "void"]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a table that counts."""

    member: str
    """Who earns it; empty: a computer player's, which earns nothing."""
    score: int
    """More is better."""
    wins: int
    """Rounds of tiles won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """A table of a night's round, after all corrections."""

    round: int
    number: int
    table: str
    """The table's id: of its replay."""
    seats: tuple[SeatResult, ...]
    state: TableState
    """Only what is counted, or disputed and not decided yet, has points."""
    teams: bool = False
    """Whether seats 0 and 2 play against 1 and 3."""
    corrected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NightResult:
    """A night, whether it is over or not."""

    id: str
    season: int
    number: int
    start: float
    over: bool
    tables: tuple[TableResult, ...]
    byes: tuple[tuple[int, str], ...] = ()
    """(round, member)."""
    missed: tuple[tuple[int, str], ...] = ()
    """(round, member) for rounds that somebody who came late was not there for."""
    penalties: tuple[tuple[str, float], ...] = ()
    """(member, points), in order."""
    bye_points: float = 1.5
    missed_points: float = 0.0
