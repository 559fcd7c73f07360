"""Table: all that is stored of one, and a change of it.

A table has an id of its own and a list of places, never one chat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final, Literal, get_args

from bot.ids import NightId, TableId
from engine.events import FineReason
from engine.match import Match
from engine.melds import Placed
from engine.shuffle import Beacon
from engine.tiles import Tile

SCHEMA: Final = 2
"""Goes up when a stored field changes; an unknown one is left alone."""

TURNS_MOST: Final = 512
"""No round has so many turns (RULES 3)."""

RECENT_MOST: Final = 12
"""How many happenings a table remembers."""

RackDraft = tuple[tuple[Placed, ...], ...]
"""Melds that a player of Okey 101 is building on their rack; the last one may be empty."""

ComputerLevel = Literal["easy", "steady", "sharp"]
COMPUTER_LEVELS: Final[tuple[ComputerLevel, ...]] = get_args(ComputerLevel)
USUAL_LEVEL: Final[ComputerLevel] = "steady"
TableStage = Literal["lobby", "playing", "between", "over", "closed"]
"""`between` is after a round, before the next; `closed` is a lobby that was cancelled."""

RecentKind = Literal[
    "shown",
    "drew",
    "took",
    "discarded",
    "finished",
    "gave_back",
    "opened_melds",
    "opened_pairs",
    "melded",
    "laid_off",
    "reclaimed",
    "took_back",
    "fined",
    "overdue",
    "replaced",
    "returned",
    "removed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How somebody sees their screens: four switches, all off at first."""

    words: bool = False
    """No pictures: everything in words."""
    letters: bool = False
    """The colour's letter on every tile, in pictures and in words."""
    contrast: bool = False
    """Pictures in black, white and few strong colours."""
    large: bool = False
    """A rack in three shelves, for larger tiles. A table's picture knows no other size."""


PLAIN = Display()
ON_RACKS = tuple(field.name for field in fields(Display))
ON_TABLES = tuple(name for name in ON_RACKS if name != "large")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """A round that was played to its end. Tuples by seat hold one entry a seat."""

    winner: int | None
    """None when nobody finished."""
    how: tuple[str, ...] = ()
    """A sorted subset of color, elden, joker, pairs."""
    changes: tuple[int, ...]
    """What the round did to the scores."""
    away: tuple[int, ...] = ()
    """The seats that a computer player played when the round ended."""
    opened: tuple[int, ...] = ()
    """Okey 101: the seats that opened."""
    fines: tuple[int, ...] = ()
    """Okey 101: how many penalties every seat got; empty when there were none."""
    members: tuple[str, ...] = ()
    """At a league night's table: the member who played each seat; empty: a computer player did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who sits somewhere. A computer player may keep the seat warm for the person it belongs to."""

    person: str | None
    """The person's key; None for a computer player's own seat."""
    name: str
    language: str = ""
    computer: ComputerLevel | None = None
    """Who plays the seat now; None: the person."""
    stand_in: ComputerLevel = USUAL_LEVEL
    """How well a computer player plays for the person who is away."""
    shelves: tuple[tuple[Tile | None, ...], ...] = ((), ())
    """The rack in the player's own order, upper shelf first, None for a gap."""
    draft: RackDraft = ()
    """What they are building out of it; nobody else's business."""
    word: str = ""
    """What they add to the next shuffle."""
    missed: int = 0
    """Turns in a row that the clock ended."""
    seen: float = 0.0
    """When they last pressed something: seconds since the epoch, the store's clock."""
    private_closed: bool = False
    """Whether a private message failed to reach them."""
    alerts_only: bool = False
    """Whether their chat can then show them no more than alerts: the table offers numbered buttons."""
    revision: int = 0
    """Grows when their own screen must be shown to them again."""
    asked: int = 0
    """The number of the turn in which they were asked, by an alert, whether they mean the okey."""
    member: str = ""
    """Whose seat it is in a league night, by the member's id."""
    taken: int = 0
    """How often the night had given the seat to somebody anew, as far as the table has been told."""

    def __repr__(self) -> str:
        return f"Seat({self.name!r}, computer={self.computer!r})"


@dataclass(frozen=True, slots=True)
class Recent:
    """One thing that happened in this round and that everybody saw."""

    kind: RecentKind
    seat: int
    tile: Tile | None = None
    source: int | None = None
    count: int = 0
    """Points or pairs of an opening, tiles taken back, or the number of a meld on the table, from 1."""
    reason: FineReason | None = None


@dataclass(frozen=True, slots=True)
class FirstDraw:
    """What somebody threw or drew for who starts the match."""

    seat: int
    die: int | None = None
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class OpenedShuffle:
    """What is published of a round's shuffle when the round is over."""

    round_number: int
    secret: bytes
    words: tuple[str, ...]
    beacon: Beacon | None = None


@dataclass(frozen=True, slots=True)
class NamedRound:
    """A public beacon's round, named before anybody can know what it brings."""

    chain: str
    number: int
    """0: none could be named, for the beacon has not told its times."""
    named_at: float
    at: float
    """When it comes: seconds since the epoch, like `named_at`."""


@dataclass(frozen=True, slots=True)
class AtNight:
    """Which table of a league night this is."""

    night: NightId
    round: int
    """From 1, as the number."""
    number: int
    league: str = ""
    """Its name; empty where an earlier version of the program opened the table."""
    attempt: int = 1
    """2 when it is played again."""
    last: bool = False
    """Whether no round of tiles is begun here any more."""
    paused: bool = False
    """Whether no clock runs here, for people or computer players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Everything about one table but its deadline, which is in the store alone."""

    id: TableId
    places: tuple[str, ...]
    host: str
    language: str
    """The language of the place where it was opened."""
    turn_seconds: int
    stage: TableStage
    seats: tuple[Seat, ...]
    match: Match
    opened_at: float
    """Seconds since the epoch."""
    secret: bytes
    """For the next shuffle; published once the round it made is over."""
    words: tuple[str, ...] = ()
    """What the players added to the shuffle of the round that is being played, or that awaits the beacon."""
    awaited: NamedRound | None = None
    """The words are closed, and the next round is dealt when this has come."""
    beacon: Beacon | None = None
    """What entered the shuffle of the round that is being played, or was last, from a public beacon."""
    opened: OpenedShuffle | None = None
    """The last round's shuffle, for everybody to recompute."""
    game_revision: int = 0
    """Counts what changes the game; a button made before the last of them is an old one."""
    revision: int = 0
    """Grows when the places must be shown the table again."""
    round_revision: int = 0
    """The revision at which this round's (or this result's) message began: one message a round."""
    news_revision: int = 0
    """The revision of the last news of the game itself: what came after are clocks, and who is there."""
    recent: tuple[Recent, ...] = ()
    first: tuple[FirstDraw, ...] = ()
    """How the start of the match was found; empty after its first round."""
    openings: tuple[int, ...] = ()
    """Okey 101: with how many points or pairs each seat opened in this round; 0: not yet."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """The languages of the places that were invited."""
    invitation: str = ""
    """The code that leads here; empty: nobody is invited."""
    warned: int = 0
    """The number of the turn whose player has been warned that the clock will end it."""
    removed: tuple[str, ...] = ()
    """Whom the host removed: they cannot sit down here again, and their last rack tells them."""
    display: Display = PLAIN
    """How its places see it."""
    level: ComputerLevel = USUAL_LEVEL
    """How well the computer players play that are seated here."""
    hints: bool = False
    """Whether the host lets everybody be told what they could do, in classic Okey."""
    emotes: bool = True
    """Whether a computer player that wins a round is seen to be glad."""

    stopped: bool = False
    """Whether it was ended by who runs the place."""
    room: bool = False
    """Whether a thread or topic of its own is to be opened for it, in each of its places."""
    rooms: Mapping[str, str] = field(default_factory=dict)
    """The threads and topics that were opened for it, each with the place that it was opened in."""

    numbers: Mapping[str, int] = field(default_factory=dict)
    """What it is called in the places where it was opened and invited, the first one first."""
    posted: float = 0.0
    """When its lobby was last posted anew: seconds since the epoch."""

    results: tuple[RoundResult, ...] = ()
    """Of the rounds that are over."""
    practice: bool = False
    """Whether somebody practises here alone: it counts for nobody, and has no place."""

    night: AtNight | None = None
    """None: it belongs to no league night."""

    def __repr__(self) -> str:
        return f"Table({self.id!r}, {self.stage!r}, moves={self.game_revision})"

    @property
    def turn_number(self) -> int:
        """Grows with every turn of the match: 512 for each round, and 1 for each turn ended in it."""
        turns = 0 if self.match.round is None else self.match.round.turns
        return self.match.round_number * TURNS_MOST + turns

    @property
    def has_room(self) -> bool:
        """Whether one more person can sit down in the lobby: a computer player makes room."""
        return len(self.people()) < self.match.rules.players

    @property
    def turn(self) -> int | None:
        """The seat for whose move everybody waits; None while no round is played."""
        return self.match.turn if self.stage == "playing" else None

    def called(self, place: str | None = None) -> str:
        """The number by which people call it: a night's by its board's, others by that of a place, else of
        the place where it was opened. A table that never got one is called by its id."""
        if self.night is not None:
            return str(self.night.number)
        here = self.rooms.get(place or "", place)
        number = self.numbers.get(here or "") or next(iter(self.numbers.values()), None)
        return self.id.upper() if number is None else str(number)

    def language_at(self, place: str) -> str:
        """The public language of a place: that of who opened or invited the table there."""
        return self.languages.get(place, self.language)

    @property
    def awaits_room(self) -> bool:
        """Whether it is not to be shown before its rooms are opened."""
        return self.room and self.stage not in ("over", "closed")

    @property
    def attended(self) -> bool:
        """Whether a person plays a seat."""
        return any(seat.person and seat.computer is None for seat in self.seats)

    def seat_of(self, person: str) -> int | None:
        """The seat that belongs to a person, whoever plays it now."""
        return next((i for i, seat in enumerate(self.seats) if seat.person == person), None)

    def people(self) -> tuple[str, ...]:
        """The keys of the people who sit here."""
        return tuple(seat.person for seat in self.seats if seat.person)

    def with_seat(self, number: int, **changes: object) -> "Table":
        """The table with one seat changed."""
        seat = replace(self.seats[number], **changes)  # type: ignore[arg-type]
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def noted(self, *happened: Recent) -> "Table":
        """The table that remembers this, too."""
        return replace(self, recent=(*self.recent, *happened)[-RECENT_MOST:])

    def touched(self) -> "Table":
        """The table with a new public revision: its places must be shown it again."""
        return replace(self, revision=self.revision + 1)

    def gone_on(self) -> "Table":
        """The table with a new public revision for news of the game itself."""
        return replace(self, revision=self.revision + 1, news_revision=self.revision + 1)

    def seat_touched(self, number: int) -> "Table":
        """The table with a new revision for one seat: its player must be shown their screen again."""
        return self.with_seat(number, revision=self.seats[number].revision + 1)


Due = float | Literal["keep", "never"]
"""When the clock acts next: in so many seconds from now, as it stands, or not at all."""

LogEntry = Mapping[str, object]
"""One line of a table's history: a round's beginning, or an action as FORMATS writes it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table as it is to be, what goes into its history, and its clock."""

    table: Table
    entries: tuple[LogEntry, ...] = ()
    due: Due = "keep"
