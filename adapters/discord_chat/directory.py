"""Directory: to which server a channel belongs, and what servers and channels are like.

The gateway reports all of it. A process without one learns it from those who act, and asks for the rest.
"""

from dataclasses import dataclass
from typing import Final

import discord
from cachetools import LRUCache, TTLCache

from adapters.discord_chat.addresses import CHAT
from adapters.discord_chat.responses import Interaction
from adapters.discord_chat.retry import LATER, retried
from bot.ports import DeliveryPort, RateLimit, RetryAfter

EVERYTHING: Final = RateLimit(CHAT, 9, 0.2)
"""Discord takes 50 calls a second of one bot, answers to interactions not counted. In small portions: who
goes next is then settled often."""

BELIEVED_SECONDS: Final = 60.0
"""For so long what was asked for is believed."""
_MOST_CHANNELS: Final = 50_000
_MOST_SERVERS: Final = 1000

Channel = discord.abc.GuildChannel | discord.Thread


@dataclass(frozen=True, slots=True)
class Spot:
    """A channel or thread of a server."""

    server: int
    name: str


class Directory:
    """What methods ask for may raise RetryAfter."""

    def __init__(self, client: discord.Client, delivery: DeliveryPort) -> None:
        self._client = client
        self._delivery = delivery
        self._spots = LRUCache[int, Spot](_MOST_CHANNELS)
        """A channel never goes to another server."""
        self._strange = TTLCache[int, None](_MOST_CHANNELS, BELIEVED_SECONDS)
        """Channels of which Discord tells the bot nothing."""
        self._servers = TTLCache[int, discord.Guild](_MOST_SERVERS, BELIEVED_SECONDS)

    def met(self, interaction: Interaction) -> None:
        """An act on a server tells of its channel."""
        channel = interaction.channel
        if isinstance(channel, Channel) and interaction.is_guild_integration():
            self._spots[channel.id] = Spot(channel.guild.id, channel.name)

    def known(self, channel: int) -> Spot | None:
        """A channel, as far as it is known without asking."""
        reported = self._client.get_channel(channel)
        if isinstance(reported, Channel):
            return Spot(reported.guild.id, reported.name)
        return None if self._reported() else self._spots.get(channel)

    async def spot(self, channel: int) -> Spot | None:
        """A channel; None where the bot is not."""
        spot = self.known(channel)
        if spot is not None or self._reported() or channel in self._strange:
            return spot
        found = await self._fetched(channel)
        return None if found is None else self._spots[channel]

    async def server(self, number: int) -> discord.Guild | None:
        """A server with its roles; None where the bot is not."""
        server = self._client.get_guild(number) or self._servers.get(number)
        if server is None and not self._reported():
            await self._charged()
            try:
                server = await retried(lambda: self._client.fetch_guild(number, with_counts=False))
            except (discord.NotFound, discord.Forbidden):
                return None
            except discord.HTTPException:
                raise RetryAfter(LATER) from None
            self._servers[number] = server
        return server

    async def channel(self, number: int) -> Channel | None:
        """A channel or thread, with its server."""
        reported = self._client.get_channel(number)
        found = await self._fetched(number) if reported is None and not self._reported() else reported
        return found if isinstance(found, Channel) else None

    async def text_channel(self, number: int) -> discord.TextChannel | None:
        """A text channel, with its server."""
        found = await self.channel(number)
        return found if isinstance(found, discord.TextChannel) else None

    async def permissions_in(self, channel: discord.TextChannel) -> discord.Permissions:
        """What the bot may do in a channel."""
        me = channel.guild.me
        if me is None or not self._reported():
            assert self._client.user is not None
            number = self._client.user.id
            await self._charged()
            me = await retried(lambda: channel.guild.fetch_member(number))
        return channel.permissions_for(me)

    def _reported(self) -> bool:
        """Whether the gateway has told of every server."""
        return self._client.is_ready()

    async def _fetched(self, number: int) -> Channel | None:
        await self._charged()
        try:
            found = await retried(lambda: self._client.fetch_channel(number))
        except (discord.NotFound, discord.Forbidden):
            found = None
        except discord.HTTPException:
            raise RetryAfter(LATER) from None
        server = await self.server(found.guild.id) if isinstance(found, Channel) else None
        if not isinstance(found, Channel) or server is None:
            self._strange[number] = None
            return None
        found.guild = server
        self._spots[number] = Spot(server.id, found.name)
        return found

    async def _charged(self) -> None:
        if wait := await self._delivery.spend((EVERYTHING,)):
            raise RetryAfter(wait)
