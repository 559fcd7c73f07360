"""Messages in a group for one person alone, as introduced by Bot API 10.2 and renamed by 10.3.

A server without them ignores unknown parameters, as Telegram's does: the message is public there.
"""

import itertools
import time
from typing import Any, Literal

from tests.servers.telegram_api.errors import Refused, bad_request
from tests.servers.telegram_api.requests import ApiRequest
from tests.servers.telegram_api.world import Message, User, World

Version = Literal["", "10.2", "10.3", "deaf"]
"""Empty: the server has no such messages. Deaf: it has their methods and ignores the parameters."""

METHODS = ("editEphemeralMessageText", "editEphemeralMessageMedia", "deleteEphemeralMessage")
_OLD, _NEW = "receiver_user_id", "ephemeral_message_parameters"
PARAMETERS = frozenset({_OLD, "callback_query_id", _NEW})
"""Parameters of `sendMessage` that the description does not have."""

PRESS_SECONDS = 15.0


class Whispers:
    """The people who may get such a message, and those sent."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ids = itertools.count(1)
        self.version: Version = ""

    def knows(self, method: str) -> None:
        """Raises 404 for a method of such messages on a server without them."""
        if method in METHODS and not self.version:
            raise Refused(404, "Not Found")

    def takes_uploads(self) -> bool:
        """Whether a new picture can be edited in, and not only one that was sent before."""
        return self.version == "10.3"

    def receiver(self, request: ApiRequest) -> User | None:
        """The only receiver of a new message, or None for a public one. Refuses receivers who are not
        allowed."""
        asked = self._asked(request)
        if not asked:
            return None
        user = self._world.users.get(asked.get(_OLD) or 0)
        chat = self._world.writable(request.number("chat_id"))
        if user is None or user.id not in chat.members:
            raise bad_request("USER_NOT_PARTICIPANT")
        callback = self._world.callbacks.get(asked.get("callback_query_id") or "")
        pressed = callback is not None and callback.user is user and callback.message.chat is chat
        fresh = callback is not None and time.monotonic() - callback.born < PRESS_SECONDS
        if not (chat.bot_admin or (pressed and fresh)):
            raise bad_request("BOT_NOT_ADMIN")
        return user

    def kept(self, message: Message, receiver: User) -> dict[str, Any]:
        """Store a message for one person. Such messages have a count of their own, below zero here."""
        del self._world.messages[message.chat.id, message.id]
        message.id, message.receiver = -next(self._ids), receiver
        self._world.messages[message.chat.id, message.id] = message
        return message.json()

    def find(self, request: ApiRequest) -> Message:
        """The message to edit or delete."""
        chat = self._world.writable(request.number("chat_id"))
        message = self._world.messages.get((chat.id, -(request.number("ephemeral_message_id") or 0)))
        receiver = request.number(_OLD)
        if message is None or message.receiver is None or message.receiver.id != receiver:
            raise bad_request("MESSAGE_ID_INVALID")
        return message

    def _asked(self, request: ApiRequest) -> dict[str, Any]:
        if self.version == "10.2":
            given = {_OLD: request.number(_OLD), "callback_query_id": request.text("callback_query_id")}
            return given if given[_OLD] else {}
        return (request.json(_NEW) or {}) if self.version == "10.3" else {}
