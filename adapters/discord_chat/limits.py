"""Limits: how many calls Discord takes."""

from typing import Final

from adapters.discord_chat.addresses import CHAT
from bot.ports import Limits, RateLimit

EVERYTHING: Final = RateLimit(CHAT, 9, 0.2)
"""The limit on all calls. Discord takes 50 a second from one bot, answers to interactions not counted. The
portions are small so that ranks are compared often."""

OPENING: Final = RateLimit(f"{CHAT} opening", 8, 10.0)
"""The limit for opening direct channels. Discord takes ten, and punishes a bot that opens many at once. Two
are kept for calls that arrive late: the last one of a process that was killed, and the first one of its
successor, which does not know what Discord told the other."""


class DiscordLimits(Limits):
    """The limits of messages in a channel and in a direct channel."""

    def public(self, place: str) -> tuple[RateLimit, ...]:
        """Discord takes five edits in five seconds in a channel. After the fifth, discord.py would wait."""
        return (RateLimit(place, 4, 5.0), EVERYTHING)

    def urgent(self, place: str) -> tuple[RateLimit, ...]:
        return (RateLimit(place, 5, 5.0), EVERYTHING)

    def private(self, person: str) -> tuple[RateLimit, ...]:
        return (RateLimit(person, 4, 5.0), EVERYTHING)


LIMITS: Final = DiscordLimits()
