"""The Bot API's methods that this project uses."""

import json
import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.servers.telegram_api import keyboards, photos
from tests.servers.telegram_api.errors import Refused, bad_request
from tests.servers.telegram_api.limits import Meter
from tests.servers.telegram_api.markup import Parsed, parse, units
from tests.servers.telegram_api.requests import ApiRequest
from tests.servers.telegram_api.topics import Topics
from tests.servers.telegram_api.whispers import Whispers
from tests.servers.telegram_api.world import Callback, Chat, Document, Message, Photo, World

_TEXT, _CAPTION, _ALERT = 4096, 1024, 200
_COMMAND = re.compile(r"[a-z0-9_]{1,32}\Z")

Method = Callable[[ApiRequest], Any]


class Methods:
    """The bot's methods, except for updates. A broken rule is recorded in `findings` and refused."""

    def __init__(self, world: World, meter: Meter, findings: list[str], callback_seconds: float) -> None:
        self._world = world
        self._meter = meter
        self._findings = findings
        self._callback_seconds = callback_seconds
        self.whispers = Whispers(world)
        self._topics = Topics(world, meter)
        self.by_name: dict[str, Method] = {
            "getMe": self._get_me,
            "getChat": self._get_chat,
            "getChatMember": self._get_chat_member,
            "getChatAdministrators": self._get_administrators,
            "sendMessage": self._send_message,
            "sendPhoto": self._send_photo,
            "sendDocument": self._send_document,
            "editMessageText": self._edit_text,
            "editMessageCaption": self._edit_caption,
            "editMessageMedia": self._edit_media,
            "editMessageReplyMarkup": self._edit_markup,
            "deleteMessage": self._delete,
            "pinChatMessage": self._pin,
            "unpinChatMessage": self._unpin,
            "setMessageReaction": self._react,
            "answerCallbackQuery": self._answer,
            "createForumTopic": self._topics.create,
            "closeForumTopic": self._topics.close,
            "setMyCommands": self._set_commands,
            "getMyCommands": self._get_commands,
            "getMyDescription": partial(self._get_text, "description"),
            "setMyDescription": partial(self._set_text, "description", 512),
            "getMyShortDescription": partial(self._get_text, "short_description"),
            "setMyShortDescription": partial(self._set_text, "short_description", 120),
            "setChatMenuButton": self._set_menu_button,
            "editEphemeralMessageText": self._edit_whisper,
            "editEphemeralMessageMedia": self._edit_whispered_picture,
            "deleteEphemeralMessage": self._delete_whisper,
        }

    # The bot and the chats

    def _get_me(self, _: ApiRequest) -> dict[str, Any]:
        switches = {
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
        }
        return self._world.bot.json() | switches

    def _get_chat(self, request: ApiRequest) -> dict[str, Any]:
        chat = self._world.writable(request.number("chat_id"))
        return chat.json() | {
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": _NO_GIFTS,
        }

    def _get_chat_member(self, request: ApiRequest) -> dict[str, Any]:
        chat = self._world.writable(request.number("chat_id"))
        user = self._world.users.get(request.number("user_id") or 0)
        if user is None:
            raise bad_request("PARTICIPANT_ID_INVALID")
        return self._world.member(chat, user)

    def _get_administrators(self, request: ApiRequest) -> list[dict[str, Any]]:
        chat = self._world.writable(request.number("chat_id"))
        return [self._world.member(chat, self._world.users[id]) for id in sorted(chat.administrators)]

    def _set_menu_button(self, request: ApiRequest) -> bool:
        app = request.json("menu_button")["web_app"]
        self._no_faults(keyboards.app_faults(app["url"], private=True))
        return True

    def _set_commands(self, request: ApiRequest) -> bool:
        commands = request.json("commands")
        for command in commands:
            if not _COMMAND.match(command["command"]):
                raise self._broken(f"BOT_COMMAND_INVALID: {command['command']!r}")
            if not 1 <= len(command["description"]) <= 256:
                raise self._broken("BOT_COMMAND_DESCRIPTION_INVALID")
        if len(commands) > 100:
            raise self._broken("BOT_COMMANDS_TOO_MUCH")
        self._world.commands[self._scope(request)] = commands
        return True

    def _get_commands(self, request: ApiRequest) -> list[dict[str, str]]:
        return self._world.commands.get(self._scope(request), [])

    def _get_text(self, kind: str, request: ApiRequest) -> dict[str, str]:
        """A text of the bot's profile in a language, or else the one for all languages."""
        texts, code = self._world.profile, request.text("language_code")
        return {kind: texts.get((kind, code), texts.get((kind, ""), ""))}

    def _set_text(self, kind: str, most: int, request: ApiRequest) -> bool:
        text = request.text(kind)
        if len(text) > most:
            raise self._broken(f"{kind} is too long")
        self._world.profile[kind, request.text("language_code")] = text
        return True

    def _scope(self, request: ApiRequest) -> tuple[str, str]:
        scope = request.json("scope") or {"type": "default"}
        return json.dumps(scope, sort_keys=True), request.text("language_code")

    # Sending

    def _no_effect_in_groups(self, request: ApiRequest) -> None:
        effect = request.given.get("message_effect_id")
        if effect and (request.number("chat_id") or 0) < 0:
            raise self._broken("EFFECT_ID_INVALID")

    def _send_message(self, request: ApiRequest) -> dict[str, Any]:
        self._no_effect_in_groups(request)
        receiver = self.whispers.receiver(request)
        chat, thread = self._target(request, alone=receiver is not None)
        parsed = self._words(request, "text", _TEXT)
        keyboard = self._keyboard(request)
        sent = self._sent(chat, thread, parsed, keyboard, None)
        if receiver is None:
            return sent
        return self.whispers.kept(self._world.messages[chat.id, sent["message_id"]], receiver)

    def _send_photo(self, request: ApiRequest) -> dict[str, Any]:
        self._no_effect_in_groups(request)
        self._world.takes_photos(self._world.writable(request.number("chat_id")))
        chat, thread = self._target(request)
        parsed = self._words(request, "caption", _CAPTION)
        keyboard = self._keyboard(request)
        upload = request.files.get("photo")
        photo = self._picture(upload, request.text("photo") if upload is None else "", request)
        return self._sent(chat, thread, parsed, keyboard, photo)

    def _send_document(self, request: ApiRequest) -> dict[str, Any]:
        chat, thread = self._target(request)
        parsed = self._words(request, "caption", _CAPTION)
        keyboard = self._keyboard(request)
        upload = request.files.get("document")
        if not upload:
            raise self._broken("file must be non-empty")
        document = self._world.keep_document(request.names["document"], upload)
        return self._sent(chat, thread, parsed, keyboard, None, document)

    def _target(self, request: ApiRequest, *, alone: bool = False) -> tuple[Chat, int | None]:
        thread = request.number("message_thread_id")
        chat = self._world.writable(request.number("chat_id"), thread)
        self._meter.charge(chat.id, alone=alone)
        return chat, thread

    def _sent(
        self,
        chat: Chat,
        thread: int | None,
        parsed: Parsed,
        keyboard: list[list[dict[str, Any]]],
        photo: Photo | None,
        document: Document | None = None,
    ) -> dict[str, Any]:
        message = self._world.post(
            chat,
            self._world.bot,
            thread=thread,
            text=parsed.text,
            entities=parsed.entities,
            keyboard=keyboard,
            photo=photo,
            document=document,
        )
        return message.json()

    # Editing

    def _edit_text(self, request: ApiRequest) -> dict[str, Any]:
        message = self._editable(request)
        if message.photo or message.document:
            raise bad_request("there is no text in the message to edit")
        return self._edited(message, self._words(request, "text", _TEXT), self._keyboard(request), None)

    def _edit_caption(self, request: ApiRequest) -> dict[str, Any]:
        message = self._editable(request)
        if message.photo is None:
            raise bad_request("there is no caption in the message to edit")
        parsed = self._words(request, "caption", _CAPTION)
        return self._edited(message, parsed, self._keyboard(request), message.photo)

    def _edit_media(self, request: ApiRequest) -> dict[str, Any]:
        self._world.takes_photos(self._world.writable(request.number("chat_id")))
        message = self._editable(request)
        inner, photo = self._new_media(request)
        return self._edited(message, self._words(inner, "caption", _CAPTION), self._keyboard(request), photo)

    def _new_media(self, request: ApiRequest) -> tuple[ApiRequest, Photo]:
        """The media of an edit, and its picture."""
        media = request.json("media")
        if not isinstance(media, dict) or media.get("type") != "photo":
            raise self._broken("only photos are edited in")
        inner = ApiRequest(request.method, media, request.files)
        source = inner.text("media")
        upload = (
            request.files.get(source.removeprefix("attach://")) if source.startswith("attach://") else None
        )
        if source.startswith("attach://") and upload is None:
            raise self._broken(f"the form has no file {source}")
        return inner, self._picture(upload, source, request)

    def _edit_markup(self, request: ApiRequest) -> dict[str, Any]:
        message = self._editable(request)
        parsed = Parsed(message.text, message.entities)
        return self._edited(message, parsed, self._keyboard(request), message.photo)

    def _editable(self, request: ApiRequest) -> Message:
        chat = self._world.writable(request.number("chat_id"))
        self._meter.charge(chat.id)
        message = self._world.message(chat, request.number("message_id"), "edit")
        self._world.writable(chat.id, message.thread)
        return message

    def _edited(
        self, message: Message, parsed: Parsed, keyboard: list[list[dict[str, Any]]], photo: Photo | None
    ) -> dict[str, Any]:
        after = (parsed.text, parsed.entities, keyboard, photo)
        if after == (message.text, message.entities, message.keyboard, message.photo):
            raise bad_request(
                "message is not modified: specified new message content and reply markup are exactly "
                "the same as a current content and reply markup of the message"
            )
        message.text, message.entities, message.keyboard, message.photo = after
        message.edited = int(time.time())
        message.versions += 1
        return message.json()

    def _delete(self, request: ApiRequest) -> bool:
        chat = self._world.writable(request.number("chat_id"))
        message = self._world.message(chat, request.number("message_id"), "delete")
        del self._world.messages[chat.id, message.id]
        return True

    def _react(self, request: ApiRequest) -> bool:
        chat = self._world.writable(request.number("chat_id"))
        self._world.message(chat, request.number("message_id"), "react")
        reactions = request.json("reaction") or []
        if len(reactions) > 1:
            raise self._broken("REACTIONS_TOO_MANY")
        if any(each.get("emoji") not in _REACTIONS for each in reactions):
            raise self._broken("REACTION_INVALID")
        return True

    def _pin(self, request: ApiRequest) -> bool:
        chat = self._pinnable(request)
        message = self._world.message(chat, request.number("message_id"), "pin")
        if not request.flag("disable_notification"):
            self._findings.append("pinChatMessage: everybody in the group was notified")
        if message.id not in chat.pinned:
            self._meter.charge(chat.id)
            chat.pinned.append(message.id)
            self._world.post(chat, self._world.bot, service={"pinned_message": message.json()})
        return True

    def _unpin(self, request: ApiRequest) -> bool:
        chat = self._pinnable(request)
        number = request.number("message_id")
        if number not in chat.pinned:
            raise bad_request("message to unpin not found")
        chat.pinned.remove(number)
        return True

    def _pinnable(self, request: ApiRequest) -> Chat:
        chat = self._world.writable(request.number("chat_id"))
        if not chat.bot_may_pin:
            raise bad_request("not enough rights to manage pinned messages in the chat")
        return chat

    # Messages for one person in a group

    def _edit_whisper(self, request: ApiRequest) -> bool:
        message = self.whispers.find(request)
        self._meter.charge(message.chat.id, alone=True)
        if message.photo is not None:
            raise bad_request("there is no text in the message to edit")
        self._edited(message, self._words(request, "text", _TEXT), self._keyboard(request), None)
        return True

    def _edit_whispered_picture(self, request: ApiRequest) -> bool:
        message = self.whispers.find(request)
        self._meter.charge(message.chat.id, alone=True)
        if request.files and not self.whispers.takes_uploads():
            raise bad_request("wrong file identifier/HTTP URL specified")
        inner, photo = self._new_media(request)
        self._edited(message, self._words(inner, "caption", _CAPTION), self._keyboard(request), photo)
        return True

    def _delete_whisper(self, request: ApiRequest) -> bool:
        message = self.whispers.find(request)
        del self._world.messages[message.chat.id, message.id]
        return True

    # Contents of messages

    def _words(self, request: ApiRequest, name: str, most: int) -> Parsed:
        try:
            parsed = parse(request.text(name), request.text("parse_mode") or None)
        except Refused as refused:
            self._findings.append(f"{request.method}: {refused.description}")
            raise
        self._findings += [f"{request.method}: {fault}" for fault in parsed.faults]
        if name == "text" and not parsed.text:
            raise self._broken("message text is empty")
        if units(parsed.text) > most:
            raise self._broken(f"message {name} is too long")
        for entity in parsed.entities:
            if entity["type"] == "text_link":
                self._no_faults(keyboards.link_faults(entity["url"], self._world.bot.username))
        return parsed

    def _keyboard(self, request: ApiRequest) -> list[list[dict[str, Any]]]:
        markup = request.json("reply_markup")
        if markup is None:
            return []
        keyboard = markup.get("inline_keyboard") if isinstance(markup, dict) else None
        if not isinstance(keyboard, list):
            raise self._broken("only inline keyboards are kept here")
        private = request.number("chat_id") > 0
        self._no_faults(keyboards.faults(keyboard, self._world.bot.username, private=private))
        return [row for row in keyboard if row]

    def _picture(self, upload: bytes | None, file_id: str, request: ApiRequest) -> Photo:
        if upload is None:
            photo = self._world.photos.get(file_id)
            if photo is None:
                raise bad_request("wrong file identifier/HTTP URL specified")
            return photo
        try:
            width, height = photos.measure(upload)
        except Refused as refused:
            self._findings.append(f"{request.method}: {refused.description}")
            raise
        return self._world.keep_photo(width, height, upload)

    # Pressed buttons

    def _answer(self, request: ApiRequest) -> bool:
        callback = self._world.callbacks.get(request.text("callback_query_id"))
        if callback is None:
            raise self._broken("query ID is invalid: no such callback query")
        self._in_time(callback)
        text, url = request.text("text"), request.text("url")
        if units(text) > _ALERT:
            raise self._broken("MESSAGE_TOO_LONG: the answer to a callback query has at most 200 characters")
        if url:
            self._no_faults(keyboards.link_faults(url, self._world.bot.username))
            if keyboards.start_payload(url, self._world.bot.username) is None:
                raise self._broken("URL_INVALID: only links that start this bot")
        after = time.monotonic() - callback.born
        callback.answer = {"text": text, "alert": request.flag("show_alert"), "url": url, "after": after}
        return True

    def _in_time(self, callback: Callback) -> None:
        late = "query is too old and response timeout expired or query ID is invalid"
        now = time.monotonic()
        callback.answers += 1
        if callback.answers > callback.deliveries:
            raise self._broken(f"{late}: answered twice")
        # A bot that got a press twice may answer twice, but the app has shown the first answer.
        if callback.answer is not None:
            raise bad_request(late)
        # A second delivery means that the bot was down in between.
        once = callback.deliveries == 1
        if once and callback.delivered is not None and now > callback.delivered + self._callback_seconds:
            raise self._broken(f"{late}: answered after {now - callback.delivered:.0f} s")
        # A bot that was down could not answer in time: no finding.
        if now > callback.born + self._callback_seconds:
            raise bad_request(late)

    # Findings

    def _broken(self, description: str) -> Refused:
        self._findings.append(description)
        return bad_request(description)

    def _no_faults(self, faults: list[str]) -> None:
        if faults:
            self._findings += faults
            raise bad_request(faults[0])


_REACTIONS = frozenset("👍👏🔥🎉🏆")
"""Some of those that Telegram takes from bots."""

_NO_GIFTS = {
    "unlimited_gifts": False,
    "limited_gifts": False,
    "unique_gifts": False,
    "premium_subscription": False,
    "gifts_from_channels": False,
}
