"""Where a person sees his rack: in a direct message or, when that is closed, alone in a channel."""

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import discord

from adapters.discord_chat.addresses import Reference
from adapters.discord_chat.layout import DiscordPage, Sheet
from adapters.discord_chat.patience import LATER, LONGEST_CALL, patiently
from adapters.discord_chat.reply import Interaction, Reply, TooLate
from adapters.discord_chat.sending import (
    OPENED_TOO_FAST,
    OPENING_PAUSE,
    MessageGone,
    Sender,
    person_refusal,
)
from bot.ports import PrivateClosed, RetryAfter

TOKEN_LIFE: Final = 14 * 60.0
"""Seconds for which an answer can be edited: Discord's 15 minutes, less a margin."""

CLOSED_FOR: Final = 600.0
"""Seconds after which a press, too, makes a closed direct message worth another try."""

MOST_KNOWN: Final = 20_000
"""People remembered; the longest unseen are forgotten, which costs a call when they come again."""

V = TypeVar("V")


@dataclass(frozen=True)
class Whisper:
    """A rack that one person sees in a channel, while it can still be edited."""

    reply: Reply
    message: int | None
    """A follow-up, or None for the response."""
    v2: bool
    table: str
    revision: int
    ends: float


class Racks:
    """What is known of people's private ways. All of it may be lost in a restart: it is found again."""

    def __init__(self, client: discord.Client, sender: Sender) -> None:
        self._client = client
        self._sender = sender
        self._channels: OrderedDict[int, int] = OrderedDict()
        self._opening: dict[int, asyncio.Task[int]] = {}
        self._door = asyncio.Lock()
        self._opens_again = 0.0
        """When, by the monotonic clock, another channel may be opened after Discord called it too fast."""
        self._closed: OrderedDict[int, float] = OrderedDict()
        self._whispers: OrderedDict[int, Whisper] = OrderedDict()

    def is_known(self, user: int) -> bool:
        """Whether his direct channel is known, or known to be closed."""
        return user in self._channels or user in self._closed

    async def open(self, user: int) -> None:
        """Open his direct channel, which shows him nothing yet. Raises PrivateClosed, RetryAfter."""
        try:
            await self._channel(user)
        except discord.HTTPException as refused:
            raise person_refusal(refused) from None

    async def show(self, user: int, page: DiscordPage, message: Reference | None, *, notify: bool) -> str:
        """Show a rack and return its reference. Raises PrivateClosed, RetryAfter."""
        if user not in self._closed:
            try:
                return str(await self._direct(user, page, message, notify=notify))
            except discord.HTTPException as refused:
                meaning = person_refusal(refused)
                if not isinstance(meaning, PrivateClosed):
                    raise meaning from None
                _remember(self._closed, user, time.monotonic())
        await self._whispered_again(user, page)
        return str(message or "")

    async def hand(self, user: int, letter: Sheet, once: str) -> None:
        """Send a direct message besides the rack. Raises PrivateClosed, RetryAfter."""
        if user in self._closed:
            raise PrivateClosed
        try:
            await self._sender.send(await self._channel(user), letter, once)
        except discord.HTTPException as refused:
            meaning = person_refusal(refused)
            if isinstance(meaning, PrivateClosed):
                _remember(self._closed, user, time.monotonic())
            raise meaning from None

    async def _direct(
        self, user: int, page: DiscordPage, message: Reference | None, *, notify: bool
    ) -> Reference:
        if message is not None:
            _remember(self._channels, user, message.channel)
        if message is not None and not notify:
            try:
                return await self._sender.edit(message, page)
            except MessageGone:
                pass
        once = f"{page.screen.table} {message}"
        new = await self._sender.send(await self._channel(user), page, once)
        if message is not None:
            with suppress(discord.HTTPException, RetryAfter):
                await self._sender.remove(message)
        return new

    async def _channel(self, user: int) -> int:
        """The direct channel, opened once, however many racks of his wait for it."""
        if user in self._channels:
            return self._channels[user]
        opening = self._opening.get(user)
        if opening is None:
            opening = self._opening[user] = asyncio.create_task(self._open(user))
            opening.add_done_callback(lambda task: self._opening.pop(user, None))
        try:
            async with asyncio.timeout(LONGEST_CALL):
                return await asyncio.shield(opening)
        except TimeoutError:
            raise RetryAfter(LATER) from None

    async def _open(self, user: int) -> int:
        """Open it, one after another and in no hurry: Discord punishes who opens many at once, and a
        call that was given up would have to be made again."""
        async with self._door:
            left = self._opens_again - time.monotonic()
            if left > 0:
                raise RetryAfter(left)
            try:
                channel = await patiently(lambda: self._client.create_dm(discord.Object(user)), hurried=False)
            except discord.HTTPException as refused:
                if refused.code == OPENED_TOO_FAST:
                    self._opens_again = time.monotonic() + OPENING_PAUSE
                raise
        _remember(self._channels, user, channel.id)
        return channel.id

    # People who act

    def met(self, interaction: Interaction) -> None:
        """A person acted: his direct channel may be seen in it, and a closed one be worth another try."""
        user = interaction.user.id
        if interaction.guild_id is None and interaction.channel_id is not None:
            _remember(self._channels, user, interaction.channel_id)
        commanded = interaction.type is discord.InteractionType.application_command
        since = self._closed.get(user)
        if since is not None and (commanded or time.monotonic() - since > CLOSED_FOR):
            del self._closed[user]

    async def whispered(self, reply: Reply, page: DiscordPage, message: int | None) -> None:
        """A rack was shown to him in a channel, as the response or as a follow-up; an earlier one goes."""
        user = reply.interaction.user.id
        earlier = self._whispers.get(user)
        self._whisper(Whisper(reply, message, page.many, page.screen.table, page.screen.revision, _end()))
        if earlier is not None and time.monotonic() < earlier.ends:
            with suppress(discord.HTTPException, TooLate, RetryAfter):
                await earlier.reply.remove(earlier.message)

    def updated(self, reply: Reply, page: DiscordPage, *, v2: bool) -> None:
        """The rack that he sees in a channel was brought up to date by his press on it."""
        self._whisper(Whisper(reply, None, v2, page.screen.table, page.screen.revision, _end()))

    def _whisper(self, whisper: Whisper) -> None:
        _remember(self._whispers, whisper.reply.interaction.user.id, whisper)

    async def _whispered_again(self, user: int, page: DiscordPage) -> None:
        """Bring what he sees in the channel up to date. Raises PrivateClosed when it can't be reached."""
        whisper = self._whispers.get(user)
        if whisper is None or whisper.table != page.screen.table or time.monotonic() > whisper.ends:
            raise PrivateClosed
        if whisper.revision == page.screen.revision:
            return
        try:
            await whisper.reply.change(whisper.message, page, v2=whisper.v2)
        except (TooLate, discord.HTTPException):
            del self._whispers[user]
            raise PrivateClosed from None
        self._whispers[user] = replace(whisper, revision=page.screen.revision)


def _end() -> float:
    return time.monotonic() + TOKEN_LIFE


def _remember(known: OrderedDict[int, V], user: int, value: V) -> None:
    known[user] = value
    known.move_to_end(user)
    while len(known) > MOST_KNOWN:
        known.popitem(last=False)
