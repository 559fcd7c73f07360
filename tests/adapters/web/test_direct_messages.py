"""Letters: what the program itself has to say to one person."""

import pytest

from adapters.web.local_page import person_of
from adapters.web.protocol import TabToken
from bot.markup import Page
from bot.ports import PrivateClosed
from tests.adapters.web.conftest import BrowserPage

LETTER = Page(text=("The night begins in an hour.",))


async def test_a_letter_comes_to_their_tab_alone(page: BrowserPage) -> None:
    ada, can = await page.welcomed("Ada"), await page.welcomed("Can")
    await page.chat.send_direct(person_of(TabToken(ada.token), "Ada", "en").key, LETTER, "n1 hour")
    assert "The night begins in an hour." in (await ada.until("reading"))[-1]["html"]
    assert not any(heard["kind"] == "reading" for heard in await can.command("help"))


async def test_who_has_no_tab_open_cannot_be_reached(page: BrowserPage) -> None:
    with pytest.raises(PrivateClosed):
        await page.chat.send_direct("web:nobody", LETTER, "n1 hour")
