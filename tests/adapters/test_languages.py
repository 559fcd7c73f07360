"""Each chat speaks every language of the application in what it says itself."""

import re
from dataclasses import asdict
from typing import Any

import pytest

from adapters.discord_chat.commands import payload
from adapters.discord_chat.phrases import ENGLISH, TRANSLATIONS
from adapters.web.words import page_words
from bot.words import DEFAULT_LANGUAGE, LANGUAGES

COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
"""What Discord takes for the name of a command and its options, in small letters where there are any."""
LONGEST_CHOICE = LONGEST_DESCRIPTION = 100


def named(of: dict[str, Any]) -> list[str]:
    return [of["name"], *of["name_localizations"].values()]


def described(of: dict[str, Any]) -> list[str]:
    return [of["description"], *of["description_localizations"].values()]


def test_discord_s_command_is_there_in_every_language() -> None:
    (command,) = payload()
    others = sorted({*LANGUAGES} - {DEFAULT_LANGUAGE})
    choices = [choice for option in command["options"] for choice in option.get("choices", ())]
    assert len(choices) > 10
    for part in (command, *command["options"], *choices):
        assert sorted(part["name_localizations"]) == others
    for part in (command, *command["options"]):
        assert sorted(part["description_localizations"]) == others
        assert all(COMMAND_NAME.fullmatch(name) and name == name.lower() for name in named(part))
        assert all(1 <= len(text) <= LONGEST_DESCRIPTION for text in described(part))
    assert all(1 <= len(name) <= LONGEST_CHOICE for choice in choices for name in named(choice))
    for language in LANGUAGES:
        names = [choice["name_localizations"].get(language, choice["name"]) for choice in choices]
        assert len(set(names)) == len(names), "two choices of one name"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_discord_s_sentences_are_translated(language: str) -> None:
    ours, english = asdict(TRANSLATIONS[language]), asdict(ENGLISH)
    assert "{link}" in ours["not_here"]
    assert [key for key in ("failed", "not_here", "lacks", "describes") if ours[key] == english[key]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language(language: str) -> None:
    words = page_words(f"{language}-XX")
    assert words.language == language
    assert all(asdict(words).values())
