"""Updates: each becomes a `Press` or a `TypedCommand`, and its `Answer` is carried out."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from functools import partial

from telegram import Bot, CallbackQuery, MaybeInaccessibleMessage, Message, Update
from telegram import Chat as TelegramGroup
from telegram.constants import ChatType
from telegram.error import BadRequest, TelegramError

from adapters.telegram_chat.buttons import link
from adapters.telegram_chat.doors import Doors
from adapters.telegram_chat.keys import Kind, Reference, Spot, person_of, place_key, place_of, spot
from adapters.telegram_chat.markup import NOTICE_LIMIT, as_plain
from adapters.telegram_chat.messages import Messages, Overtaken
from adapters.telegram_chat.pace import afford
from adapters.telegram_chat.pages import Pages
from adapters.telegram_chat.refusals import insist, public_refusal, query_expired
from adapters.telegram_chat.whispers import Whispers, whispered
from bot.i18n import words_for
from bot.i18n.commands import read_command
from bot.logs import way_of
from bot.markup import Name, SeatScreen, Text
from bot.ports import (
    Answer,
    Chat,
    DeliveryPort,
    Dispatcher,
    Person,
    PlaceGone,
    PlaceMoved,
    Press,
    PrivateClosed,
    RetryAfter,
    TypedCommand,
)

_COMMAND = re.compile(r"/([a-z0-9_]+)(?:@(\w+))?(?:\s+(.*))?\Z", re.IGNORECASE | re.DOTALL)
_OURS = ("rack", "help", "join", "start", "word", "invite", "uninvite")
"""What is answered in a group, besides `/okey`, even if it is not addressed to this bot by name."""
_STORE_AWAY = "store_away"

logger = logging.getLogger(__name__)

Telling = Callable[[], Awaitable[None]]
"""What is left to do of an update once the router has decided: to tell people."""


class Incoming:
    """Hears updates. One of them is heard in two steps: the router decides, then people are told."""

    def __init__(
        self,
        *,
        bot: Bot,
        messages: Messages,
        doors: Doors,
        whispers: Whispers,
        chat: Chat,
        router: Dispatcher,
        post: DeliveryPort,
    ) -> None:
        self._bot = bot
        self._messages = messages
        self._doors = doors
        self._whispers = whispers
        self._chat = chat
        self._router = router
        self._post = post
        self._pages = Pages(messages, doors, chat, post)

    async def hear(self, update: Update) -> Telling | None:
        """Let the router decide; returns what is left to do, if anything. Never raises."""
        try:
            return await self._heard(update)
        except Exception as error:
            logger.error("unexpected %s", way_of(error))
            return None

    async def _heard(self, update: Update) -> Telling | None:
        if query := update.callback_query:
            return await self._pressed(query)
        message = update.message
        if message is None:
            return None
        if message.migrate_to_chat_id is not None:
            await self._post.moved(place_key(message.chat.id), place_key(message.migrate_to_chat_id))
            return None
        return await self._typed(message)

    # Buttons

    async def _pressed(self, query: CallbackQuery) -> Telling | None:
        if query.message is None or query.data is None:
            return None
        private = query.message.chat.type == ChatType.PRIVATE
        by = person_of(query.from_user)
        if private:
            self._doors.opened(by.key)
        press = Press(
            by=by,
            place=None if private or whispered(query) else _place(query.message),
            surface="private" if private else "public",
            data=query.data,
            id=query.id,
        )
        answer = await self._decided(by, self._router.press(press))
        carry_out = self._answer_in_private if private else self._answer_in_place
        return partial(carry_out, query, by, answer)

    async def _answer_in_private(self, query: CallbackQuery, by: Person, answer: Answer) -> None:
        tellings: list[Telling] = [partial(self._reply, query, answer.notice, urgent=answer.urgent)]
        if answer.private is not None:
            tellings.append(partial(self._show, by, answer.private, _pressed_message(query)))
        if answer.page is not None:
            page = _pressed_message(query) if answer.page.turns else None
            tellings.append(partial(self._pages.hand, by.key, answer.page, page))
        await asyncio.gather(*map(tell, tellings))

    async def _answer_in_place(self, query: CallbackQuery, by: Person, answer: Answer) -> None:
        if answer.open_private is not None:
            await self._reply(query, url=self._start_link(answer.open_private))
        elif answer.page is not None:
            handed = await tell(partial(self._pages.hand, by.key, answer.page, None))
            key = "notice.sent_private" if handed else "notice.open_chat"
            notice = answer.notice or words_for(by.language).say(key)
            await self._reply(query, notice, urgent=not handed and not answer.notice)
        elif answer.private is None:
            await self._reply(query, answer.notice, urgent=answer.urgent)
        elif await tell(partial(self._show, by, answer.private, None)):
            notice = answer.notice or words_for(by.language).say("notice.rack_sent")
            await self._reply(query, notice, urgent=answer.urgent)
        elif await tell(partial(self._whispers.show, query, _spot(query), by, answer.private)):
            await self._reply(query, answer.notice, urgent=answer.urgent)
        else:
            # His rack cannot come in private now: a few words of it, where he alone reads them.
            await self._reply(query, (answer.private.brief,), urgent=True)

    async def _reply(
        self, query: CallbackQuery, notice: Text = (), *, urgent: bool = False, url: str | None = None
    ) -> None:
        """Answer a press. Who waited too long for it is no longer waiting."""
        text = as_plain(notice, NOTICE_LIMIT)
        try:
            await insist(lambda: query.answer(text or None, show_alert=urgent and bool(text), url=url))
        except BadRequest as error:
            if not query_expired(error):
                raise

    # Commands

    async def _typed(self, message: Message) -> Telling | None:
        command = _COMMAND.match(message.text or "")
        private = message.chat.type == ChatType.PRIVATE
        if command is None or message.from_user is None or not self._for_us(command, private=private):
            return None
        if message.sender_chat is not None:
            return await self._hidden(message, message.sender_chat)
        if message.from_user.is_bot:
            return None
        by = person_of(message.from_user)
        if private:
            self._doors.opened(by.key)
        verb, argument = _asked(command)
        typed = TypedCommand(
            by=by,
            place=None if private else place_of(message),
            verb=verb,
            argument=argument,
            id=_id_of(message),
        )
        answer = await self._decided(by, self._router.command(typed))
        carry_out = self._tell_in_private if private else self._tell_in_place
        return partial(carry_out, message, by, answer)

    def _for_us(self, command: re.Match[str], *, private: bool) -> bool:
        if command[2]:
            return command[2].lower() == self._bot.username.lower()
        return private or command[1].lower() == "okey" or _asked(command)[0] in _OURS

    async def _tell_in_private(self, message: Message, by: Person, answer: Answer) -> None:
        if answer.notice:
            # Who is told that the store is away can't be charged for it there.
            await self._say(by, answer.notice, charged=answer.code != _STORE_AWAY)
        if answer.private is not None:
            await self._show(by, answer.private, None)
        if answer.page is not None:
            await self._pages.hand(by.key, answer.page, None)

    async def _tell_in_place(self, message: Message, by: Person, answer: Answer) -> None:
        """He gets everything in private. Where that is closed the place is told how to open it, no more."""
        if answer.open_private is not None:
            await self._say_openly(message, answer.notice, self._start_link(answer.open_private))
            return
        try:
            await self._tell_in_private(message, by, answer)
        except PrivateClosed:
            words = words_for(by.language)
            closed = words.say("table.private_closed", who=Name(by.name[:32]))
            await self._say_openly(message, closed, f"https://t.me/{self._bot.username}")

    async def _hidden(self, message: Message, sender: TelegramGroup) -> Telling | None:
        """An administrator who writes as his group could hold no rack, and nobody knows whether he runs it:
        he is told so. Channels are left alone."""
        if sender.id != message.chat.id:
            return None
        group = Person(place_key(sender.id), sender.title or "")
        asked = TypedCommand(
            by=group, place=place_of(message), verb="anonymous", argument="", id=_id_of(message)
        )
        answer = await self._decided(group, self._router.command(asked))
        return partial(self._say_openly, message, answer.notice)

    async def _say_openly(self, message: Message, text: Text, url: str | None = None) -> None:
        place = place_of(message)
        await afford(self._post, self._chat.public_limits(place))
        button = None if url is None else link(f"💬 @{self._bot.username}", url)
        try:
            await self._messages.say(spot(place), text, reply_to=message.message_id, buttons=button)
        except TelegramError as error:
            raise public_refusal(error) from None

    # Both

    async def _decided(self, by: Person, deciding: Awaitable[Answer]) -> Answer:
        try:
            return await deciding
        except Exception as error:
            logger.error("unexpected %s", way_of(error))
            return Answer(notice=words_for(by.language).say("refused.failed"), urgent=True)

    async def _show(self, by: Person, screen: SeatScreen, message: Reference | None) -> None:
        """His own screen, in place of the message he pressed on or as a new one."""
        try:
            with self._doors.through(by.key):
                await afford(self._post, self._chat.private_limits(by.key))
                shown = await self._messages.show(spot(by.key), screen, message)
        except Overtaken:
            return
        await self._post.shown(by.key, screen.table, str(shown), screen.revision)

    async def _say(self, by: Person, text: Text, *, charged: bool) -> None:
        with self._doors.through(by.key):
            if charged:
                await afford(self._post, self._chat.private_limits(by.key))
            await self._messages.say(spot(by.key), text)

    def _start_link(self, payload: str) -> str:
        return f"https://t.me/{self._bot.username}?start={payload}"


async def tell(telling: Telling) -> bool:
    """Tell people, and say whether it was done. Never raises: what cannot be told now, the post brings."""
    try:
        await telling()
    except (RetryAfter, PrivateClosed, PlaceGone, PlaceMoved) as why:
        logger.debug("not told: %s", type(why).__name__)
        return False
    except Exception as error:
        logger.error("unexpected %s", way_of(error))
        return False
    return True


def _asked(command: re.Match[str]) -> tuple[str, str]:
    """Verb and argument. `/okey` alone opens a table; with words behind it, the router reads them."""
    typed = command[1].lower()
    argument = (command[3] or "").strip()
    if typed == "okey":
        return (typed if argument else "play"), argument
    return read_command(f"{typed} {argument}") or (typed, argument)


def _id_of(message: Message) -> str:
    return f"{message.chat.id}.{message.message_id}"


def _place(message: MaybeInaccessibleMessage) -> str:
    return place_of(message) if isinstance(message, Message) else place_key(message.chat.id)


def _spot(query: CallbackQuery) -> Spot:
    assert query.message is not None
    return spot(_place(query.message))


def _pressed_message(query: CallbackQuery) -> Reference | None:
    """The pressed message, if Telegram still lets it be edited."""
    message = query.message
    if not isinstance(message, Message):
        return None
    kind: Kind = "p" if message.photo else "t"
    return Reference(message.chat.id, message.message_id, kind)
