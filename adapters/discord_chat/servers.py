"""The servers that the bot is on: which one a channel belongs to, and who manages it."""

import discord

from adapters.discord_chat.addresses import channel_of
from adapters.discord_chat.patience import LATER, patiently
from bot.chats import TryLater


class Servers:
    """What the client knows of servers, and what it has to ask."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def manages(self, user: int, place: str) -> bool:
        """Whether a user may manage a place's server, by the roles that he has now. Raises TryLater."""
        server = self._server(place)
        if server is None:
            return False
        try:
            member = await patiently(lambda: server.fetch_member(user))
        except (discord.NotFound, discord.Forbidden):
            return False
        except discord.HTTPException:
            raise TryLater(LATER) from None
        return member.guild_permissions.manage_guild

    def _server(self, place: str) -> discord.Guild | None:
        """The server of a channel or thread; None where the bot is not. Raises TryLater."""
        channel = self._client.get_channel(channel_of(place.partition("/")[0]))
        if channel is None and not self._client.is_ready():
            raise TryLater(LATER)
        return getattr(channel, "guild", None)
