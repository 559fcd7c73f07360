"""What people read on the page: in the tab that asked, with its picture or its file inside."""

import base64
import re
from collections.abc import Callable
from typing import Any

from bot.ports import Press
from tests.adapters.web.conftest import BrowserPage
from tests.adapters.web.scripted import RECORD, TABLE

OfKind = Callable[[list[dict[str, Any]], str], list[dict[str, Any]]]


async def test_a_page_comes_to_the_tab_that_asked_and_to_no_other(page: BrowserPage, of_kind: OfKind) -> None:
    ada, can = await page.welcomed("Ada"), await page.welcomed("Can")
    (shown,) = of_kind(await ada.command("replay"), "reading")
    assert "&lt;b&gt;Can&lt;/b&gt;" in shown["html"]
    assert 'alt="Picture 0"' in shown["html"]
    assert "Step 0" in shown["spoken"]
    assert of_kind(await can.command("help"), "reading") == []


async def test_its_buttons_are_pressed_in_private(page: BrowserPage, of_kind: OfKind) -> None:
    ada = await page.welcomed("Ada")
    (first,) = of_kind(await ada.command("replay"), "reading")
    data, surface = re.search(r'data-press="(replay[^"]*)"', first["html"]), 'data-surface="private"'
    assert data is not None
    assert surface in first["html"]
    (second,) = of_kind(await ada.press(data[1], private=True), "reading")
    asked = page.router.asked[-1]
    assert isinstance(asked, Press)
    assert (asked.data, asked.place) == (f"replay_step.{TABLE}.0.1.1", None)
    assert 'alt="Picture 1"' in second["html"]


async def test_a_file_is_there_to_be_kept(page: BrowserPage, of_kind: OfKind) -> None:
    ada = await page.welcomed("Ada")
    (shown,) = of_kind(await ada.command("record"), "reading")
    found = re.search(
        r'href="data:application/octet-stream;base64,([^"]+)" download="([^"]+)"', shown["html"]
    )
    assert found is not None
    assert (base64.b64decode(found[1]), found[2]) == (RECORD, "okey-t1.json")


async def test_a_table_at_which_nothing_more_is_played_is_marked_so(
    page: BrowserPage, of_kind: OfKind
) -> None:
    ada = await page.welcomed("Ada")
    await ada.command("play")
    for data in (f"join.{TABLE}", f"start.{TABLE}"):
        await ada.press(data)
    (table,) = of_kind(await ada.press(f"draw.{TABLE}", private=True), "table")
    assert table["live"]["stage"] == "playing"
    (table,) = of_kind(await ada.press("discard.R5", private=True), "table")
    assert table["live"]["stage"] == "over"


async def test_a_curve_is_drawn_by_the_page_and_each_value_leads_to_its_page(
    page: BrowserPage, of_kind: OfKind
) -> None:
    ada = await page.welcomed("Ada")
    (shown,) = of_kind(await ada.command("review"), "reading")
    assert "<img" not in shown["html"]
    assert 'aria-label="100 %, 100 %, 40 %, 100 %, 95 %"' in shown["html"]
    points = re.findall(r'<circle( class="highlight")? cx="([\d.]+)" cy="([\d.]+)"', shown["html"])
    assert [bool(highlight) for highlight, _, _ in points] == [False, False, True, False, True]
    across, down = [float(x) for _, x, _ in points], [float(y) for _, _, y in points]
    assert across == sorted(across)
    assert down[0] == down[1] == down[3] < down[4] < down[2]  # the best is at the top
    presses = re.findall(r'<rect data-press="([^"]+)"', shown["html"])
    assert presses == [f"replay_step.{TABLE}.0.1.{number}" for number in range(1, 6)]
