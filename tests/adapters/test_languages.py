"""Each chat speaks every language of the application in what it says itself, and in its commands."""

import re
from typing import Any

import discord
import pytest

from adapters.discord_chat.commands import SlashCommands
from adapters.telegram_chat.keyboards import command_menus
from adapters.web.markup import renderer_for
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for
from tests.offered import EVERYBODYS, ORGANISERS, Offering

COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
"""What Discord takes for the name of a command and its options, in small letters where there are any."""
MOST_CHOICES = 25
LONGEST_CHOICE = LONGEST_DESCRIPTION = 100

LATIN_NAME = re.compile(r"[a-z0-9_]{1,32}")
"""What Telegram takes for a command's name."""

OTHERS = sorted({*LANGUAGES} - {DEFAULT_LANGUAGE})


def named(of: dict[str, Any]) -> list[str]:
    return [of["name"], *of["name_localizations"].values()]


def described(of: dict[str, Any]) -> list[str]:
    return [of["description"], *of["description_localizations"].values()]


def choices_of(command: dict[str, Any]) -> list[dict[str, Any]]:
    return [choice for option in command["options"] for choice in option.get("choices", ())]


async def payload() -> list[dict[str, Any]]:
    """The commands as Discord is told of them."""

    async def run(*asked: object) -> None: ...

    return await SlashCommands(discord.Client(intents=discord.Intents.none()), Offering(), run).payload()


async def test_discord_offers_every_command() -> None:
    offered = [[choice["value"] for choice in choices_of(command)] for command in await payload()]
    assert offered == [[*EVERYBODYS], [*ORGANISERS]]
    assert all(len(verbs) <= MOST_CHOICES for verbs in offered)


@pytest.mark.parametrize("number", [0, 1])
async def test_discord_s_commands_are_there_in_every_language(number: int) -> None:
    command = (await payload())[number]
    choices = choices_of(command)
    for part in (command, *command["options"], *choices):
        assert sorted(part["name_localizations"]) == OTHERS
    for part in (command, *command["options"]):
        assert sorted(part["description_localizations"]) == OTHERS
        assert all(COMMAND_NAME.fullmatch(name) and name == name.lower() for name in named(part))
        assert all(1 <= len(text) <= LONGEST_DESCRIPTION for text in described(part))
    assert all(1 <= len(name) <= LONGEST_CHOICE for choice in choices for name in named(choice))
    for language in LANGUAGES:
        names = [choice["name_localizations"].get(language, choice["name"]) for choice in choices]
        assert len(set(names)) == len(names), "two choices of one name"


async def test_discord_hides_what_organisers_set_from_everybody_else() -> None:
    everybodys, organisers = await payload()
    assert everybodys["default_member_permissions"] is None
    assert organisers["default_member_permissions"] == 32  # MANAGE_GUILD


@pytest.mark.parametrize("language", LANGUAGES)
def test_telegram_s_menus_name_every_command(language: str) -> None:
    everybodys, administrators = (commands for _, commands in command_menus(Offering(), words_for(language)))
    assert [command.command for command in administrators][: len(everybodys)] == [
        command.command for command in everybodys
    ]
    names = [command.command for command in administrators]
    assert len(set(names)) == len(EVERYBODYS) + len(ORGANISERS)
    assert all(LATIN_NAME.fullmatch(name) for name in names)
    assert all(3 <= len(command.description) <= 256 for command in administrators)


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_command_does_is_said_in_the_language_itself(language: str) -> None:
    """Names may be the same in two languages, sentences are not."""
    ours, english = words_for(language), words_for(DEFAULT_LANGUAGE)
    keys = [f"command.{verb}" for verb in (*EVERYBODYS, *ORGANISERS)]
    keys += ["slash.action_about", "slash.text_about", "slash.organise_about", "chat.lacks"]
    assert [
        key for key in keys if ours.plain(key, permissions="") == english.plain(key, permissions="")
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language(language: str) -> None:
    html = renderer_for(f"{language}-XX").page()
    assert f'<html lang="{language}">' in html
    for key in ("page.your_name", "page.open_table", "page.needs_script", "page.help"):
        assert words_for(language).plain(key) in html
