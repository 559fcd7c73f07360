"""Profile: what people read on the bot's page and before its first message, in every language.

Only an empty text, or an older one of ours, is replaced: what the operator wrote stays.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from telegram import Bot
from telegram.error import RetryAfter, TelegramError

from adapters.telegram_chat.calls import seconds_of
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for

LOG: Final = logging.getLogger(__name__)

T = TypeVar("T")

KINDS: Final = ("description", "short_description")


async def fill_profile(bot: Bot) -> None:
    """Fill the profile. It takes as long as Telegram wants, and nobody waits for it."""
    try:
        for kind in KINDS:
            ours = {words_for(language).plain(f"profile.{kind}") for language in LANGUAGES}
            for language in LANGUAGES:
                await _fill(bot, kind, language, ours)
    except TelegramError as error:
        LOG.warning("Telegram: the bot's profile could not be filled: %s", type(error).__name__)


async def _fill(bot: Bot, kind: str, language: str, ours: set[str]) -> None:
    code = None if language == DEFAULT_LANGUAGE else language
    text = words_for(language).plain(f"profile.{kind}")
    known = getattr(await _in_time(lambda: getattr(bot, f"get_my_{kind}")(language_code=code)), kind)
    if known != text and known in {"", *ours}:
        await _in_time(lambda: getattr(bot, f"set_my_{kind}")(text, language_code=code))
        LOG.info("Telegram: the bot's %s is filled in %s", kind, language)


async def _in_time(call: Callable[[], Awaitable[T]]) -> T:
    """Make a call, and again whenever Telegram allows it. Raises TelegramError for another reason."""
    while True:
        try:
            return await call()
        except RetryAfter as later:
            await asyncio.sleep(seconds_of(later))
