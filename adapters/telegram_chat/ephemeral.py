"""Ephemeral messages: a rack in a group that only its player sees. They came with Bot API 10.2.

Telegram ignores unknown parameters, so a rack sent with a newer parameter may be public. Therefore a rack is
never sent. The message that is sent says nothing. Once Telegram has confirmed that it is for one person, the
rack is edited in, by methods that work on no other messages: with its picture since Bot API 10.3, in signs
before.
"""

import logging
from contextlib import suppress
from typing import Final, NamedTuple

from cachetools import LRUCache
from telegram import Bot, CallbackQuery, InputMediaPhoto, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, EndPointNotFound, TelegramError

from adapters.telegram_chat.addresses import ChatAddress, MessageAddress, chat_address, place_key
from adapters.telegram_chat.calls import afford, is_message_gone, says_unchanged
from adapters.telegram_chat.limits import ephemeral_limits
from adapters.telegram_chat.messages import Messages
from adapters.telegram_chat.rendering import CAPTION_LIMIT, TEXT_LIMIT, MiniApp, as_html, keyboard
from bot.i18n import words_for
from bot.markup import Part, ResultPicture, SeatScreen, Text, TileMark
from bot.pictures import draw_picture
from bot.ports import Person, PrivateClosed, RetryAfter, SharedStatePort

_ID: Final = "ephemeral_message_id"
_MOST_KNOWN: Final = 10_000
_PATIENCE: Final = 4.0
"""Seconds to wait for the limits. The press that allows such a message is valid for 15."""

LOG: Final = logging.getLogger(__name__)


class _Rack(NamedTuple):
    """A rack that a group shows one person."""

    place: ChatAddress
    message: int
    table: str


class EphemeralMessages:
    """Messages in groups that one person alone sees. Not `offered` until `probe` has found support for
    them."""

    def __init__(self, bot: Bot, messages: Messages, shared: SharedStatePort, app: MiniApp) -> None:
        self._bot = bot
        self._app = app
        self._messages = messages
        self._shared = shared
        self._newest = LRUCache[str, _Rack](_MOST_KNOWN)
        """The message with each person's rack."""
        self._takes_pictures = True
        """Until the server has refused to have one edited in."""
        self.offered = False

    async def probe(self, me: int) -> None:
        """Find out whether this server supports such messages: it refuses a call to a method that it has, and
        reports an unknown one as not found. Raises RetryAfter while that is not known."""
        try:
            await self._raw(me, "deleteEphemeralMessage", receiver_user_id=me, ephemeral_message_id=1)
        except BadRequest:
            self.offered = True
        except TelegramError:
            self.offered = False
        LOG.info("Telegram: racks %s be shown in groups", "can" if self.offered else "can't")

    async def show(self, query: CallbackQuery, to: ChatAddress, by: Person, screen: SeatScreen) -> None:
        """Show a person's rack where they pressed, in the pressed message if only they see it.

        Raises PrivateClosed where that is impossible, RetryAfter.
        """
        if not self.offered:
            raise PrivateClosed
        user, known = query.from_user.id, ephemeral_id(query)
        for _ in range(2 if known is None else 1):  # delivery never brings a rack here later, so wait
            await afford(self._shared, ephemeral_limits(place_key(to.chat)), seconds=_PATIENCE)
        try:
            message = known or await self._start(to, user, query.id, by)
            await self._change(to, user, message, screen)
            await self._replace(user, _Rack(to, message, screen.table))
        except TelegramError as error:
            LOG.debug("a rack can't be shown in a group: %s", type(error).__name__)
            raise PrivateClosed from None

    def shows(self, person: str, table: str) -> bool:
        """Return whether a group shows a person a rack of that table which can be changed."""
        rack = self._newest.get(person)
        return self.offered and rack is not None and rack.table == table

    async def change(self, person: str, screen: SeatScreen) -> None:
        """Show a person's newest screen in the message that has their rack. Raises PrivateClosed when it
        can't be changed any more, RetryAfter."""
        rack = self._newest.get(person)
        if rack is None or rack.table != screen.table:
            raise PrivateClosed
        await afford(self._shared, ephemeral_limits(place_key(rack.place.chat)))
        try:
            await self._change(rack.place, chat_address(person).chat, rack.message, screen)
        except TelegramError:
            self._newest.pop(person, None)
            raise PrivateClosed from None

    async def _start(self, to: ChatAddress, user: int, query: str, by: Person) -> int:
        """Send a message that will hold a rack, and return its number. Raises PrivateClosed when it came out
        public."""
        alone = {"receiver_user_id": user, "callback_query_id": query}
        sent = await self._messages.throttle.call(
            to.chat,
            lambda: self._bot.send_message(
                to.chat,
                as_html(words_for(by.language).say("notice.whisper"), TEXT_LIMIT),
                parse_mode=ParseMode.HTML,
                message_thread_id=to.topic,
                disable_notification=True,
                # In the form of 10.2 and in that of 10.3: a server ignores the one it does not know.
                api_kwargs={**alone, "ephemeral_message_parameters": alone},
            ),
            alone=True,
        )
        number = _number(sent)
        if number is not None and sent.api_kwargs.get("receiver_user", {}).get("id") == user:
            return number
        self.offered = False
        LOG.warning("Telegram made a message public that was for one person: no more of them are sent")
        await self._messages.remove(MessageAddress(to.chat, sent.message_id, "t"))
        raise PrivateClosed

    async def _change(self, to: ChatAddress, user: int, message: int, screen: SeatScreen) -> None:
        """Edit a rack in: with its picture where the server takes one, else in signs."""
        if not await self._show_picture(to, user, message, screen):
            words = as_html(_in_signs(screen), TEXT_LIMIT)
            await self._edit(to, user, message, screen, "Text", text=words, parse_mode=ParseMode.HTML)

    async def _show_picture(self, to: ChatAddress, user: int, message: int, screen: SeatScreen) -> bool:
        """Return whether a rack's picture was edited in. A server that refuses it is not asked again."""
        if screen.picture is None or not self._takes_pictures:
            return False
        png, caption = await draw_picture(screen.picture), as_html(screen.text, CAPTION_LIMIT)
        photo = InputMediaPhoto(png, caption=caption, parse_mode=ParseMode.HTML)
        try:
            await self._edit(to, user, message, screen, "Media", media=photo)
        except (BadRequest, EndPointNotFound) as error:
            if is_message_gone(error):
                raise
            LOG.info("Telegram: racks in groups come in signs: %s", type(error).__name__)
            self._takes_pictures = False
        return self._takes_pictures

    async def _edit(
        self, to: ChatAddress, user: int, message: int, screen: SeatScreen, what: str, **content: object
    ) -> None:
        buttons = keyboard(screen.buttons, self._app.in_group)
        markup = {} if buttons is None else {"reply_markup": buttons}
        alone = {"receiver_user_id": user, "ephemeral_message_id": message}
        try:
            await self._raw(to.chat, f"editEphemeralMessage{what}", **alone, **content, **markup)
        except BadRequest as error:
            if not says_unchanged(error):
                raise

    async def _replace(self, user: int, rack: _Rack) -> None:
        """Delete the previous message, whose buttons are outdated. A failure does no harm."""
        person = place_key(user)
        before, self._newest[person] = self._newest.get(person, rack), rack
        if (before.place.chat, before.message) != (rack.place.chat, rack.message):
            with suppress(TelegramError, RetryAfter):
                await self._raw(
                    before.place.chat,
                    "deleteEphemeralMessage",
                    receiver_user_id=user,
                    ephemeral_message_id=before.message,
                )

    async def _raw(self, chat: int, method: str, **parameters: object) -> None:
        """Call a method that the library does not know yet."""
        asked = {"chat_id": chat, **parameters}
        await self._messages.throttle.call(
            chat, lambda: self._bot.do_api_request(method, api_kwargs=asked), alone=True
        )


def ephemeral_id(query: CallbackQuery) -> int | None:
    """Return the number of the pressed message, if it is ephemeral."""
    return _number(query.message) if isinstance(query.message, Message) else None


def _number(message: Message) -> int | None:
    number = message.api_kwargs.get(_ID)
    return number if isinstance(number, int) else None


def _in_signs(screen: SeatScreen) -> Text:
    """Return the screen in words, its rack shelf by shelf in signs, because no picture can be edited in."""
    if screen.picture is None:
        return screen.text
    if isinstance(screen.picture, ResultPicture):
        return (*screen.text, "\n", screen.alt)
    parts: list[Part] = [*screen.text]
    for shelf in screen.picture.shelves:
        tiles = [TileMark(face.code, face.wild, screen.picture.letters) for face in shelf if face]
        for number, tile in enumerate(tiles):
            parts += ["\n\n" if number == 0 else "  ", tile]
    return tuple(parts)
