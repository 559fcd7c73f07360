"""The control side: `POST /control/<action>` with a JSON object of arguments; the answer is JSON."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.telegram_api.errors import Refused
from tests.servers.telegram_api.faults import Fault

if TYPE_CHECKING:
    from tests.servers.telegram_api.app import Server


def handler(server: "Server") -> Callable[[web.Request], Awaitable[web.Response]]:
    """One handler for all actions. An act that no app would allow is answered with 409 and its reason."""

    async def handle(request: web.Request) -> web.Response:
        action = _actions(server).get(request.match_info["action"])
        if action is None:
            return web.json_response({"error": "no such action"}, status=404)
        try:
            return web.json_response({"result": action(**await request.json())})
        except Refused as refused:
            return web.json_response({"error": refused.description}, status=409)

    return handle


def _actions(server: "Server") -> dict[str, Callable[..., Any]]:
    world, people = server.world, server.people

    def add_group(**group: Any) -> dict[str, Any]:
        chat = world.add_group(**group)
        return {"id": chat.id, "topics": {topic.name: topic.id for topic in chat.topics.values()}}

    def commands(language: str) -> list[dict[str, str]]:
        return world.commands.get(('{"type": "default"}', language), [])

    def calls() -> list[dict[str, Any]]:
        return [asdict(call) for call in server.calls]

    return {
        "reset": server.reset,
        "revoke": server.revoke,
        "add_user": lambda **user: world.add_user(**user).id,
        "add_group": add_group,
        "write": people.write,
        "start": people.start,
        "follow": people.follow,
        "press": people.press,
        "press_old": people.press_old,
        "deliver_again": people.deliver_again,
        "tell_anything": server.delivery.tell_anything,
        "read": people.read,
        "answer": people.answer,
        "delete": people.delete,
        "block": people.block,
        "remove_bot": people.remove_bot,
        "promote": people.promote,
        "demote": people.demote,
        "promote_bot": people.promote_bot,
        "demote_bot": people.demote_bot,
        "let_bot_pin": people.let_bot_pin,
        "let_members_write": people.let_members_write,
        "let_members_send_photos": people.let_members_send_photos,
        "pinned": lambda chat_id: world.chat(chat_id).pinned,
        "let_bot_manage_topics": people.let_bot_manage_topics,
        "add_bot": people.add_bot,
        "silence_bot": people.silence_bot,
        "let_bot_write": people.let_bot_write,
        "whispering": server.whispering,
        "close_topic": people.close_topic,
        "reopen_topic": people.reopen_topic,
        "delete_topic": people.delete_topic,
        "migrate": people.migrate,
        "fail": lambda **fault: server.faults.add(Fault(**fault)),
        "drop_connections": server.drop_connections,
        "commands": commands,
        "calls": calls,
        "findings": server.findings,
        "unanswered": server.unanswered,
        "identical_uploads": lambda: world.identical_uploads,
        "pushed": lambda: server.delivery.pushed,
        "checks_description": lambda: server.checks_description,
    }
