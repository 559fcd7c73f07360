"""League: everything that is stored of a league except its nights: its settings, seasons and members.

Only this has people in it. Nights and results refer to members by their ids, so forgetting a person is one
change in one place, and no result changes.

What organisers do to a league itself is an event in its own log (`League.acts`). It stands here and not in
the store's log, because names are in it, which people may want forgotten.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from bot.ids import LeagueId, NightId

LEAGUE_SCHEMA: Final = 2

Seating = Literal["rotation", "standings", "partners", "pairs"]
"""Seating by plan, so that nobody meets twice; by standings; with changing partners; with fixed ones."""

Fill = Literal["three", "computers", "byes"]
"""What happens to people left over when tables of four are filled."""

TieBreak = Literal["wins", "score", "head_to_head", "opponents", "penalties"]

Counting = Literal["best", "sum", "average"]

Prize = Literal["champion", "month", "pot"]

EntryRule = Literal["everybody", "members"]

Finals = Literal["none", "cut4", "cut8", "knockout8", "knockout16", "knockout32"]
"""How a season ends: with its table; with a last night for the first of the table, who take points along; or
with a knockout of theirs. If a season has one night, its knockout follows in the same evening."""

Divisions = Literal["none", "two2", "two4", "three2"]
"""The divisions of a season, and how many change from each into the next: `three2` has three, and two change.
"""

CarryOver = Literal["none", "half", "all"]
"""How many of their points the first of the table take into a final night."""

Role = Literal["founder", "referee", "host"]
"""What a member may do for a league. A founder may do everything; a referee decides about results and people;
a host runs the evening: check-in, clocks and seats."""

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
    resumes: str = ""
    """The end of a pause, written like `start`: nights that would be held before it are left out. Empty:
    there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The final of a season: who plays it, and how it is decided."""

    kind: Literal["cut", "knockout"]
    size: int
    """The number of members who play it; more, if some share the last of these ranks."""
    carry_over: CarryOver = "none"
    """The points that they take into a cut. In a knockout points don't count."""
    tables_per_match: int = 1
    """The most tables that the same people play in a knockout until it is known who plays on."""
    groups: int = 0
    """The rounds of the same night before it, in which everybody plays; 0: the nights of the season are."""


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
    finals: Finals = "none"
    carry: CarryOver = "half"
    matches: int = 1
    """The most tables of a match in a knockout: whoever has won more than half of them plays on."""
    divisions: Divisions = "none"

    @property
    def night_minutes(self) -> int:
        """The minutes that a night takes if every round ends at its soft end."""
        return self.rounds * self.round_minutes + (self.rounds - 1) * self.break_minutes

    def round_ends(self, begins: float) -> tuple[float, float]:
        """Return the soft and the hard end of a round that begins at a moment."""
        soft_end = begins + self.round_minutes * 60
        return soft_end, soft_end + self.grace_minutes * 60

    @property
    def longest_minutes(self) -> int:
        """The minutes that a night takes at most."""
        return self.night_minutes + self.rounds * self.grace_minutes


ROLES: Final[tuple[Role, ...]] = ("host", "referee", "founder")
"""Each may do what those before it may."""

COUNTED: Final = (
    *("bye_points", "missed_points", "ties", "counting", "best_of", "nights", "prizes", "stake"),
    *("finals", "carry", "matches", "divisions"),
)
"""The fields of a format by which a season is counted. They are frozen while it lasts: a change holds from
the next season on. The others hold from the next announcement on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a league. A forgotten member keeps their results, without name and accounts."""

    id: str
    """`m1`, `m2` …: never reused in a league."""
    name: str
    """How they are called in this league: of several with one name, all but the first have a number."""
    given: str = ""
    """The name that their chat or an organiser gave them, without a number."""
    named: bool = False
    """Whether an organiser gave it; if not, it follows the name that they have in their chat."""
    role: Role | Literal[""] = ""
    into: str = ""
    """The id of the member that they are now, if two accounts of one person were merged."""
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
class Season:
    """A season that is over."""

    number: int
    settings: Format
    """The settings by which it was counted: they never change."""
    champions: tuple[str, ...] = ()
    """The ids of its champions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """What organisers may change of a league."""

    name: str
    start: str
    """The first night of the schedule, like the two that follow."""
    zone: str
    rule: str
    format: Format


# What organisers do to a league


class _Act(msgspec.Struct, frozen=True, tag_field="event"):
    pass


class SettingsChanged(_Act, frozen=True, tag="settings_changed"):
    """Settings were changed: those in which `before` and `after` differ."""

    season: int
    """The season in which that was."""
    before: LeagueSettings
    after: LeagueSettings


class Renamed(_Act, frozen=True, tag="renamed"):
    """An organiser gave a member a name."""

    member: str
    name: str
    before: str
    """The name that they had been given before."""
    was_named: bool
    """Whether an organiser had given that, too."""


class RoleGiven(_Act, frozen=True, tag="role_given"):
    """A member got a role, or lost it."""

    member: str
    role: Role | Literal[""]
    before: Role | Literal[""]


class Merged(_Act, frozen=True, tag="merged"):
    """Two members turned out to be one person: the results of the first count for the other."""

    gone: Member
    """The first, as they were."""
    kept: Member
    """The other, as they were."""


class NightSkipped(_Act, frozen=True, tag="night_skipped"):
    """The night of a start was taken off the calendar."""

    start: str


class NightMoved(_Act, frozen=True, tag="night_moved"):
    """The night of a start was moved to another."""

    start: str
    to: str
    before: str
    """Where it had been moved before; empty: nowhere."""


class Paired(_Act, frozen=True, tag="paired"):
    """Two members became partners."""

    one: str
    other: str
    before: dict[str, str]
    """The partner before it of everybody who has another one by it, or none; empty: they had none."""


class VisibilityChanged(_Act, frozen=True, tag="visibility_changed"):
    """Others see the league's pages from then on, or under another address."""

    before: Visibility
    after: Visibility
    page_key: str = ""
    key_before: str = ""
    """The page keys after and before it; empty in a league that came from another host."""

    def __repr__(self) -> str:
        return f"VisibilityChanged({self.before!r}, {self.after!r})"


class PlaceWithdrawn(_Act, frozen=True, tag="place_withdrawn"):
    """The league was withdrawn from a place."""

    place: str = ""
    """Empty in a league that came from another host."""
    index: int = 0
    """Where it stood among the league's places."""


class ListChanged(_Act, frozen=True, tag="list_changed"):
    """Members were put on the list or taken off it. Neither names nor accounts are in it."""

    on: tuple[str, ...]
    off: tuple[str, ...]
    new: tuple[str, ...]
    """Those who became members by it."""
    accounts: dict[str, tuple[int, int]]
    """The numbers of accounts, before and after it, of those to whom it gave some."""


class SeasonPaused(_Act, frozen=True, tag="season_paused"):
    """A season that had not begun was put off."""

    season: int
    until: str
    """The local time before which no night is held."""
    before: str
    """The end of the pause before it; empty: there was none."""


class LeagueEnded(_Act, frozen=True, tag="league_ended"):
    """The league was ended."""


class ActRevoked(_Act, frozen=True, tag="revoked"):
    """An act was taken back."""

    of: int
    """Its number in the league's log, from 1."""


LeagueEvent = (
    SettingsChanged
    | Renamed
    | RoleGiven
    | Merged
    | NightSkipped
    | NightMoved
    | Paired
    | VisibilityChanged
    | PlaceWithdrawn
    | ListChanged
    | SeasonPaused
    | LeagueEnded
    | ActRevoked
)


class LoggedAct(msgspec.Struct, frozen=True):
    """An event with its entry in a league's log."""

    at: float
    """Seconds since the epoch."""
    by: str
    """The member who did it; empty for the program."""
    why: str
    """The reason in their words; empty where none was asked for."""
    event: LeagueEvent


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
    """The settings of the present season, by which its further nights are announced."""
    drafted: Format | None = None
    """The settings of the next season; None: the same."""
    season: int = 1
    nights: tuple[NightRef, ...] = ()
    """The nights that were held, and the next one, in the order of their starts."""
    seasons: Mapping[int, Season] = field(default_factory=dict)
    """The seasons that are over, by their numbers."""
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
    acts: tuple[LoggedAct, ...] = ()
    """What organisers did to it, in order."""

    def __repr__(self) -> str:
        return f"League({self.id!r}, season={self.season})"

    def member_of(self, person: str) -> Member | None:
        """Return the member that an account belongs to."""
        return next((each for each in self.members.values() if person in each.accounts), None)

    @property
    def champions(self) -> dict[int, tuple[str, ...]]:
        """The ids of the champions, by finished season."""
        return {number: season.champions for number, season in self.seasons.items()}

    @property
    def founders(self) -> list[Member]:
        """The members who may do everything, and can be reached."""
        return [each for each in self.members.values() if each.role == "founder" and each.accounts]

    @property
    def merged(self) -> dict[str, str]:
        """For each member who was merged, the one that they are now."""
        return {id: self.stands_for(id) for id, member in self.members.items() if member.into}

    def stands_for(self, member: str) -> str:
        """Return the id of the member that a member is now, if they were merged; else their own."""
        while (known := self.members.get(member)) is not None and known.into:
            member = known.into
        return member

    def settings_of(self, season: int) -> Format:
        """Return the settings by which a season is counted; of one to come, as they are drafted."""
        if season > self.season:
            return self.drafted or self.format
        over = self.seasons.get(season)
        return self.format if over is None else over.settings
