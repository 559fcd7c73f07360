"""Recurrences: how often something happens, in words: "every two weeks", "her ayın ilk perşembesi".

`recurrence.<word>` of the catalogues holds the names of a word, separated by `|`. All languages are
understood, each by itself, with or without diacritics.
"""

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Final

from bot.i18n import LANGUAGES, Words, words_for
from bot.i18n.commands import bare

DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""The days of a week in RFC 5545."""

_ORDINALS: Final[Mapping[str, int]] = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}


def read_recurrence(text: str, first: date) -> str | None:
    """Return the RRULE of a typed recurrence, empty for once; None when it is not understood.

    Words without a day mean the day of the first date: "monthly" from the second Thursday on is every second
    Thursday, from a fifth one on every last.
    """
    said = bare(text)
    for words in map(words_for, LANGUAGES):
        rule = _read(said, words, first)
        if rule is not None:
            return rule
    return None


def read_weekday(name: str) -> int | None:
    """Return the weekday of a name in any language, from 0 for Monday; None when it is none."""
    days = (_day(bare(name), words) for words in map(words_for, LANGUAGES))
    return next((DAYS.index(day) for day in days if day), None)


def read_days_ahead(name: str) -> int | None:
    """Return the days until the day of a name in any language: 0 for today, 1 for tomorrow; None when it is
    neither."""
    for days, word in enumerate(("today", "tomorrow")):
        if any(bare(name) in _names(words, word) for words in map(words_for, LANGUAGES)):
            return days
    return None


def _read(said: str, words: Words, first: date) -> str | None:
    day = DAYS[first.weekday()]
    position = (first.day - 1) // 7 + 1
    place = str(position if position < 5 else -1)
    known = {
        "once": "",
        "weekly": f"FREQ=WEEKLY;BYDAY={day}",
        "fortnightly": f"FREQ=WEEKLY;INTERVAL=2;BYDAY={day}",
        "monthly": f"FREQ=MONTHLY;BYDAY={place}{day}",
    }
    for word, rule in known.items():
        if said in _names(words, word):
            return rule
    return _read_days(said, words, place)


def _read_days(said: str, words: Words, place: str) -> str | None:
    """Days by their names, perhaps with their position in the month: "second and fourth Tuesday"."""
    pieces = said.split()
    days = [day for piece in pieces if (day := _day(piece, words))]
    if not days:
        return None
    places = [
        str(number)
        for piece in pieces
        for word, number in _ORDINALS.items()
        if piece.startswith(_names(words, word)) and not _day(piece, words)
    ]
    if places or _says(said, words, "monthly"):
        named = ",".join(number + day for day in days for number in places or [place])
        return f"FREQ=MONTHLY;BYDAY={named}"
    interval = "INTERVAL=2;" if _says(said, words, "fortnightly") else ""
    return f"FREQ=WEEKLY;{interval}BYDAY={','.join(days)}"


def _says(said: str, words: Words, word: str) -> bool:
    return any(name in said for name in _names(words, word))


def _day(piece: str, words: Words) -> str | None:
    """Return the day that a word names, with any ending. The longest name counts, as Pazartesi begins with
    Pazar."""
    fitting = [(len(name), day) for name, day in _day_names(words.language) if piece.startswith(name)]
    return max(fitting)[1] if fitting else None


def _names(words: Words, word: str) -> tuple[str, ...]:
    return tuple(bare(name) for name in words.plain(f"recurrence.{word}").split("|"))


@cache
def _day_names(language: str) -> tuple[tuple[str, str], ...]:
    words = words_for(language)
    return tuple((bare(words.weekday(number)), day) for number, day in enumerate(DAYS))
