"""Guilds: what the bot does on a server besides messages, with its channels, threads, members and roles.

A server's own key is `dc:server/` and its number: that is a community, not a place to write in.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import discord
from cachetools import TTLCache

from adapters.discord_chat.addresses import CHAT, ChannelMessage, channel_of, person_key, user_of
from adapters.discord_chat.responses import Interaction
from adapters.discord_chat.retry import LATER, retried
from adapters.discord_chat.sending import UNKNOWN_MEMBER, in_place, needing, refusals, tolerated
from bot.markup import Link
from bot.ports import DeliveryPort, PlaceRefused, RateLimit, RetryAfter

LOG: Final = logging.getLogger(__name__)

SERVER: Final = f"{CHAT}:server/"

NEEDED_FOR_THREADS: Final = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)

_JUST_OPENED: Final = timedelta(minutes=30)
"""So long ago at most a thread was opened whose answer was lost."""

EVERYTHING: Final = RateLimit(CHAT, 9, 0.2)
"""Discord takes 50 calls a second of one bot, answers to interactions not counted. In small portions: who
goes next is then settled often."""

MANAGER_SECONDS: Final = 5.0
"""What Discord has said of a person's rights is believed for so long."""
_MOST_MANAGERS: Final = 5000

_ARCHIVED_AFTER: Final = 1440
"""Minutes without a word until Discord archives a thread by itself."""


def lacking_permissions(needed: discord.Permissions, granted: discord.Permissions) -> tuple[str, ...]:
    """What is needed and not granted, by the names that Discord's settings give it."""
    return tuple(
        name.replace("_", " ").title() for name, value in needed if value and not getattr(granted, name)
    )


class Guilds:
    """The part of `bot.ports.Chat` that concerns servers; see there."""

    def __init__(self, client: discord.Client, delivery: DeliveryPort) -> None:
        self._client = client
        self._delivery = delivery
        self._manages = TTLCache[tuple[int, str], bool](_MOST_MANAGERS, MANAGER_SECONDS)
        """Whether a person may manage a server."""

    def _guild(self, place: str) -> discord.Guild | None:
        """The server of a channel, a thread or a server's key; None where the bot is not. Raises
        RetryAfter."""
        number = place.removeprefix(SERVER).removeprefix(f"{CHAT}:").partition("/")[0]
        if not (number.isascii() and number.isdecimal()):
            return None
        if place.startswith(SERVER):
            guild = self._client.get_guild(int(number))
        else:
            guild = getattr(self._client.get_channel(int(number)), "guild", None)
        if guild is None and not self._client.is_ready():
            raise RetryAfter(LATER)
        return guild

    async def community(self, place: str) -> str:
        """The server's key; where the bot is not on the server, the channel's."""
        guild = self._guild(place)
        return place.partition("/")[0] if guild is None else f"{SERVER}{guild.id}"

    def met(self, interaction: Interaction) -> None:
        """Whoever acts on a server comes with the rights that they have there now: they cost no call."""
        if interaction.guild_id is not None:
            key = interaction.guild_id, person_key(interaction.user.id)
            self._manages[key] = interaction.permissions.manage_guild

    async def organises(self, person: str, place: str) -> bool:
        """Whether somebody may manage a place's server, by the roles that they had seconds ago."""
        guild = self._guild(place)
        if guild is None:
            return False
        known = self._manages.get((guild.id, person))
        if known is not None:
            return known
        if wait := await self._delivery.spend((_members_limit(guild), EVERYTHING)):
            raise RetryAfter(wait)
        manages = self._manages[guild.id, person] = await _may_manage(guild, person)
        return manages

    # Channels and threads

    def place_link(self, place: str) -> Link | None:
        """A link to a channel or thread, by its name."""
        channel = self._client.get_channel(channel_of(place))
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return None
        return Link(f"#{channel.name}", f"https://discord.com/channels/{channel.guild.id}/{channel.id}")

    def link(self, place: str, message: str) -> str | None:
        """None as well while the bot does not know the channel's server."""
        way, reference = self.place_link(place), ChannelMessage.parse(message)
        return None if way is None or reference is None else f"{way.url}/{reference.message}"

    async def open_room(self, place: str, name: str) -> str | None:
        """A public thread of the channel. A thread that stands in a thread there is none."""
        channel = self._text_channel(place)
        if channel is None or await self.lacks_for_rooms(place):
            return None
        try:
            # Asked again when an answer was lost, it finds what was opened.
            thread = await retried(lambda: _found_or_opened(channel, name))
        except discord.HTTPException as refused:
            if isinstance(meaning := in_place(refused), PlaceRefused):
                raise meaning from None
            LOG.warning("no thread was opened: status %s, code %s", refused.status, refused.code)
            return None
        return f"{CHAT}:{channel.id}/{thread}"

    async def close_room(self, place: str) -> None:
        """Archives the thread."""
        number = channel_of(place)
        try:
            thread = self._client.get_channel(number)
            if thread is None:
                thread = await retried(lambda: self._client.fetch_channel(number))
            if isinstance(thread, discord.Thread):
                await retried(lambda: thread.edit(archived=True))
        except discord.HTTPException as refused:
            LOG.warning("a thread was not archived: status %s, code %s", refused.status, refused.code)

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        channel = self._text_channel(place)
        if channel is None:
            return None
        return lacking_permissions(NEEDED_FOR_THREADS, channel.permissions_for(channel.guild.me))

    def _text_channel(self, place: str) -> discord.TextChannel | None:
        channel = None if "/" in place else self._client.get_channel(channel_of(place))
        return channel if isinstance(channel, discord.TextChannel) else None

    # Roles

    async def give_role(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        """A role is known by its name: people may colour and move it."""
        guild = self._guild(place)
        if guild is None:
            return
        with refusals(needing("roles")):
            role = await _role(guild, name)
            for person in dict.fromkeys((*former, *holders)):
                await _change_role(guild, person, role, held=person in holders)


def _members_limit(guild: discord.Guild) -> RateLimit:
    return RateLimit(f"{SERVER}{guild.id}/members", 5, 5.0)


async def _may_manage(guild: discord.Guild, person: str) -> bool:
    try:
        member = await retried(lambda: guild.fetch_member(user_of(person)))
    except (discord.NotFound, discord.Forbidden):
        return False
    except discord.HTTPException:
        raise RetryAfter(LATER) from None
    return member.guild_permissions.manage_guild


async def _found_or_opened(channel: discord.TextChannel, name: str) -> int:
    just_now = discord.utils.utcnow() - _JUST_OPENED  # an older one is another table's, of a week ago
    for thread in await channel.guild.active_threads():
        ours = (thread.parent_id, thread.name, thread.owner_id) == (channel.id, name, channel.guild.me.id)
        if ours and discord.utils.snowflake_time(thread.id) > just_now:
            return thread.id
    opened = await channel.create_thread(
        name=name, type=discord.ChannelType.public_thread, auto_archive_duration=_ARCHIVED_AFTER
    )
    return opened.id


async def _role(guild: discord.Guild, name: str) -> discord.Role:
    for role in await retried(guild.fetch_roles):
        if role.name == name and not role.managed:
            return role
    return await retried(lambda: guild.create_role(name=name))


async def _change_role(guild: discord.Guild, person: str, role: discord.Role, *, held: bool) -> None:
    """Have somebody wear it, or no longer. Both may be done twice."""
    with tolerated(UNKNOWN_MEMBER):
        member = await retried(lambda: guild.fetch_member(user_of(person)))
        await retried(lambda: (member.add_roles if held else member.remove_roles)(role))
