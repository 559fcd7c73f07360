"""The bot's calls on a server: its calendar, its roles, and their wearers."""

import time
from datetime import datetime
from typing import Any

from tests.servers.discord_api.server import Request, Route
from tests.servers.discord_api.shapes import event_json, role_json, roles_json
from tests.servers.discord_api.world import (
    ACTIVE,
    CANCELED,
    COMPLETED,
    SCHEDULED,
    Guild,
    Json,
    Refusal,
    ScheduledEvent,
)

Answer = tuple[int, Any]

_WAYS = {(SCHEDULED, ACTIVE), (ACTIVE, COMPLETED), (SCHEDULED, CANCELED)}


def _guild(request: Request, right: str | None = None) -> Guild:
    """A server of the bot; with `right`, one in which it has that right."""
    found = request.server.world.guilds.get(request.number("guild"))
    if found is None or not found.has_bot:
        raise Refusal(403, 50001, "Missing Access")
    if right is not None and right in found.denied:
        raise Refusal(403, 50013, "Missing Permissions")
    return found


# The calendar


async def events(request: Request) -> Answer:
    """The events that are not over."""
    found = _guild(request)
    alive = [each for each in found.events.values() if each.status in (SCHEDULED, ACTIVE)]
    return 200, [event_json(request.server.world, found, event) for event in alive]


async def event(request: Request) -> Answer:
    found = _guild(request)
    return 200, event_json(request.server.world, found, _event(request, found))


async def create_event(request: Request) -> Answer:
    world, found, body = request.server.world, _guild(request, "events"), request.body
    start, end = _moment(body["scheduled_start_time"]), _moment(body["scheduled_end_time"])
    _check_times(start, end)
    if start <= time.time():
        raise Refusal(400, 50035, "Invalid Form Body: Cannot schedule event in the past.")
    location = body["entity_metadata"]["location"]
    made = ScheduledEvent(world.snowflake(), body["name"], body.get("description"), start, end, location)
    found.events[made.id] = made
    return 200, event_json(world, found, made)


async def edit_event(request: Request) -> Answer:
    found, body = _guild(request, "events"), request.body
    edited = _event(request, found)
    if edited.status in (COMPLETED, CANCELED):
        raise Refusal(400, 180000, "Cannot update a finished event")
    if "status" in body and (edited.status, body["status"]) not in _WAYS:
        raise Refusal(400, 50035, "Invalid Form Body: status")
    if "scheduled_start_time" in body and edited.status == ACTIVE:
        raise Refusal(400, 50035, "Invalid Form Body: scheduled_start_time")
    _change(edited, body)
    return 200, event_json(request.server.world, found, edited)


def _change(event: ScheduledEvent, body: Json) -> None:
    start, end = (
        _moment(body[name]) if name in body else known
        for name, known in (("scheduled_start_time", event.start), ("scheduled_end_time", event.end))
    )
    _check_times(start, end)
    event.start, event.end = start, end
    event.name = body.get("name", event.name)
    event.description = body.get("description", event.description)
    event.status = body.get("status", event.status)


def _event(request: Request, guild: Guild) -> ScheduledEvent:
    found = guild.events.get(request.number("event"))
    if found is None:
        raise Refusal(404, 10070, "Unknown Guild Scheduled Event")
    return found


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _check_times(start: float, end: float) -> None:
    if end <= start:
        raise Refusal(400, 50035, "Invalid Form Body: Scheduled end time must be after start time.")


# Roles


async def roles(request: Request) -> Answer:
    found = _guild(request)
    return 200, [role_json(found.id, "@everyone"), *roles_json(found)]


async def create_role(request: Request) -> Answer:
    found = _guild(request, "roles")
    id = request.server.world.snowflake()
    found.roles[id] = request.body["name"]
    answer = role_json(id, found.roles[id])
    await request.server.gateway.dispatch("GUILD_ROLE_CREATE", {"guild_id": str(found.id), "role": answer})
    return 200, answer


async def add_role(request: Request) -> Answer:
    _worn(request).add(request.number("role"))
    return 204, None


async def remove_role(request: Request) -> Answer:
    _worn(request).discard(request.number("role"))
    return 204, None


def _worn(request: Request) -> set[int]:
    """The roles of a member that the bot may change."""
    found, user, role = _guild(request, "roles"), request.number("user"), request.number("role")
    if user not in found.members:
        raise Refusal(404, 10007, "Unknown Member")
    if role not in found.roles:
        raise Refusal(404, 10011, "Unknown Role")
    if role in found.above:
        raise Refusal(403, 50013, "Missing Permissions")
    return found.worn.setdefault(user, set())


_EVENTS = "/guilds/{guild}/scheduled-events"
_WORN = "/guilds/{guild}/members/{user}/roles/{role}"

ROUTES = (
    Route("GET", _EVENTS, events, major="guild"),
    Route("POST", _EVENTS, create_event, major="guild"),
    Route("GET", f"{_EVENTS}/{{event}}", event, major="guild"),
    Route("PATCH", f"{_EVENTS}/{{event}}", edit_event, major="guild"),
    Route("GET", "/guilds/{guild}/roles", roles, major="guild"),
    Route("POST", "/guilds/{guild}/roles", create_role, major="guild"),
    Route("PUT", _WORN, add_role, major="guild"),
    Route("DELETE", _WORN, remove_role, major="guild"),
)
