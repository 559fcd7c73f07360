"""Guilds: the bot's acts on a server besides messages: threads, roles, calendar."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord
from discord import EntityType, EventStatus, PrivacyLevel
from discord import ScheduledEvent as DiscordEvent

from adapters.discord_chat.addresses import CHAT, channel_of, user_of
from adapters.discord_chat.directory import Directory
from adapters.discord_chat.places import GuildPlaces
from adapters.discord_chat.retry import LATER, retry
from adapters.discord_chat.sending import UNKNOWN_MEMBER, UNKNOWN_USER, in_place, needing, refusals, tolerate
from bot.ports import CommunityRole, PlaceRefused, RetryAfter, ScheduledEvent, SharedStatePort

LOG: Final = logging.getLogger(__name__)

NEEDED_FOR_THREADS: Final = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)

_JUST_OPENED: Final = timedelta(minutes=30)
"""The greatest age of a thread whose opening was repeated because its answer was lost."""

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
    """The methods of `bot.ports.Rooms` and `Roles`."""

    def __init__(
        self, client: discord.Client, directory: Directory, places: GuildPlaces, shared: SharedStatePort
    ) -> None:
        self._client = client
        self._directory = directory
        self._places = places
        self._shared = shared

    # Threads

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
        guild = await self._places.guild(place)
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
    """The methods of `bot.ports.Calendar`, and those of Guilds.

    Events begin and end by themselves, and people may change or delete them. So the wanted event is compared
    with the actual one, and only the difference is applied.
    """

    def __init__(
        self, client: discord.Client, directory: Directory, places: GuildPlaces, shared: SharedStatePort
    ) -> None:
        super().__init__(client, directory, places, shared)
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
        guild = await self._places.guild(place)
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
