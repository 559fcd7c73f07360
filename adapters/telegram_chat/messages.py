"""Messages: screens and words sent and edited. Each picture is uploaded once."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, Literal, NamedTuple

from cachetools import LRUCache
from telegram import Bot, Chat, InlineKeyboardMarkup, InputMediaPhoto, Message, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import BadRequest, Forbidden, TelegramError

from adapters.telegram_chat.addresses import (
    ChatAddress,
    MessageAddress,
    chat_address,
    is_supergroup,
    place_key,
)
from adapters.telegram_chat.calls import (
    Throttle,
    is_message_gone,
    is_too_old_to_delete,
    refuses_photos,
    says_unchanged,
)
from adapters.telegram_chat.rendering import (
    CAPTION_LIMIT,
    TEXT_LIMIT,
    MiniApp,
    as_html,
    as_mentions,
    fits_caption,
    in_words,
    keyboard,
)
from adapters.telegram_chat.uploads import Uploads
from bot.markup import Attachment, Page, PublicScreen, SeatScreen, Text
from bot.ports import Person, RetryAfter, SharedStatePort

_Screen = PublicScreen | SeatScreen

_REMEMBERED: Final = 1024
_MOST_CHATS: Final = 8192
"""More than are heard of while a message is on its way: nobody else may take its turn meanwhile."""
_MOST_TOPICS: Final = 64
"""The topics of a group whose messages are counted."""
_SEEN_IN_TOPIC: Final = 32
"""The messages of a topic that are counted; more than suffice for a table to be out of sight."""
_CONFETTI: Final = "5046509860389126442"
"""Telegram's effect 🎉 of a new message."""
_TROPHY: Final = "🏆"
"""One of the reactions that Telegram takes from bots."""
_WITHOUT_PHOTOS_SECONDS: Final = 600.0
"""Seconds for which a group gets words that took no picture. Telegram reports no change of that right."""


class _Shown(NamedTuple):
    """A screen in a message. Screens themselves would hold all that they were made of."""

    table: str
    version: int
    digest: int


@dataclass(slots=True)
class _Chat:
    """What this process knows of a chat."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whoever shows a screen there."""
    without_photos: float = -inf
    """Until when it gets words in place of pictures, by the monotonic clock."""
    newest: int = 0
    """The highest number of a message that was seen there."""
    in_topics: dict[int, deque[int]] = field(default_factory=dict)
    """The numbers of the last messages that were seen in each of the last topics."""
    title: str = ""
    """A group's name; empty: unknown."""


class Messages:
    """The messages of one bot. Screens for one chat are sent one after the other, so that the newest is shown
    last."""

    def __init__(self, bot: Bot, shared: SharedStatePort, app: MiniApp) -> None:
        self.throttle = Throttle()
        self._app = app
        self._bot = bot
        self._shared = shared
        self._uploads = Uploads()
        self._shown = LRUCache[tuple[int, int], _Shown | Literal["gone"]](_REMEMBERED)
        """What this process showed last in each message, by chat and message; `gone`: it takes no edit."""
        self._chats = LRUCache[int, _Chat](_MOST_CHATS)

    async def show(
        self,
        to: ChatAddress,
        screen: _Screen,
        message: MessageAddress | None,
        *,
        anew: bool = False,
        charge: Callable[[], Awaitable[None]] | None = None,
        silent: bool = False,
    ) -> MessageAddress | None:
        """Edit the message if possible, else post a new one and remove the replaced one; `anew`: post a new
        one and leave the other as it is.

        None when the message already shows a later version of the same table. `charge` is called before a
        new message follows an edit that failed: the caller has paid for one call. A `silent` one makes no
        sound.
        """
        self._uploads.note(message)
        message = None if anew else message
        before = self._last_in(message)
        async with self._turn(to.chat):
            if message is not None:
                last = self._last_in(message)
                if last is not None and last.table == screen.table and last.version > screen.version:
                    return None
                # Only one that came while this one waited: another process may have changed an earlier one.
                if last is not None and last is not before and last.digest == hash(screen):
                    return self._remember(message.chat, message.message, screen)
                tried = self._can_edit(message, screen)
                if await self._try_edit(message, screen):
                    return self._remember(message.chat, message.message, screen)
                if tried and charge is not None:
                    await charge()
            sent = await self._send(to, screen, silent=silent)
            shown = self._remember(sent.chat.id, sent.message_id, screen)
            self.note_title(sent.chat)
            self.note_seen(sent.chat.id, sent.message_id, to.topic)
            await self._wrote(to, str(shown))
        if message is not None:
            await self.remove(message)
        return shown

    def note_seen(self, chat: int, message: int, topic: int | None = None) -> None:
        """Note a message that stands in a group, perhaps in a topic."""
        known = self._recall(chat)
        known.newest = max(message, known.newest)
        if topic is not None:
            seen = known.in_topics.pop(topic, None) or deque(maxlen=_SEEN_IN_TOPIC)
            known.in_topics[topic] = seen
            if len(known.in_topics) > _MOST_TOPICS:
                del known.in_topics[next(iter(known.in_topics))]
            if message not in seen:
                seen.append(message)

    def note_title(self, chat: Chat) -> None:
        """Note what a group is called: Telegram tells it with each of its messages."""
        if chat.title:
            self._recall(chat.id).title = chat.title

    def find_title(self, chat: int) -> str:
        """Return what a group is called; empty: nothing of it was seen since the start."""
        return self._recall(chat).title

    def count_below(self, message: MessageAddress, topic: int | None = None) -> int:
        """Return how many newer messages are known to stand below a message. Only supergroups number their
        own messages one by one. A topic's have the numbers of its group, so those that were seen count."""
        if not is_supergroup(message.chat):
            return 0
        if topic is not None:
            return sum(each > message.message for each in self._recall(message.chat).in_topics.get(topic, ()))
        return max(self._recall(message.chat).newest - message.message, 0)

    def shows(self, pressed: Message, screen: SeatScreen) -> bool:
        """Return whether a pressed message shows this screen: by its buttons, as Telegram has just told them,
        and by what this process showed last in it."""
        last = self._last_in(_address(pressed))
        same = last is not None and last.table == screen.table and last.digest == hash(screen)
        return same and pressed.reply_markup == self._keyboard(screen)

    async def show_last(self, screen: PublicScreen | Page, message: MessageAddress) -> None:
        """Edit a message that has been replaced, or remove its buttons if an edit is impossible. A picture
        that words alone would replace stays above them."""
        self._uploads.note(message)
        async with self._turn(message.chat):
            if message.kind == "p" and screen.picture is None:
                await self._caption(message, screen)
            elif not await self._try_edit(message, screen):
                await self.disarm(message)

    async def send_page(self, to: ChatAddress, page: Page, message: MessageAddress | None) -> MessageAddress:
        """Send a page: in place of `message` if possible, else as a new message. Return the message."""
        async with self._turn(to.chat):
            if page.file is not None:
                return _address(await self._send_file(to, page.text, page.file))
            if page.picture is not None and not fits_caption(page.text):
                await self._send(to, replace(page, text=(), buttons=()))
                sent = await self._send(to, replace(page, picture=None))
            elif message is not None and await self._try_edit(message, page):
                return message
            else:
                sent = await self._send(to, page)
            if message is not None:
                await self.remove(message)
            return _address(sent)

    async def say(
        self,
        to: ChatAddress,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        reply_to: int | None = None,
        buttons: InlineKeyboardMarkup | None = None,
    ) -> MessageAddress:
        """Send a message of words, which may begin with mentions of people."""
        answered = None if reply_to is None else ReplyParameters(reply_to, allow_sending_without_reply=True)
        called = as_mentions([(chat_address(person.key).chat, person.name) for person in calls])
        words = called + as_html(text, TEXT_LIMIT - len(called))
        sent = await self._send_words(to, words, buttons, answered)
        return MessageAddress(sent.chat.id, sent.message_id, "t")

    def _keyboard(self, sheet: _Screen | Page) -> InlineKeyboardMarkup | None:
        app = self._app.in_group if isinstance(sheet, PublicScreen) else self._app.in_private
        return keyboard(sheet.buttons, app)

    async def remove(self, message: MessageAddress) -> None:
        """Delete a message, or remove its buttons if it is too old for that. A failure does no harm."""
        with suppress(TelegramError, RetryAfter):
            await self.delete(message)

    async def delete(self, message: MessageAddress) -> None:
        """Delete a message that has been replaced, if it still exists, or remove its buttons if it is too old
        for that."""
        try:
            await self.throttle.call(
                message.chat, lambda: self._bot.delete_message(message.chat, message.message)
            )
        except BadRequest as error:
            if is_too_old_to_delete(error):
                await self.disarm(message)
            elif not is_message_gone(error):
                raise

    async def disarm(self, message: MessageAddress) -> None:
        """Remove the buttons of a message that has been replaced, if it still exists."""
        try:
            await self.throttle.call(
                message.chat,
                lambda: self._bot.edit_message_reply_markup(message.chat, message.message, reply_markup=None),
            )
        except BadRequest as error:
            if not (is_message_gone(error) or says_unchanged(error)):
                raise

    async def react(self, message: MessageAddress) -> None:
        """React to the message that tells who won a match. A group may have turned reactions off: nothing is
        lost then."""
        with suppress(BadRequest, Forbidden):
            await self.throttle.call(
                message.chat,
                lambda: self._bot.set_message_reaction(message.chat, message.message, _TROPHY),
            )

    async def pin(self, message: MessageAddress) -> None:
        """Pin a message without a sound."""
        await self.throttle.call(
            message.chat,
            lambda: self._bot.pin_chat_message(message.chat, message.message, disable_notification=True),
        )

    async def unpin(self, message: MessageAddress) -> None:
        """Unpin a message. A failure does no harm."""
        with suppress(TelegramError, RetryAfter):
            await self.throttle.call(
                message.chat, lambda: self._bot.unpin_chat_message(message.chat, message.message)
            )

    async def _wrote(self, to: ChatAddress, rack: str = "") -> None:
        """Note the last message in a private chat."""
        if to.chat > 0:
            await self._shared.wrote(place_key(to.chat), rack)

    def _adapt(self, chat: int, sheet: _Screen | Page) -> _Screen | Page:
        """Return a screen as a chat takes it: in words where pictures are off."""
        if not isinstance(sheet, PublicScreen) or sheet.picture is None:
            return sheet
        return in_words(sheet) if time.monotonic() < self._recall(chat).without_photos else sheet

    async def _send(self, to: ChatAddress, sheet: _Screen | Page, *, silent: bool = False) -> Message:
        try:
            return await self._send_as_is(to, self._adapt(to.chat, sheet), silent=silent)
        except BadRequest as error:
            if not (refuses_photos(error) and isinstance(sheet, PublicScreen)):
                raise
        self._note_without_photos(to.chat)
        return await self._send_as_is(to, self._adapt(to.chat, sheet), silent=silent)

    async def _send_as_is(self, to: ChatAddress, sheet: _Screen | Page, *, silent: bool) -> Message:
        celebrated = isinstance(sheet, SeatScreen) and sheet.celebrates and to.chat > 0
        try:
            return await self._send_with(to, sheet, _CONFETTI if celebrated else None, silent=silent)
        except BadRequest as error:
            if not (celebrated and "effect" in str(error).lower()):
                raise
        return await self._send_with(to, sheet, None, silent=silent)

    async def _send_with(
        self, to: ChatAddress, sheet: _Screen | Page, effect: str | None, *, silent: bool
    ) -> Message:
        buttons = self._keyboard(sheet)
        if sheet.picture is None:
            words = as_html(sheet.text, TEXT_LIMIT)
            return await self._send_words(to, words, buttons, silent=silent, effect=effect)
        await self._wrote(to)
        caption = as_html(sheet.text, CAPTION_LIMIT) or None
        return await self._uploads.send(
            sheet.picture,
            lambda file: self.throttle.call(
                to.chat,
                lambda: self._bot.send_photo(
                    to.chat,
                    file,
                    caption=caption,
                    parse_mode=ParseMode.HTML,
                    message_thread_id=to.topic,
                    disable_notification=silent,
                    message_effect_id=effect,
                    reply_markup=buttons,
                ),
            ),
        )

    async def _send_words(
        self,
        to: ChatAddress,
        words: str,
        buttons: InlineKeyboardMarkup | None,
        answered: ReplyParameters | None = None,
        *,
        silent: bool = False,
        effect: str | None = None,
    ) -> Message:
        await self._wrote(to)
        return await self.throttle.call(
            to.chat,
            lambda: self._bot.send_message(
                to.chat,
                words,
                parse_mode=ParseMode.HTML,
                message_thread_id=to.topic,
                disable_notification=silent,
                message_effect_id=effect,
                reply_parameters=answered,
                reply_markup=buttons,
            ),
        )

    async def _send_file(self, to: ChatAddress, text: Text, file: Attachment) -> Message:
        await self._wrote(to)
        return await self.throttle.call(
            to.chat,
            lambda: self._bot.send_document(
                to.chat,
                file.content,
                filename=file.name,
                caption=as_html(text, CAPTION_LIMIT),
                parse_mode=ParseMode.HTML,
                message_thread_id=to.topic,
                disable_content_type_detection=not file.name.endswith(".gif"),  # which plays by itself
            ),
        )

    async def _try_edit(self, message: MessageAddress, sheet: _Screen | Page) -> bool:
        """Return whether an edit succeeded: not if the message is gone, or if a photo would have to become
        text or the reverse."""
        if not self._can_edit(message, sheet):
            return False
        try:
            await self._edit(message, self._adapt(message.chat, sheet))
        except BadRequest as error:
            if refuses_photos(error) and isinstance(sheet, PublicScreen):
                self._note_without_photos(message.chat)
                return await self._try_edit(message, sheet)
            if is_message_gone(error):
                # A second try costs one call alone: in a group with a call left now and then it finds no two.
                self._shown[message.chat, message.message] = "gone"
                return False
            if not says_unchanged(error):
                raise
        return True

    def _can_edit(self, message: MessageAddress, sheet: _Screen | Page) -> bool:
        """Return whether an edit may succeed, as far as is known without a call."""
        turned = message.kind == "p" and self._adapt(message.chat, sheet).picture is None
        return not turned and self._shown.get((message.chat, message.message)) != "gone"

    async def _edit(self, message: MessageAddress, sheet: _Screen | Page) -> None:
        buttons = self._keyboard(sheet)
        if sheet.picture is None:
            words = as_html(sheet.text, TEXT_LIMIT)
            await self.throttle.call(
                message.chat,
                lambda: self._bot.edit_message_text(
                    words, message.chat, message.message, parse_mode=ParseMode.HTML, reply_markup=buttons
                ),
            )
            return
        caption = as_html(sheet.text, CAPTION_LIMIT)
        await self._uploads.send(
            sheet.picture,
            lambda file: self.throttle.call(
                message.chat,
                lambda: self._bot.edit_message_media(
                    InputMediaPhoto(file, caption=caption, parse_mode=ParseMode.HTML),
                    message.chat,
                    message.message,
                    reply_markup=buttons,
                ),
            ),
        )

    async def _caption(self, message: MessageAddress, screen: PublicScreen | Page) -> None:
        """Replace the words and the buttons of a picture, if it still exists."""
        words, buttons = as_html(screen.text, CAPTION_LIMIT), self._keyboard(screen)
        try:
            await self.throttle.call(
                message.chat,
                lambda: self._bot.edit_message_caption(
                    message.chat,
                    message.message,
                    caption=words,
                    parse_mode=ParseMode.HTML,
                    reply_markup=buttons,
                ),
            )
        except BadRequest as error:
            if not (is_message_gone(error) or says_unchanged(error)):
                raise

    def _remember(self, chat: int, message: int, screen: _Screen) -> MessageAddress:
        self._shown[chat, message] = _Shown(screen.table, screen.version, hash(screen))
        picture = self._adapt(chat, screen).picture
        if picture is None:
            return MessageAddress(chat, message, "t")
        return MessageAddress(chat, message, "p", self._uploads.find(picture))

    def _last_in(self, message: MessageAddress | None) -> _Shown | None:
        known = None if message is None else self._shown.get((message.chat, message.message))
        return None if known == "gone" else known

    def _turn(self, chat: int) -> asyncio.Lock:
        return self._recall(chat).turn

    def _note_without_photos(self, chat: int) -> None:
        self._recall(chat).without_photos = time.monotonic() + _WITHOUT_PHOTOS_SECONDS

    def _recall(self, chat: int) -> _Chat:
        return self._chats.setdefault(chat, _Chat())


def _address(sent: Message) -> MessageAddress:
    return MessageAddress(sent.chat.id, sent.message_id, "p" if sent.photo else "t")
