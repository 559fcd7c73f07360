"""Letters: what the program itself has to say to one person."""

import pytest

from adapters.web.messages import Token
from adapters.web.tabs import person_of
from bot.chats import PrivateClosed
from bot.screens.model import Leaflet
from tests.adapters.web.conftest import Page

LETTER = Leaflet(text=("The night begins in an hour.",))


async def test_a_letter_comes_to_his_tab_alone(page: Page) -> None:
    ada, can = await page.welcomed("Ada"), await page.welcomed("Can")
    await page.chat.hand(person_of(Token(ada.token), "Ada", "en").key, LETTER, "n1 hour")
    assert "The night begins in an hour." in (await ada.until("leaflet"))[-1]["html"]
    assert not any(heard["kind"] == "leaflet" for heard in await can.command("help"))


async def test_who_has_no_tab_open_cannot_be_reached(page: Page) -> None:
    with pytest.raises(PrivateClosed):
        await page.chat.hand("web:nobody", LETTER, "n1 hour")
