"""The end of a round and of a match: the viewer's own result first, and the match's winner celebrated."""

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from bot.live import LiveRound
from tests.browser.test_table import SIZES, SMALL, Served, button, playing, served

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def ended(page: Page, served: Served) -> Locator:
    """Let the round be over, and see its result."""
    served.router.stage = "over"
    await button(page, "Runs").tap()
    result = page.get_by_role("dialog", name="Result")
    await expect(result).to_be_visible()
    return result


async def test_who_wins_the_match_is_told_so_though_another_won_its_last_round(
    phone: BrowserContext, served: Served
) -> None:
    served.router.round_winner, served.router.scores = 2, (7, 4, 6, -1)
    served.router.rounds = [LiveRound(0, (0, -4, -4, -4)), LiveRound(2, (-2, -2, 0, -2))]
    page = await playing(phone, served)
    result = await ended(page, served)
    await expect(result.get_by_role("heading", level=2)).to_have_text("You won!")
    await expect(result.locator(".confetti i")).to_have_count(14)
    places = [" ".join(each.split()) for each in await result.get_by_role("listitem").all_inner_texts()]
    assert [(each[0], each.split()[-2], each.split()[-1]) for each in places] == [
        ("1", "Ada", "7"),
        ("2", "Ece", "6"),
        ("3", "Can", "4"),
        ("4", "Ali", "−1"),
    ]
    await expect(result).to_contain_text("Best moment: Ada won round 1.")
    await expect(button(page, "Play again")).to_be_visible()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(SMALL) == []


async def test_who_loses_the_match_celebrates_no_last_round(phone: BrowserContext, served: Served) -> None:
    served.router.winners, served.router.scores = (1,), (3, 9, 6, 1)
    page = await playing(phone, served)
    result = await ended(page, served)
    await expect(result.get_by_role("heading", level=2)).to_have_text("Can wins!")
    await expect(result.locator(".confetti")).to_have_count(0)
    assert "won" not in (await result.get_attribute("class") or "").split()


async def test_a_round_tells_the_viewers_own_result_first_and_why(
    phone: BrowserContext, served: Served
) -> None:
    served.router.ending, served.router.round_winner = "abandoned", 1
    page = await playing(phone, served)
    result = await ended(page, served)
    await expect(result.locator("p").first).to_have_text("Your round0")
    await expect(result.get_by_role("row").nth(1)).to_contain_text("Adaanother player finished")
    await expect(result.get_by_role("row").nth(2)).to_contain_text("Canfinished")
