"""Messages sent, edited and shorn of their buttons, and what Discord's refusals mean."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import discord

from adapters.discord_chat.addresses import Reference, reference_to
from adapters.discord_chat.layout import Sheet
from adapters.discord_chat.patience import patiently
from bot.ports import NotPermitted, PlaceGone, PrivateClosed, RetryAfter, Right

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
OPENED_TOO_FAST: Final = 40003
MISSING_ACCESS: Final = 50001
FOREIGN_MESSAGE: Final = 50005
CLOSED_DIRECT: Final = 50007
MISSING_PERMISSIONS: Final = 50013
ARCHIVED_THREAD: Final = 50083
LOCKED_THREAD: Final = 160005
NO_COMMON_SERVER: Final = 50278

OPENING_PAUSE: Final = 60.0
"""Seconds to open no direct channel after Discord has called it too fast: it punishes who goes on."""

LONGEST_MENTION: Final = 25
"""Of a user in a line, with what follows it."""

MOST_REMEMBERED: Final = 2000
"""Names of messages; the one used longest ago is forgotten."""

_NO_PLACE: Final = (UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS, LOCKED_THREAD)
_NO_PERSON: Final = (UNKNOWN_CHANNEL, MISSING_ACCESS, CLOSED_DIRECT, NO_COMMON_SERVER)
_NO_MESSAGE: Final = (UNKNOWN_MESSAGE, FOREIGN_MESSAGE, ARCHIVED_THREAD)


class MessageGone(Exception):
    """There is no such message to edit any more."""


class Sender:
    """Sends to channels by their number; nothing need be known of them."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._began = discord.utils.utcnow()
        self._sent: OrderedDict[str, None] = OrderedDict()
        """Under which names this process has sent, or tried to."""

    async def send(self, channel: int, page: Sheet, once: str) -> Reference:
        """A new message. `once` names it: sent again under the same name within minutes, though the screen
        may have changed meanwhile, it is the same message, which then shows the newer screen."""
        target = self._client.get_partial_messageable(channel)
        nonce = hashlib.blake2s(f"{channel} {once}".encode(), digest_size=12).hexdigest()
        again = nonce in self._sent
        self._remember(nonce)
        sent = await patiently(lambda: target.send(**page.new(), nonce=nonce))
        reference = reference_to(sent)
        if again or sent.created_at < self._began:
            with suppress(MessageGone):
                return await self.edit(reference, page)
        return reference

    def _remember(self, nonce: str) -> None:
        self._sent[nonce] = None
        while len(self._sent) > MOST_REMEMBERED:
            self._sent.popitem(last=False)

    async def say(self, channel: int, words: str, *, calls: Sequence[int] = ()) -> Reference:
        """A line of text, which may begin with mentions: these people are notified, and nobody else."""
        target = self._client.get_partial_messageable(channel)
        nonce = secrets.token_hex(12)
        called = [discord.Object(user) for user in calls]
        notified = discord.AllowedMentions(everyone=False, roles=False, users=called, replied_user=False)
        mentions = " ".join(f"<@{user}>" for user in calls)
        line = f"{mentions}: {words}" if calls else words
        sent = await patiently(lambda: target.send(line, nonce=nonce, allowed_mentions=notified))
        return reference_to(sent)

    async def edit(self, reference: Reference, page: Sheet) -> Reference:
        """Raises MessageGone."""
        message = self._partial(reference)

        async def change() -> discord.Message:
            return await message.edit(**page.change(v2=reference.v2))

        try:
            return reference_to(await patiently(change))
        except discord.HTTPException as refused:
            if refused.code in _NO_MESSAGE:
                raise MessageGone from None
            raise

    async def disarm(self, reference: Reference) -> None:
        """Take a message's buttons away; one made of components only keeps them."""
        if not reference.v2:
            message = self._partial(reference)
            await patiently(lambda: message.edit(view=None))

    async def remove(self, reference: Reference) -> None:
        """Take a message away."""
        await patiently(self._partial(reference).delete)

    def _partial(self, reference: Reference) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(reference.channel)
        return channel.get_partial_message(reference.message)


def place_refusal(refused: discord.HTTPException) -> Exception:
    """What a refusal in a place means to the application."""
    return PlaceGone() if refused.code in _NO_PLACE else refused


def person_refusal(refused: discord.HTTPException) -> Exception:
    """What a refusal of a direct message means to the application."""
    if refused.code == OPENED_TOO_FAST:
        return RetryAfter(OPENING_PAUSE)
    return PrivateClosed() if refused.code in _NO_PERSON else refused


def right_refusal(refused: discord.HTTPException, right: Right) -> Exception:
    """What a refusal of something that takes a right of its own means to the application."""
    return NotPermitted(right) if refused.code in (MISSING_ACCESS, MISSING_PERMISSIONS) else refused
