"""A table's rules in words: the preset, what differs from it, and every switch with its values."""

from collections.abc import Callable, Mapping
from typing import Final, get_args, get_type_hints

from bot.screens.model import Text
from bot.words import Words
from engine.rules import Rules, switches_of

_HINTS: Final = get_type_hints(Rules)
_IN_THE_LINE: Final = ("players", "start_points", "end", "rounds")
"""Told in the line of every table, so they are no news."""

_NUMBERS: Final[Mapping[str, tuple[int, ...]]] = {
    "players": (2, 3, 4),
    "start_points": (5, 10, 20, 30, 50, 100),
    "rounds": (1, 3, 5, 7, 9, 11, 15, 20),
    "stake": (10, 50, 100, 500, 1000, 10_000),
    "opening_points": (51, 81, 101, 121, 151, 201),
    "opening_pairs": (4, 5, 6, 7, 8, 9, 10),
}
"""What the dialogue offers out of a switch's range; a command may name any other number."""


def _both(rules: Rules) -> bool:
    return True


def _classic(rules: Rules) -> bool:
    return rules.game == "classic"


def _in_101(rules: Rules) -> bool:
    return rules.game == "101"


_APPLIES: Final[Mapping[str, Callable[[Rules], bool]]] = {
    "players": _both,
    "teams": _both,
    "direction": _both,
    "deal": _both,
    "die_counts_from": lambda rules: rules.deal == "stacks",
    "false_joker_indicator": _both,
    "first_dealer": _both,
    "starter": _both,
    "discard_sources": _classic,
    "indicator_last_draw": _classic,
    "one_after_thirteen": _both,
    "pairs_win": _classic,
    "show": _classic,
    "rethrow": _classic,
    "scoring": _classic,
    "start_points": lambda rules: _classic(rules) and rules.scoring == "countdown",
    "stack_doublings": _both,
    "one_color_double": _classic,
    "end": lambda rules: _classic(rules) and rules.scoring == "countdown",
    "rounds": lambda rules: rules.end == "rounds",
    "pot": lambda rules: _classic(rules) and rules.scoring == "penalty",
    "stake": lambda rules: rules.pot,
    "opening_points": _in_101,
    "opening_pairs": _in_101,
    "raising": _in_101,
    "reclaim_joker": _in_101,
    "return_taken": _in_101,
    "strict": _in_101,
    "penalties": _in_101,
}
"""Every switch but `game`, which a preset decides, and when it does anything (RULES 8)."""


def switches_for(rules: Rules) -> tuple[str, ...]:
    """The switches that do something at such a table, in the order of RULES 8."""
    return tuple(name for name, applies in _APPLIES.items() if applies(rules))


def choices(switch: str) -> tuple[str | int | bool, ...]:
    """The values that the dialogue offers for a switch; for `penalties`, the members of its list."""
    if switch == "penalties":
        return tuple(get_args(get_args(_HINTS[switch])[0]))
    if _HINTS[switch] is bool:
        return True, False
    return _NUMBERS.get(switch) or get_args(_HINTS[switch])


def rules_lines(rules: Rules, words: Words) -> list[Text]:
    """The rules in a line: the preset, and how long it goes; in another, what differs, if anything does."""
    preset, changed = _told(rules)
    line = words.say(
        "rules.line",
        preset=words.plain(f"preset.{preset}"),
        players=words.plain("rules.players", n=rules.players),
        end=words.plain(f"rules.end.{rules.end}", n=rules.rounds, points=rules.start_points),
    )
    news = [setting(words, name, value) for name, value in changed.items() if name not in _IN_THE_LINE]
    return [line, words.say("rules.differs", switches=", ".join(news))] if news else [line]


def preset_of(rules: Rules) -> str:
    """The preset from which the fewest switches lead to these rules."""
    return _told(rules)[0]


def switch_name(words: Words, switch: str) -> str:
    """A switch by name; what is none, as it is."""
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


def _told(rules: Rules) -> tuple[str, dict[str, object]]:
    changed = switches_of(rules)
    return str(changed.pop("preset")), changed
