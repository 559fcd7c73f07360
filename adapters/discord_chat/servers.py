"""The servers that the bot is on: which one a channel belongs to, and who manages it.

A server's own key is `dc:server/` and its number: that is a community, not a place to write in.
"""

from typing import Final

import discord

from adapters.discord_chat.addresses import CHAT, channel_of
from adapters.discord_chat.patience import LATER, patiently
from bot.markup import Link
from bot.ports import RetryAfter

SERVER: Final = f"{CHAT}:server/"


class Servers:
    """What the client knows of servers, and what it has to ask."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def manages(self, user: int, place: str) -> bool:
        """Whether a user may manage a place's server, by the roles that he has now. Raises RetryAfter."""
        server = self.server(place)
        if server is None:
            return False
        try:
            member = await patiently(lambda: server.fetch_member(user))
        except (discord.NotFound, discord.Forbidden):
            return False
        except discord.HTTPException:
            raise RetryAfter(LATER) from None
        return member.guild_permissions.manage_guild

    async def community(self, place: str) -> str:
        """The server's key; where the bot is not on the server, the channel's. Raises RetryAfter."""
        server = self.server(place)
        return place.partition("/")[0] if server is None else f"{SERVER}{server.id}"

    def place_link(self, place: str) -> Link | None:
        """A link to a channel or thread, by its name."""
        channel = self._client.get_channel(channel_of(place))
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return None
        return Link(f"#{channel.name}", f"https://discord.com/channels/{channel.guild.id}/{channel.id}")

    def server(self, place: str) -> discord.Guild | None:
        """The server of a channel, a thread or a server's key; None where the bot is not. Raises
        RetryAfter."""
        number = place.removeprefix(SERVER).removeprefix(f"{CHAT}:").partition("/")[0]
        if not (number.isascii() and number.isdecimal()):
            return None
        if place.startswith(SERVER):
            server = self._client.get_guild(int(number))
        else:
            server = getattr(self._client.get_channel(int(number)), "guild", None)
        if server is None and not self._client.is_ready():
            raise RetryAfter(LATER)
        return server
