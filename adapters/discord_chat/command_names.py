"""Command names: the names of commands, groups and options in Discord, and how a command in a text is
written.

Names have small letters, digits and hyphens. Each client shows those of its own language.
"""

from typing import Final

from bot.commands import DECLARED_COMMANDS, Argument, Command
from bot.i18n import Words, words_for
from bot.i18n.commands import name_of, word_of
from bot.markup import Typed

OPENS_TABLES: Final = "play"
"""The verb of `/okey` itself."""


def command_name(command: Command, words: Words) -> str:
    """Return the last part of a command's name. In a group with the verb's own name it is the word for an
    overview."""
    if command.name == OPENS_TABLES:
        return words.plain("group.okey")
    if command.name == command.group:
        return words.plain("group.overview")
    verb, _, word = command.name.partition(" ")
    return _hyphenate(word_of(word, words) if word else name_of(verb, words))


def group_name(group: str, words: Words) -> str:
    """Return the last part of a group's name."""
    return words.plain(f"group.{group.split()[-1]}")


def argument_name(argument: Argument, words: Words) -> str:
    """Return the name of an option."""
    return words.plain(f"argument.{argument.name}")


def choice_name(argument: Argument, value: str, words: Words) -> str:
    """Return the label of a choice."""
    if value in argument.labels:
        return argument.labels[value]
    key = argument.said.format(value)
    return words.plain(key) if key and words.has(key) else value


def type_in_discord(typed: Typed) -> str:
    """Return a command as people type it in Discord, with its options by their names."""
    words, command = words_for(typed.language), DECLARED_COMMANDS[typed.command]
    named = {argument.name: argument for argument in command.arguments}
    pieces = [*(group_name(group, words) for group in command.group.split()), command_name(command, words)]
    for name, value in typed.arguments:
        shown = "True" if named[name].kind == "flag" else choice_name(named[name], value, words)
        pieces.append(f"{argument_name(named[name], words)}:{shown}")
    return "/" + " ".join(pieces)


def _hyphenate(name: str) -> str:
    return name.replace(" ", "-")
