"""Answers: the router's answer, shown to the person who pressed or typed."""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from telegram import Bot, CallbackQuery, InlineKeyboardMarkup, Message, Update
from telegram.error import BadRequest

from adapters.telegram_chat.addresses import (
    MessageAddress,
    chat_address,
    message_address,
    place_of,
    start_link,
)
from adapters.telegram_chat.calls import (
    MOMENT,
    PACED,
    afford,
    is_query_expired,
    public_refusal,
    refusals,
    retry,
)
from adapters.telegram_chat.ephemeral import EphemeralMessages
from adapters.telegram_chat.events import ANONYMOUS, MENTION, in_private, place_pressed
from adapters.telegram_chat.limits import LIMITS, answer_limits, how_to_open_limits
from adapters.telegram_chat.messages import Messages
from adapters.telegram_chat.private_chats import PrivateChats
from adapters.telegram_chat.rendering import NOTICE_LIMIT, as_plain, keyboard, private_chat_button
from bot.i18n import words_for
from bot.i18n.commands import read_command
from bot.logs import way_of
from bot.markup import Name, Page, Text
from bot.ports import (
    Answer,
    DeliveryPort,
    Person,
    PlaceMoved,
    PlaceRefused,
    Press,
    PrivateClosed,
    RateLimit,
    RetryAfter,
    StoreUnavailable,
    TypedCommand,
)

_STORE_AWAY = "store_away"
AT_ONCE: Final = 0.7
"""Seconds after which a press is answered, even if something is still being drawn or sent."""

LATEST: Final = 8.0
"""Seconds after which a press is answered with nothing, because Telegram soon takes no answer any more, even
if it has not been decided: a film is drawn by a few slow processes. What is said then comes by message."""

LOG: Final = logging.getLogger(__name__)


@dataclass(eq=False)
class TelegramAnswers:
    """Shows the router's answers."""

    _bot: Bot
    _messages: Messages
    _private: PrivateChats
    _ephemeral: EphemeralMessages
    _delivery: DeliveryPort
    _answered: set[str] = field(default_factory=set)
    """The presses that were answered before they were decided."""

    async def answer_when_late(self, query: CallbackQuery, deciding: asyncio.Future[Answer]) -> None:
        """Answer a press that is not decided in time. The decision is told by message then."""
        decided, _ = await asyncio.wait({deciding}, timeout=LATEST)
        if not decided:
            self._answered.add(query.id)
            await deliver(self._answer(query))

    async def tell(self, update: Update, event: Press | TypedCommand, answer: Answer) -> None:
        """Show an answer to the person of an update.

        Raises RetryAfter, PrivateClosed, PlaceRefused, PlaceMoved.
        """
        by = replace(event.by, language=answer.language or event.by.language)
        event = replace(event, by=by)
        if isinstance(event, TypedCommand):
            assert update.message is not None
            await self._to_command(update.message, event, answer)
        else:
            assert update.callback_query is not None
            try:
                await self._to_press(update.callback_query, event, answer)
            finally:
                self._answered.discard(update.callback_query.id)

    async def _to_press(self, query: CallbackQuery, press: Press, answer: Answer) -> None:
        if not await self._delivery.claim_answer(press):
            # It came twice, and was answered: a second notice would say something else.
            await self._reply(query)
            return
        if query.id in self._answered and _is_notice(answer):
            answer = replace(answer, notice=(), page=Page(text=answer.notice))
        to_presser = self._to_press_in_private if in_private(press) else self._to_press_in_place
        await to_presser(query, press.by, answer)

    async def _to_press_in_private(self, query: CallbackQuery, by: Person, answer: Answer) -> None:
        notice, rack, affordable = answer.notice, answer.private, False
        pressed = _find_pressed(query, answer.private_message)
        telling: list[Awaitable[None]] = []
        if rack is not None and pressed is not None and self._shows(query, answer):
            # An edit would be refused, and would use up what a turn may need soon.
            notice = notice or words_for(by.language).say("notice.nothing_new")
            telling.append(self._delivery.note_shown(by.key, rack, pressed.reference))
            rack = None
        if rack is not None:
            try:
                affordable = await self._delivery.spend(LIMITS.private(by.key)) == 0
                if not affordable:
                    notice = notice or words_for(by.language).say("notice.not_so_fast")
            except StoreUnavailable:
                rack = None  # delivery brings it once the store is there
        telling.append(self._reply(query, notice, urgent=answer.urgent))
        if rack is not None:
            telling.append(self._private.answer_rack(by.key, rack, pressed, charged=affordable))
        if answer.page is not None:
            page = _find_pressed(query) if answer.page.turns else None
            telling.append(self._private.turn_page(by.key, _find_page(answer), page))
        await asyncio.gather(*map(deliver, telling))

    def _shows(self, query: CallbackQuery, answer: Answer) -> bool:
        """Return whether the pressed message is the one that shows the person's rack, and shows it as it
        is."""
        pressed = query.message
        if not isinstance(pressed, Message) or answer.private is None or not answer.private_message:
            return False
        shown = message_address(answer.private_message)
        is_it = (shown.chat, shown.message) == (pressed.chat.id, pressed.message_id)
        return is_it and self._messages.shows(pressed, answer.private)

    async def _to_press_in_place(self, query: CallbackQuery, by: Person, answer: Answer) -> None:
        if answer.open_private is not None:
            await self._reply(query, url=start_link(self._bot.username, answer.open_private))
            return
        sending = asyncio.create_task(self._send_in_private(query, by, answer))
        await asyncio.wait({sending}, timeout=AT_ONCE)
        if sending.done():
            notice, urgent = sending.result()
        else:
            notice, urgent = answer.notice or _under_way(by, answer), answer.urgent
        await self._reply(query, notice, urgent=urgent)
        await sending

    async def _send_in_private(self, query: CallbackQuery, by: Person, answer: Answer) -> tuple[Text, bool]:
        """Send the private part of an answer to a press in a place. Return the notice for the presser there,
        and whether it is urgent."""
        words, notice, urgent = words_for(by.language), answer.notice, answer.urgent
        if answer.page is not None:
            handed = await deliver(self._private.turn_page(by.key, _find_page(answer), None))
            urgent = not handed and not notice
            notice = notice or (_choose_words(by, answer) if handed else words.say("notice.open_chat"))
        elif answer.private is not None:
            assert query.message is not None
            here = chat_address(place_pressed(query.message))
            if await deliver(self._private.bring_rack(by.key, answer.private, answer.private_message)):
                notice = notice or _choose_words(by, answer)
            elif not await deliver(self._ephemeral.show(query, here, by, answer.private)):
                # The rack cannot come in private now, so a brief of it comes as an alert, which they alone
                # read, and the table offers numbers to play by.
                await self._delivery.note_alerts_only(by.key, answer.private.table)
                notice, urgent = (answer.brief,) if answer.brief else answer.private.text, True
        return notice, urgent

    async def _reply(
        self, query: CallbackQuery, notice: Text = (), *, urgent: bool = False, url: str | None = None
    ) -> None:
        """Answer a press, unless that was done before it was decided."""
        if query.id not in self._answered:
            await self._answer(query, notice, urgent=urgent, url=url)

    async def _answer(
        self, query: CallbackQuery, notice: Text = (), *, urgent: bool = False, url: str | None = None
    ) -> None:
        """Answer a press. The app may have stopped waiting."""
        text = as_plain(notice, NOTICE_LIMIT, self._delivery.clock())
        try:
            await retry(lambda: query.answer(text or None, show_alert=urgent and bool(text), url=url))
        except BadRequest as error:
            if not is_query_expired(error):
                raise

    async def _to_command(self, message: Message, typed: TypedCommand, answer: Answer) -> None:
        """Answer a command. Errors are shown where it was typed if the place allows it, everything else in
        private. If that is closed, the place shows how to open it and nothing more."""
        if answer.code and not answer.notice:  # the person was told before
            return None
        if not await self._delivery.claim_answer(typed):
            return None
        if typed.verb == ANONYMOUS:
            return await self._say_openly(message, answer.notice)
        if typed.verb == MENTION:
            if answer.page is not None:
                await self._say_openly(message, answer.page.text, keyboard(answer.page.buttons))
            return None
        if answer.code not in ("", _STORE_AWAY) and not in_private(typed):
            ways = keyboard(answer.page.buttons) if answer.page is not None else None
            with suppress(RetryAfter, PlaceRefused):
                return await self._say_openly(message, answer.notice, ways)
        if answer.open_private is not None and not in_private(typed):
            if answer.page is None and _opens_lobby(typed):
                return None  # the lobby is the answer
            page = answer.page_with_notice or Page(text=answer.notice)
            opens = private_chat_button(self._bot.username, answer.open_private, page.buttons)
            return await self._say_openly(message, page.text, opens, seconds=PACED)
        by = typed.by
        try:
            if answer.notice and answer.page is None:
                # While the store is away, its limits cannot be charged.
                await self._private.say(by.key, answer.notice, charged=answer.code != _STORE_AWAY)
            if answer.page_with_notice is not None:
                await self._private.turn_page(by.key, answer.page_with_notice, None)
            if answer.private is not None:  # last, so that no page to read buries it
                # In a new message, which tells them where to look: typing shows nothing else.
                await self._private.answer_rack(by.key, answer.private, None)
        except PrivateClosed:
            if in_private(typed):
                raise
            await self._say_how_to_open(message, by, answer)

    async def _say_how_to_open(self, message: Message, by: Person, answer: Answer) -> None:
        """Tell a person, where they typed a command, how to open their private chat. A rack comes there by
        itself, a page when they ask again."""
        key, table = "notice.write_first", ""
        if answer.private is not None:
            key, table = "notice.write_first_rack", answer.private.table
        elif answer.page is None and not answer.code:
            key = "notice.write_first_done"
        told = words_for(by.language).say(key, who=Name(by.name[:32]))
        opens = private_chat_button(self._bot.username, table)
        limits = how_to_open_limits(by.key, place_of(message))
        await self._say_openly(message, told, opens, limits=limits, seconds=PACED)

    async def _say_openly(
        self,
        message: Message,
        text: Text,
        buttons: InlineKeyboardMarkup | None = None,
        *,
        limits: tuple[RateLimit, ...] = (),
        seconds: float = MOMENT,
    ) -> None:
        place = place_of(message)
        await afford(self._delivery, limits or answer_limits(place), seconds=seconds)
        with refusals(public_refusal):
            await self._messages.say(chat_address(place), text, reply_to=message.message_id, buttons=buttons)


def _is_notice(answer: Answer) -> bool:
    """Return whether an answer says something and shows nothing."""
    return bool(answer.notice) and answer.page is None and answer.private is None


def _opens_lobby(typed: TypedCommand) -> bool:
    """Return whether a command opens a lobby: `/okey` alone, or followed by a game."""
    return typed.verb == "play" or (typed.verb == "okey" and read_command(typed.argument) is None)


def _find_page(answer: Answer) -> Page:
    """Return the page of an answer that has one. The buttons of a way out come with the words of the
    refusal."""
    page = answer.page
    assert page is not None
    return page if page.text or page.picture is not None else replace(page, text=answer.notice)


def _choose_words(by: Person, answer: Answer) -> Text:
    """Return the words in a place when the rest of an answer comes in private."""
    words = words_for(by.language)
    if answer.page is not None:
        return words.say("notice.sent_private")
    return () if answer.private is None else words.say("notice.rack_sent")


def _under_way(by: Person, answer: Answer) -> Text:
    """Return the words in a place while nobody knows yet when it comes, or whether their chat is open."""
    if answer.page is not None:
        return words_for(by.language).say("notice.page_comes")
    return _choose_words(by, answer) if answer.private_message else ()


async def deliver(telling: Awaitable[None]) -> bool:
    """Return whether a message reached people. Never raises: what cannot be sent now is delivered later."""
    try:
        await telling
    except (RetryAfter, PrivateClosed, PlaceRefused, PlaceMoved, StoreUnavailable) as why:
        LOG.debug("not told: %s", type(why).__name__)
        return False
    except Exception as error:
        LOG.error("unexpected %s", way_of(error))
        return False
    return True


def _find_pressed(query: CallbackQuery, known: str = "") -> MessageAddress | None:
    """Return the pressed message, if Telegram still lets it be edited; `known`: a reference, perhaps to it,
    which tells its picture."""
    message = query.message
    if not isinstance(message, Message):
        return None
    pressed = MessageAddress(message.chat.id, message.message_id, "p" if message.photo else "t")
    return message_address(known) if known and message_address(known) == pressed else pressed
