"""The bot's authorized calls: itself, its commands and emojis, channels and messages."""

import base64
import binascii
from typing import Any

from tests.servers.discord_api import messages
from tests.servers.discord_api.commands import problems as commands_problems
from tests.servers.discord_api.server import Request, Route
from tests.servers.discord_api.shapes import (
    ENTRY_POINT,
    application_json,
    channel_json,
    command_json,
    guild_json,
    member_json,
    message_json,
    own_guild_json,
    user_json,
)
from tests.servers.discord_api.threads import active_threads, change_channel, open_thread, thread_member
from tests.servers.discord_api.world import PERMISSIONS, Json, Message, Refusal

MOST_EMOJIS = 2000
LARGEST_EMOJI = 256 * 1024

Answer = tuple[int, Any]


def _message(request: Request, message: Message) -> Json:
    return message_json(request.server.world, message, request.server.base)


async def me(request: Request) -> Answer:
    """The bot's own user, which a starting bot also requests first."""
    request.server.world.opened_direct.clear()
    own = {"mfa_enabled": False, "locale": "en-US", "email": None, "verified": True}
    return 200, user_json(request.server.world.bot) | own


async def application(request: Request) -> Answer:
    return 200, application_json(request.server.world, request.server.posting.public_key)


async def edit_application(request: Request) -> Answer:
    request.server.world.description = request.body["description"]["default"]
    return await application(request)


async def gateway_bot(request: Request) -> Answer:
    gateway = request.server.gateway
    limit = {
        "total": 1000,
        "remaining": 0 if gateway.closed_for > 0 else 1000,
        "reset_after": round(1000 * gateway.closed_for) or 86_400_000,
        "max_concurrency": 1,
    }
    return 200, {"url": gateway.address, "shards": 1, "session_start_limit": limit}


async def guild(request: Request) -> Answer:
    found = request.server.world.guilds.get(request.number("guild"))
    if found is None or not found.has_bot:
        raise Refusal(404, 10004, "Unknown Guild")
    return 200, guild_json(request.server.world, found)


async def member(request: Request) -> Answer:
    world = request.server.world
    found, user = world.guilds.get(request.number("guild")), request.number("user")
    if found is None or not found.has_bot:
        raise Refusal(403, 50001, "Missing Access")
    if user == world.bot.id:
        return 200, member_json(world.bot)
    if user not in world.users:
        raise Refusal(404, 10013, "Unknown User")
    if user not in found.members:
        raise Refusal(404, 10007, "Unknown Member")
    return 200, member_json(world.users[user], found)


async def guilds(request: Request) -> Answer:
    return 200, [own_guild_json(guild) for guild in request.server.world.guilds.values() if guild.has_bot]


# Commands and emojis


async def commands(request: Request) -> Answer:
    with_localizations = request.query.get("with_localizations", "").lower() == "true"
    registered = request.server.world.commands
    return 200, registered if with_localizations else [_without_localizations(c) for c in registered]


def _without_localizations(command: Json) -> Json:
    return {key: value for key, value in command.items() if not key.endswith("_localizations")}


async def put_commands(request: Request) -> Answer:
    world = request.server.world
    sent = [command.get("id") for command in request.body]
    if any(command["type"] == ENTRY_POINT and command["id"] not in sent for command in world.commands):
        raise Refusal(
            400, 50240, "You cannot remove this app's Entry Point command in a bulk update operation."
        )
    world.findings.extend(commands_problems(request.body))
    world.commands = [command_json(world, command) for command in request.body]
    return 200, world.commands


async def emojis(request: Request) -> Answer:
    return 200, {"items": list(request.server.world.emojis.values())}


async def create_emoji(request: Request) -> Answer:
    world = request.server.world
    name = request.body["name"]
    if any(emoji["name"] == name for emoji in world.emojis.values()):
        raise Refusal(400, 50035, "Invalid Form Body: APPLICATION_EMOJI_NAME_ALREADY_TAKEN")
    if len(world.emojis) >= MOST_EMOJIS:
        raise Refusal(400, 30008, "Maximum number of emojis reached (2000)")
    _check_image(request.body["image"])
    return 201, world.add_emoji(name)


def _check_image(uri: str) -> None:
    head, _, data = uri.partition(",")
    try:
        image = base64.b64decode(data, validate=True)
    except binascii.Error:
        image = b""
    if head != "data:image/png;base64" or not image.startswith(b"\x89PNG"):
        raise Refusal(400, 50035, "Invalid Form Body: image")
    if len(image) > LARGEST_EMOJI:
        raise Refusal(400, 50138, "Failed to resize asset below the maximum size: 262144")


# Channels and messages


async def open_direct(request: Request) -> Answer:
    world = request.server.world
    channel = world.open_direct(int(request.body["recipient_id"]))
    assert channel.recipient is not None
    if channel.recipient in world.opened_direct:
        world.find(f"the direct channel of {channel.recipient} was opened again instead of kept")
    world.opened_direct.add(channel.recipient)
    return 200, channel_json(world, channel)


async def channel(request: Request) -> Answer:
    world = request.server.world
    return 200, channel_json(world, world.channel(request.number("channel")))


async def create_message(request: Request) -> Answer:
    world = request.server.world
    target = world.writable(request.number("channel"), files=bool(request.files))
    return 200, _message(request, messages.create(request, request.body, target))


async def message(request: Request) -> Answer:
    world = request.server.world
    target = world.channel(request.number("channel"))
    if target.guild is not None and not target.permissions & PERMISSIONS["read_message_history"]:
        raise Refusal(403, 50001, "Missing Access")
    return 200, _message(request, world.own_message(target, request.number("message")))


async def edit_message(request: Request) -> Answer:
    world = request.server.world
    found = world.own_message(world.channel(request.number("channel")), request.number("message"))
    messages.edit(request, request.body, found)
    return 200, _message(request, found)


async def delete_message(request: Request) -> Answer:
    world = request.server.world
    target = world.channel(request.number("channel"))
    found = world.own_message(target, request.number("message"))
    del target.messages[found.id]
    return 204, None


ROUTES = (
    Route("GET", "/users/@me", me),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
    Route("PATCH", "/applications/@me", edit_application, kind="PATCH application"),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", "/users/@me/guilds", guilds),
    Route("GET", "/guilds/{guild}", guild, major="guild"),
    Route("GET", "/guilds/{guild}/members/{user}", member, major="guild"),
    Route("GET", "/guilds/{guild}/threads/active", active_threads, major="guild"),
    Route("POST", "/channels/{channel}/threads", open_thread, "POST thread", "channel"),
    Route("GET", "/channels/{channel}/thread-members/{user}", thread_member, major="channel"),
    Route("PATCH", "/channels/{channel}", change_channel, "PATCH channel", "channel"),
    Route("GET", "/applications/{application}/commands", commands),
    Route("PUT", "/applications/{application}/commands", put_commands),
    Route("GET", "/applications/{application}/emojis", emojis),
    Route("POST", "/applications/{application}/emojis", create_emoji, kind="POST emoji"),
    Route("POST", "/users/@me/channels", open_direct, kind="POST direct"),
    Route("GET", "/channels/{channel}", channel, major="channel"),
    Route("POST", "/channels/{channel}/messages", create_message, "POST message", "channel"),
    Route("GET", "/channels/{channel}/messages/{message}", message, major="channel"),
    Route("PATCH", "/channels/{channel}/messages/{message}", edit_message, "PATCH message", "channel"),
    Route("DELETE", "/channels/{channel}/messages/{message}", delete_message, "DELETE message", "channel"),
)
