"""Threads that the bot opens in a channel and archives."""

from typing import Any

from tests.servers.discord_api.server import Request
from tests.servers.discord_api.shapes import JOINED, channel_json
from tests.servers.discord_api.world import PERMISSIONS, THREADS, Refusal

Answer = tuple[int, Any]


async def active_threads(request: Request) -> Answer:
    """The unarchived threads of a server that the bot can see."""
    world, guild = request.server.world, request.server.world.guilds.get(request.number("guild"))
    if guild is None or not guild.has_bot:
        raise Refusal(403, 50001, "Missing Access")
    threads = [world.channels[id] for id in sorted(guild.channels)]
    active = [thread for thread in threads if thread.type in THREADS and not thread.archived]
    return 200, {
        "threads": [channel_json(world, thread) for thread in active],
        "members": [],
        "has_more": False,
    }


async def open_thread(request: Request) -> Answer:
    """Open a public thread without a starter message."""
    world = request.server.world
    parent = world.channel(request.number("channel"))
    if parent.guild is None or parent.parent is not None:
        raise Refusal(400, 50024, "Cannot execute action on this channel type")
    if not parent.permissions & PERMISSIONS["create_public_threads"]:
        raise Refusal(403, 50013, "Missing Permissions")
    if request.body.get("type") != world.kind_of_threads(parent.id):
        raise Refusal(400, 50035, "Invalid Form Body: only public threads are kept here")
    thread = world.add_channel(parent.guild, request.body["name"], parent=parent.id)
    thread.permissions = parent.permissions
    await request.server.gateway.dispatch(
        "THREAD_CREATE", channel_json(world, thread) | {"newly_created": True}
    )
    return 201, channel_json(world, thread)


async def thread_member(request: Request) -> Answer:
    """Somebody who is in a thread. Only a private one keeps who is."""
    thread, user = request.server.world.channel(request.number("channel")), request.number("user")
    if user not in (thread.people or ()):
        raise Refusal(404, 10007, "Unknown Member")
    return 200, {"id": str(thread.id), "user_id": str(user), "join_timestamp": JOINED, "flags": 0}


async def change_channel(request: Request) -> Answer:
    """Archive or reopen a thread. That takes its creator or the permission to manage threads."""
    world = request.server.world
    thread = world.channel(request.number("channel"))
    if thread.type not in THREADS or set(request.body) - {"archived"}:
        raise Refusal(400, 50035, "Invalid Form Body: threads are archived here, nothing else")
    thread.archived = bool(request.body["archived"])
    await request.server.gateway.dispatch("THREAD_UPDATE", channel_json(world, thread))
    return 200, channel_json(world, thread)
