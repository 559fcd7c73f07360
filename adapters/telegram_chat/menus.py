"""The menus of commands that Telegram shows: to everybody, and to the administrators of a group."""

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeDefault,
)

from bot.i18n import Words
from bot.i18n.commands import about, latin_name_of
from bot.ports import Dispatcher

_OPENS_TABLES = "play"
"""The verb that stands in the menu as `/okey`."""


def menus(router: Dispatcher, words: Words) -> tuple[tuple[BotCommandScope, list[BotCommand]], ...]:
    """The commands of each scope. Telegram takes Latin letters only; administrators see one menu, theirs."""
    everybodys = [BotCommand("okey", about("okey", words)), *_named(router.commands("everybody"), words)]
    organisers = [*everybodys, *_named(router.commands("organisers"), words)]
    return (
        (BotCommandScopeDefault(), everybodys),
        (BotCommandScopeAllChatAdministrators(), organisers),
    )


def _named(verbs: tuple[str, ...], words: Words) -> list[BotCommand]:
    return [
        BotCommand(latin_name_of(verb, words), about(verb, words)) for verb in verbs if verb != _OPENS_TABLES
    ]
