"""Switches: the settings of a table's rules, by name."""

from collections.abc import Mapping
from typing import Final, get_args, get_type_hints

from bot.i18n import Words
from engine.rules import Rules

_HINTS: Final = get_type_hints(Rules)

_NUMBERS: Final[Mapping[str, tuple[int, ...]]] = {
    "players": (2, 3, 4),
    "start_points": (5, 10, 20, 30, 50, 100),
    "rounds": (1, 3, 5, 7, 9, 11, 15, 20),
    "stake": (10, 50, 100, 500, 1000, 10_000),
    "opening_points": (51, 81, 101, 121, 151, 201),
    "opening_pairs": (4, 5, 6, 7, 8, 9, 10),
}
"""The values of a numeric switch that the dialogue offers. A command may name any other in its range."""

_ROUNDS_101: Final = (3, 5, 7, 9, 11)
"""The numbers of rounds of a match of Okey 101 (RULES 5). The dialogue offers no others."""


def choices(switch: str, rules: Rules) -> tuple[str | int | bool, ...]:
    """The values that the dialogue offers for a switch under these rules; for `penalties`, the members of its
    list."""
    if switch == "rounds" and rules.game == "101":
        return _ROUNDS_101
    if switch == "penalties":
        return tuple(get_args(get_args(_HINTS[switch])[0]))
    if _HINTS[switch] is bool:
        return True, False
    return _NUMBERS.get(switch) or get_args(_HINTS[switch])


def switch_name(words: Words, switch: str) -> str:
    """A switch's name, or the text itself if it is no switch."""
    key = f"switch.{switch}"
    return words.plain(key) if words.has(key) else switch


def value_name(words: Words, switch: str, value: object) -> str:
    """A value of a switch in words."""
    match value:
        case bool():
            return words.plain("value.yes" if value else "value.no")
        case str():
            return words.plain(f"value.{switch}.{value}")
        case list() | tuple():
            return ", ".join(value_name(words, switch, each) for each in value) or words.plain("value.none")
    return str(value)


def setting(words: Words, switch: str, value: object) -> str:
    """A switch and its value: `Players: 3`."""
    return words.plain(
        "rules.setting", switch=switch_name(words, switch), value=value_name(words, switch, value)
    )
