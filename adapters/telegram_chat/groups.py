"""Groups: their administrators, forum topics for tables, and links into them."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from telegram import Bot, ChatMember, ChatMemberAdministrator, ChatMemberRestricted
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from adapters.telegram_chat.addresses import (
    chat_address,
    group_key,
    message_address,
    message_link,
    place_key,
    place_link,
)
from adapters.telegram_chat.calls import public_refusal, retry
from bot.markup import Link
from bot.ports import RetryAfter

_LATER: Final = 2.0
"""Seconds to wait after an answer without a time."""

_RUNS: Final = (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)
_FORUM: Final = "Topics"
_RIGHT: Final = "Manage Topics"
"""The right that is needed, by its name in Telegram's settings."""

T = TypeVar("T")

LOG: Final = logging.getLogger(__name__)


class Groups:
    """The methods of `Chat` that concern groups."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def organises(self, person: str, place: str) -> bool:
        """Return whether a person is the creator or an administrator of a place's group. Raises
        RetryAfter."""
        try:
            return await self._runs(chat_address(person).chat, chat_address(place).chat)
        except ValueError:
            return False

    async def reads(self, person: str, place: str) -> bool | None:
        """Return whether a person is in a place's group; None in a group that hides its members from the bot.
        Raises RetryAfter."""
        try:
            return await self._is_in(chat_address(person).chat, chat_address(place).chat)
        except ValueError:
            return None

    async def community(self, place: str) -> str:
        return group_key(place)

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
            full = await _ask(lambda: self._bot.get_chat(group))
            own = await _ask(lambda: self._bot.get_chat_member(group, self._bot.id))
        except ChatMigrated as error:
            raise public_refusal(error) from None
        if full is None or own is None or full.type != full.SUPERGROUP:
            return None
        manages = isinstance(own, ChatMemberAdministrator) and bool(own.can_manage_topics)
        return (*(() if full.is_forum else (_FORUM,)), *(() if manages else (_RIGHT,)))

    def place_link(self, place: str) -> Link | None:
        return place_link(chat_address(place))

    def link(self, place: str, message: str) -> str | None:
        return message_link(chat_address(place), message_address(message))

    async def _runs(self, user: int, group: int) -> bool:
        member = await self._member(user, group)
        if member is None:
            # A group that hides its members tells them to administrators only, but everybody who those are.
            return user in [each.user.id for each in await self._administrators(group)]
        return member.status in _RUNS

    async def _administrators(self, group: int) -> Sequence[ChatMember]:
        try:
            return await _ask(lambda: self._bot.get_chat_administrators(group)) or ()
        except ChatMigrated as moved:
            return await self._administrators(moved.new_chat_id)

    async def _is_in(self, user: int, group: int) -> bool | None:
        member = await self._member(user, group)
        if member is None:
            return None
        if isinstance(member, ChatMemberRestricted):
            return member.is_member
        return member.status in (*_RUNS, ChatMemberStatus.MEMBER)

    async def _member(self, user: int, group: int) -> ChatMember | None:
        try:
            return await _ask(lambda: self._bot.get_chat_member(group, user))
        except ChatMigrated as moved:
            return await self._member(user, moved.new_chat_id)


async def _ask(call: Callable[[], Awaitable[T]]) -> T | None:
    """Return Telegram's answer about a group; None without one. Raises ChatMigrated, RetryAfter."""
    try:
        return await retry(call)
    except ChatMigrated:
        raise
    except (BadRequest, Forbidden):
        return None
    except TelegramError:
        raise RetryAfter(_LATER) from None
