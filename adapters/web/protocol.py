"""Protocol of the page's WebSocket: messages of the page and of the server, one JSON object each."""

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from bot.live import LivePuzzle, LiveRack, LiveReplay, LiveTable
from bot.markup import Series

PROTOCOL: Final = 16
"""The version of the messages. It grows with every change; a page of another version is asked to reload."""

Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
WireTableId = Annotated[str, Meta(max_length=64)]

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class TabToken(str):
    """A tab's secret: 32 random bytes as unpadded base64url. Hidden from `repr`."""

    def __repr__(self) -> str:
        return "TabToken(…)"


class Proof(str):
    """A proof signed or issued by a platform; empty where a cookie identifies the person. Hidden from
    `repr`."""

    def __repr__(self) -> str:
        return "Proof(…)"


class Enter(Struct, tag_field="kind", tag="enter", frozen=True):
    """The first message of a page that a chat opened: the proof of the person, to begin a session."""

    door: Literal["link", "telegram", "discord"]
    proof: Proof = Proof()
    instance: Annotated[str, Meta(max_length=100)] = ""
    """Discord: the running activity that the page is in."""
    protocol: int = 0
    table: WireTableId = ""
    language: Annotated[str, Meta(max_length=35)] = ""


class Hello(Struct, tag_field="kind", tag="hello", frozen=True):
    """The first message of a tab: the person, and the table that they last saw. Behind a door of a chat the
    token is the session's, and the name is the platform's."""

    token: TabToken
    name: Annotated[str, Meta(max_length=300)] = ""
    protocol: int = 0
    table: WireTableId = ""
    language: Annotated[str, Meta(max_length=35)] = ""
    """The page's language. Not every browser sends one when it opens a WebSocket."""


class Rename(Struct, tag_field="kind", tag="name", frozen=True):
    """The person changes their name. Behind a door of a chat the name is the platform's, and stays."""

    name: Annotated[str, Meta(max_length=300)]


class Looking(Struct, tag_field="kind", tag="looking", frozen=True):
    """Whether the person sees the page from now on."""

    visible: bool


class At(Struct, tag_field="kind", tag="at", frozen=True):
    """The table that the person looks at from now on; empty: the first page."""

    table: WireTableId = ""


class PressSent(Struct, tag_field="kind", tag="press", frozen=True):
    """A button was pressed. It is sent again with the same id when no answer came."""

    id: Id
    private: bool
    data: Annotated[str, Meta(min_length=1, max_length=64)]


class TypedSent(Struct, tag_field="kind", tag="typed", frozen=True):
    """A command with its argument: from a button of the page itself, or typed."""

    id: Id
    verb: Annotated[str, Meta(min_length=1, max_length=32)]
    argument: Annotated[str, Meta(max_length=200)] = ""


Sent = Enter | Hello | Looking | Rename | At | PressSent | TypedSent


class Welcome(Struct, tag_field="kind", tag="welcome", frozen=True):
    """All screens for the tab have been sent. Those that it showed before and did not get again are gone."""

    opens: bool = True
    """Whether tables can be opened from here, as there is a place for them."""
    table: str = ""
    """The table that the person came for."""


class Speak(Struct, tag_field="kind", tag="words", frozen=True):
    """The words of the person's language, if their page was served in another."""

    language: str
    words: Mapping[str, str]


class SessionBegun(Struct, tag_field="kind", tag="session", frozen=True):
    """The session's token, which replaces the proof from now on."""

    token: TabToken


class OpenTable(Struct, tag_field="kind", tag="open", frozen=True):
    """The person opens this table, so the page shows it."""

    table: str


class Gone(Struct, tag_field="kind", tag="gone", frozen=True):
    """The person can no longer see this table."""

    table: str


class ShowTable(Struct, tag_field="kind", tag="table", frozen=True):
    """A table as everybody sees it."""

    live: LiveTable
    spoken: str
    """The text of the screen. A screen reader reads its new lines."""
    now: float
    """The server's time, by which the page corrects its own."""


class ShowRack(Struct, tag_field="kind", tag="rack", frozen=True):
    """A table as the person sees it from their seat."""

    live: LiveRack
    spoken: str
    now: float


class ShowBoard(Struct, tag_field="kind", tag="board", frozen=True):
    """A league's night as its place sees it."""

    table: str
    html: str
    spoken: str
    over: bool
    now: float


class NoRack(Struct, tag_field="kind", tag="norack", frozen=True):
    """The person does not sit at this table (any more)."""

    table: str


class ShowPage(Struct, tag_field="kind", tag="reading", frozen=True):
    """A page to read for this tab alone, which replaces the previous one."""

    html: str
    spoken: str
    series: Series | None
    puzzle: LivePuzzle | None
    """What the page draws itself, above the text."""
    replay: LiveReplay | None
    """What the page shows on its table, above the text."""


class Notice(Struct, tag_field="kind", tag="notice", frozen=True):
    """A temporary line, or an alert that stays until it is closed."""

    html: str
    urgent: bool


class Company(Struct, frozen=True):
    """The people at a table who have a page open in this process."""

    seats: tuple[int, ...]
    """The seats that they have."""
    watchers: int
    """How many others look at the table."""


class Here(Struct, tag_field="kind", tag="here", frozen=True):
    """Who is at each of the tables that the page shows; at others nobody is."""

    tables: Mapping[str, Company]


class Alive(Struct, tag_field="kind", tag="alive", frozen=True):
    """Nothing else was sent for a while. A page that does not hear even this has lost the server."""

    now: float


class Done(Struct, tag_field="kind", tag="done", frozen=True):
    """The press or command `id` has been answered."""

    id: str


Told = (
    Welcome
    | Speak
    | SessionBegun
    | OpenTable
    | Gone
    | ShowTable
    | ShowRack
    | ShowBoard
    | NoRack
    | ShowPage
    | Notice
    | Here
    | Alive
    | Done
)


def _hide(kind: type, value: object) -> object:
    if kind is Proof and isinstance(value, str):
        return Proof(value)
    if kind is TabToken and isinstance(value, str) and _TOKEN.fullmatch(value):
        return TabToken(value)
    raise ValueError("not a token")


_decoder: Final = msgspec.json.Decoder(Sent, dec_hook=_hide)


def read(text: str) -> Sent:
    """Read a message of the page. Raises msgspec.ValidationError or DecodeError for anything else."""
    sent: Sent = _decoder.decode(text)
    return sent


def write(told: Told) -> str:
    """Return a message as JSON."""
    return msgspec.json.encode(told, enc_hook=str).decode()
