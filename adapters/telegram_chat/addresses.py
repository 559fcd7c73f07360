"""Addresses: Telegram's ids as the application's keys and back, and links to them.

A place is `tg:<chat>` or, in a forum's topic, `tg:<chat>/<topic>`; a person is `tg:<user>`, which is
also the id of their private chat. A message is `<chat>:<message>:<kind>`, in references followed by its
picture.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from telegram import Message, User

from bot.markup import Link
from bot.ports import Person

PREFIX = "tg:"

_SUPERGROUP = "-100"
"""The beginning of a supergroup's id. The rest is its number in links. Only supergroups have links."""

MessageKind = Literal["p", "t"]
"""The kind of a message, which decides how it is edited: a photo with a caption, or text."""


@dataclass(frozen=True, slots=True)
class ChatAddress:
    """The target of a message: a chat, and a topic of it (never the General one, which has no id)."""

    chat: int
    topic: int | None = None


class Upload(NamedTuple):
    """A picture that Telegram has."""

    digest: str
    """The digest of its bytes."""
    name: str
    """Telegram's name for it, which only this bot can use."""


@dataclass(frozen=True, slots=True)
class MessageAddress:
    """A message that exists."""

    chat: int
    message: int
    kind: MessageKind
    upload: Upload | None = field(default=None, compare=False)
    """The picture that it shows, if that is known."""

    def __str__(self) -> str:
        return f"{self.chat}:{self.message}:{self.kind}"

    @property
    def reference(self) -> str:
        """The message and its picture, as the application keeps them: so the picture need not be sent again
        by another process, or by this one after a restart."""
        return " ".join((str(self), *(self.upload or ())))


def message_address(reference: str) -> MessageAddress:
    """Read a reference."""
    address, *upload = reference.split(" ")
    chat, message, kind = address.split(":")
    shows = Upload(*upload) if upload else None
    return MessageAddress(int(chat), int(message), "p" if kind == "p" else "t", shows)


def chat_address(key: str) -> ChatAddress:
    """Return the address of a place's or a person's key. Raises ValueError for other text."""
    chat, _, topic = key.removeprefix(PREFIX).partition("/")
    return ChatAddress(int(chat), int(topic) if topic else None)


def place_key(chat: int, topic: int | None = None) -> str:
    """Return the key of a place."""
    return f"{PREFIX}{chat}" if topic is None else f"{PREFIX}{chat}/{topic}"


def group_key(place: str) -> str:
    """Return the key of the whole group of a place."""
    return place_key(chat_address(place).chat)


def place_of(message: Message) -> str:
    """Return the place of a group's message. Replies have a thread id too, but only a topic's message is in a
    topic."""
    return place_key(message.chat.id, message.message_thread_id if message.is_topic_message else None)


def person_of(user: User) -> Person:
    """Return the acting person, as Telegram describes them now."""
    # The library has no name, not an empty one, where the first is empty.
    name: str | None = user.full_name
    return Person(f"{PREFIX}{user.id}", name or user.username or "", user.language_code or "")


def message_link(place: ChatAddress, message: MessageAddress) -> str | None:
    """Return a link to a message; it opens for members of the group."""
    chat = _chat_link(message.chat)
    topic = "" if place.topic is None else f"/{place.topic}"
    return None if chat is None else f"https://{chat}{topic}/{message.message}"


def place_link(place: ChatAddress) -> Link | None:
    """Return a link to a topic. A group has none of its own, but its General topic has the number 1."""
    chat = _chat_link(place.chat)
    if chat is None:
        return None
    topic = f"{chat}/{place.topic or 1}"
    return Link(topic, f"https://{topic}")


def is_supergroup(chat: int) -> bool:
    """Return whether a chat's id is that of a supergroup."""
    return str(chat).startswith(_SUPERGROUP)


def start_link(bot: str, payload: str) -> str:
    """Return a link that opens the private chat with this bot and starts it with a payload, if it has one."""
    return f"https://t.me/{bot}" + (payload and f"?start={payload}")


def _chat_link(chat: int) -> str | None:
    number = str(chat)
    return f"t.me/c/{number.removeprefix(_SUPERGROUP)}" if number.startswith(_SUPERGROUP) else None
