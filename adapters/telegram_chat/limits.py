"""Limits: how many calls Telegram takes."""

from typing import Final

from adapters.telegram_chat.addresses import PREFIX, group_key
from bot.ports import Limits, RateLimit

_GROUP: Final = (16, 60.0)
"""Calls and seconds, as in all budgets here."""
_GROUP_URGENT: Final = (18, 60.0)
"""The budget with calls that cannot wait. Telegram takes 20: two more are kept for those, and two for calls
that arrive late."""
GROUP_PACE: Final = (3, 8.0)
"""Keeps a quick beginning from using up the minute."""
_GROUP_ANSWERS: Final = (6, 60.0)
"""The part of a group's budget for answers to what people type there; the rest is for its tables."""
_HOW_TO_OPEN: Final = (1, 300.0)
"""How often one person is told in a group how to open their private chat."""
_ALONE: Final = (30, 60.0)
"""Messages and edits in a group that one person alone sees. They have a budget of their own, so that a lively
table never takes a player's rack from them."""
_PRIVATE: Final = (9, 10.0)
"""Telegram takes 1 a second on average. Some are kept for calls that arrive late."""
_WHOLE: Final = RateLimit(PREFIX, 4, 0.2)
"""Telegram takes 30 a second from one bot. The portions are small so that ranks are compared often."""


class TelegramLimits(Limits):
    """The budgets of messages in a group and in a private chat."""

    def public(self, place: str) -> tuple[RateLimit, ...]:
        group = group_key(place)
        return RateLimit(group, *_GROUP), RateLimit(group, *GROUP_PACE), _WHOLE

    def urgent(self, place: str) -> tuple[RateLimit, ...]:
        return RateLimit(group_key(place), *_GROUP_URGENT), _WHOLE

    def private(self, person: str) -> tuple[RateLimit, ...]:
        return RateLimit(person, *_PRIVATE), _WHOLE


LIMITS: Final = TelegramLimits()


def answer_limits(place: str) -> tuple[RateLimit, ...]:
    """Return the budgets of an answer in a place to what somebody typed there."""
    return RateLimit(f"{group_key(place)} answers", *_GROUP_ANSWERS), *LIMITS.public(place)


def ephemeral_limits(place: str) -> tuple[RateLimit, ...]:
    """Return the budgets of a call about a message in a place that one person alone sees."""
    return RateLimit(f"{group_key(place)} alone", *_ALONE), _WHOLE


def how_to_open_limits(person: str, place: str) -> tuple[RateLimit, ...]:
    """Return the budgets of an answer in a place that tells a person how to open their private chat."""
    return RateLimit(f"{group_key(place)} {person}", *_HOW_TO_OPEN), *answer_limits(place)
