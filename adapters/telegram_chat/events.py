"""Events: updates from Telegram, checked, and read as a `Press` or a `TypedCommand`.

The library does not validate updates and fails later. An update that stops polling would come again for ever.
So the fields that are used are checked first.
"""

import logging
import re
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from telegram import (
    CallbackQuery,
    ChatMember,
    ChatMemberRestricted,
    MaybeInaccessibleMessage,
    Message,
    Update,
)
from telegram.constants import ChatMemberStatus, ChatType

from adapters.telegram_chat.addresses import person_of, place_key, place_of
from adapters.telegram_chat.ephemeral import ephemeral_id
from adapters.telegram_chat.http import AiohttpRequest
from adapters.telegram_chat.rendering import menu_verbs
from bot.i18n.commands import read_command
from bot.logs import way_of
from bot.ports import Person, Press, TypedCommand

_Json = dict[str, Any]

ANONYMOUS: Final = "anonymous"
"""The verb of a person who writes as their group."""
TALK: Final = "talk"
"""The verb of a private message that is no command."""

MENTION: Final = "mention"
"""The verb of a group's message that mentions the bot."""

_COMMAND: Final = re.compile(r"/([a-z0-9_]+)(?:@(\w+))?(?:\s+(.*))?\Z", re.IGNORECASE | re.DOTALL)

LOG: Final = logging.getLogger(__name__)


# Translation


def event_of(update: Update, username: str) -> Press | TypedCommand | None:
    """Return the act of a person in an update to the bot of this name, if any."""
    if update.callback_query is not None:
        return _read_press(update.callback_query)
    return None if update.message is None else _read_typed(update.message, username)


def find_reopened(update: Update) -> str | None:
    """Return the group of an update that changes the bot's rights there or reopens a topic."""
    if update.my_chat_member is not None:
        return place_key(update.my_chat_member.chat.id)
    message = update.message
    if message is None or not (message.forum_topic_reopened or message.general_forum_topic_unhidden):
        return None
    return place_key(message.chat.id)


def find_added(update: Update) -> tuple[str, str] | None:
    """Return the group of an update to which the bot was just added, and the language of who added it; None:
    it was not added."""
    change = update.my_chat_member
    if change is None or change.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return None
    if not _is_member(change.new_chat_member) or _is_member(change.old_chat_member):
        return None
    return place_key(change.chat.id), change.from_user.language_code or ""


def _is_member(member: ChatMember) -> bool:
    if isinstance(member, ChatMemberRestricted):
        return member.is_member
    return member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


def member_who_left(update: Update) -> tuple[str, str] | None:
    """Return the person who left the group of an update, or was thrown out, and the group; None: nobody. A
    bot that is an administrator is told of each; another one sees the group's message, which large groups do
    not have."""
    if (change := update.chat_member) is not None:
        now = change.new_chat_member
        away = isinstance(now, ChatMemberRestricted) and not now.is_member
        if away or now.status in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED):
            return person_of(now.user).key, place_key(change.chat.id)
    message = update.message
    if message is not None and message.left_chat_member is not None:
        return person_of(message.left_chat_member).key, place_key(message.chat.id)
    return None


def in_private(event: Press | TypedCommand) -> bool:
    """Return whether it happened in the person's private chat."""
    return event.surface == "private" if isinstance(event, Press) else event.place is None


def place_pressed(message: MaybeInaccessibleMessage) -> str:
    """Return the place of a group's message with buttons. A message that is too old has no topic."""
    return place_of(message) if isinstance(message, Message) else place_key(message.chat.id)


def _read_press(query: CallbackQuery) -> Press | None:
    message = query.message
    if message is None or query.data is None:
        return None
    private = message.chat.type == ChatType.PRIVATE
    within = None if private else place_pressed(message)
    return Press(
        by=person_of(query.from_user),
        place=None if ephemeral_id(query) else within,
        within=within,
        surface="private" if private else "public",
        data=query.data,
        id=query.id,
    )


def _read_typed(message: Message, username: str) -> TypedCommand | None:
    command = _COMMAND.match(message.text or "")
    private = message.chat.type == ChatType.PRIVATE
    if message.forward_origin is not None:
        return None  # a forwarded command: somebody else typed it
    if private and command is None and message.text and message.from_user is not None:
        return TypedCommand(
            by=person_of(message.from_user),
            place=None,
            verb=TALK,
            argument=message.text,
            id=_id_of_typed(message),
        )
    if command is None and message.from_user is not None and _mentions(message, username):
        return TypedCommand(
            by=person_of(message.from_user),
            place=place_of(message),
            verb=MENTION,
            argument="",
            id=_id_of_typed(message),
        )
    if command is None or message.from_user is None or not _for_us(command, username, private=private):
        return None
    by = person_of(message.from_user)
    verb, argument = _read_words(command)
    if (sender := message.sender_chat) is not None:
        # An administrator who writes as their group could hold no rack, and their rights are unknown: the
        # group is told so. Channels are ignored.
        if sender.id != message.chat.id:
            return None
        by, verb, argument = Person(place_key(sender.id), sender.title or ""), ANONYMOUS, ""
    elif message.from_user.is_bot:
        return None
    return TypedCommand(
        by=by,
        place=None if private else place_of(message),
        verb=verb,
        argument=argument,
        id=_id_of_typed(message),
    )


def _mentions(message: Message, username: str) -> bool:
    """Return whether a person speaks to the bot of this name in a group."""
    own = message.sender_chat is None and not (message.from_user and message.from_user.is_bot)
    return own and f"@{username.lower()}" in (message.text or "").lower().split()


def _id_of_typed(message: Message) -> str:
    return f"{message.chat.id}.{message.message_id}"


def _for_us(command: re.Match[str], username: str, *, private: bool) -> bool:
    if command[2]:
        return command[2].lower() == username.lower()
    verb, _ = _read_words(command)
    return private or command[1].lower() == "okey" or verb == "start" or verb in menu_verbs()


def _read_words(command: re.Match[str]) -> tuple[str, str]:
    """Verb and argument. `/okey` alone opens a table. Words after it are read by the router."""
    typed = command[1].lower()
    argument = (command[3] or "").strip()
    if typed == "okey":
        return (typed if argument else "play"), argument
    return read_command(f"{typed} {argument}") or (typed, argument)


# Check


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
    left_chat_member: _User | None = None


class _Query(Struct):
    id: str
    sender: _User = field(name="from")
    message: _Message | None = None
    data: str | None = None


class _Member(Struct):
    status: str
    user: _User
    is_member: bool | None = None


class _Membership(Struct):
    chat: _Chat
    new_chat_member: _Member


class _Update(Struct):
    """The fields used of the Bot API's `Update`."""

    update_id: int
    message: _Message | None = None
    my_chat_member: _Membership | None = None
    chat_member: _Membership | None = None
    callback_query: _Query | None = None


def check_update(update: Any) -> _Json | None:
    """Return the update; if it can't be read, an empty one with its number; None when it is none at all."""
    number = update.get("update_id") if isinstance(update, dict) else None
    if not isinstance(number, int):
        return None
    try:
        msgspec.json.encode(update)  # half a character cannot be encoded, so it cannot be sent
        msgspec.convert(update, _Update)
        Update.de_json(update, None)
    except Exception as error:
        LOG.warning("update %d can't be read: %s", number, way_of(error))
        return {"update_id": number}
    return dict(update)


class CheckedUpdates(AiohttpRequest):
    """The connection that asks for updates."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> _Json:
        """Return the parsed and checked answer; overrides the library's method."""
        answer: _Json = AiohttpRequest.parse_json_payload(payload)
        if isinstance(answer.get("result"), list):
            answer["result"] = [
                update for each in answer["result"] if (update := check_update(each)) is not None
            ]
        return answer
