"""The pictures of the README: drawn from real screens, and small enough to load quickly."""

import importlib
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from bot.i18n import words_for

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
CHATS = {f"{app}{ending}.png" for app in ("telegram", "discord") for ending in ("", "-tr")}


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("draw")


@pytest.fixture
def sheets(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("screens")


def test_their_script_still_fits_the_program(draw: ModuleType) -> None:
    pages = dict(draw.pages())
    assert set(pages) == CHATS
    for page in pages.values():
        assert page.count("<section>") == 2
        assert page.count('class="key') > 10
    *_, ended = draw.hand.states("okey", draw.CLASSIC_SEED)
    assert ended.results[0].winner == draw.hand.ADA


def test_every_sheet_shows_a_screen_of_its_own(sheets: ModuleType) -> None:
    shown = {name: screen(words_for("en")) for name, screen in sheets.screens()}
    for (name, one), (other, two) in combinations(shown.items(), 2):
        assert one != two, (name, other)
    assert {"league", "night-playing", "review-1", "daily-discard", "settings", "zone"} <= set(shown)


def test_they_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in FOLDER.iterdir() if file.suffix in (".png", ".webp")}
    assert set(sizes) == {*CHATS, "hand.webp"}
    assert all(size <= (400_000 if name.endswith(".webp") else 150_000) for name, size in sizes.items())
