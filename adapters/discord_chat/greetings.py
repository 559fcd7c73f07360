"""Greetings: the first message on a server, and answers to people who mention the bot."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import discord

from adapters.discord_chat.addresses import CHAT, person_key
from adapters.discord_chat.directory import Directory
from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.limits import LIMITS
from adapters.discord_chat.private_messages import PrivateMessages
from adapters.discord_chat.rendering import render
from adapters.discord_chat.sending import Sender
from bot.ports import (
    Dispatcher,
    Person,
    RetryAfter,
    SharedStatePort,
    StoreUnavailable,
    TypedCommand,
)

LOG: Final = logging.getLogger(__name__)

MENTION: Final = "mention"

TRIED_MOST: Final = 5
"""The most channels of a new server in which the bot looks for its rights."""


@dataclass(eq=False)
class Greetings:
    """Handlers of the gateway's events of their names."""

    _client: discord.Client
    _router: Dispatcher
    _shared: SharedStatePort
    _sender: Sender
    _private: PrivateMessages
    _directory: Directory
    _emojis: TileEmojis

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server that the bot has just joined, in its own language, where it may write."""
        with suppress(discord.HTTPException, RetryAfter):
            channel = await self._find_channel(guild)
            if channel is not None:
                await self._router.greet(f"{CHAT}:{channel.id}", str(guild.preferred_locale))

    async def on_message(self, message: discord.Message) -> None:
        """Note a message, and answer one that mentions the bot. What it says is not read."""
        await self._private.on_message(message)
        if message.guild is None:
            return
        await self._sender.on_last_message(message.channel.id, message.id)
        if self._client.user in message.mentions and not message.author.bot:
            with suppress(discord.HTTPException, RetryAfter, StoreUnavailable):
                await self._answer(message, message.guild)

    async def _answer(self, message: discord.Message, guild: discord.Guild) -> None:
        author, channel = message.author, message.channel
        by = Person(person_key(author.id), author.display_name, str(guild.preferred_locale))
        parent = f"{channel.parent_id}/" if isinstance(channel, discord.Thread) else ""
        place = f"{CHAT}:{parent}{channel.id}"
        typed = TypedCommand(by=by, place=place, verb=MENTION, argument="", id=str(message.id))
        answer = await self._router.command(typed)
        if answer.page is None or not await self._shared.claim_answer(typed):
            return
        if await self._shared.spend(LIMITS.public(place)) == 0:
            await self._sender.send(channel.id, await render(answer.page, self._emojis), f"{message.id}")

    async def _find_channel(self, guild: discord.Guild) -> discord.TextChannel | None:
        """Return the channel for a server's greeting: its own for such messages, else the first; None: the
        bot may write in none of them."""
        own = guild.system_channel
        channels: list[discord.TextChannel] = [] if own is None else [own]
        channels += sorted(guild.text_channels, key=lambda channel: (channel.position, channel.id))
        for channel in channels[:TRIED_MOST]:
            may = await self._directory.permissions_in(channel)
            if may.view_channel and may.send_messages:
                return channel
        return None
