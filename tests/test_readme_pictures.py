"""The pictures of the README: drawn from real screens, and small enough to load quickly."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from bot import pictures

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("draw")


def test_their_script_still_fits_the_program(draw: ModuleType) -> None:
    for preset, seed in (("okey", draw.CLASSIC_SEED), ("okey101", draw.OPENED_SEED)):
        table = draw.drawn(preset, seed, 1)
        for screen in (draw.hand.shown(table), draw.hand.rack(table)):
            assert pictures.draw(screen.picture).startswith(b"\x89PNG")
            assert screen.buttons
    *_, ended = draw.hand.states("okey", draw.CLASSIC_SEED)
    assert ended.results[0].winner == draw.hand.ADA


def test_they_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in FOLDER.iterdir() if file.suffix in (".png", ".webp")}
    chats = {f"{app}{ending}.png" for app in ("telegram", "discord") for ending in ("", "-tr")}
    assert set(sizes) == {*chats, "hand.webp"}
    assert all(size <= (400_000 if name.endswith(".webp") else 150_000) for name, size in sizes.items())
