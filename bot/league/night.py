"""Night: a league night as it stands. Its events made it so (`bot.league.apply`), and nothing else."""

from dataclasses import dataclass
from typing import Final, Literal

from bot.ids import LeagueId, NightId
from bot.league.events import NightReply, TilesRound
from bot.league.model import Format

NIGHT_SCHEMA: Final = 2

NightStage = Literal["announced", "check_in", "ready", "playing", "break", "over", "cancelled"]
"""`ready`: check-in is closed, the first round not seated yet; `break`: between two rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A member who said something about a night."""

    member: str
    reply: NightReply
    place: str
    """Where they said so last: their tables are shown there."""
    here: bool = False
    """Whether they have checked in, or come late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Somebody disputes a table's result."""

    member: str
    words: str
    at: float
    upheld: bool | None = None
    """None: not decided yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightTable:
    """A table of a round. Tuples by seat."""

    number: int
    seats: tuple[str, ...]
    """Whose seat it is; empty: a computer player's from the beginning."""
    since: tuple[float, ...]
    """Since when they have it: seconds since the epoch, moved on by every pause."""
    taken: tuple[int, ...]
    """How often somebody sat down there after the first."""
    free: tuple[int, ...] = ()
    """Seats that a computer player keeps: a substitute may have them."""
    attempt: int = 1
    """2 when it is played again."""
    tiles: tuple[TilesRound, ...] = ()
    scores: tuple[int, ...] = ()
    over: bool = False
    settled: bool = False
    """Whether it said so itself, rather than was told."""
    ended_at: float | None = None
    corrected: tuple[int, ...] | None = None
    """The scores that an organiser set."""
    void: bool = False
    dispute: Dispute | None = None

    @property
    def disputed(self) -> bool:
        """Whether a dispute waits for its decision."""
        return self.dispute is not None and self.dispute.upheld is None

    @property
    def state(self) -> Literal["running", "over", "disputed", "void"]:
        """How it stands: `disputed` until that is decided; `void` also when it was cut before a first deal
        was finished and no organiser has set its scores."""
        if self.void or (self.over and not self.tiles and self.corrected is None):
            return "void"
        return "disputed" if self.disputed else "over" if self.over else "running"

    def seat_of(self, member: str) -> int | None:
        """The seat that is a member's, whoever plays it now."""
        return self.seats.index(member) if member in self.seats else None

    @property
    def members(self) -> tuple[str, ...]:
        """Whose seats these are, without computer players."""
        return tuple(filter(None, self.seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRound:
    """A round of a night."""

    number: int
    tables: tuple[NightTable, ...]
    byes: tuple[str, ...]
    soft_end: float
    """Seconds since the epoch, as the hard one."""
    hard_end: float
    soft_ended: bool = False
    ended_at: float | None = None

    def knows(self, member: str) -> bool:
        """Whether a member had a seat or a bye in it, for a while at least."""
        if member in self.byes or self.seat_of(member) is not None:
            return True
        return any(member in tiles.players for table in self.tables for tiles in table.tiles)

    def seat_of(self, member: str) -> tuple[NightTable, int] | None:
        """Where a member sits."""
        for table in self.tables:
            if (seat := table.seat_of(member)) is not None:
                return table, seat
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A night as it stands."""

    id: NightId
    league: LeagueId
    season: int
    number: int
    """Of the season's nights, from 1."""
    start: float
    """Seconds since the epoch."""
    format: Format
    stage: NightStage = "announced"
    cancelled: Literal["", "organiser", "too_few", "too_late"] = ""
    entrants: tuple[Entrant, ...] = ()
    """In the order in which they said what they say now."""
    check_in_closes: float | None = None
    """None before it is open."""
    playing: tuple[str, ...] = ()
    """Who is seated when the next round is: in the order in which they came."""
    rounds: tuple[NightRound, ...] = ()
    break_ends: float | None = None
    """When the next round is seated; None unless that is known."""
    missed: tuple[tuple[int, str], ...] = ()
    """(round, member) for rounds that somebody who came later was not there for."""
    absent: tuple[str, ...] = ()
    """Who had checked in, or come, and then was not there."""
    penalties: tuple[tuple[str, float], ...] = ()
    paused_at: float | None = None
    revision: int = 0
    """How many events made this night: its board is shown by it."""
    phase_revision: int = 0
    """The revision at which a phase began that deserves a message of its own: announcement, start, end."""

    def __repr__(self) -> str:
        return f"Night({self.id!r}, {self.stage!r}, revision={self.revision})"

    @property
    def round(self) -> NightRound | None:
        """The round that is played, or was last."""
        return self.rounds[-1] if self.rounds else None

    def table(self, round: int, number: int) -> NightTable | None:
        """A table by its numbers, from 1; None when there is none."""
        if not 1 <= round <= len(self.rounds):
            return None
        tables = self.rounds[round - 1].tables
        return tables[number - 1] if 1 <= number <= len(tables) else None

    def has_played(self, member: str) -> bool:
        """Whether a member has played a round of tiles to its end themselves."""
        tables = (table for round in self.rounds for table in round.tables)
        return any(member in tiles.players for table in tables for tiles in table.tiles)

    def entrant(self, member: str) -> Entrant | None:
        """What a member said."""
        return next((each for each in self.entrants if each.member == member), None)

    @property
    def signed_up(self) -> tuple[str, ...]:
        """Who said that they come, in that order."""
        return tuple(each.member for each in self.entrants if each.reply == "yes")

    @property
    def coming(self) -> tuple[str, ...]:
        """Who of them has a seat as it looks now."""
        return self.signed_up[: self.format.cap or None]

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who waits for a seat: whoever is here stands before whoever has not checked in."""
        if self.stage in ("announced", "check_in"):
            return self.signed_up[len(self.coming) :]
        out = [each for each in self.entrants if each.reply == "yes" and each.member not in self.playing]
        return tuple(each.member for each in sorted(out, key=lambda each: not each.here))

    def kept_for(self, member: str) -> tuple[NightTable, int] | None:
        """The running table and the seat there that a computer player keeps for a member."""
        found = None if self.stage != "playing" or self.round is None else self.round.seat_of(member)
        return found if found is not None and not found[0].over and found[1] in found[0].free else None

    @property
    def room(self) -> int | None:
        """How many more may play; None: as many as come."""
        return max(0, self.format.cap - len(self.playing)) if self.format.cap else None
