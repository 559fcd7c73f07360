"""Request context: the person, the place and the words of a request, the data loaded to answer it, and the
answer to a refused one."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal, TypeVar

from msgspec import structs

from bot.callback_data import CallbackData, callback_text
from bot.delivery.boards import Boards
from bot.delivery.delivery import Delivery
from bot.delivery.views import Viewing
from bot.errors import Refused, sentence_key
from bot.history.archive import Archive
from bot.history.judgements import Judgements
from bot.history.matches import MatchHistory
from bot.history.records import Records
from bot.i18n import Words, words_for
from bot.ids import LeagueId, NightId, TableId, read_key, table_id
from bot.markup import Text, TileMark
from bot.people.accounts import Accounts
from bot.people.codes import Codes, Invitations
from bot.people.communities import Communities
from bot.people.numbers import TableNumbers
from bot.people.permissions import Admission, Organisers, Readers
from bot.people.profiles import Profile, Profiles
from bot.people.rewriting import FileRewriting
from bot.people.sessions import AppSessions
from bot.people.subscriptions import Subscriptions
from bot.ports import Answer, Person, Press, TypedCommand, platform_of
from bot.repository.daily import DailyBoards
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.offer import SURE
from bot.screens.parts import say_on
from bot.screens.policies import Operator
from bot.screens.switches import switch_name
from bot.store import Store
from bot.tables.facts import TableFacts, table_facts
from bot.tables.names import clean_name
from bot.tables.play import Delays, Entropy, NameRound
from bot.tables.table import COMPUTER_LEVELS, Change, ComputerLevel, Seat, Table
from bot.tables.turns import present
from engine.tiles import Tile

PRESENCE_SECONDS: Final = 5.0
"""Seconds between two notes of presence by requests that change nothing else; less than any clock's
warning."""

Readership = Literal["reads", "invited", "no"]
"""Whether a person can read one of a table's places, or is invited to the table alone."""

A = TypeVar("A", Person, Press, TypedCommand)

REPLAY: Final = "press "
"""Begins the target of a link that carries out a press."""

_SWITCHES: Final = ("switch", "first", "second")
"""Values of refusals that are names of switches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that handlers work with, over one store."""

    store: Store
    repository: TableRepository
    leagues: LeagueRepository
    people: Profiles
    accounts: Accounts
    communities: Communities
    organisers: Organisers
    admission: Admission
    readers: Readers
    codes: Codes
    sessions: AppSessions
    rewriting: FileRewriting
    invitations: Invitations
    subscriptions: Subscriptions
    numbers: TableNumbers
    history: MatchHistory
    archive: Archive
    records: Records
    judgements: Judgements
    delivery: Delivery
    viewing: Viewing
    boards: Boards
    daily: DailyBoards
    delays: Delays
    entropy: Entropy
    name_round: NameRound
    turn_seconds: int
    """Seconds for a turn at a new table where none are set."""
    operator: Operator
    """Who runs the bot, for its policies."""
    web_url: str
    """The public address of the program's web server; empty: none."""


@dataclass(slots=True, kw_only=True)
class RequestContext:
    """A press or a typed command under way, and what is known of the person."""

    services: Services
    by: Person
    place: str | None
    """The place of the press or command; None in a private chat."""
    private: bool
    """Whether nobody else sees the message with the button or command."""
    reads_from: str | None
    """The place in which the platform says that the person acts: they can read it. None in a private chat."""
    id: str
    """The platform's id of the request."""
    data: CallbackData
    """The data of the button; for a command, the verb alone."""
    by_session: bool = False
    """Whether a session of the app speaks for the person. It grants nothing that changes who they are."""
    pressed: bool = True
    """Whether a button was pressed; False: a command was typed."""
    text: str = ""
    """The words after the command."""
    other: str | None = None
    """The person's account on another platform."""
    profile: Profile = Profile()  # noqa: RUF009 - it never changes
    """The person's current profile."""
    may_read: dict[TableId, Readership] = field(default_factory=dict)
    """Whether they may read tables, as far as that has been found out for this request."""

    @property
    def words(self) -> Words:
        """The words in the person's own language."""
        return words_for(self.by.language)

    @property
    def verb(self) -> str:
        """The verb of the request."""
        return self.data.verb

    @property
    def action(self) -> str:
        """The name of this request in a commit. A request delivered twice is carried out once."""
        return f"{self.by.key} {self.id}"

    @property
    def table(self) -> TableId:
        """The button's table. Raises Refused `unknown_table` when it is no table's id."""
        match read_key(self.data.target):
            case "table", table:
                return table
        raise Refused("unknown_table")

    @property
    def night(self) -> NightId:
        """The button's night. Raises Refused `unknown_night` when it is no night's id."""
        match read_key(self.data.target):
            case "night", night:
                return night
        raise Refused("unknown_night")

    @property
    def league(self) -> LeagueId:
        """The button's league."""
        return LeagueId(self.data.target)

    @property
    def here(self) -> str:
        """The place. Raises Refused `here_only` in a private chat."""
        if self.place is None:
            raise Refused("here_only", where=platform_of(self.by.key))
        return self.place

    @property
    def now(self) -> float:
        """Seconds since the epoch by the store's clock."""
        return self.services.store.clock()

    @property
    def press(self) -> str:
        """The text of the button."""
        return callback_text(self.data.verb, self.data.target, self.data.moment, *self.data.arguments)

    @property
    def is_sure(self) -> bool:
        """Return whether the button, or a question before it, has told what the act costs."""
        return self.data.arguments[-1:] == (SURE,)

    def argument(self, number: int = 0) -> str:
        """An argument of the button. Raises Refused `unknown_button` when it has none."""
        try:
            return self.data.arguments[number]
        except IndexError:
            raise Refused("unknown_button") from None

    def number(self, number: int = 0) -> int:
        """An argument that is a number. Raises Refused `unknown_button`."""
        text = self.argument(number)
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise Refused("unknown_button")
        return int(text)

    def number_or_0(self, number: int) -> int:
        """Return an argument as a number; 0 when the button has no such argument."""
        return self.number(number) if len(self.data.arguments) > number else 0

    def seat(self, stored: StoredTable) -> int:
        """The person's seat: always found from the person, never from the button. Raises `not_seated`."""
        seat = stored.value.seat_of(self.by.key)
        if seat is None:
            raise Refused("not_seated")
        return seat

    def find_view_place(self, table: Table) -> str | None:
        """The place whose number for a table the person knows: this one, else that on their own screen."""
        here = self.place
        if here is not None and table.rooms.get(here, here) in table.numbers:
            return here
        return self.services.viewing.place_for(table, self.by.key)

    def facts(self, stored: StoredTable) -> TableFacts:
        """The facts of a table for screens, called by the number that the person knows."""
        return table_facts(stored.value, stored.deadline, self.find_view_place(stored.value))

    async def load_person(self) -> None:
        """Load the person. Seats that they took under their other account move to this one."""
        self.other = await self.services.accounts.follow(self.by)
        self.profile = await self.services.people.load(self.by.key)
        chat = self.services.people.chat_of(self.by.key)
        if self.private and chat is not None and chat.leads_to_private and not self.profile.private_open:
            await self.services.people.note_reached(self.by.key)
            self.profile = replace(self.profile, private_open=True)
        if self.profile.language:
            self.by = replace(self.by, language=self.profile.language)

    async def change_profile(self, function: Callable[[Profile], Profile]) -> None:
        """Change the person's profile, as by `Profiles.change`."""
        await self.services.people.change(self.by.key, function)
        self.profile = await self.services.people.load(self.by.key)

    @property
    def replay(self) -> str:
        """The target of a link that opens the private chat and carries out this press there."""
        target, arguments = self.data.target, self.data.arguments
        return REPLAY + callback_text(self.data.verb, target, self.data.moment, *arguments)

    async def opening_token(self, target: str) -> str | None:
        """A new single-use token for a link that opens the private chat and leads on to a table or night;
        None where none is needed."""
        if self.profile.private_open:
            return None
        return await self.services.people.opening_token(self.by.key, target)


def this_move(context: RequestContext, stored: StoredTable) -> None:
    """Raises Refused `old_button` when the game has moved on since the button was made."""
    if context.data.moment != stored.value.moment:
        raise Refused("old_button")


def this_turn(context: RequestContext, stored: StoredTable) -> None:
    """Raises Refused `old_button` when a turn has ended since the button was made."""
    if context.data.moment != stored.value.turn_number:
        raise Refused("old_button")


def joining_seat(context: RequestContext, stored: StoredTable) -> Seat:
    """Return a seat for the person, who joins a table that they may read."""
    seat = new_seat(context.by, context.profile, stored.now)
    return structs.replace(seat, guest=context.may_read.get(stored.value.id) == "invited")


def new_seat(person: Person, profile: Profile, now: float) -> Seat:
    """A seat for a person who joins."""
    return Seat(
        person=person.key,
        name=clean_name(person.name),
        language=person.language[:16],
        stand_in=profile.stand_in,
        seen=now,
    )


def read_level(name: str) -> ComputerLevel:
    """The level of computer players that a button names. Raises Refused `unknown_button`."""
    for level in COMPUTER_LEVELS:
        if level == name:
            return level
    raise Refused("unknown_button")


async def new_table_id(store: Store, place: str, person: str, id: str) -> TableId:
    """The id of the table that a command or press opens. A request delivered twice opens one table."""
    return table_id(await store.secret_digest("table", place, person, id))


def notice_person(context: RequestContext, stored: StoredTable) -> Change | None:
    """The table with the person noted as present, under their current name; None when they have no seat, when
    nothing changes, or when presence no longer matters."""
    seat = stored.value.seat_of(context.by.key)
    if seat is None or stored.value.is_over:
        return None
    there = present(stored.value, seat, stored.now, private=context.private)
    known, name = stored.value.seats[seat], clean_name(context.by.name)
    if known.name != name and stored.value.night is None:  # a night uses the names of its league's members
        return Change(there.with_seat(seat, name=name))
    old_news = known.missed == 0 and known.private_closed == there.seats[seat].private_closed
    return None if old_news and stored.now - known.seen < PRESENCE_SECONDS else Change(there)


def also_present(context: RequestContext, stored: StoredTable, change: Change) -> Change:
    """Add the person's presence to a change, for one commit."""
    there = notice_person(context, replace(stored, value=change.table))
    return change if there is None else replace(change, table=there.table)


async def note_presence(context: RequestContext) -> StoredTable | None:
    """Note at the button's table that the presser is present. Return the table; None: there is none."""
    match read_key(context.data.target):
        case "table", table:
            pass
        case _:
            return None
    repository = context.services.repository
    try:
        return await repository.change_if_there(table, None, lambda stored: notice_person(context, stored))
    except Refused:  # too busy, and nobody waits for this note
        return await repository.load(table)


def mend(asked: A) -> A:
    """Replace each half of a character (a lone surrogate) by a question mark. Platforms may send such halves,
    but no store keeps them and no chat shows them."""
    held = ((each.name, getattr(asked, each.name)) for each in fields(asked))
    broken = {name: whole for name, value in held if (whole := _whole(value)) != value}
    return replace(asked, **broken) if broken else asked


def _whole(value: Any) -> Any:
    match value:
        case str() if not value.isascii():
            return value.encode(errors="replace").decode()
        case Person():
            return mend(value)
    return value


def refusal(words: Words, refused: Refused) -> Answer:
    """The sentence for a refusal, for the person who asked."""
    told = {key: _in_words(words, key, value) for key, value in refused.values.items()}
    sentence = say_on(str(told.get("platform", "")), sentence_key(refused.code, told), words, **told)
    return Answer(notice=sentence, urgent=True, code=refused.code)


def _in_words(words: Words, key: str, value: str | int | Text) -> str | int | TileMark | Text:
    """The names of switches and commands, the tiles, and the places of a chat in a refusal; any other value
    unchanged."""
    if key in _SWITCHES and isinstance(value, str):
        return switch_name(words, value)
    if key == "where" and isinstance(value, str):
        return say_on(value, "where.public", words)
    if key == "command" and isinstance(value, str):
        return (words.type_command(value),)
    if key == "tile" and isinstance(value, str) and (code := value.removeprefix("*")) in Tile.__members__:
        return TileMark(code)
    return value
