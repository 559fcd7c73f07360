"""Telegram's ids as the application's keys, and back.

A place is `tg:<chat>` or, in a forum's topic, `tg:<chat>/<topic>`; a person is `tg:<user>`, which is
also the id of his private chat. A message's reference is `<chat>:<message>:<kind>`.
"""

from dataclasses import dataclass
from typing import Literal

from telegram import Message, User

from bot.ports import Person

PREFIX = "tg:"

Kind = Literal["p", "t"]
"""What a message is made of, which decides how it is edited: a photo with a caption, or text."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message goes: a chat, and a topic of it (never the General one, which has no id)."""

    chat: int
    topic: int | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A message that is already there."""

    chat: int
    message: int
    kind: Kind

    def __str__(self) -> str:
        return f"{self.chat}:{self.message}:{self.kind}"


def reference(text: str) -> Reference:
    """Read what `str(Reference)` wrote."""
    chat, message, kind = text.split(":")
    return Reference(int(chat), int(message), "p" if kind == "p" else "t")


def spot(key: str) -> Spot:
    """The spot of a place's or a person's key."""
    chat, _, topic = key.removeprefix(PREFIX).partition("/")
    return Spot(int(chat), int(topic) if topic else None)


def place_key(chat: int, topic: int | None = None) -> str:
    """The key of a place."""
    return f"{PREFIX}{chat}" if topic is None else f"{PREFIX}{chat}/{topic}"


def place_of(message: Message) -> str:
    """The place of a group's message. Replies carry a thread too: only a topic's message is in a topic."""
    return place_key(message.chat.id, message.message_thread_id if message.is_topic_message else None)


def person_of(user: User) -> Person:
    """Whoever acts, as Telegram describes him now."""
    return Person(f"{PREFIX}{user.id}", user.full_name, user.language_code or "")
