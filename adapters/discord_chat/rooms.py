"""Public threads for tables of their own."""

import logging
from typing import Final

import discord

from adapters.discord_chat.addresses import CHAT, channel_of
from adapters.discord_chat.patience import patiently
from adapters.discord_chat.sending import place_refusal
from bot.ports import PlaceGone

LOG: Final = logging.getLogger(__name__)

NEEDED: Final = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)

_ARCHIVED_AFTER: Final = 1440
"""Minutes without a word until Discord archives a thread by itself."""


class Rooms:
    """Opens and archives them. A thread that stands in a thread there is none."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def open(self, place: str, name: str) -> str | None:
        """The key of the channel's thread of that name; None where the bot may open none.

        Raises PlaceGone, RetryAfter.
        """
        channel = self._channel(place)
        if channel is None or self.lacks(place):
            return None
        try:
            # Asked again when an answer was lost, it finds what was opened.
            thread = await patiently(lambda: self._found_or_opened(channel, name))
        except discord.HTTPException as refused:
            if isinstance(meaning := place_refusal(refused), PlaceGone):
                raise meaning from None
            LOG.warning("no thread was opened: status %s, code %s", refused.status, refused.code)
            return None
        return f"{CHAT}:{channel.id}/{thread}"

    async def close(self, room: str) -> None:
        """Archive a thread. Raises RetryAfter."""
        try:
            await patiently(lambda: self._client.http.edit_channel(channel_of(room), archived=True))
        except discord.HTTPException as refused:
            LOG.warning("a thread was not archived: status %s, code %s", refused.status, refused.code)

    def lacks(self, place: str) -> tuple[str, ...] | None:
        """The missing permissions, by the names that Discord's settings give them; None: no threads there."""
        channel = self._channel(place)
        if channel is None:
            return None
        granted = channel.permissions_for(channel.guild.me)
        return tuple(
            name.replace("_", " ").title() for name, needed in NEEDED if needed and not getattr(granted, name)
        )

    def _channel(self, place: str) -> discord.TextChannel | None:
        channel = None if "/" in place else self._client.get_channel(channel_of(place))
        return channel if isinstance(channel, discord.TextChannel) else None

    async def _found_or_opened(self, channel: discord.TextChannel, name: str) -> int:
        for thread in await channel.guild.active_threads():
            if (thread.parent_id, thread.name, thread.owner_id) == (channel.id, name, channel.guild.me.id):
                return thread.id
        opened = await channel.create_thread(
            name=name, type=discord.ChannelType.public_thread, auto_archive_duration=_ARCHIVED_AFTER
        )
        return opened.id
