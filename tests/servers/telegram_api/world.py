"""Telegram's data: users, chats with their topics, messages, photos, files, pressed buttons."""

import itertools
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tests.servers.telegram_api.errors import Refused, bad_request, forbidden

FIRST_SUPERGROUP = -1_001_000_000_000
GENERAL = 1
"""The id of a forum's General topic, which is never given when sending."""


ADMINISTRATORS = {
    f"can_{right}": right == "delete_messages"
    for right in (
        "be_edited", "manage_chat", "delete_messages", "manage_video_chats", "restrict_members",
        "promote_members", "change_info", "invite_users", "post_stories", "edit_stories", "delete_stories",
    )
} | {"is_anonymous": False}  # fmt: skip
"""The rights of an administrator."""

_RESTRICTED = dict.fromkeys(
    (
        *("can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos"),
        *("can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages"),
        *("can_add_web_page_previews", "can_change_info", "can_invite_users", "can_pin_messages"),
        *("can_manage_topics", "can_react_to_messages", "can_edit_tag"),
    ),
    False,
)
"""The permissions that a restricted member lacks."""


@dataclass(slots=True)
class User:
    """A person, or the bot."""

    id: int
    first_name: str
    language_code: str = ""
    username: str = ""
    is_bot: bool = False
    started: bool = False
    blocked: bool = False

    def json(self) -> dict[str, Any]:
        """The API's `User`."""
        optional = {"username": self.username, "language_code": self.language_code}
        given = {name: value for name, value in optional.items() if value}
        return {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name, **given}


@dataclass(slots=True)
class Topic:
    """A forum's topic."""

    id: int
    name: str
    closed: bool = False


@dataclass(slots=True)
class Chat:
    """A private chat (its id is the person's), a group or a supergroup."""

    id: int
    type: str
    title: str = ""
    first_name: str = ""
    members: set[int] = field(default_factory=set)
    administrators: set[int] = field(default_factory=set)
    topics: dict[int, Topic] = field(default_factory=dict)
    migrated_to: int | None = None
    bot_in: bool = True
    may_send: bool = True
    """False: the bot is restricted."""
    members_may_send: bool = True
    """False: administrators alone write."""
    members_may_send_photos: bool = True
    """False: administrators alone send pictures."""
    bot_admin: bool = False
    """An administrator hears everything, whatever privacy mode says."""
    bot_manages_topics: bool = False
    bot_may_pin: bool = False
    """Rights of an administrator."""
    pinned: list[int] = field(default_factory=list)
    """Message ids, the newest last."""

    def json(self) -> dict[str, Any]:
        """The API's `Chat`."""
        named = {"title": self.title} if self.title else {"first_name": self.first_name}
        forum = {"is_forum": True} if self.topics else {}
        return {"id": self.id, "type": self.type, **named, **forum}


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture that was uploaded."""

    file_id: str
    unique: str
    width: int
    height: int
    content: bytes = field(repr=False)
    at: float = field(default_factory=time.time)
    """When it was uploaded: seconds since the epoch."""

    def json(self) -> dict[str, Any]:
        """The API's `PhotoSize`."""
        return {
            "file_id": self.file_id,
            "file_unique_id": self.unique,
            "width": self.width,
            "height": self.height,
            "file_size": len(self.content),
        }


@dataclass(frozen=True, slots=True)
class Document:
    """A file to save."""

    file_id: str
    unique: str
    name: str
    content: bytes = field(repr=False)

    def json(self) -> dict[str, Any]:
        """The API's `Document`."""
        return {
            "file_id": self.file_id,
            "file_unique_id": self.unique,
            "file_name": self.name,
            "file_size": len(self.content),
        }


@dataclass(slots=True)
class Message:
    """A message in its current state. `versions` counts the times it was shown: the first, and every edit."""

    id: int
    chat: Chat
    sender: User
    date: int
    thread: int | None = None
    text: str = ""
    """The visible text, or the caption under a photo or a file."""
    entities: list[dict[str, Any]] = field(default_factory=list)
    photo: Photo | None = None
    document: Document | None = None
    keyboard: list[list[dict[str, Any]]] = field(default_factory=list)
    service: dict[str, Any] = field(default_factory=dict)
    edited: int | None = None
    versions: int = 1
    receiver: User | None = None
    """The only person who sees it. Its id is below zero then."""

    def json(self) -> dict[str, Any]:
        """The API's `Message`."""
        out: dict[str, Any] = {"message_id": self.id, "date": self.date, "chat": self.chat.json()}
        out |= {"from": self.sender.json()} | self.service
        if self.receiver is not None:
            out |= {"message_id": 0, "ephemeral_message_id": -self.id, "receiver_user": self.receiver.json()}
        if self.thread is not None:
            out |= {"message_thread_id": self.thread, "is_topic_message": True}
        if self.edited is not None:
            out["edit_date"] = self.edited
        words, marks = (
            ("caption", "caption_entities") if self.photo or self.document else ("text", "entities")
        )
        if self.text:
            out[words] = self.text
        if self.entities:
            out[marks] = self.entities
        if self.photo:
            out["photo"] = [self.photo.json()]
        if self.document:
            out["document"] = self.document.json()
        if self.keyboard:
            out["reply_markup"] = {"inline_keyboard": self.keyboard}
        return out


@dataclass(slots=True)
class Callback:
    """A pressed button, and the person's answer."""

    id: str
    user: User
    message: Message
    data: str
    born: float
    delivered: float | None = None
    """The time when the bot first got it."""
    deliveries: int = 0
    answers: int = 0
    answer: dict[str, Any] | None = None


class World:
    """All data of the server."""

    def __init__(self, bot_name: str) -> None:
        self.bot = User(7_000_000_001, "Okey", username=bot_name, is_bot=True)
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.chats: dict[int, Chat] = {}
        self.messages: dict[tuple[int, int], Message] = {}
        self.photos: dict[str, Photo] = {}
        self.identical_uploads: list[tuple[float, float]] = []
        """When the pictures were uploaded that were uploaded again, and when that was: seconds since the
        epoch."""
        self.documents: dict[str, Document] = {}
        self.callbacks: dict[str, Callback] = {}
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.profile: dict[tuple[str, str], str] = {}
        """The texts of the bot's profile, by kind and language."""
        self._ids = itertools.count(1)
        # Telegram numbers the messages of private chats and basic groups together, and each supergroup's
        # separately.
        self._numbers: dict[int, itertools.count[int]] = {}

    # People and chats

    def add_user(self, first_name: str, language: str, username: str) -> User:
        """A person who has not yet written to the bot."""
        user = User(4000 + next(self._ids), first_name, language, username)
        self.users[user.id] = user
        self.chats[user.id] = Chat(user.id, "private", first_name=first_name)
        return user

    def add_group(self, title: str, kind: str, members: list[int], topics: list[str]) -> Chat:
        """A group with the bot. With topics it is a forum, which also has its General topic."""
        number = next(self._ids)
        chat = Chat(FIRST_SUPERGROUP - number if kind == "supergroup" else -5000 - number, kind, title)
        chat.members = set(members)
        if topics:
            chat.topics = {GENERAL: Topic(GENERAL, "General")}
            for name in topics:
                self.add_topic(chat, name)
        self.chats[chat.id] = chat
        return chat

    def add_topic(self, chat: Chat, name: str) -> Topic:
        """Add a topic to a forum."""
        topic = Topic(100 + next(self._ids), name)
        chat.topics[topic.id] = topic
        return topic

    def user(self, user_id: int) -> User:
        """The person, or the bot."""
        return self.users[user_id]

    def chat(self, chat_id: int) -> Chat:
        """The chat as its members see it."""
        return self.chats[chat_id]

    def writable(self, chat_id: object, thread: int | None = None) -> Chat:
        """The chat if the bot may write there; else raises the API's refusal."""
        chat = self.chats.get(chat_id) if isinstance(chat_id, int) else None
        if chat is None:
            raise bad_request("chat not found")
        if chat.type == "private":
            self._open_to_bot(self.users[chat.id])
        elif chat.migrated_to is not None:
            raise bad_request(
                "group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.migrated_to
            )
        elif not chat.bot_in:
            raise forbidden(f"bot was kicked from the {chat.type} chat")
        elif not (chat.bot_admin or (chat.may_send and chat.members_may_send)):
            raise bad_request("not enough rights to send text messages to the chat")
        self._topic(chat, thread)
        return chat

    def takes_photos(self, chat: Chat) -> None:
        """Raise the API's refusal where the bot may send no picture."""
        if chat.type != "private" and not (chat.bot_admin or chat.members_may_send_photos):
            raise bad_request("not enough rights to send photos to the chat")

    def member(self, chat: Chat, user: User) -> dict[str, Any]:
        """The API's `ChatMember` for a person or the bot in a group."""
        member: dict[str, Any] = {"user": user.json()}
        if user is not self.bot:
            if user.id in chat.administrators:
                return member | {"status": "administrator"} | ADMINISTRATORS
            return member | {"status": "member" if user.id in chat.members else "left"}
        if not chat.bot_in:
            return member | {"status": "kicked", "until_date": 0}
        if chat.bot_admin:
            rights = {"can_pin_messages": chat.bot_may_pin, "can_manage_topics": chat.bot_manages_topics}
            return member | {"status": "administrator"} | ADMINISTRATORS | rights
        if not chat.may_send:
            return member | {"status": "restricted", "is_member": True, "until_date": 0} | _RESTRICTED
        return member | {"status": "member"}

    def _open_to_bot(self, user: User) -> None:
        if not user.started:
            raise forbidden("bot can't initiate conversation with a user")
        if user.blocked:
            raise forbidden("bot was blocked by the user")

    def _topic(self, chat: Chat, thread: int | None) -> None:
        if thread is None:
            return
        # General has no thread of its own: naming it is refused.
        if thread == GENERAL or thread not in chat.topics:
            raise bad_request("message thread not found")
        if chat.topics[thread].closed:
            raise bad_request("TOPIC_CLOSED")

    # Messages

    def post(self, chat: Chat, sender: User, **shown: Any) -> Message:
        """Post a message at the end of a chat."""
        numbers = chat.id if chat.type == "supergroup" else 0
        number = next(self._numbers.setdefault(numbers, itertools.count(1)))
        message = Message(number, chat, sender, int(time.time()), **shown)
        self.messages[chat.id, number] = message
        return message

    def message(self, chat: Chat, message_id: object, what: str) -> Message:
        """The message that the bot wants to `what`: edit or delete."""
        found = self.messages.get((chat.id, message_id)) if isinstance(message_id, int) else None
        if found is None or found.receiver is not None:
            raise bad_request(f"message to {what} not found")
        if what == "edit" and found.sender is not self.bot:
            raise bad_request("message can't be edited")
        return found

    def history(self, chat_id: int) -> list[Message]:
        """A chat's messages, oldest first."""
        return [message for (chat, _), message in self.messages.items() if chat == chat_id]

    def keep_photo(self, width: int, height: int, content: bytes) -> Photo:
        """Store an uploaded picture. Every upload is a new file."""
        photo = Photo(secrets.token_urlsafe(48), secrets.token_urlsafe(9), width, height, content)
        equal = [each.at for each in self.photos.values() if each.content == content]
        self.identical_uploads += [(at, photo.at) for at in equal[-1:]]
        self.photos[photo.file_id] = photo
        return photo

    def keep_document(self, name: str, content: bytes) -> Document:
        """Store an uploaded file."""
        document = Document(secrets.token_urlsafe(48), secrets.token_urlsafe(9), name, content)
        self.documents[document.file_id] = document
        return document

    def migrate(self, chat: Chat) -> Chat:
        """Turn a basic group into a supergroup with a new id. The old one only points to it."""
        if chat.type != "group" or chat.migrated_to is not None:
            raise Refused(409, "only a basic group can become a supergroup")
        new = Chat(FIRST_SUPERGROUP - next(self._ids), "supergroup", chat.title, members=chat.members)
        self.chats[new.id] = new
        chat.migrated_to = new.id
        return new


class Updates:
    """The updates that the bot has not got yet."""

    def __init__(self) -> None:
        self._next = itertools.count(900_000_001)
        self.waiting: deque[dict[str, Any]] = deque()

    def add(self, kind: str, content: dict[str, Any]) -> None:
        """Queue an update at the end."""
        self.add_whole({kind: content})

    def add_whole(self, content: dict[str, Any]) -> None:
        """Queue a complete update with a number of its own."""
        self.waiting.append({**content, "update_id": next(self._next)})

    def confirm(self, offset: int) -> None:
        """Drop updates before `offset`; a negative one keeps only that many from the end."""
        if offset < 0:
            while len(self.waiting) > -offset:
                self.waiting.popleft()
        while self.waiting and self.waiting[0]["update_id"] < offset and offset > 0:
            self.waiting.popleft()
