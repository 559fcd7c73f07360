"""Ports: what a chat must offer and what it is given, as values and protocols.

An adapter turns a person's action into a `Press` or a `TypedCommand`, hands it to the router, and shows the
`Answer`. It also carries out the requests of delivery through the `Chat` protocol. Persons and places are
keys: the chat's short name, a colon, the platform's own id. `tg:4711`, `dc:123456789`, `web:ab12`; a place
may name a thread or topic after a slash: `tg:-1001234/17`, `dc:987/654`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from bot.commands import ArgumentKind
from bot.markup import Link, Page, PublicScreen, SeatScreen, Text, Typed

Surface = Literal["public", "private"]
"""The location of the pressed button: on a place's table message, or where only one person sees it."""


def channel_of(place: str) -> str:
    """Return the channel or group that a thread or topic belongs to."""
    return place.partition("/")[0]


def platform_of(key: str) -> str:
    """Return the platform of a person or place, by its short name: `tg`, `dc`, `web`."""
    return key.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Person:
    """The person who acts, as their platform describes them now. Never taken from a button."""

    key: str
    name: str
    """As given by the platform; cleaned by the application."""
    language: str = ""
    """The platform's language tag (`tr`, `en-US`), or empty when unknown."""


def limit_answer(event: "Press | TypedCommand") -> "RateLimit":
    """Return the limit of the one answer to a press or a command, however often it is delivered. No platform
    delivers a command again after a day, and none takes an answer to an older press than these."""
    seconds = 900 if isinstance(event, Press) else 86400
    return RateLimit(f"answer:{event.by.key}:{event.id}", calls=1, seconds=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A press of a button."""

    by: Person
    place: str | None
    """The place of the message; None in a private chat. Also None if the message is in a place but only one
    person sees it; `surface` is then public, since that does not show that private messages reach them."""
    surface: Surface
    data: str = field(repr=False)
    """The button's text, which may name a tile of theirs."""
    id: str
    """The platform's id of this press: the same press delivered twice has the same id."""
    by_session: bool = False
    """Whether a session of the app speaks for the person, and not their platform."""
    typed: str = field(default="", repr=False)
    """What they typed in the button's form (`bot.commands.DECLARED_FORMS`). Never logged."""
    within: str | None = None
    """The place in which they pressed, also if only they see the message; the platform says so, and they can
    read it. None: `place`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCommand:
    """A typed command: `verb` such as `play`, `rack`, `help`, `start`; `argument` may be empty."""

    by: Person
    place: str | None
    verb: str
    argument: str = field(repr=False)
    """Never logged: it may be a link's secret."""
    id: str
    by_session: bool = False
    """As in a `Press`."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value that somebody may mean while they type."""

    value: str
    """Its form in the line."""
    words: str
    """The words shown for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The immediate answer to a press or a command. Everything else is delivered."""

    notice: Text = field(default=(), repr=False)
    """A text for them only: an alert, an ephemeral reply, a line on the page."""
    urgent: bool = False
    """Whether the notice must be read (an alert window rather than a passing line)."""
    private: SeatScreen | None = None
    """Their own screen, to be shown only where nobody else sees it."""
    brief: str = field(default="", repr=False)
    """Their rack in at most 200 UTF-16 code units, for an alert where the screen cannot be shown; empty: as
    much of its text as fits has to do."""
    private_message: str = ""
    """The reference of the message in their private chat that shows it, if there is one."""
    public: PublicScreen | None = None
    """The place's newest screen, when they pressed on the place's message."""
    public_message: str = ""
    """The message in the place that shows it, so that no other message shows it as well."""
    page: Page | None = None
    """Something for them to read, shown only to them so that nobody else is disturbed."""
    open_private: str | None = field(default=None, repr=False)
    """Start payload (A-Z a-z 0-9 _ -, at most 64) of a deep link that opens the private chat."""
    launch: bool = False
    """Whether the chat is to open its app for them."""
    code: str = ""
    """The reason of a refusal, for the program (`no_table`, `store_away`, …); empty: not refused."""
    language: str = field(default="", compare=False)
    """The language that the person chose, or that of their app, for what a chat adds; empty: that of their
    app."""

    @property
    def page_with_notice(self) -> Page | None:
        """The page with the notice above it, so that one message shows both; None: there is no page."""
        if self.page is None or not self.notice:
            return self.page
        between = ("\n\n",) if self.page.text else ()
        return replace(self.page, text=(*self.notice, *between, *self.page.text))


class ChatRefused(Exception):
    """Raised when the platform refused the bot itself: a wrong token, a missing switch. Not worth a retry.

    `code` is `bad_token`, `bad_webhook`, `missing_intent`, `unreachable`, `port_taken`, `port_forbidden` or
    `bad_address`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class FinalRefusal(Exception):
    """Raised when the platform refuses a call for good: trying it again soon is useless.

    `reason` is the platform's own word for it, for the log.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class PrivateClosed(FinalRefusal):
    """Raised when a person cannot be reached in private: bot blocked or never opened, messages closed."""


class PlaceRefused(FinalRefusal):
    """Raised when the bot can't write in a place at present: it lacks a right, or a topic is closed."""


class PlaceDeleted(PlaceRefused):
    """Raised when a place no longer exists."""


class UnknownRefusal(FinalRefusal):
    """Raised when the platform refuses for a reason that the adapter does not know."""


class PlaceMoved(FinalRefusal):
    """Raised when the place has a new key (a group became a supergroup)."""

    def __init__(self, new_place: str) -> None:
        super().__init__(new_place)
        self.new_place = new_place


class RetryAfter(Exception):
    """Raised when the platform asks for a pause for this one target, or could not be reached just now."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class StoreUnavailable(Exception):
    """Raised when the server can't be reached, or can't write now. Nothing is half done; try again later.

    A commit that raises it may have been carried out or not: sending the same action again tells which. It is
    not carried out later.
    """


Right = Literal["events", "roles", "pins"]
"""Rights that the bot may lack: for a community's calendar, its roles, or pinning."""


class NotPermitted(FinalRefusal):
    """Raised when the bot lacks a right in a place. Its organisers, who can grant it, are told."""

    def __init__(self, right: Right) -> None:
        super().__init__(right)
        self.right: Right = right


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledEvent:
    """An entry on a community's calendar. Times are seconds since the epoch."""

    title: str
    """At most 100 characters; together with place and start it identifies the event."""
    words: str
    """At most 1000 characters."""
    start: float
    end: float
    stage: Literal["ahead", "running", "past"]
    """`past` also when it is called off."""


@dataclass(frozen=True, slots=True)
class CommunityRole:
    """A role of a community."""

    key: str
    """Its reference, as the platform gives it."""
    name: str


class RateLimit(NamedTuple):
    """At most `calls` calls in any `seconds` seconds for everything that shares `scope`."""

    scope: str
    calls: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a chat can do, as far as its platform says now."""

    private_everywhere: bool
    """Whether a person with closed messages can still get their rack with buttons in the place."""
    leads_to_private: bool
    """Whether a link can open the private chat, and should, since a rack is best shown there."""
    has_forms: bool
    """Whether the chat asks for the text that a button wants (`bot.commands.DECLARED_FORMS`)."""
    draws_tables: bool
    """Whether the chat draws tables and racks by itself, as they change: its screens have them as `live`, and
    it has to be told of those without alone."""
    opens_app: frozenset[Surface]
    """The surfaces on which a button can open the table as an app."""


class Limits(Protocol):
    """The rate limits of a chat, to which every call is charged before it is made: those of the same scope
    side by side, the widest scope last."""

    def public(self, place: str) -> tuple[RateLimit, ...]:
        """Return the limits for a message or edit in a place."""
        ...

    def urgent(self, place: str) -> tuple[RateLimit, ...]:
        """Return the limits for messages that cannot wait for tables: lines that call somebody to their
        turn."""
        ...

    def private(self, person: str) -> tuple[RateLimit, ...]:
        """Return the limits for a private message or edit."""
        ...


class Links(Protocol):
    """The addresses that lead people to the bot in a chat. None: the platform has no such address, or none
    yet."""

    @property
    def home(self) -> Link | None:
        """A link to the place where people meet the bot, with the platform's name."""
        ...

    @property
    def add(self) -> str | None:
        """The address by which people add the bot to their groups."""
        ...

    def app(self, invitation: str) -> str | None:
        """Return the address that opens the app for a guest of a table."""
        ...

    def start(self, payload: str) -> str | None:
        """Return the address that opens the private chat, if people have to do that themselves, and starts it
        with a payload (A-Z a-z 0-9 _ -, at most 64)."""
        ...

    def share(self, payload: str, words: str) -> str | None:
        """Return the address at which a person chooses whom to send a link that opens the private chat with a
        payload, and some words."""
        ...


class Places(Protocol):
    """The places of a chat: their names, their communities, and who reads and runs them.

    What asks the platform may raise RetryAfter while it does not answer.
    """

    def name(self, place: str) -> str:
        """Return the name of a place with that of its community, where both are known: `#okey · Club`. Empty:
        unknown."""
        ...

    def link(self, place: str) -> Link | None:
        """Return a link to a place, named as its people know it; None when the platform has none."""
        ...

    def message_link(self, place: str, message: str) -> str | None:
        """Return the address of a message in a place; None when the platform has none for it."""
        ...

    async def community(self, place: str) -> str:
        """Return the key of the community of a place: a server, a group with all its topics, the page.

        It is the key of a place, or begins like one.
        """
        ...

    async def organises(self, person: str, place: str) -> bool:
        """Return whether a person of this chat runs a place, by the platform's present answer. Asked at each
        use.

        False for a text that is no place's key.
        """
        ...

    async def reads(self, person: str, place: str) -> bool | None:
        """Return whether a person of this chat can read a place, by the platform's present answer; None if it
        can't tell: the bot is not there, or may not ask."""
        ...


class Chat(Protocol):
    """The interface through which delivery uses a chat. One object per platform.

    What only some platforms have is a protocol of its own: `Timeline`, `DirectChannels`,
    `EphemeralRacks`, `Rooms`, `Pins`, `Reactions`, `Calendar`, `Roles`.

    Every method that sends may raise `RetryAfter` and `UnknownRefusal`, and other final refusals where it
    says so. Nothing is retried inside for longer than 2 s.
    """

    name: str
    """The short name that begins this chat's keys: `tg`, `dc`, `web`."""
    limits: Limits
    links: Links
    places: Places

    @property
    def features(self) -> Features:
        """What the chat can do."""
        ...

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        """Show the table in a place and return the message's reference: at most 200 bytes, of which the first
        word tells the message from others.

        Edits `message` when there is one and `anew` is false; posts a new message otherwise, or when the old
        one is gone. A chat without `Timeline` keeps one message for each table. An older version never covers
        a newer one. Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        """Show a person their own screen in private and return the message's reference.

        Edits `message` unless `notify` asks for a new message (an edit notifies nobody), or the old one is
        gone; a chat without `Timeline` keeps one for each person. A `silent` one makes no sound. Raises
        PrivateClosed, unless the chat shows it when they come.
        """
        ...

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        """Send a person a page in private, as a new message, which notifies them, and return its reference;
        empty: nothing changes it any more.

        Sent again with the same `once` within minutes, it stays one message if the platform can tell. Raises
        PrivateClosed.
        """
        ...

    async def post_line(
        self,
        place: str,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        opens: str | None = None,
        once: str = "",
    ) -> str:
        """Post a short line in a place and return its reference, like that of a table's message; empty: it
        disappears by itself.

        It begins with the names of the people that it `calls`, so that the platform notifies them and nobody
        else. `opens`: the payload of a button that opens the private chat, where `Links.start` has a link.
        `once` as for `send_direct`; empty: each line is another one. Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def delete_line(self, place: str, message: str) -> None:
        """Delete a line posted by `post_line`, if that works. Raises nothing."""
        ...

    def type_command(self, typed: Typed) -> str:
        """Return a command in the form in which it is typed in this chat."""
        ...


@runtime_checkable
class Timeline(Protocol):
    """A chat in which a message stays where it was sent, and newer ones come below it."""

    def count_below(self, place: str, message: str) -> int:
        """Return how many newer messages are known to lie below a message in a place; 0: nothing is known.

        It counts what this process has seen, which is no more than the platform shows to bots.
        """
        ...

    async def take_buttons(self, place: str, message: str) -> None:
        """Remove the buttons of a table's message that a newer one has replaced, if it still exists.

        Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def show_last(self, place: str, screen: PublicScreen, message: str) -> None:
        """Show a message that a newer one has replaced as it stays to be read, if it still exists: a lobby
        with those who sat down, a round with its result, the way to the newer one. Where it can't become
        that, remove its buttons.

        Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def remove_table(self, place: str, message: str) -> None:
        """Delete a night's board that was posted anew, or remove its buttons, if it still exists.

        Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def remove_rack(self, person: str, message: str) -> None:
        """Delete a rack that a newer message has replaced, or remove its buttons, if it still exists.

        Raises PrivateClosed.
        """
        ...

    def same_message(self, one: str, other: str) -> bool:
        """Return whether two references are to the same message. A reference may also say what it is made
        of, and after a space which picture it has."""
        ...

    async def in_sight(self, person: str, message: str) -> bool:
        """Return whether a person who opens their private chat sees this rack, because nothing was written
        below it.

        False when that is unknown.
        """
        ...

    async def edit_direct(self, person: str, page: Page, message: str) -> None:
        """Show another page in a private message that `Chat.send_direct` sent, if it still exists.

        Raises PrivateClosed.
        """
        ...


@runtime_checkable
class DirectChannels(Protocol):
    """A chat in which the bot opens a private chat by a call of its own, before it can write there."""

    def opening_limits(self, person: str) -> tuple[RateLimit, ...]:
        """Return the additional limits for the first private message; empty when the private chat is open."""
        ...

    async def open_private(self, person: str) -> None:
        """Open the private chat of a person who will be written to soon.

        Raises PrivateClosed.
        """
        ...


@runtime_checkable
class EphemeralRacks(Protocol):
    """A chat whose places can show a message to one person alone, in answer to what they did there."""

    def shows_rack(self, person: str, table: str) -> bool:
        """Return whether a place shows a person their rack privately, and `show_rack_in_place` can still
        change it."""
        ...

    async def show_rack_in_place(
        self, person: str, screen: SeatScreen, message: str | None, *, silent: bool = False
    ) -> str:
        """Show a person whom private messages do not reach their own screen where a place shows it privately
        (`shows_rack`), and return the reference of `message`.

        They may have done something that makes the private chat worth another try: then it is shown there as
        by `Chat.show_rack`, if that works. Raises PrivateClosed.
        """
        ...


@runtime_checkable
class Rooms(Protocol):
    """A chat whose places can have threads or topics of their own."""

    async def open_room(self, place: str, name: str) -> str | None:
        """Open a thread or topic for a place and return its key, which is the key of a place.

        An open one of that name is used again if the platform can tell. None if there can be none, or the bot
        may open none. Raises PlaceRefused, PlaceMoved.
        """
        ...

    async def close_room(self, place: str) -> None:
        """Close a room opened by `open_room`; it can still be read. Nothing is lost if it stays open."""
        ...

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        """Return the rights that the bot lacks to open rooms for a place, in the words of the platform's own
        settings.

        None if the place can have no rooms. Raises RetryAfter while the platform does not answer.
        """
        ...


@runtime_checkable
class Pins(Protocol):
    """A chat whose places can pin messages."""

    async def pin(self, place: str, message: str) -> None:
        """Pin a message of the bot so that it is found at once, without notifying anybody.

        Repeating it changes nothing. Raises NotPermitted `pins`, PlaceRefused, PlaceMoved.
        """
        ...

    async def unpin(self, place: str, message: str) -> None:
        """Unpin a message. Nothing is lost if it stays."""
        ...


@runtime_checkable
class Reactions(Protocol):
    """A chat in which messages can be reacted to."""

    async def celebrate(self, place: str, message: str) -> None:
        """React to a message that tells the end of a match. Repeating it changes nothing, and nothing is lost
        where the bot may not."""
        ...


@runtime_checkable
class Calendar(Protocol):
    """A chat whose communities have a calendar."""

    async def set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        """Show an event on the calendar of a place's community, and return its reference there.

        `known` is the earlier reference; if it is empty, the event is found by title, place and start, so
        that doing it twice makes one. An event that people removed stays removed. Raises NotPermitted
        `events`.
        """
        ...


@runtime_checkable
class Roles(Protocol):
    """A chat whose communities have roles."""

    async def give_role(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        """Give a role of a place's community to exactly these people; the role is created if there is none.

        `former` are people who may still hold it; people who are not there are skipped. Raises NotPermitted
        `roles`.
        """
        ...

    async def list_callable_roles(self, place: str) -> Sequence[CommunityRole]:
        """Return the roles whose holders the bot may mention in a place, those first that anybody may.

        Never one that everybody holds. Raises RetryAfter while the platform does not answer.
        """
        ...

    async def call_role(self, place: str, role: str, text: Text, *, once: str) -> bool:
        """Post a short line that mentions a role, so that its holders are notified and nobody else; return
        whether the bot may mention it there. If not, nothing is posted.

        `once` as for `Chat.send_direct`. Raises PlaceRefused, PlaceMoved.
        """
        ...


class Dispatcher(Protocol):
    """The single entry point for everything that people do."""

    async def press(self, press: Press) -> Answer:
        """Carry out a button. Never raises for a person's action: a refusal is an answer."""
        ...

    async def command(self, typed: TypedCommand) -> Answer:
        """Carry out a command. An unknown one is answered with a sentence."""
        ...

    async def note_leaver(self, person: str, place: str) -> None:
        """Note that the platform reported that a person left the community of a place, or was thrown out.
        Never raises."""
        ...

    async def greet(self, place: str, language: str) -> None:
        """Note that the bot was just added to the community of a place, whose people read this language as
        far as the platform knows. Never raises."""
        ...

    async def suggest(self, typed: TypedCommand, kind: ArgumentKind) -> Sequence[Suggestion]:
        """Return the values that fit an argument of this kind; `typed` holds what has been typed so far."""
        ...


@dataclass(frozen=True, slots=True)
class AppView:
    """The changes for a person's own page."""

    tables: tuple[PublicScreen, ...]
    racks: tuple[SeatScreen, ...]
    gone: tuple[str, ...]
    """Tables that they can no longer see."""
    left: tuple[str, ...]
    """Tables that they see no longer from a seat."""


class SessionOver(Exception):
    """Raised when a session's token is no longer known: the person has to come in again."""


class NotShown(Exception):
    """Raised when only a league's own people see its pages, and the request comes from nobody of them."""


class SharedStatePort(Protocol):
    """What all processes of a chat know together."""

    def clock(self) -> float:
        """Return seconds since the epoch by the clock of all processes, by which screens tell moments. A
        machine's may be wrong."""
        ...

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        """Charge one call; 0 when it may be made now, else the seconds to wait (nothing is charged). Raises
        StoreUnavailable."""
        ...

    async def wait(self, limits: tuple[RateLimit, ...]) -> float:
        """Return the seconds until one more call may be made, without charging one; 0: now."""
        ...

    async def claim_answer(self, event: Press | TypedCommand) -> bool:
        """Return whether a press or a command is still to be answered, and note that it is. The platform may
        deliver it again, to another process, too. While the store is away it is answered each time."""
        ...

    async def wrote(self, person: str, message: str) -> None:
        """Note the last message in a person's private chat; empty: one that is no rack. Never raises.

        Called before the bot writes there, with an empty reference, and after a rack was sent; and when the
        person themselves wrote something.
        """
        ...

    async def last_message(self, person: str) -> str:
        """Return the last message noted by `wrote`; empty also when nothing is known."""
        ...


class DeliveryPort(SharedStatePort, Protocol):
    """The reports of adapters to delivery."""

    async def note_shown(self, target: str, screen: PublicScreen | SeatScreen, message: str) -> None:
        """Note that a place or person (`target`) now sees a table's `screen` in `message`.

        Called after a screen was shown in the answer to a press, so that it is not sent again.
        """
        ...

    async def note_alerts_only(self, person: str, table: str) -> None:
        """Note that a person at a table can be shown nothing but alerts just now, so that the table offers
        them numbered buttons. Never raises."""
        ...

    async def note_move(self, place: str, new_place: str) -> None:
        """Note that a place has a new key; its tables follow."""
        ...

    async def note_reopened(self, channels: Collection[str]) -> None:
        """Note that the platform reported a change of the bot's rights in these channels or groups: where it
        was refused, it is tried again at once."""
        ...
