"""Request context: the person, the place and the words of a request, and the data loaded to answer it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from bot.callback_data import CallbackData, callback_text
from bot.delivery.views import place_near
from bot.errors import Refused
from bot.handlers.services import Services
from bot.i18n import Words, words_for
from bot.ids import LeagueId, NightId, TableId, read_key
from bot.people.profiles import Profile
from bot.ports import Person, platform_of
from bot.repository.tables import StoredTable
from bot.screens.offer import SURE
from bot.tables.facts import TableFacts, table_facts
from bot.tables.table import COMPUTER_LEVELS, ComputerLevel, Table

Readership = Literal["reads", "invited", "no"]
"""Whether a person can read one of a table's places, or is invited to the table alone."""


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
    """The words after the command, or in the button's form."""
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
    def starts_in(self) -> float:
        """Seconds after which a full lobby starts by itself; 0: its host starts it."""
        return self.services.dealing.delays.full_lobby

    @property
    def press(self) -> str:
        """The text of the button."""
        return callback_text(self.data.verb, self.data.target, self.data.moment, *self.data.arguments)

    @property
    def is_sure(self) -> bool:
        """Return whether the button, or a question before it, has told what the act costs."""
        return self.data.arguments[-1:] == (SURE,)

    @property
    def can_be_asked(self) -> bool:
        """Return whether the person's chat asks for text where a button wants some."""
        chat = self.services.people.chat_of(self.by.key)
        return chat is not None and chat.features.has_forms and not self.by_session

    def argument(self, number: int = 0) -> str:
        """Return an argument of the button. Raises Refused `unknown_button` when it has none."""
        try:
            return self.data.arguments[number]
        except IndexError:
            raise Refused("unknown_button") from None

    def number(self, number: int = 0) -> int:
        """Return an argument that is a number. Raises Refused `unknown_button`."""
        text = self.argument(number)
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise Refused("unknown_button")
        return int(text)

    def number_or_0(self, number: int) -> int:
        """Return an argument as a number; 0 when the button has no such argument."""
        return self.number(number) if len(self.data.arguments) > number else 0

    def seat(self, stored: StoredTable) -> int:
        """Return the person's seat: always found from the person, never from the button. Raises
        `not_seated`."""
        seat = stored.value.seat_of(self.by.key)
        if seat is None:
            raise Refused("not_seated")
        return seat

    def find_view_place(self, table: Table) -> str | None:
        """Return the place whose number for a table the person knows: this one, else that on their own
        screen."""
        here = self.place
        if here is not None and table.postings.rooms.get(here, here) in table.postings.numbers:
            return here
        return place_near(table, self.by.key, self.services.people.chat_of)

    def facts(self, stored: StoredTable) -> TableFacts:
        """Return the facts of a table for screens, called by the number that the person knows."""
        return table_facts(stored.value, stored.deadline, self.find_view_place(stored.value))

    async def load_person(self) -> None:
        """Load the person. Seats that they took under their other account move to this one."""
        self.other = await self.services.accounts.follow(self.by)
        self.profile = await self.services.people.load(self.by.key)
        chat = self.services.people.chat_of(self.by.key)
        leads_there = chat is not None and chat.features.leads_to_private
        if self.private and leads_there and not self.profile.private_open:
            await self.services.people.note_reached(self.by.key)
            self.profile = replace(self.profile, private_open=True)
        if self.profile.language:
            self.by = replace(self.by, language=self.profile.language)

    async def change_profile(self, function: Callable[[Profile], Profile]) -> None:
        """Change the person's profile, as by `Profiles.change`."""
        await self.services.people.change(self.by.key, function)
        self.profile = await self.services.people.load(self.by.key)

    async def opening_token(self, target: str) -> str | None:
        """Return a new single-use token for a link that opens the private chat and leads on to a table or
        night; None where none is needed."""
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


def read_level(name: str) -> ComputerLevel:
    """Return the level of computer players that a button names. Raises Refused `unknown_button`."""
    for level in COMPUTER_LEVELS:
        if level == name:
            return level
    raise Refused("unknown_button")
