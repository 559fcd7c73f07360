"""Events of a league night, in the past tense. A night is what its events make of it, and nothing else.

Members stand in events by their ids, never by name or account. Rounds and tables are counted from 1, seats
from 0. An event that was recorded is never changed: a correction is one more event.
"""

from typing import Literal

import msgspec

from bot.ids import LeagueId, NightId
from bot.league.model import Format

NightReply = Literal["yes", "maybe", "no", "substitute"]


class _Event(msgspec.Struct, frozen=True, tag_field="event"):
    pass


class Announced(_Event, frozen=True, tag="announced"):
    """The night is on the calendar."""

    night: NightId
    """Its id."""
    league: LeagueId
    season: int
    number: int
    """Of the season's nights, from 1."""
    start: float
    """Seconds since the epoch."""
    format: Format


class Rescheduled(_Event, frozen=True, tag="rescheduled"):
    """It begins at another moment."""

    start: float


class NightCancelled(_Event, frozen=True, tag="cancelled"):
    """It is not held, or not played on."""

    reason: Literal["organiser", "too_few", "too_late"] = "organiser"
    """`too_few` came to play; `too_late` the program was back at work."""


class Replied(_Event, frozen=True, tag="replied"):
    """A member said whether they come. The order of these makes the waiting list."""

    member: str
    reply: NightReply
    place: str
    """Where they said so: their tables are shown there."""


class Relocated(_Event, frozen=True, tag="relocated"):
    """A place has another key: who signed up there did so here."""

    old: str
    place: str


class CheckInOpened(_Event, frozen=True, tag="check_in_opened"):
    """Members say from now on that they are here."""

    closes: float
    """Seconds since the epoch."""


class CheckedIn(_Event, frozen=True, tag="checked_in"):
    """A member is here."""

    member: str
    place: str


class CheckInClosed(_Event, frozen=True, tag="check_in_closed"):
    """Who plays is settled: by check-in, then the waiting list, up to the cap."""

    playing: tuple[str, ...]


class Came(_Event, frozen=True, tag="came"):
    """A member came late, and plays from the next round on."""

    member: str
    place: str


class Went(_Event, frozen=True, tag="went"):
    """A member plays no more rounds in this night."""

    member: str
    missed: bool = False
    """Whether they simply were not there."""


class RoundSeated(_Event, frozen=True, tag="round_seated"):
    """A round began: its tables, in seat order, are to be opened."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    soft_end: float
    hard_end: float


class SoftEnded(_Event, frozen=True, tag="soft_ended"):
    """No round of tiles is begun any more at this round's tables."""

    round: int


class SeatFreed(_Event, frozen=True, tag="seat_freed"):
    """A computer player keeps a member's seat, who was not there or got up. A substitute may have it."""

    round: int
    table: int
    seat: int


class SeatTaken(_Event, frozen=True, tag="seat_taken"):
    """A substitute took a member's seat at a running table, the member is back in it, or an organiser put
    somebody there."""

    round: int
    table: int
    seat: int
    member: str
    place: str = ""
    """Where they said so; empty: where they said anything last."""


class TilesRound(msgspec.Struct, frozen=True):
    """A round of tiles that was played to its end at a table. Tuples by seat."""

    players: tuple[str, ...]
    """Who played it; empty for a computer player."""
    changes: tuple[int, ...]
    """To the scores: more is better."""
    winner: int | None


class TilesPlayed(_Event, frozen=True, tag="tiles_played"):
    """A table's rounds of tiles so far; a later one for the same table replaces it."""

    round: int
    table: int
    tiles: tuple[TilesRound, ...]
    scores: tuple[int, ...]
    """By seat: more is better."""
    over: bool


class RoundEnded(_Event, frozen=True, tag="round_ended"):
    """All tables of a round are over, or its hard end has come."""

    round: int


class Paused(_Event, frozen=True, tag="paused"):
    """The round clock stands still."""


class WentOn(_Event, frozen=True, tag="went_on"):
    """It runs again: what was still to come moved on by so many seconds."""

    seconds: float


class Unattended(_Event, frozen=True, tag="unattended"):
    """Nobody was at work for so long, until now: what was still to come moved on by that."""

    seconds: float


class Extended(_Event, frozen=True, tag="extended"):
    """A round's ends moved on."""

    round: int
    seconds: float


class Corrected(_Event, frozen=True, tag="corrected"):
    """An organiser set a table's scores."""

    round: int
    table: int
    scores: tuple[int, ...]


class Voided(_Event, frozen=True, tag="voided"):
    """A table counts for nobody."""

    round: int
    table: int


class Replayed(_Event, frozen=True, tag="replayed"):
    """A table is to be played again, by the same people; what was played there does not count."""

    round: int
    table: int


class Penalised(_Event, frozen=True, tag="penalised"):
    """Points taken from a member."""

    member: str
    points: float


class Disputed(_Event, frozen=True, tag="disputed"):
    """A player disputes a table's result: it is frozen until an organiser decides."""

    round: int
    table: int
    member: str
    words: str


class Decided(_Event, frozen=True, tag="decided"):
    """An organiser decided a dispute; what comes of it are events of their own."""

    round: int
    table: int
    upheld: bool


class Ended(_Event, frozen=True, tag="ended"):
    """The night is over."""


PeopleEvent = Replied | CheckedIn | Relocated | Came | Went | Penalised
"""Who comes to a night, is there, and goes."""

RoundEvent = RoundSeated | SoftEnded | RoundEnded | Extended

TableEvent = SeatFreed | SeatTaken | TilesPlayed | Corrected | Voided | Replayed | Disputed | Decided
"""What happens at one table; `round` and `table` say which."""

CourseEvent = (
    Rescheduled | NightCancelled | CheckInOpened | CheckInClosed | Paused | WentOn | Unattended | Ended
)
"""What happens to a night as a whole, once it is announced."""

NightEvent = Announced | CourseEvent | PeopleEvent | RoundEvent | TableEvent


class Recorded(msgspec.Struct, frozen=True):
    """An event as it stands in a night's log."""

    at: float
    """Seconds since the epoch."""
    by: str
    """The member who did it; empty for the clock and the tables."""
    why: str
    """In an organiser's words; empty where nobody was asked."""
    event: NightEvent
