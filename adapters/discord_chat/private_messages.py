"""Private messages: a rack goes to a direct channel or, if that is closed, is an ephemeral message in
another."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import discord
from cachetools import LRUCache

from adapters.discord_chat.addresses import ChannelMessage, person_key
from adapters.discord_chat.rendering import AnyScreen, Rendered
from adapters.discord_chat.responses import UNDELIVERED, Interaction, InteractionExpired, Responses
from adapters.discord_chat.retry import LATER, LONGEST_CALL, retry
from adapters.discord_chat.sending import (
    OPENED_TOO_FAST,
    OPENING_PAUSE,
    MessageGone,
    Sender,
    in_private,
    refusals,
)
from bot.markup import SeatScreen
from bot.ports import PrivateClosed, RetryAfter, SharedStatePort

TOKEN_LIFE: Final = 14 * 60.0
"""Seconds for which an answer can be edited: Discord's 15 minutes, less a margin."""

CLOSED_FOR: Final = 600.0
"""Seconds after which a press, too, makes a closed direct channel worth another try."""

MOST_KNOWN: Final = 20_000
"""The most people remembered. Forgetting the one unseen for longest costs a call when they come again."""


@dataclass
class Ephemeral:
    """A rack that one person sees in a channel, while it can be edited."""

    responses: Responses
    message: int | None
    """The number of a follow-up; None for the first response."""
    v2: bool
    table: str
    version: int
    retries: bool
    """Whether its person has done something since that makes their direct channel worth another try."""
    since: float = field(default_factory=time.monotonic)
    """When it was shown, by the monotonic clock."""


@dataclass(slots=True)
class _Private:
    """What is known of a user's direct channel, and of the rack that they see elsewhere."""

    channel: int | None = None
    closed: float | None = None
    """When it was found to be closed, by the monotonic clock; None: it is not known to be."""
    rack: Ephemeral | None = None
    """The rack that they saw last in a channel."""

    @property
    def ephemeral(self) -> Ephemeral | None:
        """The rack that they see in a channel, while it can be edited."""
        rack = self.rack
        return rack if rack is not None and time.monotonic() < rack.since + TOKEN_LIFE else None


class PrivateMessages:
    """The direct channels and ephemeral racks known to this process. A restart loses them, and they are found
    again."""

    def __init__(self, client: discord.Client, sender: Sender, shared: SharedStatePort) -> None:
        self._client = client
        self._sender = sender
        self._shared = shared
        self._known = LRUCache[int, _Private](MOST_KNOWN)
        self._opening: dict[int, asyncio.Task[int]] = {}
        self._one_at_a_time = asyncio.Lock()
        self._opens_again = 0.0
        """The time, by the monotonic clock, of the next opening after Discord has refused one as too fast."""

    def is_known(self, user: int) -> bool:
        """Return whether the direct channel is known, or known to be closed."""
        known = self._recall(user)
        return known.channel is not None or known.closed is not None

    def _recall(self, user: int) -> _Private:
        return self._known.setdefault(user, _Private())

    def shows(self, user: int, table: str) -> bool:
        """Return whether a person sees a rack of that table in a channel that can still be edited."""
        shown = self._recall(user).ephemeral
        return shown is not None and shown.table == table

    async def open(self, user: int) -> None:
        """Open the direct channel without a message. Raises PrivateClosed, RetryAfter."""
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
        """Show a rack in the direct channel and return its reference. Raises PrivateClosed, RetryAfter."""
        with self._open_to(user):
            shown = await self._show_directly(user, rendered, message, notify=notify, silent=silent)
            return shown.reference

    async def show_in_place(
        self, user: int, rendered: Rendered[SeatScreen], message: ChannelMessage | None, *, silent: bool
    ) -> str:
        """Show a rack in the channel where its person alone sees it, and return the reference of `message`.
        The store says that the direct channel is closed, whichever process was told so: it is tried only if
        it is worth that by now. Raises PrivateClosed, RetryAfter."""
        shown = self._recall(user).ephemeral
        if shown is not None and shown.retries:
            with suppress(PrivateClosed):
                return await self.show(user, rendered, message, notify=False, silent=silent)
            shown.retries = False
        await self._show_ephemerally(user, rendered)
        return "" if message is None else message.reference

    async def send(self, user: int, rendered: Rendered[AnyScreen], once: str) -> str:
        """Send a direct message other than the rack and return its reference. Raises PrivateClosed,
        RetryAfter."""
        with self._open_to(user):
            channel = await self._channel(user)
            await self.note_covered(user)
            return (await self._sender.send(channel, rendered, once)).reference

    async def in_sight(self, user: int, message: str) -> bool:
        """Return whether a message is the last one in the direct channel."""
        last = ChannelMessage.parse(await self._shared.last_message(person_key(user)))
        shown = ChannelMessage.parse(message)
        return last is not None and shown is not None and last.message == shown.message

    async def note_covered(self, user: int) -> None:
        """Note that the last message in the direct channel is no rack, or soon will be none."""
        await self._shared.wrote(person_key(user), "")

    def rack_link(self, user: int, message: str) -> str | None:
        """Return a link to a rack in the direct channel, if the person can open it."""
        shown = ChannelMessage.parse(message)
        if shown is None or self._recall(user).closed is not None:
            return None
        return f"https://discord.com/channels/@me/{shown.channel}/{shown.message}"

    def v2_after(self, user: int, message: discord.Message, rendered: Rendered[AnyScreen]) -> bool:
        """Return whether a message that only this person sees will be one of components only when it shows
        this screen. Remembered before the call, as in `Sender.v2_after`."""
        reference = ChannelMessage.of(message)
        shown = self._recall(user).ephemeral if message.flags.ephemeral else None
        if shown is None:
            return self._sender.v2_after(reference, rendered)
        shown.v2 = self._sender.v2_after(replace(reference, v2=reference.v2 or shown.v2), rendered)
        return shown.v2

    @contextmanager
    def _open_to(self, user: int) -> Iterator[None]:
        """Send direct messages inside this. Raises PrivateClosed when they are known not to reach the person,
        and remembers it when a call inside fails that way."""
        if self._recall(user).closed is not None:
            raise PrivateClosed
        try:
            with refusals(in_private):
                yield
        except PrivateClosed:
            self._recall(user).closed = time.monotonic()
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
            self._recall(user).channel = message.channel
            if not notify:
                with suppress(MessageGone):
                    return await self._sender.edit(message, rendered)
        once = f"{rendered.screen.table} {message}"
        channel = await self._channel(user)
        await self.note_covered(user)
        new = await self._sender.send(channel, rendered, once, silent=silent)
        await self._shared.wrote(person_key(user), str(new))
        return new

    async def remove(self, message: ChannelMessage) -> None:
        """Delete a direct message that a newer one has replaced. Raises PrivateClosed, RetryAfter."""
        with refusals(in_private):
            await self._sender.delete(message)

    async def _show_ephemerally(self, user: int, rendered: Rendered[SeatScreen]) -> None:
        """Edit the rack that a person sees in a channel. Raises PrivateClosed when it can't be reached."""
        async with self._sender.turn(user, rendered.screen) as due:
            shown, screen = self._recall(user).ephemeral, rendered.screen
            if shown is None or shown.table != screen.table:
                raise PrivateClosed
            if not due or shown.version == screen.version:
                return
            shown.v2 = shown.v2 or rendered.needs_v2
            try:
                await shown.responses.edit(shown.message, rendered, v2=shown.v2)
            except (InteractionExpired, discord.HTTPException):
                self._recall(user).rack = None
                raise PrivateClosed from None
            shown.version = screen.version

    async def _channel(self, user: int) -> int:
        """Return the direct channel. It is opened once, however many messages wait for it."""
        if (known := self._recall(user).channel) is not None:
            return known
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
        """Open a direct channel, one after another and slowly: Discord punishes a bot that opens many at
        once, and a call given up halfway would have to be repeated."""
        async with self._one_at_a_time:
            left = self._opens_again - time.monotonic()
            if left > 0:
                raise RetryAfter(left)
            try:
                opening = partial(self._client.create_dm, discord.Object(user))
                channel = await retry(opening, hurried=False, once=True)
            except discord.HTTPException as refused:
                if refused.code == OPENED_TOO_FAST:
                    self._opens_again = time.monotonic() + OPENING_PAUSE
                raise
        self._recall(user).channel = channel.id
        return channel.id

    # Acts of people

    async def on_message(self, message: discord.Message) -> None:
        """Note that a person wrote to the bot."""
        if message.guild is None and not message.author.bot:
            await self.note_covered(message.author.id)

    def note_channel(self, interaction: Interaction) -> None:
        """Note a person's direct channel, and whether a closed one is worth another try, from their
        interaction."""
        user = interaction.user.id
        known = self._recall(user)
        if interaction.guild_id is None and interaction.channel_id is not None:
            known.channel = interaction.channel_id
        since = known.closed
        if _is_command(interaction) or (since is not None and time.monotonic() - since > CLOSED_FOR):
            known.closed = None
            if (shown := known.ephemeral) is not None:
                shown.retries = True

    async def note_sent(
        self, responses: Responses, rendered: Rendered[SeatScreen], message: int | None
    ) -> None:
        """Note a rack shown in a channel, as the first response or as a follow-up, and delete an earlier
        one."""
        earlier = self._recall(responses.interaction.user.id).ephemeral
        self.note_shown(responses, rendered, message, v2=rendered.needs_v2)
        if earlier is not None:
            with suppress(*UNDELIVERED):
                await earlier.responses.delete(earlier.message)

    def note_shown(
        self, responses: Responses, rendered: Rendered[SeatScreen], message: int | None, *, v2: bool
    ) -> None:
        """Note that an answer in a channel now shows a rack."""
        screen, user = rendered.screen, responses.interaction.user.id
        earlier = self._recall(user).ephemeral
        retries = _is_command(responses.interaction) or (earlier is not None and earlier.retries)
        rack = Ephemeral(responses, message, v2, screen.table, screen.version, retries)
        self._recall(user).rack = rack


def _is_command(interaction: Interaction) -> bool:
    return interaction.type is discord.InteractionType.application_command
