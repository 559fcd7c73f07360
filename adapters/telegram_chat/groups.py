"""What the bot asks about its groups."""

from telegram import Bot
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from adapters.telegram_chat.keys import spot
from adapters.telegram_chat.refusals import insist
from bot.ports import RetryAfter

_LATER = 2.0
"""Seconds to wait after an answer that says nothing."""

_RUNS = (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)


class Groups:
    """Asks one bot's Telegram."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def runs(self, person: str, place: str) -> bool:
        """Whether a person is the creator or an administrator of a place's group. Raises RetryAfter."""
        try:
            return await self._runs(spot(person).chat, spot(place).chat)
        except ValueError:
            return False

    async def _runs(self, user: int, group: int) -> bool:
        try:
            member = await insist(lambda: self._bot.get_chat_member(group, user))
        except ChatMigrated as moved:
            return await self._runs(user, moved.new_chat_id)
        except (BadRequest, Forbidden):
            return False
        except TelegramError:
            raise RetryAfter(_LATER) from None
        return member.status in _RUNS
