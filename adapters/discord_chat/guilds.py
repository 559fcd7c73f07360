"""Guilds: the bot's acts on a server besides messages: channels, threads, members, roles, calendar.

A server's own key is `dc:server/` and its number. It stands for a community, and cannot be written in.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord
from cachetools import TTLCache
from discord import EntityType, EventStatus, PrivacyLevel
from discord import ScheduledEvent as DiscordEvent

from adapters.discord_chat.addresses import CHAT, ChannelMessage, channel_of, person_key, user_of
from adapters.discord_chat.directory import Directory
from adapters.discord_chat.limits import EVERYTHING
from adapters.discord_chat.responses import Interaction
from adapters.discord_chat.retry import LATER, retry
from adapters.discord_chat.sending import UNKNOWN_MEMBER, UNKNOWN_USER, in_place, needing, refusals, tolerate
from bot.markup import Link
from bot.ports import CommunityRole, PlaceRefused, RateLimit, RetryAfter, ScheduledEvent, SharedStatePort

LOG: Final = logging.getLogger(__name__)

SERVER: Final = f"{CHAT}:server/"

NEEDED_FOR_THREADS: Final = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)

_JUST_OPENED: Final = timedelta(minutes=30)
"""The greatest age of a thread whose opening was repeated because its answer was lost."""

MANAGER_SECONDS: Final = 5.0
"""Seconds for which a person's rights are used without asking again."""
_MOST_MANAGERS: Final = 5000

_ARCHIVED_AFTER: Final = 1440
"""Minutes without a message after which Discord archives a thread."""

CALENDAR_PAUSES: Final = 30.0, 900.0
"""Least and most seconds between two tries to change a calendar while Discord fails; each pause is twice the
one before. Nobody waits for it."""

FINISHED_EVENT: Final = 180000
INVALID: Final = 50035
"""Discord's code for an invalid form, also for a start that has passed."""


def lacking_permissions(needed: discord.Permissions, granted: discord.Permissions) -> tuple[str, ...]:
    """Return the missing permissions, by their names in Discord's settings."""
    return tuple(
        name.replace("_", " ").title() for name, value in needed if value and not getattr(granted, name)
    )


class Guilds:
    """The methods of `bot.ports.Chat` that concern servers; see there."""

    def __init__(self, client: discord.Client, shared: SharedStatePort) -> None:
        self._client = client
        self._shared = shared
        self._directory = Directory(client, shared)
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

    async def _guild(self, place: str) -> discord.Guild | None:
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
        guild = await self._guild(place)
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

    # Channels and threads

    def place_name(self, place: str) -> str:
        spot = self._directory.find(channel_of(place))
        if spot is None:
            return ""
        server = self._client.get_guild(spot.server)
        return f"#{spot.name}" if server is None else f"#{spot.name} · {server.name}"

    def place_link(self, place: str) -> Link | None:
        """Return a link to a channel or thread, by its name."""
        number = channel_of(place)
        spot = self._directory.find(number)
        if spot is None:
            return None
        return Link(f"#{spot.name}", f"https://discord.com/channels/{spot.server}/{number}")

    def link(self, place: str, message: str) -> str | None:
        """Return a link to a message; also None while the channel's server is unknown."""
        way, reference = self.place_link(place), ChannelMessage.parse(message)
        return None if way is None or reference is None else f"{way.url}/{reference.message}"

    async def open_room(self, place: str, name: str) -> str | None:
        """Return a public thread of the channel; None for a place that is itself a thread."""
        channel = await self._text_channel(place)
        if channel is None or await self.lacks_for_rooms(place):
            return None
        try:
            # After a lost answer the call is repeated, and finds the thread that was opened.
            thread = await retry(lambda: self._find_or_open(channel, name))
        except discord.HTTPException as refused:
            if isinstance(meaning := in_place(refused), PlaceRefused):
                raise meaning from None
            LOG.warning("no thread was opened: status %s, code %s", refused.status, refused.code)
            return None
        return f"{CHAT}:{channel.id}/{thread}"

    async def _find_or_open(self, channel: discord.TextChannel, name: str) -> int:
        assert self._client.user is not None
        wanted = channel.id, name, self._client.user.id
        just_now = discord.utils.utcnow() - _JUST_OPENED  # an older one is another table's, of a week ago
        for thread in await channel.guild.active_threads():
            ours = (thread.parent_id, thread.name, thread.owner_id) == wanted
            if ours and discord.utils.snowflake_time(thread.id) > just_now:
                return thread.id
        kinds = discord.ChannelType
        kind = kinds.news_thread if channel.is_news() else kinds.public_thread
        opened = await channel.create_thread(name=name, type=kind, auto_archive_duration=_ARCHIVED_AFTER)
        return opened.id

    async def close_room(self, place: str) -> None:
        """Archive the thread."""
        thread = await self._directory.thread(channel_of(place))
        if thread is None:
            return
        try:
            await retry(lambda: thread.edit(archived=True))
        except discord.HTTPException as refused:
            LOG.warning("a thread was not archived: status %s, code %s", refused.status, refused.code)

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        channel = await self._text_channel(place)
        if channel is None:
            return None
        return lacking_permissions(NEEDED_FOR_THREADS, await self._directory.permissions_in(channel))

    async def _text_channel(self, place: str) -> discord.TextChannel | None:
        return None if "/" in place else await self._directory.text_channel(channel_of(place))

    # Roles

    async def give_role(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        """Give and take a role, found by its name: people may change its colour and position."""
        guild = await self._guild(place)
        if guild is None:
            return
        with refusals(needing("roles")):
            role = await _role(guild, name)
            for person in dict.fromkeys((*former, *holders)):
                await _change_role(guild, person, role, held=person in holders)

    async def list_callable_roles(self, place: str) -> Sequence[CommunityRole]:
        """Return the mentionable roles, and then the others if the bot may mention them all the same."""
        number = place.removeprefix(f"{CHAT}:").partition("/")[0]
        channel = await self._directory.channel(int(number)) if number.isdecimal() else None
        if not isinstance(channel, discord.abc.GuildChannel):
            return ()
        try:
            every = (await self._directory.permissions_in(channel)).mention_everyone
        except discord.HTTPException:
            raise RetryAfter(LATER) from None
        roles = [
            role
            for role in channel.guild.roles
            if (role.mentionable or every) and not (role.managed or role.is_default())
        ]
        roles.sort(key=lambda role: (not role.mentionable, role.name.casefold()))
        return [CommunityRole(str(role.id), role.name) for role in roles]


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


async def _role(guild: discord.Guild, name: str) -> discord.Role:
    for role in await retry(guild.fetch_roles):
        if role.name == name and not role.managed:
            return role
    return await retry(lambda: guild.create_role(name=name))


async def _change_role(guild: discord.Guild, person: str, role: discord.Role, *, held: bool) -> None:
    """Give a member a role, or take it. Both may be repeated."""
    with tolerate(UNKNOWN_MEMBER, UNKNOWN_USER):
        member = await retry(lambda: guild.fetch_member(user_of(person)))
        await retry(lambda: (member.add_roles if held else member.remove_roles)(role))


class ScheduledEvents(Guilds):
    """The methods of `bot.ports.Chat` that concern calendars, and those of Guilds.

    Events begin and end by themselves, and people may change or delete them. So the wanted event is compared
    with the actual one, and only the difference is applied.
    """

    def __init__(self, client: discord.Client, shared: SharedStatePort) -> None:
        super().__init__(client, shared)
        self._pauses: dict[str, tuple[float, float]] = {}
        """The last pause of each place whose calendar fails, in seconds, and its end by the store's clock:
        delivery comes back before that."""

    async def set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        """Set a scheduled event, whose number is the reference. While the calendar fails, Discord is asked
        after growing pauses."""
        before, until = self._pauses.get(place, (0.0, 0.0))
        if 0 < (left := until - self._shared.clock()) <= before:
            raise RetryAfter(left)
        try:
            number = await self._set_scheduled_event(place, event, known)
        except RetryAfter as later:
            least, most = CALENDAR_PAUSES
            pause = max(later.seconds, min(max(least, 2 * before), most))
            self._pauses[place] = pause, self._shared.clock() + pause
            raise RetryAfter(pause) from None
        self._pauses.pop(place, None)
        return number

    async def _set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        guild = await self._guild(place)
        if guild is None:
            return ""
        where = f"https://discord.com/channels/{guild.id}/{channel_of(place)}"
        with refusals(needing("events")):
            shown = await self._find(guild, event, where, known)
            if shown is not None:
                await _update(shown, event)
                return str(shown.id)
            if known or event.stage != "ahead":
                return known
            return await _create(guild, event, where)

    async def _find(
        self, guild: discord.Guild, wanted: ScheduledEvent, where: str, known: str
    ) -> DiscordEvent | None:
        if known:
            with suppress(discord.NotFound):
                return await retry(lambda: guild.fetch_scheduled_event(int(known), with_counts=False))
            return None
        for event in await retry(lambda: guild.fetch_scheduled_events(with_counts=False)):
            ours = self._client.user is not None and event.creator_id == self._client.user.id
            same = (event.name, event.location, event.start_time)
            if ours and same == (wanted.title, where, _moment(wanted.start)):
                return event
        return None


async def _create(guild: discord.Guild, wanted: ScheduledEvent, where: str) -> str:
    try:
        event = await retry(
            lambda: guild.create_scheduled_event(
                name=wanted.title,
                description=wanted.words,
                start_time=_moment(wanted.start),
                end_time=_moment(wanted.end),
                entity_type=EntityType.external,
                privacy_level=PrivacyLevel.guild_only,
                location=where,
            )
        )
    except discord.HTTPException as refused:
        if refused.code != INVALID:
            raise
        LOG.warning("Discord takes no event for %s", _moment(wanted.start).isoformat())
        return ""
    return str(event.id)


async def _update(event: DiscordEvent, wanted: ScheduledEvent) -> None:
    """Apply the differences to an event."""
    if event.status not in (EventStatus.scheduled, EventStatus.active):
        return
    changes = _changes(event, wanted)
    if not changes:
        return
    with tolerate(FINISHED_EVENT), suppress(discord.NotFound):
        await retry(lambda: event.edit(**changes))


def _changes(event: DiscordEvent, wanted: ScheduledEvent) -> dict[str, Any]:
    active = event.status is EventStatus.active
    if wanted.stage == "past":
        return {"status": EventStatus.completed if active else EventStatus.cancelled}
    fields: dict[str, Any] = {
        "name": wanted.title,
        "description": wanted.words,
        "end_time": _moment(wanted.end),
    }
    if wanted.stage == "ahead" and not active:
        fields["start_time"] = _moment(wanted.start)
    changes = {name: value for name, value in fields.items() if getattr(event, name) != value}
    if wanted.stage == "running" and not active:
        changes["status"] = EventStatus.active
    return changes


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(round(seconds), UTC)
