"""Reopenings: Discord's events for channels, roles and servers after which the bot may have access again."""

from collections.abc import Iterable

import discord

from adapters.discord_chat.addresses import CHAT
from bot.ports import DeliveryPort


class Reopenings:
    """Reports to delivery the channels that an event concerns. Each method is the event of its name."""

    def __init__(self, delivery: DeliveryPort) -> None:
        self._delivery = delivery

    def listen(self, client: discord.Client) -> None:
        """Register these events."""
        for event in (
            *(self.on_guild_join, self.on_guild_available, self.on_guild_role_update),
            *(self.on_member_update, self.on_guild_channel_update, self.on_raw_thread_update),
            self.on_thread_join,
        ):
            client.event(event)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._reopened(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self._reopened(guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self._reopened(after.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Without the intent for members, this is the bot itself."""
        await self._reopened(after.guild)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        await self._reopened_channels([after.id])

    async def on_raw_thread_update(self, update: discord.RawThreadUpdateEvent) -> None:
        await self._reopened_channels([update.parent_id])

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The bot was added to a private thread, or sees one again that was archived."""
        await self._reopened_channels([thread.parent_id])

    async def _reopened(self, guild: discord.Guild) -> None:
        await self._reopened_channels(channel.id for channel in guild.channels)

    async def _reopened_channels(self, channels: Iterable[int]) -> None:
        await self._delivery.reopened({f"{CHAT}:{channel}" for channel in channels})
