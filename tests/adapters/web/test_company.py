"""Who is at the local page's tables: whose seats' people have a page open, and how many look on."""

import pytest

from tests.adapters.web.conftest import BrowserPage
from tests.adapters.web.scripted import TABLE

pytestmark = pytest.mark.asyncio


async def test_seats_count_while_their_people_have_a_page_and_others_while_they_look(
    page: BrowserPage,
) -> None:
    ada = await page.welcomed("Ada")
    await ada.command("play")
    await ada.until_here({TABLE: {"seats": [0], "watchers": 0}})
    ece = await page.welcomed("Ece")
    await ece.until_here({TABLE: {"seats": [0], "watchers": 0}})
    for looks_at, watchers in ((TABLE, 1), ("", 0), (TABLE, 1)):
        await ece.say(kind="at", table=looks_at)
        await ada.until_here({TABLE: {"seats": [0], "watchers": watchers}})
    again = await page.tab("Ece", ece.token, table=TABLE)  # two pages are one person
    await again.until("welcome")
    await ada.socket.close()
    await ece.until_here({TABLE: {"seats": [], "watchers": 1}})
    await again.socket.close()
    await ece.say(kind="at", table="")
    await ece.until_here({})


async def test_a_person_with_a_seat_watches_nothing_there(page: BrowserPage) -> None:
    ada, ece = await page.welcomed("Ada"), await page.welcomed("Ece")
    await ada.command("play")
    await ada.say(kind="at", table=TABLE)
    await ece.until_here({TABLE: {"seats": [0], "watchers": 0}})
    await ada.press(f"leave.{TABLE}")
    await ece.until_here({TABLE: {"seats": [], "watchers": 1}})
