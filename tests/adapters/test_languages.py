"""Each chat speaks every language of the application in what it says itself, and in its commands."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import discord
import pytest

from adapters.discord_chat.commands import SlashCommands
from adapters.telegram_chat.rendering import command_menus
from adapters.web.markup import renderer_for
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for
from bot.i18n import keys as all_keys
from bot.ports import Suggestion
from tests.offered import EVERYBODYS, ORGANISERS
from tests.servers.discord_api.commands import problems

LONGEST_CHOICE = 100
"""What Discord takes for a choice."""

LATIN_NAME = re.compile(r"[a-z0-9_]{1,32}")
"""What Telegram takes for a command's name."""

OTHERS = sorted({*LANGUAGES} & {str(each)[:2] for each in discord.Locale} - {DEFAULT_LANGUAGE})
"""Those that Discord has, too, besides the names that it is told first."""


def parts(of: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Commands and what is below them."""
    for each in of:
        yield each
        yield from parts(each.get("options") or [])


async def payload() -> list[dict[str, Any]]:
    """The commands as Discord is told of them."""

    class Nobody:
        async def run(self, *asked: object) -> None: ...

        async def suggest(self, *asked: object) -> list[Suggestion]:
            return []

    return await SlashCommands(discord.Client(intents=discord.Intents.none()), Nobody(), app=True).payload()


async def test_discord_s_commands_are_there_in_every_language() -> None:
    told = await payload()
    assert list(problems(told)) == []
    for part in parts(told):
        assert sorted(part["name_localizations"]) == OTHERS
        if "description" in part:  # a command of a person's menu has none
            assert sorted(part["description_localizations"]) == OTHERS
        for choice in part.get("choices") or []:
            names = [choice["name"], *choice["name_localizations"].values()]
            assert all(1 <= len(name) <= LONGEST_CHOICE for name in names)


async def test_discord_hides_what_organisers_set_from_everybody_else() -> None:
    hidden = {each["name"]: each["default_member_permissions"] for each in await payload()}
    assert {name for name, needed in hidden.items() if needed is not None} == {"organise"}
    assert hidden["organise"] == 32  # MANAGE_GUILD


@pytest.mark.parametrize("language", LANGUAGES)
def test_telegram_s_menus_name_every_command(language: str) -> None:
    menus = [commands for _, commands in command_menus(words_for(language), app=True)]
    private, groups, administrators = ([command.command for command in commands] for commands in menus)
    assert set(groups) < set(private)
    assert administrators[: len(groups)] == groups
    names = {*private, *administrators}
    assert len(names) == len(EVERYBODYS) + len(ORGANISERS)
    assert all(LATIN_NAME.fullmatch(name) for name in names)
    assert all(3 <= len(command.description) <= 256 for commands in menus for command in commands)


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_command_does_is_said_in_the_language_itself(language: str) -> None:
    """Names may be the same in two languages, sentences are not."""
    ours, english = words_for(language), words_for(DEFAULT_LANGUAGE)
    keys = ["chat.lacks", *(f"command.{verb}" for verb in (*EVERYBODYS, *ORGANISERS))]
    keys += [key for key in all_keys("en") if key.startswith(("group.", "argument.")) and "about" in key]
    values = {"permissions": "", "languages": ""}
    assert [key for key in keys if ours.plain(key, **values) == english.plain(key, **values)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language(language: str) -> None:
    html = renderer_for(f"{language}-XX").page()
    assert f'<html lang="{language}">' in html
    assert words_for(language).plain("page.needs_script") in html
    found = re.search(r'data-words="([^"]*)"', html)
    assert found is not None
    told = json.loads(unescape(found[1]))
    for key in ("page.your_name", "page.help", "live.now", "live.your_turn", "tile.false_joker"):
        assert told[key] == words_for(language).plain(key)
