"""Directory: the server of a channel, and the properties of servers and channels.

The gateway reports all of it. A process without a gateway learns it from interactions, and asks for the rest.
"""

import time
from dataclasses import dataclass
from typing import Final

import discord
from cachetools import LRUCache, TTLCache

from adapters.discord_chat.limits import EVERYTHING
from adapters.discord_chat.responses import Interaction
from adapters.discord_chat.retry import LATER, retry
from bot.ports import RetryAfter, SharedStatePort

BELIEVED_SECONDS: Final = 60.0
"""Seconds for which an answer is used without asking again."""
_MOST_CHANNELS: Final = 50_000
_MOST_SERVERS: Final = 1000

Channel = discord.abc.GuildChannel | discord.Thread


@dataclass(frozen=True, slots=True)
class Spot:
    """A channel or thread of a server."""

    server: int
    name: str


class Directory:
    """The servers and channels known to this process. Methods that ask Discord may raise RetryAfter."""

    def __init__(self, client: discord.Client, shared: SharedStatePort) -> None:
        self._client = client
        self._shared = shared
        self._spots = LRUCache[int, Spot | float](_MOST_CHANNELS)
        """The server of each channel, which never changes, or when the bot could not see the channel, by the
        monotonic clock. Without it a process that has no gateway makes two calls at every press, to learn
        where it was."""
        self._servers = TTLCache[int, discord.Guild](_MOST_SERVERS, BELIEVED_SECONDS)
        """Servers as Discord told them when asked. Without it a process that has no gateway makes one more
        call at every question about a right."""

    def note_server(self, interaction: Interaction) -> None:
        """Note the server of an interaction's channel."""
        channel = interaction.channel
        if isinstance(channel, Channel) and interaction.is_guild_integration():
            self._spots[channel.id] = Spot(channel.guild.id, channel.name)

    def find(self, channel: int) -> Spot | None:
        """Return a channel, if it is known without asking."""
        reported = self._client.get_channel(channel)
        if isinstance(reported, Channel):
            return Spot(reported.guild.id, reported.name)
        known = None if self._is_reported() else self._spots.get(channel)
        return known if isinstance(known, Spot) else None

    async def spot(self, channel: int) -> Spot | None:
        """Return a channel; None if the bot is not there."""
        spot = self.find(channel)
        if spot is not None or self._is_reported() or self._is_strange(channel):
            return spot
        found = await self._fetch(channel)
        return None if found is None else Spot(found.guild.id, found.name)

    async def server(self, number: int) -> discord.Guild | None:
        """Return a server with its roles; None if the bot is not there."""
        server = self._client.get_guild(number)
        if server is None or (server.unavailable and not server.roles):
            # The gateway names servers before it tells their roles, without which nobody manages them. That
            # may take long if one is away just then.
            server = self._servers.get(number)
        if server is None and not self._is_reported():
            await self._charge()
            try:
                server = await retry(lambda: self._client.fetch_guild(number, with_counts=False))
            except (discord.NotFound, discord.Forbidden):
                return None
            except discord.HTTPException:
                raise RetryAfter(LATER) from None
            self._servers[number] = server
        return server

    async def channel(self, number: int) -> Channel | None:
        """Return a channel or thread, with its server."""
        reported = self._client.get_channel(number)
        found = await self._fetch(number) if reported is None and not self._is_reported() else reported
        return found if isinstance(found, Channel) else None

    async def text_channel(self, number: int) -> discord.TextChannel | None:
        """Return a text channel, with its server."""
        found = await self.channel(number)
        return found if isinstance(found, discord.TextChannel) else None

    async def thread(self, number: int) -> discord.Thread | None:
        """Return a thread. The gateway reports no archived ones."""
        found = self._client.get_channel(number) or await self._fetch(number)
        return found if isinstance(found, discord.Thread) else None

    async def permissions_in(self, channel: discord.abc.GuildChannel) -> discord.Permissions:
        """Return the bot's permissions in a channel."""
        me = channel.guild.me
        if me is None or not self._is_reported():
            assert self._client.user is not None
            number = self._client.user.id
            await self._charge()
            me = await retry(lambda: channel.guild.fetch_member(number))
        return channel.permissions_for(me)

    def _is_strange(self, channel: int) -> bool:
        """Return whether the bot could not see a channel just now."""
        seen = self._spots.get(channel)
        return isinstance(seen, float) and time.monotonic() < seen + BELIEVED_SECONDS

    def _is_reported(self) -> bool:
        """Return whether the gateway has reported every server."""
        return self._client.is_ready() and not any(server.unavailable for server in self._client.guilds)

    async def _fetch(self, number: int) -> Channel | None:
        await self._charge()
        try:
            found = await retry(lambda: self._client.fetch_channel(number))
        except (discord.NotFound, discord.Forbidden):
            found = None
        except discord.HTTPException:
            raise RetryAfter(LATER) from None
        server = await self.server(found.guild.id) if isinstance(found, Channel) else None
        if not isinstance(found, Channel) or server is None:
            self._spots[number] = time.monotonic()
            return None
        found.guild = server
        self._spots[number] = Spot(server.id, found.name)
        return found

    async def _charge(self) -> None:
        if wait := await self._shared.spend((EVERYTHING,)):
            raise RetryAfter(wait)
