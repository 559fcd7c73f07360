"""The picture and the page of the architecture tell the truth."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DRAWING = runpy.run_path(str(ROOT / "docs" / "pictures" / "architecture.py"))
ROOMS: list[str] = DRAWING["rooms"]()


def test_the_picture_is_drawn_from_todays_imports() -> None:
    drawn = (ROOT / "docs" / "pictures" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == DRAWING["picture"](), "make pictures"


def test_nothing_leads_upwards() -> None:
    arrows = DRAWING["imports"](ROOMS)
    assert [(room, to) for room in ROOMS for to in arrows[room] if ROOMS.index(to) < ROOMS.index(room)] == []


def test_what_follows_from_other_arcs_is_left_out() -> None:
    arrows = {"a": {"b", "c", "d"}, "b": {"c"}, "c": set(), "d": set()}
    assert DRAWING["reduced"](arrows) == {"a": {"b", "d"}, "b": {"c"}, "c": set(), "d": set()}


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_it_is_for(room: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert DRAWING["purpose"](room)
    assert f"`{room.removeprefix('bot.')}" in page
