"""Events of a league night, in the past tense. A night is nothing but the result of its events.

Events refer to members by their ids, never by name or account. Rounds and tables are counted from 1, seats
from 0. A recorded event is never changed: a correction is one more event, and so is taking one back.
"""

from typing import Literal

import msgspec

from bot.ids import LeagueId, NightId
from bot.league.model import Format, Stage

NightReply = Literal["yes", "maybe", "no", "substitute"]


class _Event(msgspec.Struct, frozen=True, tag_field="event"):
    pass


class Announced(_Event, frozen=True, tag="announced"):
    """The night was put on the calendar; once more, if it had been taken off it since it was early."""

    night: NightId
    """The night's id."""
    league: LeagueId
    season: int
    number: int
    """The night's number in its season, from 1."""
    start: float
    """Seconds since the epoch."""
    format: Format
    key: bytes
    """Random: the ids of the night's tables are made with it."""
    final: Stage | None = None
    """The final that is played on this night; None: none is."""

    def __repr__(self) -> str:
        return f"Announced({self.night!r})"


class Rescheduled(_Event, frozen=True, tag="rescheduled"):
    """The night was moved to another start."""

    start: float


class Renumbered(_Event, frozen=True, tag="renumbered"):
    """The night got another number in its season, since a night before it is held after all, or is not. With
    it, a final may have come or gone."""

    number: int
    final: Stage | None = None


class Division(msgspec.Struct, frozen=True):
    """A division of a season, whose members play with each other."""

    members: tuple[str, ...]
    promote: int = 0
    """How many of the first of its table go up when the season is over."""
    relegate: int = 0
    """How many of the last go down."""


class MembersPlaced(_Event, frozen=True, tag="placed"):
    """Members were placed in the divisions of the season, the highest first; whoever is in none plays in the
    lowest. Until the first deal of the night a later one replaces it."""

    divisions: tuple[Division, ...]


class SeededMember(msgspec.Struct, frozen=True):
    """A member who may play a final, or be the next to do so."""

    member: str
    rank: int
    """Their rank before the final; pairs have one rank."""
    points: str
    """Their points before the final, as a fraction: `63/2`."""
    partner: str = ""
    """Their partner where pairs are fixed: both play, or none."""
    division: int = 0
    """Their division, from 1, of which rank and points are; 0: there are none."""


class StageSeeded(_Event, frozen=True, tag="stage_seeded"):
    """The order of the table before a final was taken over: its first play the final, and who is absent is
    replaced by the next. Until the first deal of the final a later one replaces it."""

    seeds: tuple[SeededMember, ...]


class Advanced(_Event, frozen=True, tag="advanced"):
    """Members play on in a knockout."""

    round: int
    """The round of the night from which on they do."""
    members: tuple[str, ...]
    """The best seeded first."""


class NightCancelled(_Event, frozen=True, tag="cancelled"):
    """The night was cancelled, before or after its start."""

    reason: Literal["organiser", "too_few", "too_late", "paused", "early", "ended"] = "organiser"
    """`too_few`: too few people came; `too_late`: the program was back at work too late; `paused`: its season
    was put off; `early`: one before it is held after all, and it is announced again after that; `ended`:
    its league has ended."""


class Replied(_Event, frozen=True, tag="replied"):
    """A member said whether they come. The order of these events makes the waiting list."""

    member: str
    reply: NightReply
    place: str
    """The place where they said so, and where their tables are shown."""


class Relocated(_Event, frozen=True, tag="relocated"):
    """A place got another key, which now stands for all who signed up there."""

    old: str
    place: str


class CheckInOpened(_Event, frozen=True, tag="check_in_opened"):
    """Check-in opened for the members."""

    closes: float
    """Seconds since the epoch."""


class CheckedIn(_Event, frozen=True, tag="checked_in"):
    """A member checked in."""

    member: str
    place: str


class CheckInClosed(_Event, frozen=True, tag="check_in_closed"):
    """Check-in closed: the players are settled by check-in, then the waiting list, up to the cap."""

    playing: tuple[str, ...]


class Came(_Event, frozen=True, tag="came"):
    """A member came late, and plays from the next round on."""

    member: str
    place: str


class Went(_Event, frozen=True, tag="went"):
    """A member left the further rounds of this night."""

    member: str
    missed: bool = False
    """Whether they were absent without a word."""


class RoundSeated(_Event, frozen=True, tag="round_seated"):
    """A round began. Its tables, in seat order, are to be opened."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    soft_end: float
    hard_end: float


class SoftEnded(_Event, frozen=True, tag="soft_ended"):
    """The soft end of a round passed: its tables start no further rounds of tiles."""

    round: int


class SeatFreed(_Event, frozen=True, tag="seat_freed"):
    """A computer player took over the seat of a member who was absent or left. A substitute may have it."""

    round: int
    table: int
    seat: int


class SeatTaken(_Event, frozen=True, tag="seat_taken"):
    """A seat at a running table was taken: by a substitute, its returning owner, or an organiser's order."""

    round: int
    table: int
    seat: int
    member: str
    place: str = ""
    """The place where they asked for it; empty: the place that they used last."""


class TilesRound(msgspec.Struct, frozen=True):
    """A round of tiles that a table played to its end. Tuples by seat."""

    players: tuple[str, ...]
    """The players of the round; empty for a computer player."""
    changes: tuple[int, ...]
    """The changes of the scores: more is better."""
    winner: int | None
    okey: bool = False
    """Whether the winner discarded the okey."""


class TilesPlayed(_Event, frozen=True, tag="tiles_played"):
    """A table's rounds of tiles so far; a later one for the same table replaces it."""

    round: int
    table: int
    tiles: tuple[TilesRound, ...]
    scores: tuple[int, ...]
    """The scores by seat: more is better."""
    over: bool


class RoundEnded(_Event, frozen=True, tag="round_ended"):
    """All tables of a round are over, or its hard end has come."""

    round: int


class Paused(_Event, frozen=True, tag="paused"):
    """The round clock was stopped."""


class WentOn(_Event, frozen=True, tag="went_on"):
    """The round clock continued: everything to come was postponed by this time."""

    seconds: float


class Unattended(_Event, frozen=True, tag="unattended"):
    """No process was at work for this time, until now: everything to come was postponed by it."""

    seconds: float
    total: float = 0.0
    """All such seconds since the night was announced, as counted by the store; 0: they were not counted."""


class Extended(_Event, frozen=True, tag="extended"):
    """A round's ends were postponed."""

    round: int
    seconds: float


class Corrected(_Event, frozen=True, tag="corrected"):
    """An organiser set a table's scores."""

    round: int
    table: int
    scores: tuple[int, ...]


class Voided(_Event, frozen=True, tag="voided"):
    """A table was voided: it counts for nobody."""

    round: int
    table: int


class Replayed(_Event, frozen=True, tag="replayed"):
    """A table is to be played again by the same people; its first result does not count."""

    round: int
    table: int


class Penalised(_Event, frozen=True, tag="penalised"):
    """Points were taken from a member's season, whatever becomes of this night in it."""

    member: str
    points: float


class Awarded(_Event, frozen=True, tag="awarded"):
    """Bonus points were given to a member's season."""

    member: str
    points: float


class Disputed(_Event, frozen=True, tag="disputed"):
    """A player disputed a table's result, which is frozen until an organiser decides."""

    round: int
    table: int
    member: str
    words: str


class Decided(_Event, frozen=True, tag="decided"):
    """An organiser decided a dispute; the consequences are events of their own."""

    round: int
    table: int
    upheld: bool


class Ended(_Event, frozen=True, tag="ended"):
    """The night ended."""


class Revoked(_Event, frozen=True, tag="revoked"):
    """An organiser's act was taken back: the night is what it would be without it."""

    of: int
    """The number of that event in the night's log, from 1."""


PeopleEvent = Replied | CheckedIn | Relocated | Came | Went
"""Events about people who come to a night, check in, or leave."""

PointsEvent = Penalised | Awarded
"""Events about a member's points in the season."""

RoundEvent = RoundSeated | SoftEnded | RoundEnded | Extended

TableEvent = SeatFreed | SeatTaken | TilesPlayed | Corrected | Voided | Replayed | Disputed | Decided
"""Events at one table, given by `round` and `table`."""

CourseEvent = (
    Rescheduled
    | Renumbered
    | NightCancelled
    | CheckInOpened
    | CheckInClosed
    | Paused
    | WentOn
    | Unattended
    | MembersPlaced
    | StageSeeded
    | Advanced
    | Ended
)
"""Events of the night as a whole, after its announcement."""

NightEvent = Announced | CourseEvent | PeopleEvent | PointsEvent | RoundEvent | TableEvent | Revoked


class Recorded(msgspec.Struct, frozen=True):
    """An event with its entry in a night's log."""

    at: float
    """Seconds since the epoch."""
    by: str
    """The member who did it; empty for the clock and the tables."""
    why: str
    """The reason in an organiser's words; empty where none was asked for."""
    event: NightEvent
