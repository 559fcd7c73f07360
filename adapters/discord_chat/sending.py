"""Sending: messages made, edited and deleted in channels, and the meaning of Discord's refusals."""

import asyncio
import hashlib
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeVar

import discord
from cachetools import LRUCache

from adapters.discord_chat.addresses import ChannelMessage
from adapters.discord_chat.attached import Attached
from adapters.discord_chat.rendering import AnyScreen, Rendered, without_buttons
from adapters.discord_chat.retry import TOO_MANY_EDITS, retry
from bot.logs import warn_seldom
from bot.markup import Page, PublicScreen
from bot.ports import (
    NotPermitted,
    PlaceDeleted,
    PlaceRefused,
    PrivateClosed,
    RetryAfter,
    Right,
    UnknownRefusal,
)

LOG: Final = logging.getLogger(__name__)

T = TypeVar("T")

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MEMBER: Final = 10007
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_USER: Final = 10013
OPENED_TOO_FAST: Final = 40003
MISSING_ACCESS: Final = 50001
FOREIGN_MESSAGE: Final = 50005
CLOSED_DIRECT: Final = 50007
MISSING_PERMISSIONS: Final = 50013
INVALID_RECIPIENT: Final = 50033
INVALID_BODY: Final = 50035
ARCHIVED_THREAD: Final = 50083
LOCKED_THREAD: Final = 160005
NO_COMMON_SERVER: Final = 50278

_UNAUTHORIZED: Final = 401
_REVOKED: Final = 30.0
"""Seconds to wait when the bot's token was taken back: only a restart with a new one helps. It is the bot
that is refused, not a place or person, and Discord bans an address with thousands of refused calls."""

OPENING_PAUSE: Final = 60.0
"""Seconds to open no direct channel after Discord has refused one as too fast. It punishes a bot that goes
on."""

LONGEST_MENTION: Final = 25
"""The most characters of a user's mention in a line, with what follows it."""

MOST_REMEMBERED: Final = 2000
"""The most messages remembered. The one unused for longest is forgotten."""

MOST_COUNTED: Final = 16
"""The most messages of one channel that are counted."""

_NO_PLACE: Final = (MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED_THREAD, LOCKED_THREAD)
_NO_PERSON: Final = (
    *(UNKNOWN_CHANNEL, UNKNOWN_USER, MISSING_ACCESS, CLOSED_DIRECT, INVALID_RECIPIENT, NO_COMMON_SERVER),
)
_NO_MESSAGE: Final = (UNKNOWN_MESSAGE, FOREIGN_MESSAGE, ARCHIVED_THREAD)


class MessageGone(Exception):
    """The message to edit does not exist any more, or takes no more edits."""


class _Shown(NamedTuple):
    """A screen in a message. Screens themselves would hold all that they were made of."""

    table: str
    version: int
    worth: str
    digest: int


@dataclass(slots=True)
class _Message:
    """What this process knows of a message."""

    v2: bool = False
    """Whether it is made of components only, or is just becoming so."""
    shown: _Shown | None = None
    """What this process showed last in it."""
    picture: Attached | None = None
    """The picture that it had when this process edited it last, if that is known."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whoever shows a screen in it."""


class Sender:
    """Sends to channels by their number. Nothing else about them has to be known. Screens of one message are
    shown one after the other, so that the newest is shown last."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._began = discord.utils.utcnow()
        self._sent = LRUCache[str, None](MOST_REMEMBERED)
        """The names of messages that this process has sent, or tried to send."""
        self._messages = LRUCache[int, _Message](MOST_REMEMBERED)
        self._newest = LRUCache[int, deque[int]](MOST_REMEMBERED)
        """The newest messages that this process knows of, by channel."""
        self._editing = set[int]()
        """Messages that are just being edited by `edit`."""

    async def on_last_message(self, channel: int, message: int) -> None:
        """Note a message that stands in a channel, as an event of the gateway. Their numbers grow with
        time."""
        known = self._newest.setdefault(channel, deque(maxlen=MOST_COUNTED))
        if not known or message > known[-1]:
            known.append(message)

    def count_below(self, reference: ChannelMessage) -> int:
        """Return how many newer messages are known to stand below a message, at most MOST_COUNTED."""
        return sum(each > reference.message for each in self._newest.get(reference.channel, ()))

    async def send(
        self, channel: int, rendered: Rendered[AnyScreen], once: str, *, silent: bool = False
    ) -> ChannelMessage:
        """Return a new message; a `silent` one notifies nobody. `once` names it: sent again under that name
        within minutes, even with a changed screen, it is the same message, which then shows the newer
        screen."""
        target = self._client.get_partial_messageable(channel)
        nonce = _nonce(channel, once)
        again = nonce in self._sent
        self._sent[nonce] = None
        fields = rendered.as_new if silent else rendered.as_announcement
        sent = await retry(lambda: target.send(**fields(), nonce=nonce, silent=silent))
        reference = ChannelMessage.of(sent)
        await self.on_last_message(reference.channel, reference.message)
        self.note_picture(reference)
        announced = rendered.needs_v2 and not sent.flags.components_v2
        if again or announced or sent.created_at < self._began:
            with suppress(MessageGone):
                return await self.edit(reference, rendered)
        self._remember(reference.message, rendered.screen)
        return reference

    async def say(
        self,
        channel: int,
        words: str,
        *,
        calls: Sequence[int] = (),
        roles: Sequence[int] = (),
        once: str = "",
    ) -> ChannelMessage:
        """Return a line of text, which may begin with mentions. Only these people, and the holders of these
        roles, are notified. `once` as for `send`; empty: it is another line each time."""
        target = self._client.get_partial_messageable(channel)
        nonce = _nonce(channel, once or secrets.token_hex(12))
        notified = discord.AllowedMentions(
            everyone=False,
            roles=[discord.Object(role) for role in roles],
            users=[discord.Object(user) for user in calls],
            replied_user=False,
        )
        mentions = " ".join([*(f"<@&{role}>" for role in roles), *(f"<@{user}>" for user in calls)])
        line = f"{mentions}: {words}" if mentions else words
        sent = await retry(lambda: target.send(line, nonce=nonce, allowed_mentions=notified))
        return ChannelMessage.of(sent)

    async def edit(self, reference: ChannelMessage, rendered: Rendered[AnyScreen]) -> ChannelMessage:
        """Show a screen in a message, unless that shows a later one already. Raises MessageGone."""
        async with self.turn(reference.message, rendered.screen) as due:
            if not due:
                known = self._recall(reference.message)
                return replace(reference, v2=reference.v2 or known.v2, picture=known.picture)
            message, v2 = self._partial(reference), self.v2_after(reference, rendered)

            async def change(attached: Attached | None) -> discord.Message:
                fields = rendered.as_edit(v2=v2, attached=attached)
                return await retry(lambda: message.edit(**fields))

            self._editing.add(reference.message)
            try:
                with refusals(meaning(MessageGone, *_NO_MESSAGE, TOO_MANY_EDITS)):
                    shown = rendered.find_same(self.find_picture(reference.message), reference.picture)
                    edited = ChannelMessage.of(await keep_attached(change, shown))
            finally:
                self._editing.discard(reference.message)
            self.note_picture(edited)
            return edited

    def find_picture(self, message: int) -> Attached | None:
        """Return the picture of a message, if it is known."""
        return self._recall(message).picture

    def note_picture(self, reference: ChannelMessage) -> None:
        """Note which picture a message shows now."""
        self._recall(reference.message).picture = reference.picture

    def already_shows(self, message: int, screen: PublicScreen) -> bool:
        """Return whether a message shows this screen, or one that is worth no less."""
        shown = self._recall(message).shown
        if shown is None or shown.table != screen.table:
            return False
        return shown.worth == screen.worth if screen.worth else shown.digest == hash(screen)

    @asynccontextmanager
    async def turn(self, message: int, screen: AnyScreen) -> AsyncIterator[bool]:
        """Show a screen in a message inside this, after what is being shown there now; whether it is to be
        shown: not if the message shows a later version of the same table. A person's number stands for their
        rack in a channel, which may have no known number."""
        async with self._recall(message).turn:
            due = not self._shows_later(message, screen)
            yield due
            if due:
                self._remember(message, screen)

    def is_editing(self, message: int) -> bool:
        """Return whether a message is just being edited by `edit`."""
        return message in self._editing

    def _shows_later(self, message: int, screen: AnyScreen) -> bool:
        shown = self._recall(message).shown
        if isinstance(screen, Page) or shown is None:
            return False
        return shown.table == screen.table and shown.version > screen.version

    def _remember(self, message: int, screen: AnyScreen) -> None:
        if not isinstance(screen, Page):
            shown = _Shown(screen.table, screen.version, screen.worth, hash(screen))
            self._recall(message).shown = shown

    def _recall(self, message: int) -> _Message:
        return self._messages.setdefault(message, _Message())

    def v2_after(self, reference: ChannelMessage, rendered: Rendered[AnyScreen]) -> bool:
        """Return whether a message will be one of components only when it shows this screen. Remembered
        before any call, since one that seems to fail may have been carried out."""
        known = self._recall(reference.message)
        known.v2 = known.v2 or reference.v2 or rendered.needs_v2
        return known.v2

    async def disarm(self, reference: ChannelMessage) -> None:
        """Remove a message's buttons, if it still exists."""
        message, view = self._partial(reference), None
        with tolerate(*_NO_MESSAGE, TOO_MANY_EDITS):
            if reference.v2:
                # Reading takes a permission that play does not: without it the buttons stay, and answer.
                with tolerate(MISSING_ACCESS, MISSING_PERMISSIONS):
                    view = without_buttons(await retry(message.fetch))
                if view is None:
                    return
            await retry(lambda: message.edit(view=view))

    async def delete(self, reference: ChannelMessage) -> None:
        """Delete a message, if it still exists."""
        with tolerate(*_NO_MESSAGE):
            await retry(self._partial(reference).delete)

    def _partial(self, reference: ChannelMessage) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(reference.channel)
        return channel.get_partial_message(reference.message)


def _nonce(channel: int, once: str) -> str:
    """Return what Discord recognises a message by that is sent again."""
    return hashlib.blake2s(f"{channel} {once}".encode(), digest_size=12).hexdigest()


async def keep_attached(change: Callable[[Attached | None], Awaitable[T]], attached: Attached | None) -> T:
    """Make an edit that keeps the attached picture, and again without it if it is gone by now."""
    try:
        return await change(attached)
    except discord.HTTPException as refused:
        if attached is None or refused.code != INVALID_BODY:
            raise
    return await change(None)


Meaning = Callable[[discord.HTTPException], Exception]


@contextmanager
def refusals(meant: Meaning) -> Iterator[None]:
    """Replace a refusal inside by the error that it means to the application, if there is one."""
    try:
        yield
    except discord.HTTPException as refused:
        # With a code of its own, a 401 is about the token of an interaction.
        if refused.status == _UNAUTHORIZED and not refused.code:
            warn_seldom(LOG, "Discord refuses the bot's token: check DISCORD_TOKEN")
            raise RetryAfter(_REVOKED) from None
        raise meant(refused) from None


@contextmanager
def tolerate(*codes: int) -> Iterator[None]:
    """Ignore refusals of these codes inside."""
    try:
        yield
    except discord.HTTPException as refused:
        if refused.code not in codes:
            raise


def meaning(error: Callable[[], Exception], *codes: int) -> Meaning:
    """Return the mapping of refusals of these codes to this error."""
    return lambda refused: error() if refused.code in codes else refused


def in_place(refused: discord.HTTPException) -> Exception:
    """Return the meaning of a refusal for a channel or thread."""
    if refused.code == UNKNOWN_CHANNEL:
        return PlaceDeleted(reason_of(refused))
    return (PlaceRefused if refused.code in _NO_PLACE else UnknownRefusal)(reason_of(refused))


def in_private(refused: discord.HTTPException) -> Exception:
    """Return the meaning of a refusal for a person."""
    if refused.code == OPENED_TOO_FAST:
        return RetryAfter(OPENING_PAUSE)
    return PrivateClosed() if refused.code in _NO_PERSON else UnknownRefusal(reason_of(refused))


def reason_of(trouble: Exception) -> str:
    """Return a short form of the reason why a call failed. Discord's own words stay out of the log: they may
    repeat ours."""
    if isinstance(trouble, discord.HTTPException):
        return f"status {trouble.status}, code {trouble.code}"
    return type(trouble).__name__


def needing(right: Right) -> Meaning:
    """Return the meaning of a refusal for an act that needs a permission of its own."""
    lacking = (MISSING_ACCESS, MISSING_PERMISSIONS)
    return lambda refused: (
        NotPermitted(right) if refused.code in lacking else UnknownRefusal(reason_of(refused))
    )
