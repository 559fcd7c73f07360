"""Puts screens into chats: sends, edits, and knows which pictures Telegram has already."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from telegram import Bot, InlineKeyboardMarkup, InputMediaPhoto, LinkPreviewOptions, Message, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from adapters.telegram_chat.buttons import keyboard
from adapters.telegram_chat.keys import Kind, Reference, Spot, spot
from adapters.telegram_chat.markup import (
    CAPTION_LIMIT,
    TEXT_LIMIT,
    as_caption,
    as_html,
    as_mentions,
    fits_caption,
)
from adapters.telegram_chat.pace import Pace
from adapters.telegram_chat.refusals import file_gone, insist, message_gone, unchanged
from adapters.telegram_chat.silences import Silences
from bot.markup import Attachment, Page, Picture, PublicScreen, SeatScreen, Text
from bot.pictures import draw
from bot.ports import Person, RetryAfter

Sheet = PublicScreen | SeatScreen | Page
K = TypeVar("K")
V = TypeVar("V")

_REMEMBERED = 1024
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class Overtaken(Exception):
    """The message shows something newer already."""


@dataclass(frozen=True, slots=True)
class _Version:
    table: str
    revision: int


class Messages:
    """The messages of one bot. Screens for one chat go one after the other, so that the newest stays."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._pace = Pace()
        self._silences = Silences()
        self._files = _Recent[Picture, str]()
        self._shown = _Recent[tuple[int, int], _Version]()
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def post(self, to: Spot, screen: PublicScreen | SeatScreen) -> Reference:
        """A new message with the screen."""
        async with self._turn(to.chat):
            sent = await self._send(to, screen)
            kind: Kind = "t" if screen.picture is None else "p"
            return self._remember(Reference(sent.chat.id, sent.message_id, kind), screen)

    async def edit(self, message: Reference, screen: PublicScreen | SeatScreen) -> Reference | None:
        """Make a message show the screen; None when it is gone, or a photo and words are to come.

        Raises Overtaken when the message shows a later revision of the same table already.
        """
        async with self._turn(message.chat):
            known = self._shown.get((message.chat, message.message))
            if known is not None and known.table == screen.table and known.revision > screen.revision:
                raise Overtaken
            if message.kind == "p" and screen.picture is None:
                return None
            try:
                await self._change(message, screen)
            except BadRequest as error:
                if message_gone(error):
                    return None
                if not unchanged(error):
                    raise
            kind: Kind = "t" if screen.picture is None else "p"
            return self._remember(Reference(message.chat, message.message, kind), screen)

    async def show(self, to: Spot, screen: PublicScreen | SeatScreen, message: Reference | None) -> Reference:
        """Edit the message where that can be, else post a new one and remove what it replaces."""
        if message is None:
            return await self.post(to, screen)
        edited = await self.edit(message, screen)
        if edited is not None:
            return edited
        posted = await self.post(to, screen)
        await self.remove(message)
        return posted

    async def hand(self, to: Spot, leaflet: Page, message: Reference | None) -> None:
        """Something to read: the next page of `message` where that can be, else a new message."""
        async with self._turn(to.chat):
            if leaflet.file is not None:
                await self._send_file(to, leaflet, leaflet.file)
            elif leaflet.picture is not None and not fits_caption(leaflet.text):
                await self._send(to, replace(leaflet, text=(), buttons=()))
                await self._send(to, replace(leaflet, picture=None))
            elif message is None:
                await self._send(to, leaflet)
            elif not await self._turned(message, leaflet):
                await self._send(to, leaflet)
                await self.remove(message)

    async def _turned(self, message: Reference, leaflet: Page) -> bool:
        """Whether the message could be made to show the leaflet."""
        if message.kind == "p" and leaflet.picture is None:
            return False
        try:
            await self._change(message, leaflet)
        except BadRequest as error:
            if not unchanged(error):
                if message_gone(error):
                    return False
                raise
        return True

    async def _send_file(self, to: Spot, leaflet: Page, file: Attachment) -> None:
        words = as_html(leaflet.text, CAPTION_LIMIT)
        await self.paced(
            to.chat,
            lambda: self._bot.send_document(
                to.chat,
                file.content,
                filename=file.name,
                caption=words,
                parse_mode=ParseMode.HTML,
                message_thread_id=to.topic,
                disable_content_type_detection=True,
            ),
        )

    async def say(
        self,
        to: Spot,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        reply_to: int | None = None,
        buttons: InlineKeyboardMarkup | None = None,
    ) -> Reference:
        """A message of words alone, which may begin with mentions of people."""
        answered = None if reply_to is None else ReplyParameters(reply_to, allow_sending_without_reply=True)
        called = as_mentions([(spot(person.key).chat, person.name) for person in calls])
        words = called + as_html(text, TEXT_LIMIT - len(called))
        sent = await self.paced(
            to.chat,
            lambda: self._bot.send_message(
                to.chat,
                words,
                parse_mode=ParseMode.HTML,
                message_thread_id=to.topic,
                link_preview_options=_NO_PREVIEW,
                reply_parameters=answered,
                reply_markup=buttons,
            ),
        )
        return Reference(sent.chat.id, sent.message_id, "t")

    async def remove(self, message: Reference) -> None:
        """Delete a message that has been replaced; no harm is done when it stays."""
        try:
            await self._pace.turn()
            await self._bot.delete_message(message.chat, message.message)
        except TelegramError:
            return

    async def pin(self, message: Reference) -> None:
        """Pin a message, without a sound."""
        await self.paced(
            message.chat,
            lambda: self._bot.pin_chat_message(message.chat, message.message, disable_notification=True),
        )

    async def unpin(self, message: Reference) -> None:
        """Unpin a message; no harm is done when it stays."""
        try:
            await self.paced(
                message.chat, lambda: self._bot.unpin_chat_message(message.chat, message.message)
            )
        except (TelegramError, RetryAfter):
            return

    async def disarm(self, message: Reference) -> None:
        """Take the buttons off a message that has been replaced; no harm is done when they stay."""
        try:
            await self._pace.turn()
            await self._bot.edit_message_reply_markup(message.chat, message.message, reply_markup=None)
        except TelegramError:
            return

    async def _send(self, to: Spot, screen: Sheet) -> Message:
        buttons = keyboard(screen.buttons)
        picture = screen.picture
        if picture is None:
            words = as_html(screen.text, TEXT_LIMIT)
            return await self.paced(
                to.chat,
                lambda: self._bot.send_message(
                    to.chat,
                    words,
                    parse_mode=ParseMode.HTML,
                    message_thread_id=to.topic,
                    link_preview_options=_NO_PREVIEW,
                    reply_markup=buttons,
                ),
            )
        caption = as_caption(screen.text, screen.alt)
        return await self._with_picture(
            to.chat,
            picture,
            lambda file: self._bot.send_photo(
                to.chat,
                file,
                caption=caption,
                parse_mode=ParseMode.HTML,
                message_thread_id=to.topic,
                reply_markup=buttons,
            ),
        )

    async def _change(self, message: Reference, screen: Sheet) -> None:
        buttons = keyboard(screen.buttons)
        picture = screen.picture
        if picture is None:
            words = as_html(screen.text, TEXT_LIMIT)
            await self.paced(
                message.chat,
                lambda: self._bot.edit_message_text(
                    words,
                    message.chat,
                    message.message,
                    parse_mode=ParseMode.HTML,
                    link_preview_options=_NO_PREVIEW,
                    reply_markup=buttons,
                ),
            )
            return
        caption = as_caption(screen.text, screen.alt)
        await self._with_picture(
            message.chat,
            picture,
            lambda file: self._bot.edit_message_media(
                InputMediaPhoto(file, caption=caption, parse_mode=ParseMode.HTML),
                message.chat,
                message.message,
                reply_markup=buttons,
            ),
        )

    async def _with_picture(
        self, chat: int, picture: Picture, call: Callable[[bytes | str], Awaitable[Message | bool]]
    ) -> Message:
        """Send a picture by the id Telegram knows it by, or upload it."""
        if (file_id := self._files.get(picture)) is not None:
            try:
                return _message(await self.paced(chat, lambda: call(file_id)))
            except BadRequest as error:
                if not file_gone(error):
                    raise
        drawn = await asyncio.to_thread(draw, picture)
        message = _message(await self.paced(chat, lambda: call(drawn)))
        self._files.put(picture, message.photo[-1].file_id)
        return message

    def _remember(self, message: Reference, screen: PublicScreen | SeatScreen) -> Reference:
        self._shown.put((message.chat, message.message), _Version(screen.table, screen.revision))
        return message

    async def paced(self, chat: int, call: Callable[[], Awaitable[V]]) -> V:
        """Insist on a call to a chat, every try of it in its turn."""

        async def in_turn() -> V:
            await self._pace.turn()
            return await call()

        with self._silences.kept(chat):
            return await insist(in_turn)

    def _turn(self, chat: int) -> asyncio.Lock:
        return self._turns.setdefault(chat, asyncio.Lock())


class _Recent(Generic[K, V]):
    """A mapping that forgets what was put in longest ago."""

    def __init__(self) -> None:
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > _REMEMBERED:
            self._entries.popitem(last=False)


def _message(returned: Message | bool) -> Message:
    # Only the edit of an inline message returns a bare yes, and we have none.
    assert isinstance(returned, Message)
    return returned
