"""The menus of commands, which Telegram keeps for each language: everybody's, and the administrators'."""

from typing import Final

from adapters.telegram_chat import TelegramChat
from adapters.telegram_chat.introduction import offer_commands
from adapters.telegram_chat.rendering import _IN_GROUPS
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import Control, eventually

SCOPES = ("default", "all_group_chats", "all_chat_administrators")
SHORT: Final = 10
"""The most commands that a group offers everybody."""


async def menus_set(telegram: Control) -> None:
    async def all_are() -> bool | None:
        return len(await telegram.calls("setMyCommands")) >= len(SCOPES) * len(LANGUAGES) or None

    await eventually(all_are, PATIENCE, "the menus are not set")


async def test_every_language_has_its_menus_in_its_words(telegram: Control, chat: TelegramChat) -> None:
    await menus_set(telegram)
    menus = {
        (
            call.parameters.get("language_code") or DEFAULT_LANGUAGE,
            call.parameters["scope"]["type"],
        ): {each["command"]: each["description"] for each in call.parameters["commands"]}
        for call in await telegram.calls("setMyCommands")
    }
    assert sorted(menus) == sorted((language, scope) for language in LANGUAGES for scope in SCOPES)
    for language in LANGUAGES:
        words = words_for(language)
        everybodys, in_groups, administrators = (menus[language, scope] for scope in SCOPES)
        assert everybodys["okey"] == words.plain("command.okey")
        assert words.plain("command.rack") in everybodys.values()
        assert words.plain("command.defaults") not in everybodys.values()
        assert len(in_groups) == 1 + len(_IN_GROUPS) <= SHORT
        assert in_groups.items() < everybodys.items()
        assert in_groups["okey"] == everybodys["okey"]
        assert administrators.items() > in_groups.items()
        assert words.plain("command.defaults") in administrators.values()
    assert {"katil", "istaka", "davet_iptal", "yardim"} <= menus["tr", "default"].keys()
    assert {"mitspielen", "brett", "hilfe"} <= menus["de", "default"].keys()
    assert {"join", "rack", "help"} <= menus["ko", "default"].keys()


async def test_menus_that_are_there_already_are_left_alone(telegram: Control, chat: TelegramChat) -> None:
    await menus_set(telegram)
    before = len(await telegram.calls("setMyCommands"))
    await offer_commands(chat._bot, chat._app)
    assert len(await telegram.calls("setMyCommands")) == before
