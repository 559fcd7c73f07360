"""Who one is on the local page: the name that is asked first, and the seat that survives its tab."""

import pytest
from playwright.async_api import BrowserContext, expect

from bot.ports import TypedCommand
from tests.adapters.web.scripted import TABLE
from tests.browser.slow_line import SlowLine
from tests.browser.test_table import Served, button, discard, enter, playing, served, tile

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_name_is_asked_first_and_a_changed_one_counts_for_the_very_next_press(
    phone: BrowserContext, served: Served
) -> None:
    page = await phone.new_page()
    await page.goto(served.url)
    name = page.get_by_label("Your name")
    await expect(name).to_be_visible()
    await expect(page.get_by_role("button", name="Play now")).to_have_count(0)
    await name.fill("Ada")
    await button(page, "Continue").tap()
    await name.fill("Grace")
    await page.get_by_role("button", name="Play now").tap()
    await expect(tile(page, "red 1")).to_be_visible()
    assert served.router.name == "Grace"


async def test_who_comes_by_a_link_is_asked_for_a_name(phone: BrowserContext, served: Served) -> None:
    await playing(phone, served)
    guest = await phone.new_page()
    await guest.goto(f"{served.url}#{TABLE}")
    await expect(guest.get_by_text("A friend has invited you to their table.")).to_be_visible()
    await guest.get_by_label("Your name").fill("Ece")
    await button(guest, "Continue").tap()
    await expect(guest.locator(".watching")).to_be_visible()


async def test_a_seat_survives_its_tab(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.close()
    again = await phone.new_page()
    await again.goto(served.url)
    await expect(tile(again, "red 1")).to_be_visible()
    assert served.router.name == "Ada"


async def test_a_second_player_in_the_same_browser_is_a_choice(phone: BrowserContext, served: Served) -> None:
    await playing(phone, served)
    other = await phone.new_page()
    await other.goto(served.url)
    await button(other, "Continue as Ada").tap()
    await expect(tile(other, "red 1")).to_be_visible()
    third = await phone.new_page()
    await enter(third, f"{served.url}#{TABLE}", "Ece")
    await expect(third.locator(".watching")).to_be_visible()


async def test_a_match_asked_for_before_the_welcome_is_not_lost(
    phone: BrowserContext, served: Served
) -> None:
    line = await SlowLine.of(phone)
    line.hold()
    page = await phone.new_page()
    await enter(page, served.url)
    await page.get_by_role("button", name="Play now").tap()
    await line.until_held("welcome")
    assert served.pressed() == []
    line.let_go()
    await expect(tile(page, "red 1")).to_be_visible()


@pytest.mark.parametrize(
    ("length", "words"),
    [("One round", "okey end=rounds rounds=1"), ("Three rounds", "okey end=rounds rounds=3")],
)
async def test_a_match_is_as_long_as_it_says(
    phone: BrowserContext, served: Served, length: str, words: str
) -> None:
    page = await phone.new_page()
    await enter(page, served.url)
    chosen = page.get_by_role("radio", name="Three rounds")
    await expect(chosen).to_be_checked()
    await page.get_by_role("radio", name=length).tap()
    await page.get_by_role("button", name="Play now").tap()
    await expect(tile(page, "red 1")).to_be_visible()
    opened = [each for each in served.router.asked if isinstance(each, TypedCommand) and each.verb == "play"]
    assert [each.argument for each in opened] == [words]


async def test_an_answer_that_costs_something_does_not_look_like_the_good_one(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await discard(page, "red 5 (okey)")
    yes, danger = button(page, "Yes, discard"), "getComputedStyle(document.body).getPropertyValue('--danger')"
    assert await yes.evaluate("each => getComputedStyle(each).backgroundColor") == await page.evaluate(
        f"(() => {{ const each = document.body.appendChild(document.createElement('i'));"
        f" each.style.color = {danger}; return getComputedStyle(each).color; }})()"
    )
