"""docs/leagues.md tells every setting, its default, and every word, and names none that there is not."""

import re
from pathlib import Path

from bot.handlers.league.targets import WORDS
from bot.league.founding import NAMED, OPTIONS
from bot.league.model import Format

PAGE = (Path(__file__).parents[3] / "docs" / "leagues.md").read_text("utf-8")


def section(title: str) -> list[list[str]]:
    """The rows of the tables in a section, cell by cell."""
    text = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if "---" not in row[0]][1:]


def test_every_setting_is_told() -> None:
    told = [name for row in section("Create one") for name in re.findall(r"`([a-z]+)`", row[0])]
    assert sorted(told) == sorted(NAMED)


def test_the_defaults_are_those_of_a_league() -> None:
    defaults = {row[0].strip("`"): row[1].strip("`") for row in section("Create one")}
    for option in ("rounds", "length", "grace", "break", "seating", "fill", "cap", "entry", "nights"):
        assert defaults[option] == str(getattr(Format(), OPTIONS[option].field)), option
    for option in ("counting", "best", "stake"):
        assert defaults[option] == str(getattr(Format(), OPTIONS[option].field)), option
    assert defaults["prizes"] == ",".join(Format().prizes)


def test_every_word_is_told() -> None:
    rows = [*section("What to ask"), *section("For organisers")]
    told = {found for row in rows for found in re.findall(r"`([a-z]+)", row[0])}
    assert told - {"league", "okey", "next"} == {*WORDS} - {"hub", "new"}
