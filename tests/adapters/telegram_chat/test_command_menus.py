"""The menus of commands, which Telegram keeps for each language: everybody's, and the administrators'."""

from adapters.telegram_chat import TelegramChat
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for
from tests.servers.telegram_api.client import Control


async def test_every_language_has_its_menus_in_its_words(telegram: Control, chat: TelegramChat) -> None:
    menus = {
        (
            call.parameters.get("language_code") or DEFAULT_LANGUAGE,
            call.parameters["scope"]["type"],
        ): {each["command"]: each["description"] for each in call.parameters["commands"]}
        for call in await telegram.calls("setMyCommands")
    }
    scopes = ("default", "all_chat_administrators")
    assert sorted(menus) == sorted((language, scope) for language in LANGUAGES for scope in scopes)
    for language in LANGUAGES:
        words = words_for(language)
        everybodys, administrators = (menus[language, scope] for scope in scopes)
        assert everybodys["okey"] == words.plain("command.okey")
        assert words.plain("command.rack") in everybodys.values()
        assert words.plain("command.defaults") not in everybodys.values()
        assert administrators.items() > everybodys.items()
        assert words.plain("command.defaults") in administrators.values()
    assert {"katil", "istaka", "davet_iptal", "yardim"} <= menus["tr", "default"].keys()
    assert {"mitspielen", "brett", "hilfe"} <= menus["de", "default"].keys()
    assert {"join", "rack", "help"} <= menus["ko", "default"].keys()
