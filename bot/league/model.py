"""League: what is stored of one besides its nights, that is its settings, its seasons and its members.

People stand here alone: nights and results know members by their ids, so that forgetting a person is one
change in one place and no result moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from bot.ids import LeagueId, NightId

LEAGUE_SCHEMA: Final = 1

Seating = Literal["rotation", "standings", "partners", "pairs"]
"""By plan, so that nobody meets twice; by the standing so far; with partners that change; with fixed ones."""

Fill = Literal["three", "computers", "byes"]
"""What becomes of those whom tables of four leave over."""

TieBreak = Literal["wins", "score", "head_to_head", "opponents", "penalties"]

Counting = Literal["best", "sum", "average"]

Prize = Literal["champion", "month", "pot"]

EntryRule = Literal["everybody", "members"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When a league meets, in the local time of its zone."""

    start: str
    """The first night, `2026-03-05T20:00`: without a zone, to the minute."""
    zone: str
    """An IANA name, such as `Europe/Istanbul`."""
    rule: str = ""
    """RFC 5545's RRULE, such as `FREQ=WEEKLY;BYDAY=TH`, without a start; empty: one night alone."""
    skipped: tuple[str, ...] = ()
    """Starts, as the rule gives them, at which nobody meets."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """From a start as the rule gives it to when it is held instead; both as `start` is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How a night is played and counted. A night keeps the format that it was announced with."""

    rules: dict[str, Any] = field(default_factory=lambda: {"preset": "okey"})
    """The switches of its matches, as RULES 8 names them."""
    turn_seconds: int = 60
    rounds: int = 3
    round_minutes: int = 30
    """Until the soft end: no round of tiles is begun after it."""
    grace_minutes: int = 10
    """From the soft end to the hard one, which cuts what is still played: it counts for nobody."""
    break_minutes: int = 2
    """Between a round's end and the next one's beginning."""
    rooms: bool = True
    """Whether each table has a thread or topic of its own, where the platform has such."""
    seating: Seating = "rotation"
    fill: Fill = "three"
    cap: int = 0
    """So many people play, the others wait; 0: as many as come."""
    entry: EntryRule = "everybody"
    bye_points: float = 1.5
    missed_points: float = 0.0
    """For each round that somebody came too late for."""
    ties: tuple[TieBreak, ...] = ("wins", "score", "head_to_head", "opponents", "penalties")
    """The order in which they part those with equal points; after them ranks are shared."""
    counting: Counting = "best"
    best_of: int = 5
    """The best so many nights count; of an average, the fewest nights that make one."""
    nights: int = 8
    """So many nights make a season."""
    prizes: tuple[Prize, ...] = ("champion", "month")
    stake: int = 100
    """Chips that everybody puts into a night's pot."""

    @property
    def night_minutes(self) -> int:
        """How long a night takes if every round ends at its soft end."""
        return self.rounds * self.round_minutes + (self.rounds - 1) * self.break_minutes

    @property
    def longest_minutes(self) -> int:
        """How long a night takes at most."""
        return self.night_minutes + self.rounds * self.grace_minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Somebody of a league. A forgotten member keeps their results, without name and accounts."""

    id: str
    """`m1`, `m2` …: never used twice in a league."""
    name: str
    accounts: tuple[str, ...] = ()
    """Their persons' keys; the first is the one under which they are called."""
    language: str = ""
    listed: bool = False
    """Whether an organiser has put them on the list of members."""
    reminders: bool = True
    missed: int = 0
    """Nights in a row that they missed after having checked in."""
    barred_until: float = 0.0
    """Seconds since the epoch: before it they play no night that counts."""
    partner: str = ""
    """Their fixed partner's id, where pairs are fixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRef:
    """A night, as its league knows it."""

    id: NightId
    start: float
    """Seconds since the epoch."""
    season: int
    over: bool = False
    cancelled: bool = False
    """Whether it was not held, or counts for nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league as it is stored."""

    id: LeagueId
    """Five characters; part of its page's address and of its nights' ids."""
    name: str
    community: str
    """Of the place where it was founded."""
    places: tuple[str, ...]
    language: str
    languages: Mapping[str, str] = field(default_factory=dict)
    """Of the other places, where theirs is another one."""
    schedule: Schedule
    format: Format
    season: int = 1
    nights: tuple[NightRef, ...] = ()
    """In the order of their starts: those that were held, and the next one."""
    champions: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Members, by season that is over."""
    members: Mapping[str, Member] = field(default_factory=dict)
    next_member: int = 1
    ended: bool = False
    """Whether it meets no more."""
    invitation: str = ""
    """A digest of the code with which one other place may come; empty: none may."""

    def __repr__(self) -> str:
        return f"League({self.id!r}, season={self.season})"

    def member_of(self, person: str) -> Member | None:
        """The member to whom an account belongs."""
        return next((each for each in self.members.values() if person in each.accounts), None)
