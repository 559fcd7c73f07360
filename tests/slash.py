"""A line such as `league dispute 1.3 why` as a slash command: its name with its groups, and its options."""

import re
from typing import Final

from bot.commands import DECLARED_COMMANDS, Argument, Command
from bot.i18n import words_for
from bot.i18n.commands import name_of, read_command
from tests.offered import COMMANDS

Options = dict[str, str | int | bool]
ENGLISH = words_for("en")
assert COMMANDS, "the handlers have declared themselves"


def slash(line: str) -> tuple[str, Options]:
    """The command that somebody types on Discord instead of `/okey` and this line."""
    verb, rest = read_command(line) or ("play", line)
    name = verb
    if verb == "league" and f"league {rest.partition(' ')[0]}" in DECLARED_COMMANDS:
        word, _, rest = rest.partition(" ")
        name = f"league {word}"
    command = DECLARED_COMMANDS[name]
    found = re.fullmatch("".join(map(_pattern, command.arguments)) + r"\s*", f" {rest.strip()}")
    assert found is not None, line
    given = {each: found[each.name] for each in command.arguments if found[each.name] is not None}
    return path(command), {each.name: _value(each, text) for each, text in given.items()}


def path(command: Command) -> str:
    """Its name, with the names of its groups before it."""
    if command.name == "play":
        return "okey"
    last = "overview" if command.name == command.group else name_of(command.verb, ENGLISH)
    if " " in command.name:
        last = ENGLISH.plain(f"league.word.{command.name.split()[1]}").split("|")[0]
    return f"{command.group} {last.replace(' ', '-')}".strip()


_SHAPES: Final = {"integer": r"\d+", "league": r"(?=\w*\d)\w{8}", "result": r"[\d.]+", "person": r"\d+"}
"""Of what a line holds, by its kind; of scores, numbers."""


def _pattern(argument: Argument) -> str:
    """What may stand for an argument in a line: as much as there is where it is text."""
    if argument.kind == "flag":
        return rf"(?:\s+(?P<{argument.name}>{argument.form}))?"
    shape = "|".join(argument.choices) or _SHAPES.get(argument.kind) or ".+"
    if argument.name in ("code", "member", "one"):
        shape = r"[^\s,]+"
    elif argument.name == "points":
        shape = r"[\d.,]+"
    elif argument.name == "scores":
        shape = r"-?\d+(?: -?\d+)*"
    elif argument.name == "offset":
        shape = r"[-+][\d:]+"
    elif "=" in argument.form and not argument.choices:
        shape = rf"(?:{shape})(?=\s\w+=|$)" if argument.kind == "integer" else r".+?(?=\s\w+=|$)"
    before, _, behind = argument.form.partition("{}")
    end = r"(?!\S)" if not behind else ""
    return rf"(?:\s+{before}(?P<{argument.name}>{shape}){behind}{end})?"


def _value(argument: Argument, text: str) -> str | int | bool:
    if argument.kind in ("integer", "person"):
        return int(text)
    return True if argument.kind == "flag" else text
