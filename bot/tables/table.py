"""Table: everything that is stored of a table, and a change of it.

A table has an id of its own and a list of places, and is never bound to one chat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from bot.ids import NightId, TableId
from engine.context import ClosedWord, Sealed
from engine.events import FineReason
from engine.luck import DealtRack
from engine.match import Match
from engine.melds import Placed
from engine.shuffle import Beacon
from engine.state import at_seat
from engine.tiles import Tile

SCHEMA: Final = 3
"""Increased when a stored field changes. A table with an unknown schema is left alone."""

TURNS_MOST: Final = 512
"""More turns than any round has (RULES 3)."""

TILES_MOST: Final = 32
"""More tiles than any player has on a rack."""

_PHASES: Final = ("draw", "discard", "over")

RECENT_MOST: Final = 12
"""How many happenings a table remembers."""

FAREWELLS_MOST: Final = 16
"""How many of the people who have lost their seat a table still tells so."""

RackDraft = tuple[tuple[Placed, ...], ...]
"""Melds that a player of Okey 101 is building on their rack; the last one may be empty."""

ComputerLevel = Literal["easy", "steady", "sharp"]
COMPUTER_LEVELS: Final[tuple[ComputerLevel, ...]] = get_args(ComputerLevel)
USUAL_LEVEL: Final[ComputerLevel] = "steady"
TableStage = Literal["lobby", "playing", "between", "over", "closed"]
"""`between` is after a round, before the next; `closed` is a lobby that was cancelled."""

ReactionKind = Literal[
    "clap",
    "laugh",
    "wow",
    "sad",
    "like",
    "wait",
    "hello",
    "luck",
    "thanks",
    "welcome",
    "sorry",
    "hand",
    "close",
    "unlucky",
    "time",
    "ready",
    "back",
    "tea",
    "fun",
    "again",
    "bye",
    "night",
]
"""Six emotes, then sixteen phrases. None of them tells of a rack: partners could agree on moves by them."""
REACTION_KINDS: Final[tuple[ReactionKind, ...]] = get_args(ReactionKind)

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
    "declared",
    "called",
    "called_wrong",
    "fined",
    "overdue",
    "replaced",
    "returned",
    "removed",
    "left",
]
"""`removed` is by the host or an organiser; who `left` did so for good."""

FarewellReason = Literal["left", "removed", "blocked", "gone", "passed_on"]
"""`removed` by the host, `blocked` by an organiser; who is `gone` can read none of the table's places any
more; `passed_on` is a league's seat that has a new owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """A person's or table's display settings: five switches, all off at first."""

    words: bool = False
    """No pictures: everything in words."""
    described: bool = False
    """The whole picture in words below it, for chats that show no alternative text."""
    letters: bool = False
    """The colour's letter on every tile, in pictures and in words."""
    contrast: bool = False
    """Pictures in black, white and few strong colours."""
    large: bool = False
    """A rack on three shelves, for larger tiles. A table's picture has one size only."""


PLAIN = Display()
ON_RACKS = tuple(field.name for field in fields(Display))
ON_TABLES = tuple(name for name in ON_RACKS if name != "large")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """The result of a round that was played to its end. Tuples by seat have one entry a seat."""

    winner: int | None
    """None when nobody finished."""
    how: tuple[str, ...] = ()
    """A sorted subset of color, elden, joker, pairs."""
    changes: tuple[int, ...]
    """The changes of the scores, by seat."""
    away: tuple[int, ...] = ()
    """The seats that a computer player played when the round ended, or that were out of the match before."""
    opened: tuple[int, ...] = ()
    """Okey 101: the seats that opened."""
    fines: tuple[int, ...] = ()
    """Okey 101: the number of penalties of every seat; empty when there were none."""
    shown_by: int | None = None
    """The seat that showed the indicator, if others paid for that."""
    members: tuple[str, ...] = ()
    """At a league night's table: the member who played each seat; empty where a computer player did."""
    dealt: tuple[DealtRack | None, ...] = ()
    """What each seat was dealt; empty when that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRound:
    """A round that is over, for a place whose message of that round has yet to tell its result, or tells when
    the next one begins."""

    result: RoundResult | None
    """None: it was cancelled."""
    number: int
    """The number of the deal, from 1."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emote with which a player reacts, and its moment: seconds since the epoch, by the store's clock."""

    kind: ReactionKind
    at: float


@dataclass(frozen=True, slots=True)
class SharedAccuracy:
    """The accuracy with which a player played a round, shown to everybody because they chose so."""

    round: int
    """The number of the round in the match, from 1."""
    percent: int


@dataclass(frozen=True, slots=True)
class ClosedAt:
    """A seat's closed word in one deal."""

    round: int
    """The number of the deal, from 1."""
    seat: int
    """The seat's number when the words were closed: seats may be drawn after that."""
    word: ClosedWord


@dataclass(frozen=True, slots=True)
class Asked:
    """A discard about which its player was asked whether they mean it."""

    turn: int
    """The number of the turn."""
    tile: Tile

    def __repr__(self) -> str:
        return f"Asked({self.turn!r})"


class Seat(Struct, frozen=True, kw_only=True):
    """A seat and its player. A computer player may keep a person's seat while they are away."""

    person: str | None
    """The person's key; None for a computer player's own seat, and a free one."""
    name: str
    """Empty for a free seat."""
    language: str = ""
    computer: ComputerLevel | None = None
    """The computer player that plays the seat now; None: the person plays."""
    stand_in: ComputerLevel = USUAL_LEVEL
    """The level of the computer player that plays while the person is away."""
    shelves: tuple[tuple[Tile | None, ...], ...] = ((), ())
    """The rack in the player's own order, upper shelf first, None for a gap."""
    draft: RackDraft = ()
    """The melds that they are building from the rack; shown to nobody else."""
    word: str = ""
    """Their word for the next shuffle."""
    closed: tuple[ClosedAt, ...] = ()
    """Their words in the deals so far. They go with their owner: then only the marks stay, in the log. Some
    40 bytes a deal."""
    missed: int = 0
    """Turns in a row that the clock ended for them."""
    seen: float = 0.0
    """The last time they pressed something: seconds since the epoch, by the store's clock."""
    private_closed: bool = False
    """Whether a private message failed to reach them."""
    alerts_only: bool = False
    """Whether their chat can then show them nothing but alerts, so that the table offers numbered buttons."""
    asked: Asked | None = None
    """The discard about which an alert asked them last."""
    guest: bool = False
    """Whether they came by the table's invitation, without being able to read one of its places."""
    member: str = ""
    """The id of the member who owns the seat in a league night."""
    taken: int = 0
    """How often the night had given the seat to a new player, as far as the table has been told."""
    reactions: tuple[Reaction, ...] = ()
    """Their last reactions, oldest first."""
    shared: SharedAccuracy | None = None
    """How well they played the last round, if they have shown it to everybody."""

    def __repr__(self) -> str:
        return f"Seat({self.name!r}, computer={self.computer!r})"

    @property
    def is_free(self) -> bool:
        """Return whether nobody has it, not even a computer player: only in a lobby."""
        return not self.name


FREE: Final = Seat(person=None, name="")
"""A seat that nobody has."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """The end of a person's time on a seat, which their last screen tells."""

    person: str
    language: str
    why: FarewellReason

    def __repr__(self) -> str:
        return f"Farewell({self.why!r})"


CallReason = Literal["bell", "again", "invited"]
"""`bell`: they asked to be told of new tables; `again`: they played the match before; `invited`: by the
host."""


@dataclass(frozen=True, slots=True)
class CalledPerson:
    """A person whom a lobby calls in private."""

    person: str
    language: str
    why: CallReason
    by: str = ""
    """The key of the person who plays again or invites them; empty: nobody, or they were forgotten."""

    def __repr__(self) -> str:
        return f"Called({self.why!r})"


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
    """A throw or draw that decides who starts the match."""

    seat: int
    die: int | None = None
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class OpenedShuffle:
    """The parts of a round's shuffle that are published when the round is over."""

    round_number: int
    sealed: Sealed
    context: bytes
    """The digest of what the deal was bound to."""
    beacon: Beacon | None = None


@dataclass(frozen=True, slots=True)
class NamedRound:
    """A round of a public beacon, named before anybody can know its value."""

    chain: str
    number: int
    """0: none could be named, since the beacon has not told its times."""
    named_at: float
    at: float
    """The moment when it comes: seconds since the epoch, like `named_at`."""


@dataclass(frozen=True, slots=True)
class AtNight:
    """The place of this table in a league night."""

    night: NightId
    round: int
    """The round of the night, from 1, like `number`."""
    number: int
    league: str = ""
    """The league's name; empty when an earlier version of the program opened the table."""
    attempt: int = 1
    """2 when it is played again."""
    last: bool = False
    """Whether no further round of tiles is begun here."""
    paused: bool = False
    """Whether no clock runs here, for people or computer players."""


class TablePart(Struct, frozen=True, kw_only=True):
    """A part of what is stored of a table. Nothing of it is told by accident."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"


class DealProof(TablePart, frozen=True, kw_only=True):
    """The proof of the deals: what was published before each, and is opened after it."""

    sealed: Sealed
    """The secret for the next shuffle, or for the round in progress, under its published seal. The secret is
    published when the round is over; the salts go to the seats when the words are closed."""
    context: bytes = b""
    """The digest of what the round in progress was bound to, or the one that awaits the beacon; empty while
    words are open."""
    dealt: bytes = b""
    """The digest of the last deal, to which the next one is bound; empty before the first."""
    awaited: NamedRound | None = None
    """The beacon's round for which the next deal waits, its words closed; None: it waits for none."""
    beacon: Beacon | None = None
    """The public beacon's part in the shuffle of the current round, or of the last one."""
    opened: OpenedShuffle | None = None
    """The last round's shuffle, which everybody can recompute."""


class TableClock(TablePart, frozen=True, kw_only=True):
    """The clock of a table's turns, except its deadline, which only the store has."""

    turn_seconds: int
    moved: int = 0
    """When it was last put off because nobody was at work: microseconds since the epoch; 0: never."""
    warned: int = 0
    """The number of the turn whose clock has come to its warning."""
    hurried: int = 0
    """The number of the turn whose player is told to hurry: their clock has come to its warning, and they had
    not just acted."""
    stepped_out: tuple[int, float] = (0, 0.0)
    """The number of the last turn in which its player stepped out, and the seconds that their clock has left
    in it."""
    counts_down: bool = False
    """Whether the table is a full lobby that starts by itself at its deadline."""


class TableNews(TablePart, frozen=True, kw_only=True):
    """What everybody saw happen in the round, and the results that messages have yet to tell."""

    recent: tuple[Recent, ...] = ()
    first: tuple[FirstDraw, ...] = ()
    """How the starting seat was found; empty after the match's first round."""
    openings: tuple[int, ...] = ()
    """Okey 101: with how many points or pairs each seat opened in this round; 0: not yet."""
    ended: tuple[EndedRound, ...] = ()
    """The last rounds that are over: a busy place may be two rounds late."""


class TableCalls(TablePart, frozen=True, kw_only=True):
    """The ways in which people are called to a table."""

    called: tuple[CalledPerson, ...] = ()
    """The people whom the lobby calls, each once."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """The roles that the lobby calls, each once, by the places where it was opened or invited."""
    has_called: bool = False
    """Whether the lobby has called those who want to be told of new tables, and the roles."""
    invitation: str = ""
    """The code that leads here; empty: nobody is invited."""


class GonePeople(TablePart, frozen=True, kw_only=True):
    """The people who have lost their seat at a table."""

    removed: tuple[str, ...] = ()
    """Those that the host removed, who cannot join again."""
    farewells: tuple[Farewell, ...] = ()
    """What is told to them."""


class HostChoices(TablePart, frozen=True, kw_only=True):
    """What the host has chosen besides the rules and the clock."""

    level: ComputerLevel = USUAL_LEVEL
    """The level of the computer players that have seats of their own here."""
    hints: bool = False
    """Whether the host lets everybody have advice, in classic Okey."""
    emotes: bool = True
    """Whether a computer player that wins a round shows an emote."""
    display: Display = PLAIN
    """How the table looks in its places."""


class Postings(TablePart, frozen=True, kw_only=True):
    """How a table stands in its places."""

    languages: Mapping[str, str] = field(default_factory=dict)
    """The languages of the invited places, and of those whose organisers have chosen one since."""
    room: bool = False
    """Whether a thread or topic of its own is still to be opened for it in each of its places."""
    rooms: Mapping[str, str] = field(default_factory=dict)
    """The threads and topics that were opened for it, each with the place in which it was opened."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Its number in each place where it was opened or invited, the first place first."""
    posted: float = 0.0
    """The last time that it was posted again: seconds since the epoch."""
    unfolded: bool = False
    """Whether the lobby shows the host's buttons."""


class Table(Struct, frozen=True, kw_only=True):
    """Everything about one table except its deadline, which only the store has."""

    id: TableId
    places: tuple[str, ...]
    host: str
    language: str
    """The language of the place where it was opened."""
    stage: TableStage
    seats: tuple[Seat, ...]
    """One for every player of the match; in a lobby some may be free."""
    match: Match
    opened_at: float
    """Seconds since the epoch."""
    clock: TableClock
    proof: DealProof
    news: TableNews = TableNews()
    calls: TableCalls = TableCalls()
    gone: GonePeople = GonePeople()
    choices: HostChoices = HostChoices()
    postings: Postings = Postings()
    results: tuple[RoundResult, ...] = ()
    """The results of the rounds that are over."""
    recovered: int = 0
    """The last version that the store has lost, so that nobody knows what messages show; 0: none."""
    stopped: bool = False
    """Whether an organiser of the place ended it."""
    practice: bool = False
    """Whether one person practises here alone: it counts for nobody, and has no place."""
    night: AtNight | None = None
    """None: the table belongs to no league night."""

    def __repr__(self) -> str:
        return f"Table({self.id!r}, {self.stage!r}, moment={self.moment})"

    @property
    def turn_number(self) -> int:
        """Grows with every turn of the match: 512 for each round, and 1 for each turn ended in it."""
        turns = 0 if self.match.round is None else self.match.round.turns
        return self.match.round_number * TURNS_MOST + turns

    @property
    def moment(self) -> int:
        """The round, turn and phase, as buttons carry them; 0 before the first round. The tiles that the
        player on turn has laid belong to the phase: they tell how much of a long turn is over. A button that
        was made at another moment is outdated."""
        if (round := self.match.round) is None:
            return 0
        phase, gone = "over", 0
        if self.stage == "playing":
            phase, gone = round.phase, TILES_MOST - 1 - len(round.racks[round.turn])
        return (self.turn_number * len(_PHASES) + _PHASES.index(phase)) * TILES_MOST + gone

    @property
    def is_over(self) -> bool:
        """Return whether the match is over, or the table was closed before one."""
        return self.stage in ("over", "closed")

    @property
    def is_open(self) -> bool:
        """Return whether it may still be shown in more places."""
        return not self.is_over and not self.practice

    @property
    def waits_for_people(self) -> bool:
        """Return whether it is a lobby that has yet to be started: its first deal does not wait for the
        beacon."""
        return self.stage == "lobby" and self.proof.awaited is None

    @property
    def has_room(self) -> bool:
        """Return whether one more person can sit down in the lobby: a computer player makes room."""
        return self.waits_for_people and len(self.people()) < self.match.rules.players

    @property
    def turn(self) -> int | None:
        """The seat whose move everybody waits for; None while no round is played."""
        return self.match.turn if self.stage == "playing" else None

    def number_in(self, place: str | None = None) -> str:
        """Return the number by which people call it: a league night's number, else its number in a place,
        else in the place where it was opened. A table without a number is called by its id."""
        if self.night is not None:
            return str(self.night.number)
        here = self.postings.rooms.get(place or "", place)
        number = self.postings.numbers.get(here or "") or next(iter(self.postings.numbers.values()), None)
        return self.id.upper() if number is None else str(number)

    def language_at(self, place: str) -> str:
        """Return the public language of a place: what its organisers have chosen, else that of the person who
        opened or invited the table there."""
        return self.postings.languages.get(place, self.language)

    @property
    def awaits_room(self) -> bool:
        """Return whether it stays hidden until its rooms are opened."""
        return self.postings.room and not self.is_over

    @property
    def attended(self) -> bool:
        """Return whether a person plays a seat themselves."""
        return any(seat.person and seat.computer is None for seat in self.seats)

    def seat_of(self, person: str) -> int | None:
        """Return the number of the seat that belongs to a person, whoever plays it now; None: they have
        none."""
        return next((i for i, seat in enumerate(self.seats) if seat.person == person), None)

    def people(self) -> tuple[str, ...]:
        """Return the keys of the people who sit here."""
        return tuple(seat.person for seat in self.seats if seat.person)

    def readers(self) -> tuple[str, ...]:
        """Return the keys of the places and people that are shown this table: those who sit here, and those
        who are told why they do no longer."""
        return (*self.places, *self.people(), *(each.person for each in self.gone.farewells))

    def list_closed_words(self, number: int) -> dict[int, ClosedWord]:
        """Return the words that were closed for a deal, by the seats of then, of those who still have
        theirs."""
        said = (each for seat in self.seats for each in seat.closed if each.round == number)
        return {each.seat: each.word for each in sorted(said, key=lambda each: each.seat)}

    def farewell_to(self, person: str) -> Farewell | None:
        """Return what is told to a person who has lost their seat; None: nothing."""
        return next((each for each in self.gone.farewells if each.person == person), None)

    def part(self, seat: Seat, why: FarewellReason) -> "Table":
        """Return the table after a person has lost this seat."""
        assert seat.person is not None
        others = (each for each in self.gone.farewells if each.person != seat.person)
        farewell = Farewell(seat.person, seat.language, why)
        return self._with_farewells((*others, farewell)[-FAREWELLS_MOST:])

    def welcome(self, number: int) -> "Table":
        """Return the table after a person has got this seat: if they have sat here before, nothing about that
        is told any more."""
        person = self.seats[number].person
        return self._with_farewells(tuple(each for each in self.gone.farewells if each.person != person))

    def _with_farewells(self, farewells: tuple[Farewell, ...]) -> "Table":
        return replace(self, gone=replace(self.gone, farewells=farewells))

    def with_seat(self, number: int, **changes: Any) -> "Table":
        """Return the table with one seat changed."""
        return replace(self, seats=at_seat(self.seats, number, replace(self.seats[number], **changes)))

    def note(self, *happened: Recent, **changes: Any) -> "Table":
        """Return the table with these happenings remembered, and with these changes."""
        news = replace(changes.pop("news", self.news), recent=(*self.news.recent, *happened)[-RECENT_MOST:])
        return replace(self, news=news, **changes)


Due = float | Literal["keep", "never"]
"""The time until the clock acts: seconds from now, unchanged, or never."""

LogEntry = Mapping[str, object]
"""One entry of a table's history: a round's beginning, or an action in the form of FORMATS."""


INSTEAD: Final = "instead"
"""The key of entries for moves that the clock or a computer player made in place of a seat's person."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table's new state, the entries for its history, and its clock."""

    table: Table
    entries: tuple[LogEntry, ...] = ()
    due: Due = "keep"
    communities: tuple[str, ...] = ()
    """The communities in which the table stands from now on."""
