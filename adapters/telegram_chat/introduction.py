"""Introduction: what Telegram shows of the bot before anybody asks it, in every language: its menus of
commands, the app beside the input line, and its profile.

Nobody waits for it. Telegram makes bots wait for minutes with these calls, and people play meanwhile. Menus
are set where they differ. Of the profile, only an empty text, or an older one of ours, is replaced: what the
operator wrote stays.
"""

import logging
from functools import partial
from typing import Final

from telegram import Bot
from telegram.error import TelegramError

from adapters.telegram_chat.calls import persist
from adapters.telegram_chat.rendering import MiniApp, command_menus, type_in_menu
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, plain, words_for
from bot.logs import way_of
from bot.markup import Typed

LOG: Final = logging.getLogger(__name__)

KINDS: Final = ("description", "short_description")


async def introduce(bot: Bot, app: MiniApp) -> None:
    """Introduce the bot. It takes as long as Telegram wants; what is refused is logged, the rest follows."""
    menu = partial(persist, app.offer_menu)
    for part in (partial(offer_commands, bot, app), menu, partial(fill_profile, bot)):
        try:
            await part()
        except TelegramError as error:
            LOG.warning("Telegram: the bot could not be introduced fully: %s", type(error).__name__)
        except Exception as error:  # nobody waits for this, so nobody else would hear of it
            LOG.error("Telegram: the bot could not be introduced: %s", way_of(error))


async def offer_commands(bot: Bot, app: MiniApp) -> None:
    """Set the menus that differ from ours. Raises TelegramError when one is refused."""
    for language in LANGUAGES:
        code = None if language == DEFAULT_LANGUAGE else language
        for scope, commands in command_menus(words_for(language), app=bool(app.opens)):
            known = await persist(partial(bot.get_my_commands, scope=scope, language_code=code))
            if known != tuple(commands):
                await persist(partial(bot.set_my_commands, commands, scope=scope, language_code=code))


async def fill_profile(bot: Bot) -> None:
    """Fill the profile. Raises TelegramError when a text is refused."""
    for kind in KINDS:
        ours = {_write(kind, words_for(language)) for language in LANGUAGES}
        for language in LANGUAGES:
            await _fill(bot, kind, language, ours)


async def _fill(bot: Bot, kind: str, language: str, ours: set[str]) -> None:
    code = None if language == DEFAULT_LANGUAGE else language
    text = _write(kind, words_for(language))
    known = getattr(await persist(lambda: getattr(bot, f"get_my_{kind}")(language_code=code)), kind)
    if known != text and known in {"", *ours}:
        await persist(lambda: getattr(bot, f"set_my_{kind}")(text, language_code=code))
        LOG.info("Telegram: the bot's %s is filled in %s", kind, language)


def _write(kind: str, words: Words) -> str:
    """Return our text, with its commands as one tap sends them."""
    said = words.say(f"profile.{kind}")
    return plain(tuple(type_in_menu(part) if isinstance(part, Typed) else part for part in said), words)
