"""Private messages: racks go to a direct channel or, where that is closed, are ephemeral in another."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from cachetools import LRUCache, TTLCache

from adapters.discord_chat.addresses import ChannelMessage, person_key
from adapters.discord_chat.rendering import AnyScreen, Rendered
from adapters.discord_chat.responses import UNDELIVERED, Interaction, InteractionExpired, Responses
from adapters.discord_chat.retry import LATER, LONGEST_CALL, retried
from adapters.discord_chat.sending import (
    OPENED_TOO_FAST,
    OPENING_PAUSE,
    UNKNOWN_MESSAGE,
    MessageGone,
    Sender,
    in_private,
    refusals,
    tolerated,
)
from bot.markup import SeatScreen
from bot.ports import DeliveryPort, PrivateClosed, RetryAfter

TOKEN_LIFE: Final = 14 * 60.0
"""Seconds for which an answer can be edited: Discord's 15 minutes, less a margin."""

CLOSED_FOR: Final = 600.0
"""Seconds after which a press, too, makes a closed direct message worth another try."""

MOST_KNOWN: Final = 20_000
"""People remembered; the longest unseen are forgotten, which costs a call when they come again."""


@dataclass
class Ephemeral:
    """A rack that one person sees in a channel, while it can still be edited."""

    responses: Responses
    message: int | None
    """A follow-up, or None for the first response."""
    v2: bool
    table: str
    revision: int


class PrivateMessages:
    """What is known of people's private ways. All of it may be lost in a restart: it is found again."""

    def __init__(self, client: discord.Client, sender: Sender, delivery: DeliveryPort) -> None:
        self._client = client
        self._sender = sender
        self._delivery = delivery
        self._channels = LRUCache[int, int](MOST_KNOWN)
        self._closed = LRUCache[int, float](MOST_KNOWN)
        """Since when, by the monotonic clock."""
        self._ephemeral = TTLCache[int, Ephemeral](MOST_KNOWN, TOKEN_LIFE)
        self._opening: dict[int, asyncio.Task[int]] = {}
        self._one_at_a_time = asyncio.Lock()
        self._opens_again = 0.0
        """When, by the monotonic clock, another channel may be opened after Discord called it too fast."""

    def is_known(self, user: int) -> bool:
        """Whether the direct channel is known, or known to be closed."""
        return user in self._channels or user in self._closed

    def shows(self, user: int, table: str) -> bool:
        """Whether they see a rack of that table in a channel, which can still be edited."""
        shown = self._ephemeral.get(user)
        return shown is not None and shown.table == table

    async def open(self, user: int) -> None:
        """Open the direct channel, which shows nothing yet. Raises PrivateClosed, RetryAfter."""
        with refusals(in_private):
            await self._channel(user)

    async def show(
        self,
        user: int,
        rendered: Rendered[SeatScreen],
        message: ChannelMessage | None,
        *,
        notify: bool,
        silent: bool = False,
    ) -> str:
        """Show a rack and return its reference. Raises PrivateClosed, RetryAfter."""
        with suppress(PrivateClosed), self._open_to(user):
            return str(await self._show_directly(user, rendered, message, notify=notify, silent=silent))
        await self._show_ephemerally(user, rendered)
        return str(message or "")

    async def send(self, user: int, rendered: Rendered[AnyScreen], once: str) -> None:
        """Send a direct message besides the rack. Raises PrivateClosed, RetryAfter."""
        with self._open_to(user):
            channel = await self._channel(user)
            await self.covered(user)
            await self._sender.send(channel, rendered, once)

    async def in_sight(self, user: int, message: str) -> bool:
        """Whether nothing was written below a message in the direct channel."""
        last = ChannelMessage.parse(await self._delivery.last_message(person_key(user)))
        shown = ChannelMessage.parse(message)
        return last is not None and shown is not None and last.message == shown.message

    async def covered(self, user: int) -> None:
        """Something else than a rack stands last in the direct channel, or will in a moment."""
        await self._delivery.wrote(person_key(user), "")

    def rack_link(self, user: int, message: str) -> str | None:
        """Where a rack is in the direct channel, as far as somebody can go there."""
        shown = ChannelMessage.parse(message)
        if shown is None or user in self._closed:
            return None
        return f"https://discord.com/channels/@me/{shown.channel}/{shown.message}"

    @contextmanager
    def _open_to(self, user: int) -> Iterator[None]:
        """Raises PrivateClosed when it is known that direct messages do not reach somebody, and remembers
        it when it is learnt within."""
        if user in self._closed:
            raise PrivateClosed
        try:
            with refusals(in_private):
                yield
        except PrivateClosed:
            self._closed[user] = time.monotonic()
            raise

    async def _show_directly(
        self,
        user: int,
        rendered: Rendered[SeatScreen],
        message: ChannelMessage | None,
        *,
        notify: bool,
        silent: bool,
    ) -> ChannelMessage:
        if message is not None:
            self._channels[user] = message.channel
            if not notify:
                with suppress(MessageGone):
                    return await self._sender.edit(message, rendered)
        once = f"{rendered.screen.table} {message}"
        channel = await self._channel(user)
        await self.covered(user)
        new = await self._sender.send(channel, rendered, once, silent=silent)
        await self._delivery.wrote(person_key(user), str(new))
        return new

    async def remove(self, message: ChannelMessage) -> None:
        """Delete a direct message that a newer one has replaced. Raises PrivateClosed, RetryAfter."""
        with refusals(in_private), tolerated(UNKNOWN_MESSAGE):
            await self._sender.delete(message)

    async def _show_ephemerally(self, user: int, rendered: Rendered[SeatScreen]) -> None:
        """Bring what they see in the channel up to date. Raises PrivateClosed when it can't be reached."""
        shown, screen = self._ephemeral.get(user), rendered.screen
        if shown is None or shown.table != screen.table:
            raise PrivateClosed
        if shown.revision == screen.revision:
            return
        try:
            await shown.responses.edit(shown.message, rendered, v2=shown.v2)
        except (InteractionExpired, discord.HTTPException):
            self._ephemeral.pop(user, None)
            raise PrivateClosed from None
        shown.revision = screen.revision

    async def _channel(self, user: int) -> int:
        """The direct channel, opened once, however many messages wait for it."""
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
        async with self._one_at_a_time:
            left = self._opens_again - time.monotonic()
            if left > 0:
                raise RetryAfter(left)
            try:
                opening = partial(self._client.create_dm, discord.Object(user))
                channel = await retried(opening, hurried=False, once=True)
            except discord.HTTPException as refused:
                if refused.code == OPENED_TOO_FAST:
                    self._opens_again = time.monotonic() + OPENING_PAUSE
                raise
        self._channels[user] = channel.id
        return channel.id

    # People who act

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote to the bot, whatever it was."""
        if message.guild is None and not message.author.bot:
            await self.covered(message.author.id)

    def met(self, interaction: Interaction) -> None:
        """A person acted: their direct channel may be seen in it, and a closed one be worth another try."""
        user = interaction.user.id
        if interaction.guild_id is None and interaction.channel_id is not None:
            self._channels[user] = interaction.channel_id
        commanded = interaction.type is discord.InteractionType.application_command
        since = self._closed.get(user)
        if since is not None and (commanded or time.monotonic() - since > CLOSED_FOR):
            del self._closed[user]

    async def sent(self, responses: Responses, rendered: Rendered[SeatScreen], message: int | None) -> None:
        """A rack was shown in a channel, as the first response or as a follow-up; an earlier one goes."""
        earlier = self._ephemeral.get(responses.interaction.user.id)
        self.shown(responses, rendered, message, v2=rendered.needs_v2)
        if earlier is not None:
            with suppress(*UNDELIVERED):
                await earlier.responses.delete(earlier.message)

    def shown(
        self, responses: Responses, rendered: Rendered[SeatScreen], message: int | None, *, v2: bool
    ) -> None:
        """A rack is what an answer in a channel shows now."""
        screen, user = rendered.screen, responses.interaction.user.id
        self._ephemeral[user] = Ephemeral(responses, message, v2, screen.table, screen.revision)
