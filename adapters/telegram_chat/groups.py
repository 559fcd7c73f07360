"""Groups: their names, their members and administrators, and links into them."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from telegram import Bot, ChatMember, ChatMemberRestricted
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from adapters.telegram_chat.addresses import (
    chat_address,
    group_key,
    message_address,
    message_link,
    place_link,
)
from adapters.telegram_chat.calls import retry
from adapters.telegram_chat.messages import Messages
from bot.markup import Link
from bot.ports import Places, RetryAfter

_LATER: Final = 2.0
"""Seconds to wait after an answer without a time."""

_RUNS: Final = (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)

T = TypeVar("T")


class Groups(Places):
    """The groups that the bot is in, and their topics."""

    def __init__(self, bot: Bot, messages: Messages) -> None:
        self._bot = bot
        self._messages = messages

    def name(self, place: str) -> str:
        return self._messages.find_title(chat_address(place).chat)

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

    def link(self, place: str) -> Link | None:
        return place_link(chat_address(place))

    def message_link(self, place: str, message: str) -> str | None:
        return message_link(chat_address(place), message_address(message))

    async def _runs(self, user: int, group: int) -> bool:
        member = await self._member(user, group)
        if member is None:
            # A group that hides its members tells them to administrators only, but everybody who those are.
            return user in [each.user.id for each in await self._administrators(group)]
        return member.status in _RUNS

    async def _administrators(self, group: int) -> Sequence[ChatMember]:
        try:
            return await ask(lambda: self._bot.get_chat_administrators(group)) or ()
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
            return await ask(lambda: self._bot.get_chat_member(group, user))
        except ChatMigrated as moved:
            return await self._member(user, moved.new_chat_id)


async def ask(call: Callable[[], Awaitable[T]]) -> T | None:
    """Return Telegram's answer about a group; None without one. Raises ChatMigrated, RetryAfter."""
    try:
        return await retry(call)
    except ChatMigrated:
        raise
    except (BadRequest, Forbidden):
        return None
    except TelegramError:
        raise RetryAfter(_LATER) from None
