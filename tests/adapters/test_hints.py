"""Hints: whatever a message tells people to type can be typed just so in the chat where they read it."""

import re
from collections.abc import Iterator

import pytest

from adapters.discord_chat.command_names import argument_name, choice_name, command_name, group_name
from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import markdown
from adapters.telegram_chat.rendering import as_plain
from bot.commands import DECLARED_COMMANDS, Argument, Command
from bot.i18n import LANGUAGES, Words, keys, words_for
from bot.i18n.commands import bare, read_command
from bot.markup import Typed
from tests.bot.test_words import catalogue, texts_of
from tests.offered import COMMANDS

VALUE = "7"
"""Stands for every value that a message has of its own."""
assert COMMANDS, "the handlers have declared themselves"


def hints(language: str) -> Iterator[tuple[str, Typed]]:
    """Every command that some message of a language names, with the message's key."""
    words = words_for(language)
    for key, message in catalogue(language).items():
        texts = " ".join(texts_of(message))
        if "{/" in texts:
            values = dict.fromkeys(re.findall(r"\w+", texts), VALUE)
            text = words.say(key, **(values | {"n": 7} if message.pluralizable else values))
            yield from ((key, part) for part in text if isinstance(part, Typed))


def test_no_message_writes_a_command_by_itself() -> None:
    """Each chat writes commands in its own way."""
    slashed = re.compile(r"(?<![\w{/])/[a-zçğıöşü]{3,}")
    found = {
        key
        for language in LANGUAGES
        for key, message in catalogue(language).items()
        for text in texts_of(message)
        if slashed.search(text)
    }
    assert found == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_can_be_typed_as_lines(language: str) -> None:
    """In Telegram and on the page: the router reads the same command and the same words."""
    count = 0
    for key, hint in hints(language):
        line = as_plain((hint,), 1000, now=0.0)
        assert line.startswith("/okey"), key
        typed = line.removeprefix("/okey").strip()
        verb, rest = read_command(typed) or ("play", typed)
        word = ""
        if " " in hint.command:
            called, _, rest = rest.partition(" ")
            word = next(each for each in words_of_league(called))
        command = DECLARED_COMMANDS[hint.command]
        assert f"{verb} {word}".strip() == hint.command, key
        assert rest == command.line(dict(hint.arguments)).removeprefix(word).strip(), key
        count += 1
    assert count > 40


def words_of_league(called: str) -> Iterator[str]:
    for name in keys("en"):
        if found := re.fullmatch(r"league\.word\.(\w+)", name):
            for language in LANGUAGES:
                if bare(called) in map(bare, words_for(language).plain(name).split("|")):
                    yield found[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_can_be_typed_on_discord(language: str) -> None:
    """The groups, the command and each option are there under these names, and take these values."""
    words = words_for(language)
    for key, hint in hints(language):
        shown = markdown((hint,), TileEmojis(), 1000).strip("`")
        command, options = read(shown, words)
        assert command.name == hint.command, key
        assert options == dict(hint.arguments), key
        required = {argument.name for argument in command.arguments if argument.required}
        assert required <= {*options}, key


def read(shown: str, words: Words) -> tuple[Command, dict[str, str]]:
    """The command and the options that a client of this language would take from what is written."""
    offered = (each for each in DECLARED_COMMANDS.values() if each.audience is not None)
    fitting = [each for each in offered if f"{shown} ".startswith(f"/{' '.join(path(each, words))} ")]
    command = max(fitting, key=lambda each: len(path(each, words)))
    named = {argument_name(argument, words): argument for argument in command.arguments}
    rest = shown.removeprefix(f"/{' '.join(path(command, words))}")
    parts = re.split(rf"\s({'|'.join(named) or '-'}):", rest)
    assert parts[0] == "", shown
    return command, {
        named[name].name: value_of(named[name], text, words)
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def value_of(argument: Argument, text: str, words: Words) -> str:
    if argument.choices:
        return {choice_name(argument, value, words): value for value in argument.choices}[text]
    if argument.kind == "flag":
        assert text == "True"
        return argument.name
    assert argument.least <= (int(text) if argument.kind == "integer" else len(text)) <= argument.most
    return text


def path(command: Command, words: Words) -> list[str]:
    return [
        *(group_name(group, words) for group in command.group.split()),
        command_name(command, words),
    ]
