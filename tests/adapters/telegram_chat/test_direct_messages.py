"""Letters: what the bot itself has to say to one person."""

import pytest

from adapters.telegram_chat import TelegramChat
from bot.markup import Page
from bot.ports import PrivateClosed
from tests.adapters.telegram_chat.scene import buttons
from tests.servers.telegram_api.client import Control

LETTER = Page(text=("The night begins in an hour.",), buttons=buttons("mute.l1.0"))


async def test_a_letter_comes_to_the_private_chat(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    await chat.send_direct(f"tg:{ada.id}", LETTER, "n1 hour")
    seen = await ada.sees(lambda message: message.words == "The night begins in an hour.")
    assert seen.buttons


async def test_a_private_chat_that_was_never_opened_is_told(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada", language="en")
    with pytest.raises(PrivateClosed):
        await chat.send_direct(f"tg:{ada.id}", LETTER, "n1 hour")
