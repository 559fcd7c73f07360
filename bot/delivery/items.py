"""Items: screens and messages that are still due to recipients.

| an item             | is noted                        | and when it is refused for good           |
|---------------------|---------------------------------|-------------------------------------------|
| shows a screen      | after it, with its message      | its place sleeps, or its chat is closed   |
| tells somebody once | before it (`is_once`)           | it counts as told (`gives_up`), or is due |
| tidies up           | after it                        | it counts as done (`gives_up`)            |
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum
from typing import Final

from bot.delivery.notes import EMPTY, KnownNotes, Notes
from bot.markup import Page
from bot.ports import (
    Chat,
    DirectChannels,
    NotPermitted,
    PlaceMoved,
    PlaceRefused,
    PrivateClosed,
    RateLimit,
    UnknownRefusal,
    platform_of,
)
from bot.store import Note


class Rank(IntEnum):
    """The order of items when calls are scarce: the lowest goes first."""

    TURN = 0
    """Tells the person that everybody waits for."""
    RACK = 1
    """Shows another player their rack at a beginning or an end."""
    BOARD = 2
    """Shows a place the result of a night's round."""
    NEWS = 3
    """Shows a place a result, a lobby or a night's board, where people look at it."""
    TABLE = 4
    """Shows a place the progress of a round; reminds somebody of a night."""
    CLOCK = 5
    """Shows a place a clock that has moved, or who came and left; shows waiting players whom they wait for;
    pins a board; closes a message that a newer one replaced."""
    OPENING = 6
    """Opens the private chat of a person who will be written to."""


FOR_GOOD: Final = (NotPermitted, PlaceRefused, PlaceMoved, PrivateClosed, UnknownRefusal)
"""Errors by which a chat says that trying again soon is useless."""

UNTOLD: Final = (NotPermitted, PlaceRefused, PrivateClosed, UnknownRefusal)
"""Those after which nobody needs a message any more. Where a place has moved to, its people can be told."""

Send = Callable[[], Awaitable[Notes | None]]
"""Shows, tells or does the item; returns the notes that only the call can bring, such as the message's
reference. Raises what a chat may raise, and StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is still to be shown, told or done."""

    of: str
    """The table, night, daily board or league that keeps its notes."""
    key: str
    """At most one item of each key is due to anybody at a time."""
    recipient: str
    """The place or person whose chat's process takes care of it; for what calls nobody, that chat's name."""
    rank: Rank
    limits: tuple[RateLimit, ...]
    """The limits that it is charged to: those of one scope side by side, the widest scope last."""
    send: Send
    _: KW_ONLY
    done: Notes = field(default_factory=dict)
    """The notes by which it is done, unless the call brings others of the same keys."""
    is_once: bool = False
    """Whether it is noted before it is sent, since sending it again after a kill would disturb people.
    Whoever changes `earlier` to the note, which is one for all its keys, sends it."""
    earlier: Note | None = None
    """The note until then, under each of the keys."""
    gives_up: tuple[type[Exception], ...] = ()
    """The errors of `FOR_GOOD` by which it is done, too. By the others its recipient is given up."""
    is_rack: bool = False
    """Whether it shows a person their own screen, which the answer to a press may bring as well."""
    opens: bool = False
    """Whether it is a rack in a private message: once that is noted, these are known to reach the person."""
    leads_on: bool = False
    """Whether something else may become due as soon as it is done."""

    @property
    def chat(self) -> str:
        """The chat whose process takes care of it."""
        return platform_of(self.recipient)

    def is_noted(self, notes: KnownNotes) -> bool:
        """Return whether these notes say that it is done."""
        if self.is_once:
            return any(notes.get(key) != self.earlier for key in self.done)
        return bool(self.done) and all(notes.get(key) == note for key, note in self.done.items())


def limit_opening(chat: Chat, person: str) -> tuple[RateLimit, ...]:
    """Return the additional limits for the first private message to a person; empty when their private chat
    is open."""
    return chat.opening_limits(person) if isinstance(chat, DirectChannels) else ()


def direct_message(
    of: str,
    key: str,
    person: str,
    chat: Chat,
    page: Callable[[], Page],
    rank: Rank = Rank.NEWS,
    *,
    is_closed_later: bool = False,
) -> Item:
    """Return the item for a page that is sent to a person in private, once; `is_closed_later`: whether the
    message is noted."""

    async def send() -> Notes:
        message = await chat.send_direct(person, page(), f"{of} {key}")
        return {key: Note(message)} if is_closed_later else {}

    limits = limit_opening(chat, person) + chat.limits.private(person)
    return Item(of, key, person, rank, limits, send, done={key: EMPTY}, is_once=True, gives_up=UNTOLD)


def line_in_place(
    of: str,
    keys: Sequence[str],
    place: str,
    chat: Chat,
    send: Send,
    rank: Rank = Rank.NEWS,
    *,
    note: Note = EMPTY,
    earlier: Note | None = None,
) -> Item:
    """Return the item for a line that is posted in a place, once; `note` stands under all of its keys after
    it, and `earlier` before."""
    done, limits = dict.fromkeys(keys, note), chat.limits.public(place)
    return Item(
        of, keys[0], place, rank, limits, send, done=done, is_once=True, earlier=earlier, gives_up=UNTOLD
    )
