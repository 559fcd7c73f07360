"""Reading on the page: a reading opens, its pages turn under the thumb, a file is kept, and it closes."""

import asyncio
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import BrowserContext, expect

from bot.ports import Answer, Press
from tests.adapters.web.scripted import RECORD, STEPS
from tests.browser.test_accessibility import complaints
from tests.browser.test_table import COVERED, PAINTED, SMALL, Served, button, come_in, served, typed

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOT_BESIDE = """picture => {
    const right = document.querySelector(`#reading ${picture}`).getBoundingClientRect().right;
    return [...document.querySelectorAll('#reading :is(.words, .press, input)')]
        .filter(each => each.getBoundingClientRect().left < right).map(each => each.className);
}"""
"""What reaches below or over a page's picture, in a low window."""


async def test_pages_turn_and_the_way_on_keeps_the_focus(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await typed(page, "/replay")
    reading = page.get_by_role("dialog", name="Info")
    await expect(reading.get_by_role("img", name="Picture 0")).to_be_in_viewport()
    await button(page, "Next").focus()
    for number in (1, 2):
        await page.keyboard.press("Enter")
        await expect(reading.get_by_role("img", name=f"Picture {number}")).to_be_visible()
        await expect(button(page, "Next")).to_be_focused()
    await button(page, "Close").click()
    await expect(reading).to_be_hidden()


async def test_a_page_is_left_without_scrolling_however_low_the_window(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    for command, picture in (("/replay", ".felt"), ("/review", ".curve")):
        for width, height in ((360, 420), (844, 390), (844, 280)):
            await page.set_viewport_size({"width": width, "height": height})
            await typed(page, command)
            await expect(page.locator(f"#reading {picture}")).to_be_visible()
            assert await page.evaluate(COVERED, ["#reading [data-closes]", ".series"]) == []
            if width > height:  # the picture is on the left, and everything else on the right of it
                assert await page.evaluate(NOT_BESIDE, picture) == []
            await button(page, "Close").click(trial=True)
            await page.keyboard.press("Escape")


async def test_no_line_of_a_review_is_seen_between_close_and_what_turns_it(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await page.set_viewport_size({"width": 360, "height": 640})
    await typed(page, "/review")
    words = page.locator("#reading .words")
    await words.evaluate("each => each.append('▇ '.repeat(2000))")
    bottom = "Math.round(document.querySelector('#reading [data-closes]').getBoundingClientRect().bottom)"
    top = "Math.round(document.querySelector('.series').getBoundingClientRect().top)"
    start, end = await page.evaluate(f"[{bottom}, {top}]")
    strip = {"x": 100, "y": start + 1, "width": 40, "height": end - start - 1}
    seen = Image.open(BytesIO(await page.screenshot(clip=strip)))  # type: ignore[arg-type]
    assert len(seen.convert("RGB").getcolors() or []) == 1


async def test_another_page_begins_at_its_top_and_the_same_one_stays_where_it_is(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    for topic, top in (("Melds", 0), ("Melds", 200), ("Scoring", 0)):
        await typed(page, f"/rules {topic}")
        await expect(page.locator("#reading .line").first).to_contain_text(topic)
        await page.evaluate(PAINTED)
        assert await page.evaluate("document.getElementById('reading').scrollTop") == top
        await page.evaluate("document.getElementById('reading').scrollTop = 200")


async def test_a_picture_is_enlarged_by_a_tap(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await typed(page, "/replay")
    picture = page.locator("#reading .felt")
    small = await picture.bounding_box()
    await picture.tap()
    large = await picture.bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 1.5 * page.viewport_size["width"] > 1.5 * small["width"]  # type: ignore[index]
    await picture.tap()
    assert await picture.bounding_box() == small


async def test_a_file_is_kept_under_its_name(phone: BrowserContext, served: Served, tmp_path: Path) -> None:
    page = await come_in(phone, served)
    await typed(page, "record")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="okey-t1.json").click()
    kept = await download.value
    await kept.save_as(tmp_path / "kept")
    assert (kept.suggested_filename, (tmp_path / "kept").read_bytes()) == ("okey-t1.json", RECORD)
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog", name="Info")).to_be_hidden()


async def test_a_slider_and_the_arrow_keys_go_through_a_series(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await typed(page, "/replay")
    reading = page.get_by_role("dialog", name="Info")
    slider = reading.get_by_role("slider", name="Step")
    await expect(slider).to_have_attribute("max", str(STEPS))
    await slider.fill("3")
    await expect(reading.get_by_role("img", name="Picture 3")).to_be_visible()
    await reading.focus()
    for key, number in (
        ("ArrowRight", 4),
        ("End", STEPS),
        ("ArrowRight", STEPS),
        ("ArrowLeft", 4),
        ("Home", 0),
    ):
        await page.keyboard.press(key)
        await expect(reading.get_by_role("img", name=f"Picture {number}")).to_be_visible()
        await expect(slider).to_have_value(str(number))


@pytest.mark.parametrize("way", ["slider", "Next"])
async def test_a_series_that_was_closed_while_it_was_turned_stays_closed(
    phone: BrowserContext, served: Served, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    press, asked, goes_on, done = served.router.press, asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def press_late(sent: Press) -> Answer:
        asked.set()
        await goes_on.wait()
        return await press(sent)

    def hear(frame: str | bytes) -> None:
        if goes_on.is_set() and '"kind":"done"' in str(frame):
            done.set()

    phone.on("page", lambda page: page.on("websocket", lambda socket: socket.on("framereceived", hear)))
    page = await come_in(phone, served)
    await typed(page, "/replay")
    reading = page.get_by_role("dialog", name="Info")
    monkeypatch.setattr(served.router, "press", press_late)
    if way == "Next":
        await button(page, way).click()
    else:
        for step in ("2", "4"):
            await reading.get_by_role("slider", name="Step").fill(step)
    await asked.wait()
    await page.keyboard.press("Escape")
    await expect(reading).to_be_hidden()
    goes_on.set()
    await done.wait()
    await page.evaluate(PAINTED)
    assert await reading.count() == 0
    await typed(page, "/replay")
    await expect(reading.get_by_role("img", name="Picture 0")).to_be_visible()


async def test_a_series_is_turned_by_the_same_controls_as_a_replay_and_by_itself_to_its_end(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await typed(page, "/replay")
    reading = page.get_by_role("dialog", name="Info")
    steps = reading.get_by_role("group", name="Step").get_by_role("button")
    plays = reading.get_by_role("button", name="Play automatically")
    back, on = (reading.get_by_role("button", name=f"One step {way}") for way in ("back", "on"))
    await expect(steps).to_have_count(3)
    assert await page.evaluate(SMALL) == []
    await expect(back).to_have_attribute("aria-disabled", "true")
    await on.tap()
    await expect(reading.get_by_role("img", name="Picture 1")).to_be_visible()
    await back.tap()
    await expect(reading.get_by_role("img", name="Picture 0")).to_be_visible()
    await reading.get_by_role("slider", name="Step").fill(str(STEPS - 1))
    await expect(reading.get_by_role("img", name=f"Picture {STEPS - 1}")).to_be_visible()
    await plays.tap()
    await expect(plays).to_have_attribute("aria-pressed", "true")
    await expect(reading.get_by_role("img", name=f"Picture {STEPS}")).to_be_visible()
    await expect(plays).to_have_attribute("aria-pressed", "false")
    await plays.tap()  # from the beginning
    await expect(reading.get_by_role("img", name="Picture 0")).to_be_visible()
    await button(page, "Close").click()
    await expect(reading).to_be_hidden()


async def test_a_curve_fits_a_narrow_phone_and_leads_to_each_of_its_pages(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await page.set_viewport_size({"width": 360, "height": 740})
    await typed(page, "/review")
    reading = page.get_by_role("dialog", name="Info")
    curve = reading.get_by_role("img", name="100 %, 100 %, 40 %, 100 %, 95 %")
    box = await curve.bounding_box()
    assert box is not None
    assert 0 <= box["x"] < box["x"] + box["width"] <= 360
    words = curve.locator("text")
    assert all([(await word.bounding_box() or {"height": 0})["height"] >= 11 for word in await words.all()])
    inks = set()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        inks.add(await words.first.evaluate("each => getComputedStyle(each).fill"))
        assert await complaints(page) == ""
    assert len(inks) == 2
    signs = [each for each in await reading.get_by_role("button").all_inner_texts() if each.strip()]
    assert signs == ["Next mistake", "Close"], "the page turns by its own controls"
    await curve.locator("rect").nth(2).tap()
    await expect(reading.get_by_role("img", name="Picture 3")).to_be_visible()
