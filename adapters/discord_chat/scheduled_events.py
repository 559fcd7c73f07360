"""Scheduled events: the entries of a server's calendar.

They begin and end by themselves, and people may change or delete them. So the wanted event is compared with
the actual one, and only the difference is applied.
"""

import logging
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import discord
from discord import EntityType, EventStatus, PrivacyLevel
from discord import ScheduledEvent as DiscordEvent

from adapters.discord_chat.addresses import channel_of
from adapters.discord_chat.guilds import Guilds
from adapters.discord_chat.retry import retried
from adapters.discord_chat.sending import needing, refusals, tolerated
from bot.ports import ScheduledEvent

LOG: Final = logging.getLogger(__name__)

FINISHED_EVENT: Final = 180000
INVALID: Final = 50035
"""Discord's code for an invalid form, also for a start that has passed."""


class ScheduledEvents(Guilds):
    """The methods of `bot.ports.Chat` that concern calendars, and those of Guilds."""

    async def set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        """The reference is the scheduled event's number."""
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
            return await _created(guild, event, where)

    async def _find(
        self, guild: discord.Guild, wanted: ScheduledEvent, where: str, known: str
    ) -> DiscordEvent | None:
        if known:
            with suppress(discord.NotFound):
                return await retried(lambda: guild.fetch_scheduled_event(int(known), with_counts=False))
            return None
        for event in await retried(lambda: guild.fetch_scheduled_events(with_counts=False)):
            ours = self._client.user is not None and event.creator_id == self._client.user.id
            same = (event.name, event.location, event.start_time)
            if ours and same == (wanted.title, where, _moment(wanted.start)):
                return event
        return None


async def _created(guild: discord.Guild, wanted: ScheduledEvent, where: str) -> str:
    try:
        event = await retried(
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
    with tolerated(FINISHED_EVENT), suppress(discord.NotFound):
        await retried(lambda: event.edit(**changes))


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
