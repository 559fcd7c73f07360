"""Topics that the bot opens and closes in a forum."""

from typing import Any

from tests.servers.telegram_api.errors import bad_request
from tests.servers.telegram_api.limits import Meter
from tests.servers.telegram_api.requests import ApiRequest
from tests.servers.telegram_api.world import Chat, World

_LONGEST = 128
_BLUE = 0x6FB9F0


class Topics:
    """`createForumTopic` and `closeForumTopic`."""

    def __init__(self, world: World, meter: Meter) -> None:
        self._world = world
        self._meter = meter

    def create(self, request: ApiRequest) -> dict[str, Any]:
        chat = self._forum(request)
        name = request.text("name")
        if not 1 <= len(name) <= _LONGEST:
            raise bad_request("TOPIC_TITLE_INVALID")
        self._meter.charge(chat.id)
        topic = self._world.add_topic(chat, name)
        return {"message_thread_id": topic.id, "name": name, "icon_color": _BLUE}

    def close(self, request: ApiRequest) -> bool:
        chat = self._forum(request)
        topic = chat.topics.get(request.number("message_thread_id") or 0)
        if topic is None:
            raise bad_request("message thread not found")
        if topic.closed:
            raise bad_request("TOPIC_NOT_MODIFIED")
        topic.closed = True
        return True

    def _forum(self, request: ApiRequest) -> Chat:
        chat = self._world.writable(request.number("chat_id"))
        if not chat.topics:
            raise bad_request("the chat is not a forum")
        if not chat.bot_manages_topics:
            raise bad_request("not enough rights to manage topics")
        return chat
