"""The end of a round and of a match: the viewer's own result first, and the match's winner celebrated."""

import re

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from bot.live import LiveRound
from tests.adapters.web.scripted import TABLE
from tests.browser.test_table import COVERED, SIZES, SMALL, Served, button, playing, served

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
    await expect(result).to_contain_text("You came third.")
    assert "won" not in (await result.get_attribute("class") or "").split()


async def test_play_again_is_in_sight_however_long_a_result_is(phone: BrowserContext, served: Served) -> None:
    served.router.winners, served.router.scores = (1,), (3, 9, 6, 1)
    page = await playing(phone, served)
    await page.set_viewport_size({"width": 360, "height": 640})
    await ended(page, served)
    await expect(button(page, "Play again")).to_be_in_viewport(ratio=1)


async def test_a_score_stands_before_what_the_round_changed(phone: BrowserContext, served: Served) -> None:
    served.router.scores, served.router.ending = (3, 9, 6, 1), "abandoned"
    page = await playing(phone, served)
    result = await ended(page, served)
    rows = [each.split() for each in await result.get_by_role("row").all_inner_texts()]
    assert [each[-2:] for each in rows[1:]] == [["3", "(0)"], ["9", "(−2)"], ["6", "(−2)"], ["1", "(−2)"]]


async def test_a_round_tells_the_viewers_own_result_first_and_why(
    phone: BrowserContext, served: Served
) -> None:
    served.router.ending, served.router.round_winner = "abandoned", 1
    page = await playing(phone, served)
    result = await ended(page, served)
    await expect(result.locator("p").first).to_have_text("Your round0")
    await expect(result.get_by_role("row").nth(1)).to_contain_text("Adaanother player finished")
    await expect(result.get_by_role("row").nth(2)).to_contain_text("Canfinished")


async def test_a_round_tells_what_it_counted_and_who_broke_the_bowl(
    phone: BrowserContext, served: Served
) -> None:
    served.router.ending, served.router.how, served.router.factor = "abandoned", ("pairs",), 3
    served.router.chips, served.router.bowl = (300, -100, -100, -100), 0
    page = await playing(phone, served)
    stakes = page.locator("h1 .stakes").get_by_text("This round ×3 · Bowl: 0")
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await expect(stakes).to_be_visible()
        heading = "h1" if height > 500 else ".stakes"  # of a phone that lies
        assert await page.evaluate(COVERED, ["#table *", heading]) == []
    result = await ended(page, served)
    await expect(result).to_contain_text("This round ×3 · Bowl: 0")
    await expect(result).to_contain_text(
        "Ada breaks the bowl. Chips: Ada 300 · Can −100 · Ece −100 · Ali −100"
    )


async def test_a_round_of_partners_tells_who_paid_for_what(phone: BrowserContext, served: Served) -> None:
    served.router.ending, served.router.lays, served.router.teams = "abandoned", True, True
    served.router.opened, served.router.declared = "", (1,)
    page = await playing(phone, served)
    result = await ended(page, served)
    await expect(result.get_by_role("row").nth(2)).to_contain_text("Candeclared pairs, never opened: double")
    await expect(result.get_by_role("row").nth(3)).to_contain_text("EceAda finished")
    await expect(result.get_by_role("row").nth(4)).to_contain_text("Alinever opened")


async def test_of_two_winners_the_higher_score_stands_first(phone: BrowserContext, served: Served) -> None:
    served.router.winners, served.router.scores = (1, 3), (-1, 0, -1, 1)
    page = await playing(phone, served)
    result = await ended(page, served)
    places = [each.split() for each in await result.get_by_role("listitem").all_inner_texts()]
    assert [(each[0], each[-2], each[-1]) for each in places[:2]] == [("1.", "Ali", "1"), ("1.", "Can", "0")]


async def test_partners_win_together_and_have_one_place(phone: BrowserContext, served: Served) -> None:
    served.router.teams, served.router.winners, served.router.scores = True, (1, 3), (3, 9, 3, 9)
    page = await playing(phone, served)
    result = await ended(page, served)
    await expect(result.get_by_role("heading", level=2)).to_have_text("Can, Ali win!")
    await expect(result).to_contain_text("You came second.")
    places = [each.split()[0] for each in await result.get_by_role("listitem").all_inner_texts()]
    assert places == ["1.", "1.", "2.", "2."]


async def test_who_leaves_between_rounds_does_so_from_the_menu(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    served.router.stage = "between"
    await button(page, "Runs").tap()
    await button(page, "Menu").tap()
    await page.locator("#menu").get_by_role("button", name="Leave the match").tap()
    await served.until_pressed(f"step_out.{TABLE}.0")


async def test_discards_are_fanned_out_by_a_tap_and_from_the_menu(
    phone: BrowserContext, served: Served
) -> None:
    served.router.own_pile, served.router.left_pile = ("R9", "K2"), tuple(f"B{n}" for n in range(1, 13))
    page = await playing(phone, served)
    for way in (page.locator(".pile.br"), page.locator("#menu [data-do=piles]")):
        if "menu" in str(way):
            await button(page, "Menu").tap()
        await way.tap()
        fans = page.get_by_role("alertdialog", name="Discards").get_by_role("img")
        await expect(fans).to_have_count(2)
        await expect(page.get_by_role("img", name="Ada: red 9, black 2")).to_be_visible()
        await expect(fans.last.locator(".tile")).to_have_count(12)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await button(page, "Close").tap()
        await expect(fans).to_have_count(0)


async def test_the_sheet_of_all_rounds_is_at_hand_while_the_next_is_played(
    phone: BrowserContext, served: Served
) -> None:
    served.router.rounds = [LiveRound(0, (0, -4, -4, -4)), LiveRound(2, (-2, -2, 0, -2))]
    page = await playing(phone, served)
    await button(page, "Menu").tap()
    await button(page, "All rounds so far").tap()
    rows = page.get_by_role("alertdialog", name="All rounds so far").get_by_role("row")
    await expect(rows).to_have_count(4)
    await expect(rows.nth(2)).to_have_text(re.compile("2.*−2.*−2.*0.*−2"))
    await button(page, "Close").tap()
    await expect(rows).to_have_count(0)
