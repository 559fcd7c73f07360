"""Ports: what a chat must offer and what it is given, as values and protocols.

An adapter turns what a person did into a `Press` or a `TypedCommand`, hands it to the router, and shows the
`Answer`; and it carries out what delivery asks through the `Chat` protocol. Persons and places are
keys: the chat's short name, a colon, the platform's own id. `tg:4711`, `dc:123456789`, `web:ab12`;
a place may name a thread or topic after a slash: `tg:-1001234/17`, `dc:987/654`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from bot.commands import ArgumentKind
from bot.markup import Link, Page, PublicScreen, SeatScreen, Text, Typed

Surface = Literal["public", "private"]
"""Where the pressed button stood: on a place's table message, or where one person alone sees it."""


def channel_of(place: str) -> str:
    """The channel or group that a thread or topic belongs to."""
    return place.partition("/")[0]


def platform_of(key: str) -> str:
    """The platform of a person or place, by its short name: `tg`, `dc`, `web`."""
    return key.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Person:
    """The person who acts, as their platform describes them now. Never taken from a button."""

    key: str
    name: str
    """As given by the platform; cleaned by the application."""
    language: str = ""
    """The platform's language tag (`tr`, `en-US`), or empty when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A button was pressed."""

    by: Person
    place: str | None
    """The place of the message; None in a private chat, and where the message stands in a place but one
    person alone sees it: of the public `surface`, for it does not show that private messages reach them."""
    surface: Surface
    data: str = field(repr=False)
    """The button's text, which may name a tile of theirs."""
    id: str
    """The platform's id of this press: the same press delivered twice has the same id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCommand:
    """A command was typed: `verb` such as `play`, `rack`, `help`, `start`; `argument` may be empty."""

    by: Person
    place: str | None
    verb: str
    argument: str = field(repr=False)
    """What no log repeats: it may be a link's secret."""
    id: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What somebody may mean while they type."""

    value: str
    """As it stands in the line."""
    words: str
    """What they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the one who pressed or typed gets at once. Everything else is delivered."""

    notice: Text = field(default=(), repr=False)
    """For them alone: an alert, an ephemeral reply, a line on the page."""
    urgent: bool = False
    """The notice must be read (an alert window rather than a passing line)."""
    private: SeatScreen | None = None
    """Their own screen, to be shown only where they alone see it."""
    private_message: str = ""
    """The message in their private chat that shows it, as far as there is one: its reference."""
    public: PublicScreen | None = None
    """The place's newest screen, when they pressed on the place's message."""
    public_message: str = ""
    """The message in the place that shows it: no other is to show it, too."""
    page: Page | None = None
    """Something for them to read, shown to them alone so that nobody else is disturbed."""
    open_private: str | None = field(default=None, repr=False)
    """Start payload (A-Z a-z 0-9 _ -, at most 64) of a deep link that opens the private chat."""
    launch: bool = False
    """Whether the chat is to open its app to them."""
    code: str = ""
    """Why it was refused, for the program (`no_table`, `store_away`, …); empty when it was not."""


class ChatRefused(Exception):
    """The platform refused the bot itself: a wrong token, a missing switch. Not worth a retry.

    `code` is `bad_token`, `missing_intent`, `unreachable`, `port_taken` or `bad_address`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PrivateClosed(Exception):
    """The person cannot be reached in private (blocked the bot, never opened it, closed messages)."""


class PlaceRefused(Exception):
    """The bot can't write in that place as things stand: it lacks a right, or a topic is closed.

    `reason` is the platform's own word for it, for the log.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class PlaceDeleted(PlaceRefused):
    """That place is there no more."""


class UnknownRefusal(Exception):
    """The platform refuses, nobody knows why: the same call will hardly be taken soon. `reason` as above."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PlaceMoved(Exception):
    """The place has a new key (a group became a supergroup)."""

    def __init__(self, new_place: str) -> None:
        super().__init__(new_place)
        self.new_place = new_place


class RetryAfter(Exception):
    """The platform asks for patience for this one target, or could not be reached just now."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


Right = Literal["events", "roles", "pins"]
"""What the bot may be kept from: a community's calendar, its roles, pinning."""


class NotPermitted(Exception):
    """The bot lacks a right there. Its organisers can grant it and are told; the rest goes on."""

    def __init__(self, right: Right) -> None:
        super().__init__(right)
        self.right: Right = right


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledEvent:
    """What stands on a community's calendar. Times are seconds since the epoch."""

    title: str
    """At most 100 characters; with place and start it tells the event from others."""
    words: str
    """At most 1000 characters."""
    start: float
    end: float
    stage: Literal["ahead", "running", "past"]
    """`past` as well when it is called off."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `calls` calls in any `seconds` seconds for everything that shares `scope`."""

    scope: str
    calls: int
    seconds: float


class Chat(Protocol):
    """What delivery asks of a chat. One object per platform.

    Every method that sends may raise `RetryAfter`; nothing is retried inside for longer than 2 s.
    """

    @property
    def name(self) -> str:
        """The short name that begins this chat's keys: `tg`, `dc`, `web`."""
        ...

    @property
    def private_everywhere(self) -> bool:
        """Whether a person with closed messages can still get their rack with buttons in the place."""
        ...

    @property
    def leads_to_private(self) -> bool:
        """Whether a link can open the private chat, and should: a rack is best there."""
        return not self.private_everywhere

    def public_limits(self, place: str) -> tuple[RateLimit, ...]:
        """What every message or edit in a place is charged to, before it is made: limits of the same
        scope side by side, the widest scope last."""
        ...

    def urgent_limits(self, place: str) -> tuple[RateLimit, ...]:
        """The same for what cannot wait until tables leave room: a line that calls somebody to their turn."""
        return self.public_limits(place)

    def private_limits(self, person: str) -> tuple[RateLimit, ...]:
        """The same for a private message or edit."""
        ...

    def opening_limits(self, person: str) -> tuple[RateLimit, ...]:
        """What the first private message is charged to besides; nothing when the way to them is open."""
        return ()

    async def open_private(self, person: str) -> None:
        """Open the way to a person who will be written to soon, where that is a call of its own.

        Raises PrivateClosed.
        """
        return

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        """Show the table in a place and return the message's reference (opaque, without spaces, at most 200
        bytes).

        Edits `message` when there is one and `anew` is false; posts a new message otherwise, or when
        the old one is gone. Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def take_buttons(self, place: str, message: str) -> None:
        """Take the buttons off a table's message that a newer one has replaced, where it is still there.

        Raises PlaceRefused, PlaceMoved.
        """
        return

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        """Show a person their own screen in private and return the message's reference.

        An edit of `message` unless `notify` asks for a new message (an edit notifies nobody), or the
        old one is gone; a `silent` one makes no sound. Raises PrivateClosed.
        """
        ...

    async def remove_rack(self, person: str, message: str) -> None:
        """Remove a rack that a newer message has replaced, or take its buttons, where it is still there.

        Raises PrivateClosed.
        """
        return

    def same_message(self, one: str, other: str) -> bool:
        """Whether two references, which may say what a message is made of, are to the same one."""
        return one == other

    async def in_sight(self, person: str, message: str) -> bool:
        """Whether a rack is what a person sees who opens their private chat: nothing was written below it.

        False while nobody knows.
        """
        return False

    @property
    def opens_app(self) -> frozenset[Surface]:
        """On which messages a button can open the table as an app."""
        return frozenset()

    @property
    def home(self) -> Link | None:
        """A link to where people meet the bot, named as the platform; None while there is none."""
        return None

    def add_link(self) -> str | None:
        """An address by which somebody adds the bot to a group of theirs."""
        return None

    def app_link(self, invitation: str) -> str | None:
        """An address that opens the app for who is invited to a table; None where there is none."""
        return None

    def shows_rack(self, person: str, table: str) -> bool:
        """Whether a place shows somebody their rack, to them alone, and `show_rack` can still change it."""
        return False

    def start_link(self, payload: str) -> str | None:
        """An address that opens the private chat, where people have to do that themselves, and starts it with
        a payload (A-Z a-z 0-9 _ -, at most 64)."""
        return None

    async def send_direct(self, person: str, page: Page, once: str) -> None:
        """Hand a person a page in private: a new message, which notifies them.

        Handed again under the same name `once` within minutes, it stays one message where the platform can
        tell. Raises PrivateClosed.
        """
        ...

    def link(self, place: str, message: str) -> str | None:
        """An address that leads to a message in a place; None when the platform has none for it."""
        return None

    async def post_line(self, place: str, text: Text, *, calls: Sequence[Person] = ()) -> str:
        """Post a short line in a place and return its reference, as of a table's message.

        It begins with the names of whom it `calls`, so that the platform notifies them and nobody else.
        Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def delete_line(self, place: str, message: str) -> None:
        """Delete a line that `post_line` posted. No harm is done when it stays."""
        ...

    async def pin(self, place: str, message: str) -> None:
        """Pin a message of ours so that it is found at once, notifying nobody; some have none of it.

        Pinned again, it stays pinned. Raises NotPermitted `pins`, PlaceRefused, PlaceMoved.
        """
        return

    async def unpin(self, place: str, message: str) -> None:
        """Pin it no longer. No harm is done when it stays."""
        return

    async def set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        """Have the calendar of a place's community show an event, and return its reference there.

        `known` is the reference from before, or empty: then it is found by title, place and start, so that
        doing it twice makes one. Empty where the platform has no calendar. What people took off it stays off.
        Raises NotPermitted `events`.
        """
        return ""

    async def give_role(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        """Have just these people hold a role of a place's community, which is made where there is none.

        `former` are those who may hold it still; who is not there is passed over. Nothing where the platform
        has no roles. Raises NotPermitted `roles`.
        """
        return

    async def organises(self, person: str, place: str) -> bool:
        """Whether a person of this chat runs one of its places, as the platform says now. Asked at each use.

        False for what is no key of a place. Raises RetryAfter while the platform does not say.
        """
        ...

    async def reads(self, person: str, place: str) -> bool:
        """Whether a person of this chat can read one of its places, as the platform says now.

        False where the platform doesn't tell. Raises RetryAfter while it does not answer.
        """
        return False

    async def community(self, place: str) -> str:
        """The key of the whole that a place belongs to: a server, a group with all its topics, the page.

        It is the key of a place, or begins like one. Raises RetryAfter while the platform does not say.
        """
        ...

    async def open_room(self, place: str, name: str) -> str | None:
        """Open a thread or topic for a place and return its key, as the key of a place.

        One of that name that is open already is that room, where the platform can tell. None where there
        can be none, or the bot may open none. Raises PlaceRefused, PlaceMoved.
        """
        return None

    async def close_room(self, place: str) -> None:
        """Close a room that was opened so; it can still be read. No harm is done when it stays open."""
        return

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        """What the bot lacks to open rooms for a place, as the platform's own settings name it.

        None where there are no rooms at all. Raises RetryAfter while the platform does not say.
        """
        return None

    def written(self, typed: Typed) -> str:
        """A command as it is typed there."""
        return typed.line

    def place_link(self, place: str) -> Link | None:
        """A link to a place, named as its people know it; None when the platform has none."""
        return None


class Dispatcher(Protocol):
    """The one door through which everything that people do comes in."""

    async def press(self, press: Press) -> Answer:
        """Carry out a button. Never raises for what a person did: a refusal is an answer."""
        ...

    async def command(self, typed: TypedCommand) -> Answer:
        """Carry out a command. An unknown one is answered with a sentence."""
        ...

    async def suggest(self, typed: TypedCommand, kind: ArgumentKind) -> Sequence[Suggestion]:
        """What may stand in an argument of this kind; `typed` holds what somebody has of it so far."""
        ...


@dataclass(frozen=True, slots=True)
class AppView:
    """What somebody's own page is to show anew."""

    tables: tuple[PublicScreen, ...]
    racks: tuple[SeatScreen, ...]
    gone: tuple[str, ...]
    """Tables that they see no longer."""


class SessionOver(Exception):
    """Nobody is known by that token any more: they have to come in again."""


class DeliveryPort(Protocol):
    """What adapters tell delivery."""

    async def shown(self, target: str, table: str, message: str, revision: int) -> None:
        """A place or person (`target`) now sees `table` at `revision` in `message`.

        Called after a screen was shown in the answer to a press, so that it is not sent again.
        """
        ...

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        """Charge one call; 0 when it may be made now, else the seconds to wait (nothing charged)."""
        ...

    async def wrote(self, person: str, message: str) -> None:
        """The last message in a person's private chat is this one now; empty: one that is no rack.

        Called before the bot writes there, with an empty reference, and after a rack was sent; and when the
        person themselves wrote something.
        """
        ...

    async def last_message(self, person: str) -> str:
        """What `wrote` was told last; empty, too, when nothing is known."""
        ...

    async def moved(self, place: str, new_place: str) -> None:
        """A place has a new key; its tables follow."""
        ...

    async def reopened(self, channels: Collection[str]) -> None:
        """The platform reports that what the bot may do in these channels or groups has changed: where it was
        refused, it is tried again at once."""
        ...
