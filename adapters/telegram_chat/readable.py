"""Updates that can be read. The library believes whatever it is told, and stumbles later; one update at
which polling stumbles would come again for ever. So what we use of an update is looked at first."""

import logging
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from telegram import Update
from telegram.request import HTTPXRequest

from bot.logs import way_of

Json = dict[str, Any]

LOG: Final = logging.getLogger(__name__)


class _User(Struct):
    id: int
    is_bot: bool
    first_name: str
    last_name: str | None = None
    language_code: str | None = None


class _Chat(Struct):
    id: int
    type: str
    title: str | None = None


class _Message(Struct):
    message_id: int
    date: int
    chat: _Chat
    sender: _User | None = field(default=None, name="from")
    sender_chat: _Chat | None = None
    text: str | None = None
    message_thread_id: int | None = None
    is_topic_message: bool | None = None
    migrate_to_chat_id: int | None = None


class _Query(Struct):
    id: str
    sender: _User = field(name="from")
    message: _Message | None = None
    data: str | None = None


class _Update(Struct):
    """What is used of the Bot API's `Update`."""

    update_id: int
    message: _Message | None = None
    callback_query: _Query | None = None


def legible(update: Any) -> Json | None:
    """The update; where it can't be read, one of its number that says nothing; None when it is none."""
    number = update.get("update_id") if isinstance(update, dict) else None
    if not isinstance(number, int):
        return None
    try:
        msgspec.json.encode(update)  # half a character is written by nobody and can be sent to nobody
        msgspec.convert(update, _Update)
        Update.de_json(update, None)
    except Exception as error:
        LOG.warning("update %d can't be read: %s", number, way_of(error))
        return {"update_id": number}
    return dict(update)


class LegibleUpdates(HTTPXRequest):
    """The connection on which updates are asked for."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> Json:
        """See the library: what the server answered."""
        answer: Json = HTTPXRequest.parse_json_payload(payload)
        if isinstance(answer.get("result"), list):
            answer["result"] = [update for each in answer["result"] if (update := legible(each)) is not None]
        return answer
