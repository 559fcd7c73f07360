"""Switches: the settings of a table's rules, by name."""

from collections.abc import Mapping, Sequence
from typing import Final, get_args, get_type_hints

from bot.i18n import Words
from engine.rules import Rules, switches_for

_HINTS: Final = get_type_hints(Rules)

_NUMBERS: Final[Mapping[str, tuple[int, ...]]] = {
    "players": (2, 3, 4),
    "start_points": (5, 10, 20, 30, 50, 100),
    "rounds": (1, 3, 5, 7, 9, 11, 15, 20),
    "stake": (10, 50, 100, 500, 1000, 10_000),
    "opening_points": (51, 81, 101, 121, 151, 201),
    "opening_pairs": (4, 5, 6, 7, 8, 9, 10),
    "bowl": (0, 10, 50, 100, 200, 500, 1000),
    "show_spares": (0, 3, 5, 10, 20),
    "last_factor": (1, 2, 3, 4, 5),
    "extend_within": (0, 10, 25, 50, 100, 202, 500),
}
"""The values of a numeric switch that the dialogue offers. A command may name any other in its range."""

_COLOURS: Final[Mapping[str, str]] = {"R": "🔴", "Y": "🟡", "B": "🔵", "K": "⚫"}
"""The sign of each colour's factor, by the letter of the colour."""
_FACTORS: Final = tuple(f"{letter}{factor}" for letter in _COLOURS for factor in (1, 2, 3, 4, 5))
"""The factors that the dialogue offers, each by its colour's letter and its number."""

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "table": ("players", "teams", "direction", "first_dealer", "starter", "end", "rounds", "extend_within"),
    "deal": ("deal", "die_counts_from", "false_joker_indicator", "riziko", "indicator_last_draw"),
    "play": (
        "discard_sources",
        "rethrow",
        "last_take",
        "show",
        "pairs_win",
        "one_after_thirteen",
        "opening_points",
        "opening_pairs",
        "raising",
        "elden_below",
        "declare_pairs",
        "lay_pairs",
        "pairs_lay_off",
        "reclaim_joker",
        "strict",
    ),
    "scoring": (
        "scoring",
        "start_points",
        "stack_doublings",
        "one_color_double",
        "show_spares",
        "openers_pay",
        "factors",
        "last_factor",
    ),
    "chips": ("pot", "stake", "bowl"),
    "penalties": ("penalties", "playable_called", "return_taken", "partner_penalties"),
}
"""The pages of the dialogue, and the switches on each."""

_ROUNDS_101: Final = (3, 5, 7, 9, 11)
"""The numbers of rounds of a match of Okey 101 (RULES 5). The dialogue offers no others."""


def choices(switch: str, rules: Rules) -> tuple[str | int | bool, ...]:
    """Return the values that the dialogue offers for a switch under these rules; for `penalties`, the members
    of its list; for `factors`, a colour's letter with its factor: `R2`."""
    if switch == "rounds" and rules.game == "101":
        return _ROUNDS_101
    if switch == "penalties":
        return tuple(get_args(get_args(_HINTS[switch])[0]))
    if switch == "factors":
        return _FACTORS
    if _HINTS[switch] is bool:
        return True, False
    return _NUMBERS.get(switch) or get_args(_HINTS[switch])


def is_number(switch: str) -> bool:
    """Return whether a switch's value is a number, of which the dialogue does not offer all."""
    return switch in _NUMBERS and switch not in ("players", "opening_pairs")


def groups_of(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Return the groups of switches that have an effect at such a table, in the order of the dialogue."""
    known = switches_for(rules)
    of_table = {
        group: tuple(name for name in switches if name in known) for group, switches in _GROUPS.items()
    }
    return {group: switches for group, switches in of_table.items() if switches}


def group_of(switch: str) -> str:
    """Return the group of a switch."""
    return next((group for group, switches in _GROUPS.items() if switch in switches), "table")


def list_chosen_values(switch: str, rules: Rules) -> tuple[object, ...]:
    """Return those of `choices` that the rules have."""
    now = getattr(rules, switch)
    if switch == "factors":
        return tuple(f"{letter}{factor}" for letter, factor in zip(_COLOURS, now, strict=True))
    return now if isinstance(now, tuple) else (now,)


def with_value(rules: Rules, switch: str, text: str) -> object:
    """Return the value of a switch after a button with this text was pressed.

    A penalty comes with its sign: `+takeback` adds it to the list, `-takeback` takes it out. Raises
    ValueError for a text that no button has.
    """
    if switch == "penalties":
        if text[:1] not in ("+", "-"):
            raise ValueError(text)
        others: list[str] = [penalty for penalty in rules.penalties if penalty != text[1:]]
        return [*others, text[1:]] if text.startswith("+") else others
    if switch == "factors":
        places = list(_COLOURS)
        factors = list(rules.factors)
        factors[places.index(text[:1].upper())] = int(text[1:])
        return factors
    return value_of(switch, text)


def value_of(switch: str, text: str) -> object:
    """Return a switch's value as RULES 8 writes it: a number, true or false, a word, or a list of them."""
    if switch == "penalties":
        return [word for word in text.split(",") if word]
    if switch == "factors":
        return [_number_or_word(word) for word in text.split(",")]
    if text in ("true", "false"):
        return text == "true"
    return _number_or_word(text)


def _number_or_word(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else text


def switch_name(words: Words, switch: str) -> str:
    """Return a switch's name, or the text itself if it is no switch."""
    key = f"switch.{switch}"
    return words.plain(key) if words.has(key) else switch


def value_name(words: Words, switch: str, value: object) -> str:
    """Return a value of a switch in words."""
    match value:
        case str() if switch == "factors":
            return f"{_COLOURS[value[0]]} ×{value[1:]}"
        case list() | tuple() if switch == "factors":
            return tell_factors(value)
        case bool():
            return words.plain("value.yes" if value else "value.no")
        case str():
            return words.plain(f"value.{switch}.{value}")
        case list() | tuple():
            return ", ".join(value_name(words, switch, each) for each in value) or words.plain("value.none")
    key = f"value.{switch}.{value}"
    return words.plain(key) if words.has(key) else str(value)


def tell_factors(factors: Sequence[int]) -> str:
    """Return the factors of the colours: `🔴 ×1 🟡 ×2 🔵 ×3 ⚫ ×4`."""
    return " ".join(f"{sign} ×{factor}" for sign, factor in zip(_COLOURS.values(), factors, strict=True))


def setting(words: Words, switch: str, value: object) -> str:
    """Return a switch and its value: `Players: 3`."""
    return words.plain(
        "rules.setting", switch=switch_name(words, switch), value=value_name(words, switch, value)
    )


def difference(words: Words, switch: str, value: object) -> str:
    """Return what a switch with this value means to people who don't know it by name; a setting that says so
    itself is named."""
    answer = (".yes" if value else ".no") if isinstance(value, bool) else ""
    key = f"differs.{switch}{answer}"
    if not words.has(key):
        return setting(words, switch, value)
    return words.plain(key, value=value_name(words, switch, value))
