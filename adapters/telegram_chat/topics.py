"""Forum topics for tables of their own."""

import logging
from typing import Final

from telegram import Bot, ChatFullInfo, ChatMember, ChatMemberAdministrator
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from adapters.telegram_chat.keys import place_key, spot
from adapters.telegram_chat.refusals import insist, public_refusal
from bot.ports import RetryAfter

_LATER = 2.0
"""Seconds to wait after an answer that says nothing."""

_FORUM: Final = "Topics"
_RIGHT: Final = "Manage Topics"
"""What has to be switched on, by the names that Telegram's settings give it."""

logger = logging.getLogger(__name__)


class Topics:
    """Opens and closes them. Telegram lists no topics: asked twice, it opens two."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def open(self, place: str, name: str) -> str | None:
        """The key of a new topic in a place's group; None where the bot may open none.

        Raises PlaceMoved, PlaceGone, RetryAfter.
        """
        group = spot(place).chat
        if await self.lacks(place) != ():
            return None
        try:
            topic = await insist(lambda: self._bot.create_forum_topic(group, name))
        except (ChatMigrated, Forbidden) as error:
            raise public_refusal(error) from None
        except TelegramError as error:
            logger.warning("no topic was opened: %s", type(error).__name__)
            return None
        return place_key(group, topic.message_thread_id)

    async def close(self, room: str) -> None:
        """Close a topic. Raises RetryAfter."""
        to = spot(room)
        if to.topic is None:
            return
        topic = to.topic
        try:
            await insist(lambda: self._bot.close_forum_topic(to.chat, topic))
        except TelegramError as error:
            logger.warning("a topic was not closed: %s", type(error).__name__)

    async def lacks(self, place: str) -> tuple[str, ...] | None:
        """What must be switched on before topics can be opened; None: the group can have none.

        Raises PlaceMoved, RetryAfter.
        """
        group = spot(place).chat
        try:
            full: ChatFullInfo = await insist(lambda: self._bot.get_chat(group))
            own: ChatMember = await insist(lambda: self._bot.get_chat_member(group, self._bot.id))
        except ChatMigrated as error:
            raise public_refusal(error) from None
        except (BadRequest, Forbidden):
            return None
        except TelegramError:
            raise RetryAfter(_LATER) from None
        if full.type != full.SUPERGROUP:
            return None
        manages = isinstance(own, ChatMemberAdministrator) and bool(own.can_manage_topics)
        return (*(() if full.is_forum else (_FORUM,)), *(() if manages else (_RIGHT,)))
