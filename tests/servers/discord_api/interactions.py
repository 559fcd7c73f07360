"""Answers to interactions: the first within seconds, the others while the token is valid."""

import asyncio
import time
from typing import Any, Final

from tests.servers.discord_api import messages
from tests.servers.discord_api.server import Request, Route, Server
from tests.servers.discord_api.shapes import message_json
from tests.servers.discord_api.world import (
    EPHEMERAL,
    LOADING,
    Channel,
    Interaction,
    Json,
    Message,
    Refusal,
    World,
)

MESSAGE: Final = 4
DEFERRED_MESSAGE: Final = 5
DEFERRED_UPDATE: Final = 6
UPDATE: Final = 7
CHOICES: Final = 8
FORM: Final = 9
LAUNCH: Final = 12

COMPONENT: Final = 3
AUTOCOMPLETE: Final = 4
SUBMIT: Final = 5
MOST_FOLLOW_UPS: Final = 5
"""The limit for an application that only the person has installed."""

Answer = tuple[int, Any]


async def watch(server: Server, interaction: Interaction) -> None:
    """Record an interaction that gets no answer although the bot was connected."""
    world, sessions = server.world, server.gateway.connected()
    await asyncio.sleep(world.answer_seconds)
    if server.posting.addresses:
        still_there = await server.posting.is_there(interaction.id)
    else:
        still_there = any(session in server.gateway.connected() for session in sessions)
    if interaction.answered is None and still_there:
        world.find(f"interaction {interaction.data} was not answered in time")


async def respond(request: Request) -> Answer:
    """The first answer."""
    world = request.server.world
    interaction = _by_token(world, request.parts["token"], request.number("interaction"))
    _check_first(world, interaction)
    kind = request.body["type"]
    if (kind == CHOICES) != (interaction.type == AUTOCOMPLETE):
        raise Refusal(400, 50035, f"Invalid Form Body: type {kind} is no answer to type {interaction.type}")
    if kind == CHOICES:
        interaction.choices = request.body["data"]["choices"]
        interaction.answered = kind
        return 204, None
    if kind == FORM:
        if interaction.type == SUBMIT:
            raise Refusal(400, 50035, "Invalid Form Body: a form opens no other one")
        interaction.form = request.body["data"]
        interaction.answered = kind
        return 200, _callback_json(request, interaction, kind, None)
    if kind == LAUNCH:
        interaction.answered = kind
        instance = world.launched(interaction.channel, interaction.user)
        return 200, _callback_json(request, interaction, kind, None) | {
            "resource": {"type": kind, "activity_instance": {"id": instance}}
        }
    if kind not in (MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE):
        raise Refusal(400, 50035, f"Invalid Form Body: type {kind}")
    if kind in (DEFERRED_UPDATE, UPDATE) and interaction.message is None:
        raise Refusal(400, 50035, f"Invalid Form Body: type {kind} answers a component")
    message = _answer(request, interaction, kind, request.body.get("data") or {})
    interaction.answered = kind
    interaction.answered_after = time.time() - interaction.made
    if request.query.get("with_response", "").lower() not in ("1", "true"):
        return 204, None
    return 200, _callback_json(request, interaction, kind, message)


def _check_first(world: World, interaction: Interaction) -> None:
    if interaction.answered is not None:
        if interaction.deliveries == 1:
            world.find("an interaction was answered twice")
        raise Refusal(400, 40060, "Interaction has already been acknowledged.")
    if time.time() - interaction.made > world.answer_seconds:
        raise Refusal(404, 10062, "Unknown interaction")


def _answer(request: Request, interaction: Interaction, kind: int, data: Json) -> Message | None:
    channel = request.server.world.channels[interaction.channel]
    if kind in (DEFERRED_UPDATE, UPDATE):
        assert interaction.message is not None
        interaction.original = interaction.message
        shown = channel.messages.get(interaction.message)
        if kind == UPDATE:
            if shown is None:
                raise Refusal(404, 10008, "Unknown Message")
            messages.edit(request, data, shown)
        return shown
    if kind == DEFERRED_MESSAGE:
        message = _deferred(request.server.world, channel, interaction, data)
    else:
        message = messages.create(request, data, channel, only_for=_reader(interaction, data))
    message.interaction = interaction.id
    interaction.original = message.id
    return message


def _deferred(world: World, channel: Channel, interaction: Interaction, data: Json) -> Message:
    """The message that announces a deferred answer."""
    message = Message(
        world.snowflake(), channel.id, world.bot.id, flags=LOADING, only_for=_reader(interaction, data)
    )
    channel.messages[message.id] = message
    return message


def _reader(interaction: Interaction, data: Json) -> int | None:
    return interaction.user if (data.get("flags") or 0) & EPHEMERAL else None


def _callback_json(request: Request, interaction: Interaction, kind: int, message: Message | None) -> Json:
    world = request.server.world
    told: Json = {
        "id": str(interaction.id),
        "type": interaction.type,
        "response_message_loading": kind == DEFERRED_MESSAGE,
        "response_message_ephemeral": message is not None and message.only_for is not None,
        "channel_id": str(interaction.channel),
    }
    if message is None:
        return {"interaction": told}
    told["response_message_id"] = str(message.id)
    shape = message_json(world, message, request.server.base)
    return {"interaction": told, "resource": {"type": kind, "message": shape}}


# Later answers


def _by_token(world: World, token: str, id: int | None = None) -> Interaction:
    for interaction in world.interactions.values():
        if interaction.token == token and id in (None, interaction.id):
            return interaction
    raise Refusal(404, 10062 if id else 10015, "Unknown interaction")


def _living(request: Request) -> Interaction:
    """The interaction of a valid token that has been answered."""
    world = request.server.world
    interaction = _by_token(world, request.parts["token"])
    if interaction.answered is None:
        world.find("a follow-up came before the answer")
        raise Refusal(404, 10015, "Unknown Webhook")
    if time.time() - interaction.made > world.token_seconds:
        raise Refusal(401, 50027, "Invalid Webhook Token")
    return interaction


def _followed(request: Request, interaction: Interaction) -> Message:
    """The message that the path names: the original, or a follow-up."""
    named = request.parts["message"]
    id = interaction.original if named == "@original" else request.number("message")
    channel = request.server.world.channels[interaction.channel]
    if id not in (interaction.original, *interaction.follow_ups) or id not in channel.messages:
        raise Refusal(404, 10008, "Unknown Message")
    return channel.messages[id]


async def follow_up(request: Request) -> Answer:
    world = request.server.world
    interaction = _living(request)
    channel = world.channels[interaction.channel]
    if interaction.user_install and len(interaction.follow_ups) >= MOST_FOLLOW_UPS:
        raise Refusal(400, 40094, "Maximum number of follow-up messages reached")
    original = None if interaction.original is None else channel.messages.get(interaction.original)
    if original is not None and original.flags & LOADING:
        messages.edit(request, request.body, original)
        message = original
    else:
        message = messages.create(request, request.body, channel, only_for=_reader(interaction, request.body))
        message.interaction = interaction.id
        interaction.follow_ups.append(message.id)
    return 200, message_json(world, message, request.server.base)


async def message(request: Request) -> Answer:
    found = _followed(request, _living(request))
    return 200, message_json(request.server.world, found, request.server.base)


async def edit(request: Request) -> Answer:
    found = _followed(request, _living(request))
    messages.edit(request, request.body, found)
    return 200, message_json(request.server.world, found, request.server.base)


async def delete(request: Request) -> Answer:
    found = _followed(request, _living(request))
    del request.server.world.channels[found.channel].messages[found.id]
    return 204, None


_MESSAGE_PATH = "/webhooks/{webhook}/{token}/messages/{message}"

ROUTES = (
    Route("POST", "/interactions/{interaction}/{token}/callback", respond, "callback", "token", True),
    Route("POST", "/webhooks/{webhook}/{token}", follow_up, "webhook", "token", True),
    Route("GET", _MESSAGE_PATH, message, "webhook", "token", True),
    Route("PATCH", _MESSAGE_PATH, edit, "webhook", "token", True),
    Route("DELETE", _MESSAGE_PATH, delete, "webhook", "token", True),
)
