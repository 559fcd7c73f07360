"""The whole application on a real store, with a chat that only remembers the calls it got."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar
from weakref import WeakKeyDictionary

from bot.app import Application, application
from bot.handlers.fair_share import FairShare
from bot.i18n import plain, words_for
from bot.markup import Button, Clock, Link, Page, PublicScreen, SeatScreen, Text, Typed
from bot.ports import (
    Answer,
    Chat,
    CommunityRole,
    Features,
    Limits,
    Links,
    NotPermitted,
    Person,
    Places,
    Press,
    PrivateClosed,
    RateLimit,
    Right,
    ScheduledEvent,
    Surface,
    TypedCommand,
)
from bot.screens.policies import Operator
from bot.store import Store
from bot.tables.play import Delays
from bot.worker.beacon import BeaconClient

PLACE = "mem:hall"
S = TypeVar("S", PublicScreen, SeatScreen)


@dataclass
class MemoryLimits(Limits):
    """Limits that a test sets."""

    places: tuple[RateLimit, ...] = ()
    """The limits of every place."""

    def public(self, place: str) -> tuple[RateLimit, ...]:
        return self.places

    def urgent(self, place: str) -> tuple[RateLimit, ...]:
        return tuple(each._replace(calls=each.calls + 1) for each in self.places)

    def private(self, person: str) -> tuple[RateLimit, ...]:
        return ()


class MemoryLinks(Links):
    """Links to the bot of a chat, once it has a name."""

    def __init__(self, chat: "MemoryChat") -> None:
        self._chat = chat

    @property
    def home(self) -> Link | None:
        address = self._address("")
        return None if address is None else Link(self._chat.name, address)

    @property
    def add(self) -> str | None:
        return self._address("?startgroup=okey")

    def app(self, invitation: str) -> str | None:
        bot = self._chat.bot_name
        return f"https://t.me/{bot}/table?startapp={invitation}" if bot else None

    def start(self, payload: str) -> str | None:
        return self._address(f"?start={payload}")

    def share(self, payload: str, words: str) -> None:
        return None

    def _address(self, rest: str) -> str | None:
        return f"https://chat.test/{self._chat.bot_name}{rest}" if self._chat.bot_name else None


class MemoryPlaces(Places):
    """The places of a chat, as it remembers them."""

    def __init__(self, chat: "MemoryChat") -> None:
        self._chat = chat

    def name(self, place: str) -> str:
        return ""

    def link(self, place: str) -> Link | None:
        return Link(place, f"https://chat.test/{place}")

    def message_link(self, place: str, message: str) -> str | None:
        return f"https://chat.test/{message}"

    async def community(self, place: str) -> str:
        return self._chat.communities.get(place, place.partition("/")[0])

    async def organises(self, person: str, place: str) -> bool:
        if self._chat.refuse_asking:
            raise self._chat.refuse_asking.pop(0)
        return (person, place) in self._chat.organisers

    async def reads(self, person: str, place: str) -> bool | None:
        return (person, place) in self._chat.readers


@dataclass
class MemoryChat(Chat):
    """A chat that remembers everything it was asked to show, newest last."""

    name: str = "mem"
    private_everywhere: bool = True
    draws_tables: bool = True
    has_forms: bool = False
    opens_app: frozenset[Surface] = frozenset()
    limits: MemoryLimits = field(default_factory=MemoryLimits)
    closed: set[str] = field(default_factory=set)
    messages: dict[str, PublicScreen | SeatScreen | Page | Text] = field(default_factory=dict)
    """What each message shows now, by its reference, oldest first."""
    deleted: set[str] = field(default_factory=set)
    """Messages that people deleted."""
    tables: list[tuple[str, PublicScreen, bool]] = field(default_factory=list)
    racks: list[tuple[str, SeatScreen, bool]] = field(default_factory=list)
    lines: dict[str, tuple[Sequence[Person], Text]] = field(default_factory=dict)
    """Lines posted in places, by reference."""
    line_names: list[str] = field(default_factory=list)
    """The name of each line that was to be posted, by which a platform can tell one that comes twice."""
    opening: dict[str, str] = field(default_factory=dict)
    """The payloads of buttons that open the private chat, by line."""
    taken_back: list[str] = field(default_factory=list)
    disarmed: list[str] = field(default_factory=list)
    """Messages of places and people that lost their buttons."""
    removed: list[str] = field(default_factory=list)
    """Messages of places that were deleted."""
    last: list[tuple[str, PublicScreen, str]] = field(default_factory=list)
    """Lobbies and results shown in messages that newer ones had replaced: places, screens, messages."""
    celebrated: list[str] = field(default_factory=list)
    """Messages of places that got a reaction to the end of their match."""
    refuse_buttons: list[Exception] = field(default_factory=list)
    """Exceptions for the next calls that take buttons or show such a lobby or result."""
    covered: set[str] = field(default_factory=set)
    """People whose rack is not the last message in their chat."""
    looked_for: list[str] = field(default_factory=list)
    """People of whom delivery asked whether they see their rack."""
    silent: list[str] = field(default_factory=list)
    """People who were shown a rack without a sound."""
    below: int = 0
    """How many newer messages lie below the newest table."""
    refuse_lines: list[Exception] = field(default_factory=list)
    refuse: list[Exception] = field(default_factory=list)
    """Exceptions for the next calls."""
    refusing: dict[str, Exception] = field(default_factory=dict)
    """The exception for every call to a place or person, until it is removed."""
    refused: list[str] = field(default_factory=list)
    """The place or person of each refused call."""
    whispering: set[str] = field(default_factory=set)
    """People who can see their rack in a place, as an ephemeral message."""
    bot_name: str = ""
    """The bot whose private chat links open; empty: there are no such links."""
    commands: str = "/okey"
    """The text that replaces `/okey` in a command."""
    letters: dict[tuple[str, str], Page] = field(default_factory=dict)
    """Letters to people, by their keys and the letters' names."""
    shut: set[str] = field(default_factory=set)
    """People whose private chat must still be opened."""
    openings: int = 9
    """The most private chats that may be opened in ten minutes."""
    organisers: set[tuple[str, str]] = field(default_factory=set)
    """Organisers: a person's key and their place's."""
    communities: dict[str, str] = field(default_factory=dict)
    """Communities of places, where they are larger than a channel or group."""
    lacks: tuple[str, ...] | None = ()
    """The missing rights for rooms; None: the chat has no rooms."""
    rooms: dict[tuple[str, str], str] = field(default_factory=dict)
    asked_rooms: list[tuple[str, str]] = field(default_factory=list)
    closed_rooms: list[str] = field(default_factory=list)
    lacking: set[Right] = field(default_factory=set)
    """Rights that the bot lacks."""
    pinned: list[str] = field(default_factory=list)
    calendar: dict[str, ScheduledEvent] = field(default_factory=dict)
    """Entries of the place's calendar, by reference."""
    roles: dict[str, list[str]] = field(default_factory=dict)
    """Holders of roles, by the role's name."""
    callable: list[CommunityRole] = field(default_factory=list)
    """Roles that the bot may mention."""
    role_calls: list[tuple[str, str, Text]] = field(default_factory=list)
    """Lines that mention a role: places, roles, texts."""
    readers: set[tuple[str, str]] = field(default_factory=set)
    """Readers of places: a person's key and the place's."""
    refuse_asking: list[Exception] = field(default_factory=list)
    """Exceptions for the next questions about organisers."""

    def __post_init__(self) -> None:
        self.links = MemoryLinks(self)
        self.places: MemoryPlaces = MemoryPlaces(self)

    @property
    def features(self) -> Features:
        return Features(
            private_everywhere=self.private_everywhere,
            leads_to_private=not self.private_everywhere,
            has_forms=self.has_forms,
            draws_tables=self.draws_tables,
            opens_app=self.opens_app,
        )

    def type_command(self, typed: Typed) -> str:
        return typed.line.replace("/okey", self.commands)

    def opening_limits(self, person: str) -> tuple[RateLimit, ...]:
        return (RateLimit("mem opening", self.openings, 600.0),) if person in self.shut else ()

    async def open_private(self, person: str) -> None:
        self._refuse(person)
        self.shut.remove(person)

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        self._refuse(place)
        fresh = anew or message is None or message in self.deleted
        if not fresh and self._shows_later(message, screen):
            return str(message)
        self.tables.append((place, screen, anew))
        message = f"{place}#{len(self.tables)}" if fresh else str(message)
        self.messages[message] = screen
        return message

    def count_below(self, place: str, message: str) -> int:
        return self.below

    async def take_buttons(self, place: str, message: str) -> None:
        if self.refuse_buttons:
            raise self.refuse_buttons.pop(0)
        self.disarmed.append(message)
        if isinstance(screen := self.messages.get(message), PublicScreen):
            self.messages[message] = replace(screen, buttons=())

    async def show_last(self, place: str, screen: PublicScreen, message: str) -> None:
        if self.refuse_buttons:
            raise self.refuse_buttons.pop(0)
        if message not in self.deleted and not self._shows_later(message, screen):
            self.last.append((place, screen, message))
            self.messages[message] = screen

    async def celebrate(self, place: str, message: str) -> None:
        self._refuse(place)
        self.celebrated.append(message)

    async def remove_table(self, place: str, message: str) -> None:
        self.removed.append(message)
        self.messages.pop(message, None)

    async def remove_rack(self, person: str, message: str) -> None:
        await self.take_buttons(person, message)
        self.messages.pop(message, None)

    def same_message(self, one: str, other: str) -> bool:
        return one == other

    async def in_sight(self, person: str, message: str) -> bool:
        self.looked_for.append(person)
        newer = [each for each in self.messages if each.startswith(f"{person}#")]
        return person not in self.covered and newer[-1:] in ([], [message])

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        self._refuse(person)
        if person in self.closed:
            raise PrivateClosed
        if not notify and self._shows_later(message, screen):
            return str(message)
        if silent:
            self.silent.append(person)
        self.racks.append((person, screen, notify))
        if notify or message is None:
            message = f"{person}#{len(self.racks)}"
        self.messages[message] = screen
        return message

    async def show_rack_in_place(
        self, person: str, screen: SeatScreen, message: str | None, *, silent: bool = False
    ) -> str:
        self._refuse(person)
        if person not in self.whispering:
            raise PrivateClosed
        if silent:
            self.silent.append(person)
        self.racks.append((person, screen, False))
        return message or ""

    def shows_rack(self, person: str, table: str) -> bool:
        return person in self.whispering

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        self._refuse(person)
        if person in self.closed:
            raise PrivateClosed
        reference = f"{person}#{once}".replace(" ", "_")
        self.messages.setdefault(reference, self.letters.setdefault((person, once), page))
        return reference

    async def edit_direct(self, person: str, page: Page, message: str) -> None:
        self._refuse(person)
        (once,) = [once for key, once in self.letters if f"{key}#{once}".replace(" ", "_") == message]
        self.letters[person, once] = self.messages[message] = page

    async def post_line(
        self,
        place: str,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        opens: str | None = None,
        once: str = "",
    ) -> str:
        self.line_names.append(once)
        if place in self.refusing:
            self._refuse(place)
        if self.refuse_lines:
            raise self.refuse_lines.pop(0)
        line = f"{place}#line {len(self.lines)}"
        self.lines[line] = (calls, text)
        self.messages[line] = text
        if opens is not None:
            self.opening[line] = opens
        return line

    async def delete_line(self, place: str, message: str) -> None:
        self.taken_back.append(message)
        self.messages.pop(message, None)

    async def pin(self, place: str, message: str) -> None:
        self._permitted("pins")
        if message not in self.pinned:
            self.pinned.append(message)

    async def unpin(self, place: str, message: str) -> None:
        self.pinned = [each for each in self.pinned if each != message]

    async def set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        self._permitted("events")
        wanted = (event.title, event.start)
        same = (key for key, each in self.calendar.items() if (each.title, each.start) == wanted)
        reference = known or next(same, f"{place}#event {len(self.calendar)}")
        self.calendar[reference] = event
        return reference

    async def give_role(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        self._permitted("roles")
        wearing = self.roles.setdefault(name, [])
        wearing[:] = [each for each in dict.fromkeys((*wearing, *holders)) if each not in former]

    async def list_callable_roles(self, place: str) -> Sequence[CommunityRole]:
        return self.callable

    async def call_role(self, place: str, role: str, text: Text, *, once: str) -> bool:
        self._refuse(place)
        if role not in [each.key for each in self.callable]:
            return False
        self.role_calls.append((place, role, text))
        return True

    def _permitted(self, right: Right) -> None:
        if right in self.lacking:
            raise NotPermitted(right)

    async def open_room(self, place: str, name: str) -> str | None:
        self.asked_rooms.append((place, name))
        if self.lacks is None or self.lacks:
            return None
        return self.rooms.setdefault((place, name), f"{place}/{len(self.rooms) + 1}")

    async def close_room(self, place: str) -> None:
        self.closed_rooms.append(place)

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        return self.lacks

    def _shows_later(self, message: str | None, screen: PublicScreen | SeatScreen) -> bool:
        """Return whether a message shows a later version of the same table."""
        match self.messages.get(message or ""):
            case PublicScreen(table=table, version=version) | SeatScreen(table=table, version=version):
                return table == screen.table and version > screen.version
            case _:
                return False

    def _refuse(self, recipient: str) -> None:
        if self.refuse:
            raise self.refuse.pop(0)
        if recipient in self.refusing:
            self.refused.append(recipient)
            raise self.refusing[recipient]


class House:
    """People who use the router of an application."""

    def __init__(self, app: Application, store: Store, chat: MemoryChat) -> None:
        self.app = app
        self.store = store
        self.chat = chat
        self._numbers = itertools.count(1)

    def person(self, name: str) -> Person:
        """A person of the chat, who reads English."""
        return Person(f"mem:{name.lower()}", name, "en")

    async def type(
        self,
        person: Person,
        verb: str,
        argument: str = "",
        *,
        place: str | None = PLACE,
        id: str = "",
    ) -> Answer:
        """Type a command as this person."""
        if place is not None:
            self.reads(person, place)
        number = id or f"t{next(self._numbers)}"
        return await self.app.router.command(
            TypedCommand(by=person, place=place, verb=verb, argument=argument, id=number)
        )

    @contextmanager
    def runs(self, person: Person, place: str = PLACE) -> Iterator[None]:
        """Make a person an organiser of a place inside this."""
        self.reads(person, place)
        chat = self.app.chats[place.split(":")[0]]
        assert isinstance(chat, MemoryChat)
        chat.organisers.add((person.key, place))
        yield
        chat.organisers.discard((person.key, place))

    async def organise(self, person: Person, verb: str, argument: str = "", *, place: str = PLACE) -> Answer:
        """Type a command as a person who is an organiser of the place meanwhile."""
        with self.runs(person, place):
            return await self.type(person, verb, argument, place=place)

    async def press(
        self,
        person: Person,
        data: str,
        *,
        private: bool = True,
        place: str = PLACE,
        id: str = "",
        typed: str = "",
    ) -> Answer:
        """Press a button, in private or at the table; `typed`: in its form."""
        if not private:
            self.reads(person, place)
        return await self.app.router.press(
            Press(
                by=person,
                place=None if private else place,
                surface="private" if private else "public",
                data=data,
                id=id or f"p{next(self._numbers)}",
                typed=typed,
            )
        )

    def reads(self, person: Person, place: str = PLACE) -> None:
        """Make a person a reader of a place, as its chat knows it. Whoever acts in a place is one."""
        chat = self.app.chats.get(place.split(":")[0])
        if isinstance(chat, MemoryChat):
            chat.readers.add((person.key, place))

    async def open(self, *people: Person, words: str = "") -> str:
        """Open a table as the first person, beside an open lobby if there is one, and let the others join.
        Return its id."""
        before = set(await self.store.index.tables_at(PLACE))
        answer = await self.type(people[0], "play", words)
        if answer.page is not None:
            for another in offers(answer.page, "another"):
                await self.press(people[0], another.press)
        (table,) = set(await self.store.index.tables_at(PLACE)) - before
        for person in people[1:]:
            await self.press(person, f"join.{table}.0", private=False)
        return table

    async def look(self, table: str = "", *, place: str = PLACE) -> PublicScreen:
        """Return the screen of a place's table: with this id or number, or the newest that is open."""
        found = await self.app.tables.load_many(await self.store.index.tables_at(place))
        meant = [each for each in found if table in ("", each.value.id, each.value.number_in(place))]
        newest = max(meant, key=lambda each: (each.value.stage != "closed", each.value.opened_at))
        return self.app.router._services.viewing.public(newest, place)

    async def rack(self, person: Person, table: str, *, private: bool = True) -> SeatScreen:
        """A person's own screen."""
        screen = (await self.press(person, f"rack.{table}.0", private=private)).private
        assert screen is not None
        return screen

    async def on_turn(self, table: str, *people: Person, private: bool = True) -> Person:
        """The person whose rack offers to draw or to discard."""
        for person in people:
            if offers(await self.rack(person, table, private=private), "draw", "ask_finish"):
                return person
        raise AssertionError("it is nobody's turn")


def offers(screen: SeatScreen | PublicScreen | Page, *verbs: str) -> list[Button]:
    """A screen's buttons with these verbs."""
    return [b for row in screen.buttons for b in row if b.press.split(".")[0] in verbs]


def without_clock(screen: S) -> S:
    """A screen without its clock, which is postponed while a slow machine gives the worker no processor, and
    then not shown anew for some seconds."""
    return replace(screen, text=tuple(part for part in screen.text if not isinstance(part, Clock)))


def said(answer: Answer) -> str:
    """An answer's notice in plain English."""
    return plain(answer.notice, words_for("en"))


def page_of(answer: Answer) -> Page:
    """An answer's page. Without one, the notice says why."""
    assert answer.page is not None, said(answer)
    return answer.page


_READERS: WeakKeyDictionary[Store, set[tuple[str, str]]] = WeakKeyDictionary()
"""Who reads the chat's places: as true in one process of a store as in the next."""


@asynccontextmanager
async def open_house(
    store: Store,
    *,
    turn: int = 60,
    computer: float = 0.0,
    next_round: float = 60.0,
    full_lobby: float = 0.0,
    work: bool = True,
    web_url: str = "",
    operator: Operator = Operator(),  # noqa: B008 - it never changes
    clock: Callable[[], float] | None = None,
    share: FairShare | None = None,
    beacon: BeaconClient | None = None,
) -> AsyncIterator[House]:
    """A house on a store. `work`: clocks and computer players run; `clock`: the leagues' clock."""
    app = application(
        store,
        delays=Delays(computer=computer, next_round=next_round, full_lobby=full_lobby),
        turn_seconds=turn,
        web_url=web_url,
        operator=operator,
        clock=clock,
        share=share,
        beacon=beacon,
    )
    chat = MemoryChat(readers=_READERS.setdefault(store, set()))
    app.chats["mem"] = chat
    worker = asyncio.create_task(app.worker.run()) if work else None
    try:
        yield House(app, store, chat)
    finally:
        if worker is not None:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
        await app.delivery.close()
