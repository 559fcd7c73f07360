"""League: everything that is stored of a league except its nights: its settings, seasons and members.

Only this has people in it. Nights and results refer to members by their ids, so forgetting a person is one
change in one place, and no result changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from bot.ids import LeagueId, NightId

LEAGUE_SCHEMA: Final = 1

Seating = Literal["rotation", "standings", "partners", "pairs"]
"""Seating by plan, so that nobody meets twice; by standings; with changing partners; with fixed ones."""

Fill = Literal["three", "computers", "byes"]
"""What happens to people left over when tables of four are filled."""

TieBreak = Literal["wins", "score", "head_to_head", "opponents", "penalties"]

Counting = Literal["best", "sum", "average"]

Prize = Literal["champion", "month", "pot"]

EntryRule = Literal["everybody", "members"]

Visibility = Literal["public", "unlisted", "members"]
"""Who sees a league's pages on the web: everybody, who has their address, or of those who can read one of its
places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The nights of a league, in the local time of its zone."""

    start: str
    """The first night, `2026-03-05T20:00`: without a zone, to the minute."""
    zone: str
    """An IANA name, such as `Europe/Istanbul`."""
    rule: str = ""
    """RFC 5545's RRULE, such as `FREQ=WEEKLY;BYDAY=TH`, without a start; empty: one night alone."""
    skipped: tuple[str, ...] = ()
    """Starts given by the rule that are left out."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """The new start of each moved night, by the start that the rule gives; both written like `start`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The rules by which a night is played and counted. A night keeps the format of its announcement."""

    rules: dict[str, Any] = field(default_factory=lambda: {"preset": "okey"})
    """The switches of its matches, as in RULES 8."""
    turn_seconds: int = 60
    rounds: int = 3
    round_minutes: int = 30
    """Minutes from the round's start to its soft end, after which its tables begin no round of tiles."""
    grace_minutes: int = 10
    """Minutes from the soft end to the hard one, which cuts off rounds in progress: they count for nobody."""
    break_minutes: int = 2
    """Minutes between a round's end and the next one's start."""
    rooms: bool = True
    """Whether each table has a thread or topic of its own, where the platform has them."""
    seating: Seating = "rotation"
    fill: Fill = "three"
    cap: int = 0
    """The most people who play, while the others wait; 0: no limit."""
    entry: EntryRule = "everybody"
    bye_points: float = 1.5
    missed_points: float = 0.0
    """Points for each round that somebody missed by coming late."""
    ties: tuple[TieBreak, ...] = ("wins", "score", "head_to_head", "opponents", "penalties")
    """The order in which tie-breaks are applied to equal points; members still equal share a rank."""
    counting: Counting = "best"
    best_of: int = 5
    """The number of a member's best nights that count; for an average, the fewest nights needed for one."""
    nights: int = 8
    """The number of nights in a season."""
    prizes: tuple[Prize, ...] = ("champion", "month")
    stake: int = 100
    """Chips that everybody pays into a night's pot."""

    @property
    def night_minutes(self) -> int:
        """The minutes that a night takes if every round ends at its soft end."""
        return self.rounds * self.round_minutes + (self.rounds - 1) * self.break_minutes

    def round_ends(self, begins: float) -> tuple[float, float]:
        """The soft and the hard end of a round that begins at a moment."""
        soft_end = begins + self.round_minutes * 60
        return soft_end, soft_end + self.grace_minutes * 60

    @property
    def longest_minutes(self) -> int:
        """The minutes that a night takes at most."""
        return self.night_minutes + self.rounds * self.grace_minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a league. A forgotten member keeps their results, without name and accounts."""

    id: str
    """`m1`, `m2` …: never reused in a league."""
    name: str
    accounts: tuple[str, ...] = ()
    """The keys of their persons; the first is the one under which they are called."""
    language: str = ""
    listed: bool = False
    """Whether an organiser has put them on the list of members."""
    reminders: bool = True
    missed: int = 0
    """Nights in a row at which they were absent after having checked in."""
    barred_until: float = 0.0
    """Seconds since the epoch until which they may play no night; 0: no bar."""
    partner: str = ""
    """The id of their partner where pairs are fixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRef:
    """A night in its league's list."""

    id: NightId
    start: float
    """Seconds since the epoch."""
    season: int
    over: bool = False
    cancelled: bool = False
    """Whether it was not held, or counts for nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """A night as its league's calendar last had it."""

    digest: str
    """Of everything that the calendar says of it."""
    sequence: int = 0
    """The number of its changes."""
    modified: float
    """The last of them: seconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league as it is stored."""

    id: LeagueId
    """Five characters; part of the addresses of the league's pages and of its nights' ids."""
    name: str
    community: str
    """The community of the place where it was founded."""
    places: tuple[str, ...]
    language: str
    languages: Mapping[str, str] = field(default_factory=dict)
    """The languages of the other places that differ from `language`."""
    schedule: Schedule
    format: Format
    season: int = 1
    nights: tuple[NightRef, ...] = ()
    """The nights that were held, and the next one, in the order of their starts."""
    champions: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The ids of the champions, by finished season."""
    members: Mapping[str, Member] = field(default_factory=dict)
    next_member: int = 1
    ended: bool = False
    """Whether it has ended, so that no further nights follow."""
    invitation: str = ""
    """A digest of the code with which one other place may join; empty: none may."""
    visibility: Visibility = "unlisted"
    calendar: Mapping[NightId, CalendarEntry] = field(default_factory=dict)
    """The nights in its calendar, held and to come."""
    page_key: str = field(default="", repr=False)
    """The random characters in the address of its pages while they are not public."""

    def __repr__(self) -> str:
        return f"League({self.id!r}, season={self.season})"

    def member_of(self, person: str) -> Member | None:
        """The member that an account belongs to."""
        return next((each for each in self.members.values() if person in each.accounts), None)
