"""A league that an organiser is about to found: every setting has a default, and is changed by a word.

A setting is named and written in the same way wherever it is set: on a button, and in a typed `rounds=4`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from bot.league.model import Counting, Entry, Fill, Format, Prize, Seating, TieBreak
from bot.tables.changes import Refused
from bot.tables.clocks import read_clock
from bot.tables.names import LONGEST, NOBODY, clean_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is set so far. Nothing of it is a league."""

    league: str
    """The id that the league will have: founding it twice founds it once."""
    place: str
    language: str
    name: str
    start: str = ""
    """As somebody typed or pressed it; empty while it is not said."""
    zone: str = "UTC"
    every: str = "weekly"
    """As somebody typed it, or an RRULE."""
    format: Format = field(default_factory=Format)


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the format: its field, how its words are read, and which of them are offered."""

    field: str
    read: Callable[[str, str], Any]
    """From the setting's name and a word to the field's value. Raises Refused."""
    offered: tuple[str, ...]


def _number(least: int, most: int) -> Callable[[str, str], int]:
    def read(option: str, text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
        if not least <= number <= most:
            raise Refused("league_number", option=option, least=least, most=most)
        return number

    return read


def _points(option: str, text: str) -> float:
    """From 0 to 3, in halves and quarters: `1.5`, or `1,5` as most of Europe writes it."""
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = -1.0
    if not (0 <= points <= 3 and (4 * points).is_integer()):
        raise Refused("league_points", option=option)
    return points


def _word(known: tuple[str, ...]) -> Callable[[str, str], str]:
    def read(option: str, text: str) -> str:
        if text.lower() not in known:
            raise Refused("league_word", option=option, word=text[:32], known=", ".join(known))
        return text.lower()

    return read


def _list(known: tuple[str, ...]) -> Callable[[str, str], tuple[str, ...]]:
    def read(option: str, text: str) -> tuple[str, ...]:
        words = text.replace(",", " ").split()
        return tuple(dict.fromkeys(_word(known)(option, word) for word in words if word != NONE))

    return read


def _clock(option: str, text: str) -> int:
    return read_clock(text)


NONE: Final = "none"
"""Stands for an empty list."""

OPTIONS: Final[Mapping[str, Option]] = {
    "rounds": Option("rounds", _number(1, 12), ("1", "2", "3", "4", "5", "6")),
    "length": Option("round_minutes", _number(5, 240), ("15", "20", "30", "40", "60", "90")),
    "grace": Option("grace_minutes", _number(0, 120), ("0", "5", "10", "15", "20", "30")),
    "break": Option("break_minutes", _number(0, 60), ("0", "2", "5", "10", "15")),
    "clock": Option("turn_seconds", _clock, ("30s", "60s", "2m", "5m")),
    "seating": Option("seating", _word(get_args(Seating)), get_args(Seating)),
    "fill": Option("fill", _word(get_args(Fill)), get_args(Fill)),
    "cap": Option("cap", _number(0, 400), ("0", "8", "12", "16", "24", "32", "48", "64")),
    "entry": Option("entry", _word(get_args(Entry)), get_args(Entry)),
    "bye": Option("bye_points", _points, ("0", "1,5", "2", "3")),
    "missed": Option("missed_points", _points, ("0", "0,5", "1", "1,5")),
    "ties": Option("ties", _list(get_args(TieBreak)), get_args(TieBreak)),
    "counting": Option("counting", _word(get_args(Counting)), get_args(Counting)),
    "best": Option("best_of", _number(1, 60), ("3", "4", "5", "6", "8", "10")),
    "nights": Option("nights", _number(1, 60), ("4", "6", "8", "10", "12", "16")),
    "prizes": Option("prizes", _list(get_args(Prize)), get_args(Prize)),
    "stake": Option("stake", _number(0, 10_000), ("0", "50", "100", "500", "1000")),
}
"""The settings of a format by the names under which they are typed."""

LISTS: Final = ("ties", "prizes")
"""Settings that are lists: a button puts one word in front, or in or out."""

SCHEDULE: Final = ("start", "zone", "every")
NAMED: Final = ("name", *SCHEDULE, "game", *OPTIONS)
"""Everything that can be set."""


def changed(draft: Draft, option: str, text: str) -> Draft:
    """The draft with one setting as a word says it; what a schedule says is judged when it is complete.

    Raises Refused `unknown_league_option`, `league_number`, `league_points`, `league_word`, `bad_clock`,
    `league_name`.
    """
    text = text.strip()
    if option == "name":
        return replace(draft, name=league_name(text))
    if option in SCHEDULE:
        return _scheduled(draft, option, text)
    if option not in OPTIONS:
        raise Refused("unknown_league_option", option=option[:32], known=", ".join(NAMED))
    known = OPTIONS[option]
    value = known.read(option, text)
    return replace(draft, format=replace(draft.format, **{known.field: value}))


def _scheduled(draft: Draft, option: str, text: str) -> Draft:
    match option:
        case "start":
            return replace(draft, start=text)
        case "zone":
            return replace(draft, zone=text)
    return replace(draft, every=text)


def league_name(text: str) -> str:
    """A league's name as it is shown. Raises Refused `league_name` when it is none or too long."""
    name = clean_name(text)
    if name == NOBODY or len(" ".join(text.split())) > LONGEST:
        raise Refused("league_name", most=LONGEST)
    return name


def toggled(format: Format, option: str, word: str) -> str:
    """A list after a press on one of its words: a tie-break goes to the front, a prize in or out."""
    held = [str(each) for each in getattr(format, OPTIONS[option].field)]
    rest = [each for each in held if each != word]
    return ",".join([word, *rest] if option == "ties" or word not in held else rest) or NONE


def best_fits(format: Format) -> Format:
    """No season has more nights that count than it has nights."""
    return replace(format, best_of=min(format.best_of, format.nights))
