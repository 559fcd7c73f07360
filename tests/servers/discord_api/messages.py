"""Messages created and edited from a call's JSON and files, after all limits are checked."""

import time

from tests.servers.discord_api.bodies import message_problems
from tests.servers.discord_api.mentions import notified
from tests.servers.discord_api.server import Request
from tests.servers.discord_api.shapes import created_at
from tests.servers.discord_api.world import (
    EPHEMERAL,
    LOADING,
    Attachment,
    Channel,
    Json,
    Message,
    Refusal,
    World,
)


def create(request: Request, body: Json, channel: Channel, *, only_for: int | None = None) -> Message:
    """A new message of the bot, or the one already made under the same enforced nonce."""
    world = request.server.world
    nonce = None if body.get("nonce") is None else str(body["nonce"])
    if body.get("enforce_nonce") and nonce is not None:
        same = next((m for m in channel.messages.values() if m.nonce == nonce), None)
        if same is not None:
            return same
    attachments = _attachments(request, body, [])
    flags = (body.get("flags") or 0) & ~EPHEMERAL
    _check(world, body, attachments, flags, new=True)
    message = Message(
        id=world.snowflake(),
        channel=channel.id,
        author=world.bot.id,
        content=body.get("content") or "",
        mentions=_mentioned(world, body),
        flags=flags,
        components=body.get("components") or [],
        embeds=body.get("embeds") or [],
        attachments=attachments,
        nonce=nonce,
        only_for=only_for,
    )
    channel.messages[message.id] = message
    return message


def edit(request: Request, body: Json, message: Message) -> None:
    """Apply an edit. A deferred answer is given by it."""
    world = request.server.world
    uploaded = {each.content: created_at(each.id) for each in message.attachments}
    again = (uploaded[content] for content in request.files.values() if content in uploaded)
    world.identical_uploads += [(first, time.time()) for first in again]
    if request.files and message.attachments and body.get("attachments") is None:
        world.find(f"an edit of {message.id} brought a file and did not list the attachments")
    attachments = _attachments(request, body, message.attachments)
    flags = (message.flags | (body.get("flags") or 0)) & ~(EPHEMERAL | LOADING)
    _check(world, body, attachments, flags, new=False)
    message.flags = flags
    message.attachments = attachments
    if "content" in body:
        message.content = body["content"] or ""
    if "components" in body:
        message.components = body["components"] or []
    if "embeds" in body:
        message.embeds = body["embeds"] or []
    message.edited = time.time()


def _mentioned(world: World, body: Json) -> list[int]:
    """The mentioned people whom the call allows to be notified."""
    named = [int(each) for each in notified(body, body.get("content") or "", None) if each.isdigit()]
    return [user for user in named if user in world.users]


def _check(world: World, body: Json, attachments: list[Attachment], flags: int, *, new: bool) -> None:
    problems = message_problems(body, [a.filename for a in attachments], flags, new=new)
    if problems:
        world.findings.extend(problems)
        raise Refusal(400, 50035, f"Invalid Form Body: {problems[0]}")


def _attachments(request: Request, body: Json, present: list[Attachment]) -> list[Attachment]:
    """The attachments after the call: those listed, or all present ones; every new file is added."""
    listed = body.get("attachments")
    described = {str(item["id"]): item for item in listed or []}
    kept = present if listed is None else [a for a in present if str(a.id) in described]
    added = []
    for name, content in request.files.items():
        number = name.removeprefix("files[").removesuffix("]")
        item = described.get(number, {})
        filename = item.get("filename") or f"file{number}"
        added.append(Attachment(request.server.world.snowflake(), filename, content, item.get("description")))
    return [*kept, *added]
