"""The menu of commands, which Telegram keeps for each language."""

from adapters.telegram_chat import TelegramChat
from bot.words import DEFAULT_LANGUAGE, LANGUAGES, words_for
from tests.servers.telegram_api.client import Control


async def test_every_language_has_a_menu_in_its_words(telegram: Control, chat: TelegramChat) -> None:
    menus = {
        call.parameters.get("language_code") or DEFAULT_LANGUAGE: call.parameters["commands"]
        for call in await telegram.calls("setMyCommands")
    }
    assert sorted(menus) == sorted(LANGUAGES)
    for language, menu in menus.items():
        said = [each["description"] for each in menu]
        assert len(menu) == len(menus[DEFAULT_LANGUAGE])
        assert words_for(language).plain("command.rack") in said
        assert words_for(language).plain("command.help") in said
