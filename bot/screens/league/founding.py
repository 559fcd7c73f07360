"""The dialogue in which an organiser founds a league: day, time, and he is done; all else has a default."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.i18n.recurrences import read_recurrence
from bot.league.founding import LISTS, OPTIONS, LeagueDraft
from bot.league.model import League, Schedule
from bot.markup import Button, Moment, Name, Page, Row, Strong, Style, Text
from bot.screens.league.parts import in_rows, league_button
from bot.screens.league.settings import (
    every_name,
    format_lines,
    option_name,
    option_value,
    schedule_line,
    setting,
    value_name,
)
from bot.screens.rules import preset_of
from engine.rules import PRESETS, rules_from

NIGHT: Final = ("rounds", "length", "grace", "break", "clock", "seating", "fill", "cap", "entry")
SEASON: Final = ("nights", "counting", "best", "ties", "bye", "missed", "prizes", "stake")
GROUPS: Final = {"night": NIGHT, "season": SEASON}
"""The settings of the format by the pages on which they stand."""

TIMES: Final = (
    *("12:00", "14:00", "16:00", "17:00", "18:00", "18:30", "19:00", "19:30"),
    *("20:00", "20:30", "21:00", "21:30", "22:00"),
)
ZONES: Final = (
    *("Europe/Istanbul", "Europe/Berlin", "Europe/London", "Asia/Seoul", "Asia/Baku", "Asia/Dubai"),
    *("America/New_York", "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo"),
    *("Australia/Sydney", "UTC"),
)
EVERY: Final = ("weekly", "fortnightly", "monthly", "once")
"""How often people meet, as it is offered and as it could be typed."""

_CHOSEN: Final = "✓ "


def day_page(draft: LeagueDraft, words: Words, *, turns: bool) -> Page:
    """The first question: on which day."""
    days = [_choose(words.weekday(day), draft, "day", str(day)) for day in range(7)]
    return _page(draft, words, "day", [], in_rows(days, 4), turns=turns)


def time_page(draft: LeagueDraft, words: Words) -> Page:
    """The second: at what time."""
    times = [_choose(time, draft, "time", time) for time in TIMES]
    zone = Button((words.plain("button.league_zone", zone=draft.zone),), _to(draft, "zone"))
    return _page(draft, words, "time", [], (*in_rows(times, 5), (zone,)))


def summary_page(draft: LeagueDraft, schedule: Schedule, words: Words, *, turns: bool = True) -> Page:
    """Everything as it would be, and the button that founds the league."""
    lines = [schedule_line(schedule, words), *format_lines(draft.format, words)]
    pages = [
        _leads(draft, page, words) for page in ("day", "time", "zone", "every", "game", "night", "season")
    ]
    found = _button("found", draft, words, "good")
    drop = _button("drop", draft, words, "danger")
    return _page(draft, words, "summary", lines, ((found,), *in_rows(pages, 3), (drop,)), turns=turns)


def founded_page(league: League, when: Moment, words: Words) -> Page:
    """The league is there; what comes next."""
    text = words.say("league.draft.founded", name=Name(league.name), when=when)
    ways = (league_button("hub", league.id, words), league_button("run", league.id, words))
    return Page(text=text, buttons=(ways,), turns=True)


def zone_page(draft: LeagueDraft, words: Words) -> Page:
    """Whose time it is."""
    zones = tuple(dict.fromkeys((draft.zone, *ZONES)))
    buttons = [_choose(zone, draft, "zone", zone, chosen=zone == draft.zone) for zone in zones]
    return _page(draft, words, "zone", [], in_rows(buttons, 2))


def every_page(draft: LeagueDraft, schedule: Schedule, words: Words) -> Page:
    """How often."""
    start = datetime.fromisoformat(schedule.start)
    buttons = [
        _choose(every_name(read_recurrence(every, start) or "", start, words), draft, "every", every)
        for every in EVERY
    ]
    return _page(draft, words, "every", [], in_rows(buttons, 1))


def game_page(draft: LeagueDraft, words: Words) -> Page:
    """What is played."""
    now = preset_of(rules_from(draft.format.rules))
    games = [
        _choose(words.plain(f"preset.{name}"), draft, "game", name, chosen=name == now) for name in PRESETS
    ]
    return _page(draft, words, "game", [], in_rows(games, 2))


def group_page(draft: LeagueDraft, group: str, words: Words) -> Page:
    """The settings of a night, or of a season."""
    options = [Button((_short(_told(option, draft, words)),), _to(draft, option)) for option in GROUPS[group]]
    return _page(draft, words, group, [], in_rows(options, 2))


def _told(option: str, draft: LeagueDraft, words: Words) -> str:
    """A setting with its value; a list is told on its own page."""
    return option_name(option, words) + "…" if option in LISTS else setting(option, draft.format, words)


def option_page(draft: LeagueDraft, option: str, words: Words) -> Page:
    """The values of one setting of the format."""
    known = OPTIONS[option]
    held = getattr(draft.format, known.field)
    buttons = []
    for word in known.offered:
        if option in LISTS:
            label, chosen = value_name(option, word, words), word in held
        else:
            value = known.read(option, word)
            label, chosen = value_name(option, value, words), value == held
        if option == "ties":
            label, chosen = f"{held.index(word) + 1}. {label}" if chosen else label, False
        buttons.append(_choose(label, draft, option, word, chosen=chosen))
    now: list[Text] = [(Strong(option_name(option, words)), ": ", option_value(option, draft.format, words))]
    about = words.say(f"league.about.{option}")
    (group,) = (name for name, options in GROUPS.items() if option in options)
    rows = (
        *in_rows(buttons, 1 if option in ("seating", "fill", "ties") else 3),
        (_leads(draft, group, words),),
    )
    return Page(text=joined([_title(draft, words), *now, about]), buttons=rows, turns=True)


def _page(
    draft: LeagueDraft,
    words: Words,
    page: str,
    lines: Sequence[Text],
    rows: tuple[Row, ...],
    *,
    turns: bool = True,
) -> Page:
    task = words.say(f"league.draft.{page}")
    back = () if page in ("day", "time", "summary") else ((_leads(draft, "summary", words),),)
    return Page(text=joined([_title(draft, words), *lines, task]), buttons=(*rows, *back), turns=turns)


def _title(draft: LeagueDraft, words: Words) -> Text:
    return words.say("league.draft.title", name=Name(draft.name))


def _choose(label: str, draft: LeagueDraft, option: str, word: str, *, chosen: bool = False) -> Button:
    press = callback_text("league_choose", draft.league, 0, option, word)
    return Button((_short(_CHOSEN * chosen + label),), press, "good" if chosen else "plain")


def _to(draft: LeagueDraft, page: str) -> str:
    return callback_text("league_draft", draft.league, 0, page)


def _leads(draft: LeagueDraft, page: str, words: Words) -> Button:
    return Button((words.plain(f"button.league_page.{page}"),), _to(draft, page), "primary")


def _button(verb: str, draft: LeagueDraft, words: Words, style: Style) -> Button:
    return Button(
        (words.plain(f"button.league_{verb}"),), callback_text(f"league_{verb}", draft.league), style
    )


def _short(label: str) -> str:
    """A label that every chat takes whole."""
    return label if len(label) <= _LABEL else label[: _LABEL - 1] + "…"


_LABEL: Final = 80
