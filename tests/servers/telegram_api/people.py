"""People's acts in their Telegram apps, and their view of chats. An act that no app would allow is
refused."""

import re
import secrets
import time
from typing import Any

from tests.servers.telegram_api.delivery import Delivery
from tests.servers.telegram_api.errors import Refused
from tests.servers.telegram_api.keyboards import start_payload
from tests.servers.telegram_api.markup import units
from tests.servers.telegram_api.world import Callback, Chat, Message, User, World

ANONYMOUS = User(1087968824, "Group", username="GroupAnonymousBot", is_bot=True)
"""Telegram's placeholder for an anonymous administrator of a group."""

_MEMBERS: dict[str, bool] = {"bot_admin": False, "bot_may_pin": False, "bot_manages_topics": False}
"""The rights of the bot as a mere member."""

_COMMAND = re.compile(r"/([a-z0-9_]+)(?:@(\w+))?(?=\s|\Z)", re.IGNORECASE)


def impossible(why: str) -> Refused:
    """The refusal of an act that no app would offer: the test is wrong, or an expected message was not
    shown."""
    return Refused(409, why)


class People:
    """The users' side of the world. Every act reaches the bot as an update."""

    def __init__(self, world: World, delivery: Delivery) -> None:
        self._world = world
        self._delivery = delivery

    # Writing

    def write(
        self,
        user_id: int,
        chat_id: int,
        text: str,
        topic: int | None,
        *,
        as_group: bool = False,
        forwarded: bool = False,
    ) -> int:
        """Write or forward a message as a person, or as the group for them. The bot gets it if privacy mode
        allows.

        Returns the message's id.
        """
        user, chat = self._inside(user_id, chat_id)
        if topic is not None and topic not in chat.topics:
            raise impossible("no such topic")
        if chat.type == "private":
            user.started, user.blocked = True, False
        thread = None if topic == 1 else topic
        sender = ANONYMOUS if as_group else user
        service: dict[str, Any] = {"sender_chat": chat.json()} if as_group else {}
        if forwarded:
            origin = {"type": "hidden_user", "date": int(time.time()), "sender_user_name": "Somebody"}
            service |= {"forward_origin": origin}
        message = self._world.post(
            chat, sender, thread=thread, text=text, entities=_commands(text), service=service
        )
        if self._heard(chat, text):
            self._delivery.tell("message", message.json())
        return message.id

    def _heard(self, chat: Chat, text: str) -> bool:
        if chat.type == "private" or chat.bot_admin:
            return True
        command = _COMMAND.match(text)
        if chat.bot_in and f"@{self._world.bot.username}".lower() in text.lower():
            return True
        if not chat.bot_in or command is None:
            return False
        return command[2] is None or command[2].lower() == self._world.bot.username.lower()

    def start(self, user_id: int, payload: str) -> int:
        """Open the private chat and press Start, perhaps with a link's payload."""
        return self.write(user_id, user_id, f"/start {payload}".strip(), None)

    def follow(self, user_id: int, url: str) -> int:
        """Follow a deep link to the bot that the person was shown."""
        payload = start_payload(url, self._world.bot.username)
        if payload is None:
            raise impossible("no link to this bot")
        if url not in self._links(user_id):
            raise impossible("this link was not shown to this person")
        return self.start(user_id, payload)

    def _links(self, user_id: int) -> set[str]:
        answers = [callback.answer for callback in self._of(user_id) if callback.answer]
        shown = {answer["url"] for answer in answers}
        for (chat_id, _), message in self._world.messages.items():
            if self._sees(user_id, self._world.chat(chat_id)):
                shown |= {entity.get("url", "") for entity in message.entities}
                shown |= {button.get("url", "") for row in message.keyboard for button in row}
        return shown - {""}

    # Pressing

    def press(self, user_id: int, chat_id: int, message_id: int, button: str) -> str:
        """Press a button that the message shows now, by its words or its data."""
        user, chat = self._inside(user_id, chat_id)
        message = self._world.messages.get((chat_id, message_id))
        if message is None or message.receiver not in (None, user):
            raise impossible("there is no such message")
        data = next(
            (b["callback_data"] for b in _pressable(message) if button in (b["text"], b["callback_data"])),
            None,
        )
        if data is None:
            raise impossible(f"the message shows no button {button!r}")
        return self._pressed(user, chat, message, data).id

    def press_old(self, user_id: int, chat_id: int, message_id: int, data: str) -> str:
        """Deliver a press that left the app while the message still showed this button."""
        user, chat = self._inside(user_id, chat_id)
        message = self._world.messages.get((chat_id, message_id))
        if message is None or message.sender is not self._world.bot:
            raise impossible("there is no such message of the bot")
        return self._pressed(user, chat, message, data).id

    def _pressed(self, user: User, chat: Chat, message: Message, data: str) -> Callback:
        callback = Callback(str(secrets.randbits(62)), user, message, data, time.monotonic())
        self._world.callbacks[callback.id] = callback
        self._delivery.tell(
            "callback_query",
            {
                "id": callback.id,
                "from": user.json(),
                "message": message.json(),
                "chat_instance": str(abs(chat.id)),
                "data": data,
            },
        )
        return callback

    def deliver_again(self, callback_id: str) -> None:
        """Deliver a press to the bot a second time, as after a lost confirmation."""
        callback = self._world.callbacks[callback_id]
        self._delivery.tell(
            "callback_query",
            {
                "id": callback.id,
                "from": callback.user.json(),
                "message": callback.message.json(),
                "chat_instance": str(abs(callback.message.chat.id)),
                "data": callback.data,
            },
        )

    # Reading

    def read(self, user_id: int, chat_id: int) -> list[dict[str, Any]]:
        """The messages of a chat as this person sees them, oldest first."""
        self._inside(user_id, chat_id)
        return [
            message.json() | {"message_id": message.id, "versions": message.versions}
            for message in self._world.history(chat_id)
            if message.receiver is None or message.receiver.id == user_id
        ]

    def answer(self, user_id: int, callback_id: str) -> dict[str, Any] | None:
        """The answer to this person's press: words, whether as an alert, a link; None while there is none."""
        callback = self._world.callbacks.get(callback_id)
        if callback is None or callback.user.id != user_id:
            raise impossible("they pressed no such button")
        return callback.answer

    def _of(self, user_id: int) -> list[Callback]:
        return [callback for callback in self._world.callbacks.values() if callback.user.id == user_id]

    # Membership and rights

    def delete(self, chat_id: int, message_id: int) -> None:
        """Delete a message as an administrator of the group. No bot hears of that."""
        del self._world.messages[chat_id, message_id]

    def block(self, user_id: int, *, blocked: bool) -> None:
        """Block the bot, or unblock it."""
        self._world.user(user_id).blocked = blocked

    def remove_bot(self, chat_id: int) -> None:
        """Remove the bot from the group, with all its rights."""
        self._change_bot(chat_id, bot_in=False, **_MEMBERS)

    def add_bot(self, chat_id: int) -> None:
        """Add the bot to the group again."""
        self._change_bot(chat_id, bot_in=True)

    def promote(self, user_id: int, chat_id: int) -> None:
        """Make a member an administrator of the group."""
        self._inside(user_id, chat_id)[1].administrators.add(user_id)

    def demote(self, user_id: int, chat_id: int) -> None:
        """Make an administrator a member again."""
        self._world.chat(chat_id).administrators.discard(user_id)

    def promote_bot(self, chat_id: int) -> None:
        """Make the bot an administrator of the group."""
        self._change_bot(chat_id, bot_admin=True)

    def demote_bot(self, chat_id: int) -> None:
        """Make the bot a member again."""
        self._change_bot(chat_id, **_MEMBERS)

    def let_bot_pin(self, chat_id: int) -> None:
        """Make the bot an administrator who may pin messages."""
        self._change_bot(chat_id, bot_admin=True, bot_may_pin=True)

    def let_bot_manage_topics(self, chat_id: int) -> None:
        """Make the bot an administrator who may manage topics."""
        self._change_bot(chat_id, bot_admin=True, bot_manages_topics=True)

    def let_members_write(self, chat_id: int, *, may: bool) -> None:
        """Let everybody write in the group, or administrators alone. Telegram reports that to no bot."""
        self._world.chat(chat_id).members_may_send = may

    def let_members_send_photos(self, chat_id: int, *, may: bool) -> None:
        """Let everybody send pictures in the group, or administrators alone. No bot hears of that."""
        self._world.chat(chat_id).members_may_send_photos = may

    def silence_bot(self, chat_id: int) -> None:
        """Take the right to write from the bot."""
        self._change_bot(chat_id, may_send=False)

    def let_bot_write(self, chat_id: int) -> None:
        """Give the bot the right to write."""
        self._change_bot(chat_id, may_send=True)

    def close_topic(self, chat_id: int, topic: int) -> None:
        """Close a topic, so that nobody can write there."""
        self._world.chat(chat_id).topics[topic].closed = True
        self._say_of_topic(chat_id, topic, "forum_topic_closed")

    def reopen_topic(self, chat_id: int, topic: int) -> None:
        """Reopen a topic."""
        self._world.chat(chat_id).topics[topic].closed = False
        self._say_of_topic(chat_id, topic, "forum_topic_reopened")

    def delete_topic(self, chat_id: int, topic: int) -> None:
        """Delete a topic with all its messages."""
        chat = self._world.chat(chat_id)
        del chat.topics[topic]
        for message in self._world.history(chat_id):
            if message.thread == topic:
                del self._world.messages[chat_id, message.id]

    def _say_of_topic(self, chat_id: int, topic: int, service: str) -> None:
        """Post a service message, which every bot in the group gets."""
        chat = self._world.chat(chat_id)
        actor = self._world.user(next(iter(chat.members)))
        message = self._world.post(chat, actor, thread=topic, service={service: {}})
        self._delivery.tell("message", message.json())

    def _change_bot(self, chat_id: int, **changes: bool) -> None:
        """Change what the bot is in a group. It hears of that unless nothing changes."""
        chat = self._world.chat(chat_id)
        before = self._world.member(chat, self._world.bot)
        for name, value in changes.items():
            setattr(chat, name, value)
        after = self._world.member(chat, self._world.bot)
        if after != before:
            actor = self._world.user(next(iter(chat.members)))
            change = {"old_chat_member": before, "new_chat_member": after}
            about = {"chat": chat.json(), "from": actor.json(), "date": int(time.time())}
            self._delivery.tell("my_chat_member", about | change)

    def migrate(self, chat_id: int) -> int:
        """Turn a basic group into a supergroup. Both get their service message. Returns the new id."""
        old = self._world.chat(chat_id)
        new = self._world.migrate(old)
        actor = self._world.user(next(iter(old.members)))
        for chat, service in ((old, {"migrate_to_chat_id": new.id}), (new, {"migrate_from_chat_id": old.id})):
            message = self._world.post(chat, actor, service=service)
            self._delivery.tell("message", message.json())
        return new.id

    def _inside(self, user_id: int, chat_id: int) -> tuple[User, Chat]:
        chat = self._world.chat(chat_id)
        if not self._sees(user_id, chat):
            raise impossible("they are not in this chat")
        return self._world.user(user_id), chat

    def _sees(self, user_id: int, chat: Chat) -> bool:
        return chat.id == user_id or user_id in chat.members


def _pressable(message: Message) -> list[dict[str, Any]]:
    return [button for row in message.keyboard for button in row if "callback_data" in button]


def _commands(text: str) -> list[dict[str, Any]]:
    found = _COMMAND.match(text)
    return [{"type": "bot_command", "offset": 0, "length": units(found[0])}] if found else []
