"""Places: channels and threads of Discord's servers, and who reads and manages them.

A server's own key is `dc:server/` and its number. It stands for a community, and cannot be written in.
"""

from typing import Final

import discord
from cachetools import TTLCache

from adapters.discord_chat.addresses import CHAT, ChannelMessage, channel_of, person_key, user_of
from adapters.discord_chat.directory import Directory
from adapters.discord_chat.limits import EVERYTHING
from adapters.discord_chat.responses import Interaction
from adapters.discord_chat.retry import LATER, retry
from bot.markup import Link
from bot.ports import Places, RateLimit, RetryAfter, SharedStatePort

SERVER: Final = f"{CHAT}:server/"

MANAGER_SECONDS: Final = 5.0
"""Seconds for which a person's rights are used without asking again."""
_MOST_MANAGERS: Final = 5000


class GuildPlaces(Places):
    """The channels and threads that the bot is in."""

    def __init__(self, client: discord.Client, directory: Directory, shared: SharedStatePort) -> None:
        self._client = client
        self._directory = directory
        self._shared = shared
        self._manages = TTLCache[tuple[int, str], bool](_MOST_MANAGERS, MANAGER_SECONDS)
        """Whether a person may manage a server, which every interaction tells of its person. Without it each
        press of an organiser costs one more call, or two."""

    async def _server_number(self, place: str) -> int | None:
        """Return the server of a channel, a thread or a server's key; None if the bot is not there. Raises
        RetryAfter."""
        number = place.removeprefix(SERVER).removeprefix(f"{CHAT}:").partition("/")[0]
        if not (number.isascii() and number.isdecimal()):
            return None
        if place.startswith(SERVER):
            return int(number)
        spot = await self._directory.spot(int(number))
        return None if spot is None else spot.server

    async def guild(self, place: str) -> discord.Guild | None:
        """Return the server of a place; None if the bot is not there. Raises RetryAfter."""
        number = await self._server_number(place)
        return None if number is None else await self._directory.server(number)

    async def community(self, place: str) -> str:
        """Return the server's key, or the channel's if the bot is not on the server."""
        number = await self._server_number(place)
        return place.partition("/")[0] if number is None else f"{SERVER}{number}"

    def note_rights(self, interaction: Interaction) -> None:
        """Note a person's rights on a server, which come with each interaction: that saves a call."""
        self._directory.note_server(interaction)
        if interaction.guild_id is not None:
            key = interaction.guild_id, person_key(interaction.user.id)
            self._manages[key] = interaction.permissions.manage_guild

    async def organises(self, person: str, place: str) -> bool:
        """Return whether a person may manage a place's server, by their roles of a few seconds ago."""
        guild = await self.guild(place)
        if guild is None:
            return False
        known = self._manages.get((guild.id, person))
        if known is not None:
            return known
        if wait := await self._shared.spend((_members_limit(guild), EVERYTHING)):
            raise RetryAfter(wait)
        manages = self._manages[guild.id, person] = await _may_manage(guild, person)
        return manages

    async def reads(self, person: str, place: str) -> bool | None:
        """Return whether a person can see a place's channel now, and is in it if it is a private thread."""
        number, _, thread = place.removeprefix(f"{CHAT}:").partition("/")
        channel = await self._directory.channel(int(number)) if number.isdecimal() else None
        if not isinstance(channel, discord.abc.GuildChannel):
            return None
        guild = channel.guild
        if wait := await self._shared.spend((_members_limit(guild), EVERYTHING)):
            raise RetryAfter(wait)
        try:
            member = await retry(lambda: guild.fetch_member(user_of(person)))
            sees = channel.permissions_for(member).view_channel
            return sees and (not thread or await self._is_open(int(thread), member))
        except discord.NotFound:
            return False
        except (discord.Forbidden, ValueError):
            return None
        except discord.HTTPException:
            raise RetryAfter(LATER) from None

    async def _is_open(self, number: int, member: discord.Member) -> bool:
        """Return whether a thread is open to somebody who sees its channel. Raises what Discord refuses."""
        thread = await self._directory.thread(number)
        if thread is not None and thread.is_private():
            await retry(lambda: thread.fetch_member(member.id))
        return thread is not None

    def name(self, place: str) -> str:
        spot = self._directory.find(channel_of(place))
        if spot is None:
            return ""
        server = self._client.get_guild(spot.server)
        return f"#{spot.name}" if server is None else f"#{spot.name} · {server.name}"

    def link(self, place: str) -> Link | None:
        """Return a link to a channel or thread, by its name."""
        number = channel_of(place)
        spot = self._directory.find(number)
        if spot is None:
            return None
        return Link(f"#{spot.name}", f"https://discord.com/channels/{spot.server}/{number}")

    def message_link(self, place: str, message: str) -> str | None:
        """Return a link to a message; also None while the channel's server is unknown."""
        way, reference = self.link(place), ChannelMessage.parse(message)
        return None if way is None or reference is None else f"{way.url}/{reference.message}"


def _members_limit(guild: discord.Guild) -> RateLimit:
    return RateLimit(f"{SERVER}{guild.id}/members", 5, 5.0)


async def _may_manage(guild: discord.Guild, person: str) -> bool:
    try:
        member = await retry(lambda: guild.fetch_member(user_of(person)))
    except (discord.NotFound, discord.Forbidden):
        return False
    except discord.HTTPException:
        raise RetryAfter(LATER) from None
    return member.guild_permissions.manage_guild
