"""A league's settings in words: each with its value, and when it meets."""

import re
from datetime import datetime
from typing import Final

from bot.i18n import Words
from bot.i18n.recurrences import DAYS
from bot.league.founding import LISTS, OPTIONS
from bot.league.model import Format, Schedule
from bot.markup import Text
from bot.screens.rules import clock_name, rules_lines
from engine.rules import rules_from

MINUTES: Final = ("length", "grace", "break")

_WEEKS: Final = re.compile(r"FREQ=WEEKLY(?:;INTERVAL=([0-9]+))?(?:;BYDAY=((?:[A-Z]{2},?)+))?")
_MONTH: Final = re.compile(r"FREQ=MONTHLY;BYDAY=\+?([1-4]|-1)([A-Z]{2})")


def option_name(option: str, words: Words) -> str:
    """What a setting is called."""
    return words.plain(f"league.option.{option}")


def option_value(option: str, format: Format, words: Words) -> str:
    """A setting's value."""
    value = getattr(format, OPTIONS[option].field)
    if option in LISTS:
        return ", ".join(word_name(option, each, words) for each in value) or words.plain("value.none")
    return value_name(option, value, words)


def value_name(option: str, value: object, words: Words) -> str:
    """One value of a setting."""
    match value:
        case str():
            return word_name(option, value, words)
        case int() if option in MINUTES:
            return words.plain("league.minutes", n=value)
        case int() if option == "clock":
            return clock_name(value, words)
        case 0 if option == "cap":
            return words.plain("league.no_cap")
        case int() | float():
            return words.number(value)
    raise TypeError(f"{option}: {value!r}")


def word_name(option: str, word: str, words: Words) -> str:
    """A word that a setting can be."""
    return words.plain(f"league.value.{option}.{word}")


def setting(option: str, format: Format, words: Words) -> str:
    """A setting and its value: `Rounds: 3`."""
    return words.plain(
        "rules.setting", switch=option_name(option, words), value=option_value(option, format, words)
    )


def schedule_line(schedule: Schedule, words: Words) -> Text:
    """When a league meets: `Every week on Thursday at 20:00 (Europe/Istanbul)`."""
    start = datetime.fromisoformat(schedule.start)
    return words.say(
        "league.meets",
        every=every_name(schedule.rule, start, words),
        time=f"{start:%H:%M}",
        zone=schedule.zone,
    )


def every_name(rule: str, start: datetime, words: Words) -> str:
    """A recurrence in words; one that has none is told as it stands."""
    if not rule:
        return words.plain("league.every.once", date=words.day(start))
    if found := _WEEKS.fullmatch(rule):
        n = int(found[1] or 1)
        days = found[2].split(",") if found[2] else [DAYS[start.weekday()]]
        named = ", ".join(words.weekday(DAYS.index(day)) for day in days)
        return words.plain("league.every.weeks" if n > 1 else "league.every.week", n=n, day=named)
    if found := _MONTH.fullmatch(rule):
        return words.plain(f"league.every.month.{found[1]}", day=words.weekday(DAYS.index(found[2])))
    return words.plain("league.every.rule", rule=rule, day=words.weekday(start.weekday()))


def format_lines(format: Format, words: Words) -> list[Text]:
    """How a night is played and counted, in a few lines."""
    return [
        *rules_lines(rules_from(format.rules), words),
        rounds_line(format, words),
        words.say(
            "league.tables",
            seating=word_name("seating", format.seating, words),
            fill=word_name("fill", format.fill, words),
        ),
        words.say(
            f"league.counts.{format.counting}", n=format.nights, best=min(format.best_of, format.nights)
        ),
        words.say("league.ties", ties=option_value("ties", format, words)),
        words.say("league.who", entry=word_name("entry", format.entry, words), cap=_cap(format, words)),
    ]


def rounds_line(format: Format, words: Words) -> Text:
    """How many rounds a night has, and how long one takes."""
    return words.say("league.rounds", n=format.rounds, minutes=format.round_minutes)


def _cap(format: Format, words: Words) -> str:
    return words.plain("league.cap", n=format.cap) if format.cap else words.plain("league.no_cap")
