"""Topics: those of a forum, which tables have as rooms."""

import logging
from typing import Final

from telegram import Bot, ChatMemberAdministrator
from telegram.error import ChatMigrated, Forbidden, TelegramError

from adapters.telegram_chat.addresses import chat_address, place_key
from adapters.telegram_chat.calls import public_refusal, retry
from adapters.telegram_chat.groups import ask

_FORUM: Final = "Topics"
_RIGHT: Final = "Manage Topics"
"""The right that is needed, by its name in Telegram's settings."""

LOG: Final = logging.getLogger(__name__)


class Topics:
    """The methods of `bot.ports.Rooms`."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def open_room(self, place: str, name: str) -> str | None:
        """Telegram lists no topics, so a repeated call opens two."""
        group = chat_address(place).chat
        if await self.lacks_for_rooms(place) != ():
            return None
        try:
            topic = await retry(lambda: self._bot.create_forum_topic(group, name))
        except (ChatMigrated, Forbidden) as error:
            raise public_refusal(error) from None
        except TelegramError as error:
            LOG.warning("no topic was opened: %s", type(error).__name__)
            return None
        return place_key(group, topic.message_thread_id)

    async def close_room(self, place: str) -> None:
        room = chat_address(place)
        if (topic := room.topic) is None:
            return
        try:
            await retry(lambda: self._bot.close_forum_topic(room.chat, topic))
        except TelegramError as error:
            LOG.warning("a topic was not closed: %s", type(error).__name__)

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        group = chat_address(place).chat
        try:
            full = await ask(lambda: self._bot.get_chat(group))
            own = await ask(lambda: self._bot.get_chat_member(group, self._bot.id))
        except ChatMigrated as error:
            raise public_refusal(error) from None
        if full is None or own is None or full.type != full.SUPERGROUP:
            return None
        manages = isinstance(own, ChatMemberAdministrator) and bool(own.can_manage_topics)
        return (*(() if full.is_forum else (_FORUM,)), *(() if manages else (_RIGHT,)))
