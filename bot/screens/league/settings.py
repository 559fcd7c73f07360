"""Settings of a league in words, and the pages on which an organiser chooses them and founds it."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.callback_data import callback_text
from bot.i18n import Words, join, plain
from bot.i18n.recurrences import DAYS, read_recurrence
from bot.league.finals import SIZES, stage_of
from bot.league.founding import DEFAULT_VISIBILITY, LISTS, OPTIONS, VISIBILITIES, LeagueDraft
from bot.league.model import Format, League, Schedule, Visibility
from bot.league.seating import leftovers
from bot.markup import Button, Moment, Name, Page, Strong, Text
from bot.screens.league.divisions import divisions_line
from bot.screens.league.parts import page, to_hub
from bot.screens.parts import button, choice, in_rows, shorten
from bot.screens.rules import clock_name, preset_of, rules_lines
from engine.rules import PRESETS, rules_from

NIGHT: Final = ("rounds", "length", "grace", "break", "clock", "seating", "fill", "cap", "entry")
SEASON: Final = (
    *("nights", "counting", "best", "ties", "finals", "carry"),
    *("matches", "divisions", "bye", "missed", "prizes", "stake"),
)
GROUPS: Final = {"night": NIGHT, "season": SEASON}
"""The settings of the format, by the page on which they stand."""
_IN_WORDS: Final = ("seating", "fill", "entry", "counting", "ties", "finals", "carry", "divisions", "prizes")
"""The settings whose values are long. Each has a row of its own."""

TIMES: Final = (
    *("14:00", "16:00", "17:00", "18:00", "18:30", "19:00"),
    *("19:30", "20:00", "20:30", "21:00", "21:30", "22:00"),
)
ZONES: Final = (
    *("Europe/Istanbul", "Europe/Berlin", "Europe/London", "Asia/Seoul", "Asia/Baku", "Asia/Dubai"),
    *("America/New_York", "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo"),
    *("Australia/Sydney", "UTC"),
)
EVERY: Final = ("weekly", "fortnightly", "monthly", "once")
"""The recurrences offered as buttons, in the words that people can also type."""

PAGES: Final = ("day", "time", "zone", "every", "game", "night", "season", "visibility")
"""The pages of founding to which the summary leads."""

MINUTES: Final = ("length", "grace", "break")

DEAL_MINUTES: Final = 5
"""The minutes that a deal takes: about forty turns, at seven or eight seconds each."""
LONG_MINUTES: Final = 6 * 60
"""The length in minutes above which a night gets a warning."""

_LABEL: Final = 78
"""The most characters of a label, besides the sign of the current choice: every chat shows 80."""
_WEEKS: Final = re.compile(r"FREQ=WEEKLY(?:;INTERVAL=([0-9]+))?(?:;BYDAY=((?:[A-Z]{2},?)+))?")
_MONTH: Final = re.compile(r"FREQ=MONTHLY;BYDAY=\+?([1-4]|-1)([A-Z]{2})")


# In words


def schedule_line(schedule: Schedule, words: Words) -> Text:
    """Return a league's schedule: `Every week on Thursday at 20:00 (Europe/Istanbul)`."""
    start = datetime.fromisoformat(schedule.start)
    every = every_name(schedule.rule, start, words)
    return words.say("league.meets", every=every, time=f"{start:%H:%M}", zone=schedule.zone)


def about_league(league: League, words: Words) -> str:
    """Return when and how a league plays, in plain lines."""
    lines = (schedule_line(league.schedule, words), *format_lines(league.format, words))
    return plain(join(lines), words)


def every_name(rule: str, start: datetime, words: Words) -> str:
    """Return a recurrence in words, or as it stands if it has none."""
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
    """Return the format of a night and its scoring, in a few lines."""
    seating, fill, entry = (option_value(each, format, words) for each in ("seating", "fill", "entry"))
    cap = words.plain("league.cap", n=format.cap) if format.cap else words.plain("league.no_cap")
    best = min(format.best_of, format.nights)
    return [
        *rules_lines(rules_from(format.rules), words, of_league=True),
        rounds_line(format, words),
        words.say("league.tables", seating=seating, fill=fill),
        words.say(
            f"league.counts.{format.counting}",
            n=format.nights,
            best=words.plain("league.best_count", n=best) if format.counting == "best" else best,
        ),
        words.say("league.ties", ties=option_value("ties", format, words)),
        words.say("league.who", entry=entry, cap=cap),
        *finals_lines(format, words),
        *divisions_line(format, words),
    ]


def finals_lines(format: Format, words: Words) -> list[Text]:
    """Return how a season ends, if not with its table."""
    stage = stage_of(format, max(SIZES))
    if stage is None:
        return []
    if stage.kind == "cut":
        return [words.say("league.finals.cut", n=stage.size, carry=option_value("carry", format, words))]
    kind = "tournament" if stage.groups else "knockout"
    lines = [words.say(f"league.finals.{kind}", n=stage.size)]
    if stage.tables_per_match > 1:
        lines.append(words.say("league.finals.matches", n=stage.tables_per_match))
    return lines


def rounds_line(format: Format, words: Words) -> Text:
    """Return the number of rounds of a night, and the length of one."""
    return words.say("league.rounds", n=format.rounds, minutes=format.round_minutes)


def evening_line(schedule: Schedule, format: Format, words: Words) -> Text:
    """Return the length of a night, and when it ends."""
    start = datetime.fromisoformat(schedule.start)
    end, latest = (start + timedelta(minutes=n) for n in (format.night_minutes, format.longest_minutes))
    long = _duration(format.night_minutes, words)
    return words.say(
        "league.evening", long=long, start=f"{start:%H:%M}", end=f"{end:%H:%M}", latest=f"{latest:%H:%M}"
    )


def warning_lines(format: Format, words: Words) -> list[Text]:
    """Warnings about a format that hardly fits into an evening."""
    rules = rules_from(format.rules)
    deals = rules.rounds if rules.end == "rounds" else 1
    most, lines = format.round_minutes + format.grace_minutes, []
    if format.round_minutes <= DEAL_MINUTES or deals * DEAL_MINUTES > most:
        minutes = deals * DEAL_MINUTES
        lines.append(words.say("league.warning.deals", n=deals, minutes=minutes, round=format.round_minutes))
    if 4 * format.turn_seconds > 60 * most:
        clock = clock_name(format.turn_seconds, words)
        lines.append(words.say("league.warning.clock", clock=clock, round=format.round_minutes))
    if format.night_minutes > LONG_MINUTES:
        lines.append(words.say("league.warning.long", long=_duration(format.night_minutes, words)))
    return lines


def _duration(minutes: int, words: Words) -> str:
    """`1 h 34 min`."""
    hours, rest = divmod(minutes, 60)
    parts = [("league.hours", hours), ("league.minutes", rest)]
    return " ".join(words.plain(key, n=n) for key, n in parts if n)


def option_name(option: str, words: Words) -> str:
    """Return the name of a setting."""
    return words.plain(f"league.option.{option}")


def option_value(option: str, format: Format, words: Words) -> str:
    """Return a setting's value."""
    value = getattr(format, OPTIONS[option].field)
    if option == "fill":
        value = leftovers(format.fill, format.seating)
    if option in LISTS:
        return ", ".join(value_name(option, each, words) for each in value) or words.plain("value.none")
    return value_name(option, value, words)


def value_name(option: str, value: object, words: Words) -> str:
    """Return one value of a setting."""
    match value:
        case str():
            return words.plain(f"league.value.{option}.{value}")
        case int() if option in MINUTES:
            return words.plain("league.minutes", n=value)
        case int() if option == "clock":
            return clock_name(value, words)
        case 0 if option == "cap":
            return words.plain("league.no_cap")
        case int() | float():
            return words.number(value)
    raise TypeError(f"{option}: {value!r}")


# The pages of founding. Day and time are enough: everything else has a default.


def zone_page(
    draft: LeagueDraft, likely: Sequence[str], now: float, words: Words, *, asks: bool = False
) -> Page:
    """Return the first question: the time zone. Each zone shows its current time. `asks`: here and on the
    following pages, whether the chat asks for what no button has."""
    zones = dict.fromkeys((*filter(None, (draft.zone,)), *likely, *ZONES))
    buttons = [
        _choose(
            f"{zone} · {datetime.fromtimestamp(now, ZoneInfo(zone)):%H:%M}",
            draft,
            "zone",
            zone,
            chosen=zone == draft.zone,
        )
        for zone in zones
    ]
    return _page(draft, "zone", words, *in_rows(buttons, 2), _asking(draft, "draft_zone", words, asks=asks))


def day_page(draft: LeagueDraft, words: Words, *, asks: bool = False) -> Page:
    """Return the second question: the day."""
    days = [_choose(words.weekday(day), draft, "day", str(day)) for day in range(7)]
    asked = _asking(draft, "draft_start", words, asks=asks)
    return _page(draft, "day", words, days[:3], days[3:5], days[5:], asked)


def time_page(draft: LeagueDraft, words: Words, *, asks: bool = False) -> Page:
    """Return the third question: the time."""
    times = [_choose(time, draft, "time", time) for time in TIMES]
    zone = button(words, "league_draft", draft.league, "zone", says="league_zone", zone=draft.zone)
    asked = _asking(draft, "draft_start", words, asks=asks)
    return _page(draft, "time", words, *in_rows(times, 4), (zone, *asked))


def summary_page(draft: LeagueDraft, schedule: Schedule, words: Words, *, asks: bool = False) -> Page:
    """Return all settings of the new league, and the button that founds it."""
    lines = [
        schedule_line(schedule, words),
        evening_line(schedule, draft.format, words),
        *format_lines(draft.format, words),
        visibility_line(draft.visibility or DEFAULT_VISIBILITY, words),
        *warning_lines(draft.format, words),
    ]
    pages = [*(_to(draft, page, words) for page in PAGES), *_asking(draft, "draft_name", words, asks=asks)]
    found = button(words, "league_found", draft.league, style="good")
    drop = button(words, "league_drop", draft.league, style="danger")
    return _page(draft, "summary", words, (found,), *in_rows(pages, 3), (drop,), lines=lines)


def edit_page(
    draft: LeagueDraft, schedule: Schedule, preview: Sequence[Text], words: Words, *, asks: bool = False
) -> Page:
    """Return all settings of a league as they are to be, what changes when, and the button that changes it.
    Who sees it on the web has a page of its own."""
    lines = [
        schedule_line(schedule, words),
        evening_line(schedule, draft.format, words),
        *format_lines(draft.format, words),
        *warning_lines(draft.format, words),
        *preview,
        words.say("league.edit.when"),
    ]
    pages = [_to(draft, page, words) for page in PAGES if page != "visibility"]
    pages += _asking(draft, "draft_name", words, asks=asks)
    save = button(words, "league_save", draft.league, style="good")
    drop = button(words, "league_drop", draft.league, style="danger")
    return page([_title(draft, words), *lines], (save,), *in_rows(pages, 3), (drop,))


def every_page(draft: LeagueDraft, schedule: Schedule, words: Words) -> Page:
    """Return the recurrences to choose from."""
    start = datetime.fromisoformat(schedule.start)
    named = {each: every_name(read_recurrence(each, start) or "", start, words) for each in EVERY}
    buttons = [_choose(name, draft, "every", each) for each, name in named.items()]
    return _page(draft, "every", words, *in_rows(buttons, 1))


def game_page(draft: LeagueDraft, words: Words) -> Page:
    """Return the games to choose from."""
    now = preset_of(rules_from(draft.format.rules))
    games = [
        _choose(words.plain(f"preset.{name}"), draft, "game", name, chosen=name == now) for name in PRESETS
    ]
    return _page(draft, "game", words, *in_rows(games, 2))


def visibility_page(draft: LeagueDraft, words: Words) -> Page:
    """Return the question who sees the league's pages on the web, with a line on each answer."""
    chosen = draft.visibility or DEFAULT_VISIBILITY
    buttons = [
        _choose(visibility_name(each, words), draft, "visibility", each, chosen=each == chosen)
        for each in VISIBILITIES
    ]
    return _page(draft, "visibility", words, *in_rows(buttons, 1), lines=about_visibilities(words))


def about_visibilities(words: Words) -> list[Text]:
    """Return a line on each way in which a league's pages can be seen."""
    return [
        ("• ", Strong(visibility_name(each, words)), ": ", *words.say(f"league.about.visibility.{each}"))
        for each in VISIBILITIES
    ]


def visibility_name(visibility: Visibility, words: Words) -> str:
    """Return a way in which a league's pages can be seen, in a word or two."""
    return words.plain(f"league.value.visibility.{visibility}")


def visibility_line(visibility: Visibility, words: Words) -> Text:
    """Return who sees a league's pages."""
    return words.say("league.visibility", visibility=visibility_name(visibility, words))


def group_page(draft: LeagueDraft, group: str, words: Words) -> Page:
    """Return the settings of a night, or of a season."""
    options = [
        Button(
            (shorten(_describe(option, draft, words), _LABEL),),
            callback_text("league_draft", draft.league, 0, option),
        )
        for option in GROUPS[group]
    ]
    lines = warning_lines(draft.format, words) if group == "night" else ()
    return _page(draft, group, words, *in_rows(options, 2), lines=lines)


def option_page(draft: LeagueDraft, option: str, words: Words) -> Page:
    """Return the values of one setting of the format."""
    known = OPTIONS[option]
    held = getattr(draft.format, known.field)
    buttons = []
    for word in known.offered:
        value = word if option in LISTS else known.read(option, word)
        label = value_name(option, value, words)
        chosen = word in held if option in LISTS else value == held
        if option == "ties":
            label, chosen = f"{held.index(word) + 1}. {label}" if chosen else label, False
        buttons.append(_choose(label, draft, option, word, chosen=chosen))
    now: Text = (Strong(option_name(option, words)), ": ", option_value(option, draft.format, words))
    (group,) = (name for name, options in GROUPS.items() if option in options)
    return page(
        [_title(draft, words), now, words.say(f"league.about.{option}")],
        *in_rows(buttons, 1 if option in _IN_WORDS else 2 if len(buttons) == 4 else 3),
        (_to(draft, group, words),),
    )


def make_founded_page(league: League, when: Moment, words: Words) -> Page:
    """Return the new league, and what comes next."""
    text = words.say("league.draft.founded", name=Name(league.name), when=when)
    return page([text], (to_hub(league, words), button(words, "league_run", league.id)))


def _page(
    draft: LeagueDraft,
    name: str,
    words: Words,
    *rows: Sequence[Button],
    lines: Sequence[Text] = (),
) -> Page:
    task = words.say(f"league.draft.{name}")
    asked = name in ("day", "time", "summary") or not (draft.zone and draft.start)
    back = () if asked else (_to(draft, "summary", words),)
    return page([_title(draft, words), *lines, task], *rows, back)


def _title(draft: LeagueDraft, words: Words) -> Text:
    key = "league.draft.title" if draft.edits is None else "league.edit.title"
    return words.say(key, name=Name(draft.name))


def _describe(option: str, draft: LeagueDraft, words: Words) -> str:
    """Return a setting with its value, `Rounds: 3`. A list has its value on its own page."""
    name = option_name(option, words)
    if option in LISTS:
        return name + "…"
    return words.plain("rules.setting", switch=name, value=option_value(option, draft.format, words))


def _asking(draft: LeagueDraft, verb: str, words: Words, *, asks: bool) -> Sequence[Button]:
    """Return the button that asks for a setting in words, where the chat does that."""
    return (button(words, verb, draft.league, style="primary"),) if asks else ()


def _choose(label: str, draft: LeagueDraft, option: str, word: str, *, chosen: bool = False) -> Button:
    press = callback_text("league_choose", draft.league, 0, option, word)
    return choice(shorten(label, _LABEL), chosen, press)


def _to(draft: LeagueDraft, name: str, words: Words) -> Button:
    return button(words, "league_draft", draft.league, name, style="primary", says=f"league_page.{name}")
