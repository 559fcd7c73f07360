"""docs/commands.md tells every command, with its name in every language."""

import re
from collections import Counter
from pathlib import Path

from bot.i18n import LANGUAGES, own_name, words_for
from bot.i18n.commands import name_of

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")
CATALOGUE = (ROOT / "bot" / "i18n" / "locale" / "en.po").read_text("utf-8")
VERBS = re.findall(r'^msgid "verb\.(\w+)"', CATALOGUE, re.MULTILINE)


def test_every_command_is_told() -> None:
    told = re.findall(r"^\| `([a-z]+)` \|", PAGE.split("\n## All names\n")[0], re.MULTILINE)
    assert Counter(told) == Counter(VERBS)


def test_every_name_is_told_in_every_language() -> None:
    (columns,) = re.findall(rf"^\| command \| (.*{own_name('tr')}.*) \|$", PAGE, re.MULTILINE)
    languages = {own_name(language): words_for(language) for language in LANGUAGES}
    assert Counter(columns.split(" | ")) == Counter(languages.keys())
    rows = [[name_of(verb, languages[column]) for column in columns.split(" | ")] for verb in VERBS]
    wanted = {f"| `{verb}` | {' | '.join(names)} |" for verb, names in zip(VERBS, rows, strict=True)}
    assert wanted - {*PAGE.splitlines()} == set()


def test_every_language_can_be_chosen() -> None:
    (choices,) = re.findall(r"^\| `language` \| (.*) or `off` \|", PAGE, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", choices)) == set(LANGUAGES)
