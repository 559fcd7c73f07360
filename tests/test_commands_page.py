"""docs/commands.md tells every command, with its name in every language."""

import re
from pathlib import Path

from bot.i18n import words_for
from bot.i18n.commands import name_of

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")
CATALOGUE = (ROOT / "bot" / "i18n" / "locale" / "en.po").read_text("utf-8")
VERBS = re.findall(r'^msgid "verb\.(\w+)"', CATALOGUE, re.MULTILINE)


def test_every_command_is_told() -> None:
    told = re.findall(r"^\| `([a-z]+)` \|", PAGE.split("\n## All names\n")[0], re.MULTILINE)
    assert sorted(told) == sorted(VERBS)


def test_every_name_is_told() -> None:
    for verb in VERBS:
        names = (name_of(verb, words_for(language)) for language in ("en", "tr", "de", "ko"))
        assert f"| `{verb}` | {' | '.join(names)} |" in PAGE.splitlines()
