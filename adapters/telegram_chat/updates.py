"""Updates: polled, or pushed to the webhook, and confirmed once the router has decided about them."""

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from aiohttp import web
from telegram import Bot, Update
from telegram.constants import ChatType
from telegram.error import BadRequest, Conflict, InvalidToken, TelegramError

from adapters.telegram_chat.addresses import place_key
from adapters.telegram_chat.answers import TelegramAnswers, deliver
from adapters.telegram_chat.events import (
    check_update,
    event_of,
    find_added,
    find_reopened,
    in_private,
    member_who_left,
)
from adapters.telegram_chat.messages import Messages
from adapters.telegram_chat.private_chats import PrivateChats
from bot.i18n import words_for
from bot.logs import way_of
from bot.ports import Answer, ChatRefused, DeliveryPort, Dispatcher, Press, StoreUnavailable, TypedCommand

WANTED: Final = (Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER, Update.CHAT_MEMBER)

TOO_OLD_SECONDS: Final = 600.0
"""Seconds after which a command is no longer obeyed: the group has gone on, and its person is elsewhere."""

_POLL = timedelta(seconds=10)
"""Seconds after which a dead connection is noticed."""
_DECIDING_SECONDS = 0.2
"""Seconds to wait for the router's decisions before the next poll. An update is confirmed once it is decided,
so that none is lost with the process. But one slow decision must not hold up everybody else: while the store
is away all are slow, and people should be told soon."""
_MOST_UNDECIDED = 100
"""The most updates that Telegram returns at once. With all of them undecided, no other would be received."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
_PARTING_SECONDS = 3.0
_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"

T = TypeVar("T")

LOG: Final = logging.getLogger(__name__)


@dataclass(eq=False)
class UpdateHandler:
    """Handles updates concurrently: nobody waits for another person's picture to be uploaded."""

    _bot: Bot
    _router: Dispatcher
    _delivery: DeliveryPort
    _messages: Messages
    _private: PrivateChats
    _answers: TelegramAnswers
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    async def handle(self, update: Update) -> None:
        """Return once the router has decided; the answer is sent meanwhile. Never raises."""
        message = update.message
        if message is not None:  # only kinds of updates that were asked for have been checked
            topic = message.message_thread_id if message.is_topic_message else None
            self._messages.note_title(message.chat)
            self._messages.note_seen(message.chat.id, message.message_id, topic)
        try:
            if message is not None and message.migrate_to_chat_id is not None:
                await self._delivery.note_move(
                    place_key(message.chat.id), place_key(message.migrate_to_chat_id)
                )
                return
            if message is not None and message.chat.type == ChatType.PRIVATE:
                await self._delivery.wrote(place_key(message.chat.id), "")
            if (added := find_added(update)) is not None:
                self._spawn(self._router.greet(*added))
            if (group := find_reopened(update)) is not None:
                await self._delivery.note_reopened({group})
                return
            if (gone := member_who_left(update)) is not None:
                await self._router.note_leaver(*gone)
                return
            event = event_of(update, self._bot.username)
        except StoreUnavailable:
            # Telegram says it again: with the next call to a group that has moved, or at the next try there.
            LOG.warning("a change of a group was not noted: the store is away")
            return
        except Exception as error:
            LOG.error("unexpected %s", way_of(error))
            return
        if event is None or self._is_too_old(update, event):
            return
        if in_private(event):
            self._private.note_opened(event.by.key)
        try:
            if isinstance(event, Press):
                answer = await self._press(update, event)
            else:
                answer = await self._router.command(event)
        except Exception as error:
            LOG.error("unexpected %s", way_of(error))
            answer = Answer(notice=words_for(event.by.language).say("refused.failed"), urgent=True)
        self._spawn(deliver(self._answers.tell(update, event, answer)))

    async def _press(self, update: Update, press: Press) -> Answer:
        assert update.callback_query is not None
        if (pressed := update.callback_query.message) is not None:
            self._messages.note_title(pressed.chat)
        deciding = asyncio.create_task(self._router.press(press))
        try:
            await self._answers.answer_when_late(update.callback_query, deciding)
            return await deciding
        finally:
            deciding.cancel()  # no other end is heard by anybody

    def _is_too_old(self, update: Update, event: Press | TypedCommand) -> bool:
        """Return whether a command waited so long that it is not obeyed. Who started the bot is still
        greeted."""
        if (
            isinstance(event, Press)
            or update.message is None
            or (in_private(event) and event.verb == "start")
        ):
            return False
        return self._delivery.clock() - update.message.date.timestamp() > TOO_OLD_SECONDS

    def begin(self, update: Update) -> asyncio.Task[None]:
        """Handle an update in a task that is done when the router has decided."""
        return self._spawn(self.handle(update))

    async def close(self) -> None:
        """Wait a short time for the tasks under way."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=_PARTING_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _spawn(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def poll(bot: Bot, handler: UpdateHandler) -> None:
    """Ask for updates until cancelled. Raises ChatRefused when the token is revoked."""
    offset, pause = None, _FIRST_PAUSE
    heard: dict[int, asyncio.Task[None]] = {}
    while True:
        try:
            updates = await bot.get_updates(offset, timeout=_POLL, allowed_updates=WANTED)
        except InvalidToken:
            raise ChatRefused("bad_token") from None
        except TelegramError as error:
            why = "another program asks for them" if isinstance(error, Conflict) else type(error).__name__
            LOG.warning("no updates from Telegram (%s), next try in %g s", why, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            pause = _FIRST_PAUSE
            for update in updates:
                if update.update_id not in heard:
                    heard[update.update_id] = handler.begin(update)
            if heard:
                await asyncio.wait(heard.values(), timeout=_DECIDING_SECONDS)
                offset = _find_undecided(heard)
                heard = {id: task for id, task in heard.items() if id >= offset}


def _find_undecided(heard: Mapping[int, asyncio.Task[None]]) -> int:
    """Return the first update that the next process must receive again."""
    undecided = [id for id, task in heard.items() if not task.done()]
    return max(heard) + 1 if len(heard) >= _MOST_UNDECIDED or not undecided else min(undecided)


class BadWebhook(Exception):
    """Telegram does not take the webhook's address."""


class TelegramWebhook:
    """The endpoint to which Telegram pushes updates. A secret made from the token protects it."""

    def __init__(self, url: str, token: str, bot: Bot, handler: UpdateHandler) -> None:
        self._url = url
        self._secret = hmac.new(token.encode(), b"okey webhook", hashlib.sha256).hexdigest()
        self._bot = bot
        self._handler = handler

    @property
    def path(self) -> str:
        """The path of the route."""
        return urlsplit(self._url).path or "/"

    async def set_up(self) -> None:
        """Tell Telegram to push to this address. Raises BadWebhook, TelegramError."""
        try:
            await self._bot.set_webhook(self._url, secret_token=self._secret, allowed_updates=WANTED)
        except BadRequest:
            raise BadWebhook from None

    async def handle(self, request: web.Request) -> web.Response:
        """Handle one update. It is confirmed once the router has decided about it."""
        given = request.headers.get(_SECRET_HEADER, "")
        # Bytes that are no text come as halves of characters.
        if not hmac.compare_digest(given.encode(errors="surrogateescape"), self._secret.encode()):
            raise web.HTTPUnauthorized
        try:
            update = check_update(await request.json())
        except (ValueError, RecursionError):
            update = None
        if update is None:
            raise web.HTTPBadRequest
        await self._handler.handle(Update.de_json(update, self._bot))
        return web.Response()
