"""Founding: the draft of a new league. Every setting has a default, and is changed by a word.

A setting has the same name and values wherever it is set: on a button, and in a typed `rounds=4`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo

from bot.errors import Refused, nearest_first
from bot.ids import LeagueId
from bot.league.local_time import ANYWHERE, instant, read_local, read_start, read_zone
from bot.league.model import (
    CarryOver,
    Counting,
    Divisions,
    EntryRule,
    Fill,
    Finals,
    Format,
    League,
    LeagueSettings,
    Prize,
    Schedule,
    Seating,
    TieBreak,
    Visibility,
)
from bot.league.schedule import occurrences, read_schedule
from bot.league.seating import CannotSeat, table_sizes
from bot.tables.clocks import read_clock
from bot.tables.names import LONGEST, NOBODY, clean_name


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueDraft:
    """The settings so far of a league that does not exist yet."""

    league: LeagueId
    """The id that the league will have, so that founding it twice creates it once."""
    place: str
    language: str
    name: str
    start: str = ""
    """The first night, written as in a schedule; empty until somebody chooses it."""
    zone: str = ""
    """The time zone; empty until somebody chooses it."""
    every: str = "weekly"
    """The recurrence as it was typed: it follows the start to another day."""
    format: Format = field(default_factory=Format)
    visibility: Visibility | None = None
    """Who will see its pages; None until somebody chooses it."""
    page_key: str = field(default="", repr=False)
    """The random characters that the address of its pages will have."""
    edits: LeagueSettings | None = None
    """If the league exists and is to be changed: its settings when the draft was begun, with the draft's own
    `start` and `every` for its schedule."""


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the format: its field, how its words are read, and the words that are offered."""

    field: str
    read: Callable[[str, str], Any]
    """Converts the setting's name and a word to the field's value. Raises Refused."""
    offered: tuple[str, ...]


def _number(least: int, most: int) -> Callable[[str, str], int]:
    def read(option: str, text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
        if not least <= number <= most:
            raise Refused("league_number", option=option, least=least, most=most)
        return number

    return read


def _points(option: str, text: str) -> float:
    """Read points from 0 to 3 in quarters: `1.5`, or `1,5` as in most of Europe."""
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
            raise Refused("league_word", option=option, word=text[:32], known=nearest_first(text, known))
        return text.lower()

    return read


def _list(known: tuple[str, ...]) -> Callable[[str, str], tuple[str, ...]]:
    def read(option: str, text: str) -> tuple[str, ...]:
        words = text.replace(",", " ").split()
        return tuple(dict.fromkeys(_word(known)(option, word) for word in words if word != NONE))

    return read


MATCHES: Final = ("1", "3", "5")
"""Odd, so that somebody has won more than half of them."""

NONE: Final = "none"
"""The word for an empty list."""

OPTIONS: Final[Mapping[str, Option]] = {
    "rounds": Option("rounds", _number(1, 12), ("1", "2", "3", "4", "5", "6")),
    "length": Option("round_minutes", _number(5, 240), ("15", "20", "30", "40", "60", "90")),
    "grace": Option("grace_minutes", _number(0, 120), ("0", "5", "10", "15", "20", "30")),
    "break": Option("break_minutes", _number(0, 60), ("0", "2", "5", "10", "15")),
    "clock": Option("turn_seconds", lambda _, text: read_clock(text), ("30s", "60s", "2m", "5m")),
    "seating": Option("seating", _word(get_args(Seating)), get_args(Seating)),
    "fill": Option("fill", _word(get_args(Fill)), get_args(Fill)),
    "cap": Option("cap", _number(0, 400), ("0", "8", "12", "16", "24", "32", "48", "64")),
    "entry": Option("entry", _word(get_args(EntryRule)), get_args(EntryRule)),
    "bye": Option("bye_points", _points, ("0", "1,5", "2", "3")),
    "missed": Option("missed_points", _points, ("0", "0,5", "1", "1,5")),
    "ties": Option("ties", _list(get_args(TieBreak)), get_args(TieBreak)),
    "counting": Option("counting", _word(get_args(Counting)), get_args(Counting)),
    "best": Option("best_of", _number(1, 60), ("3", "4", "5", "6", "8", "10")),
    "finals": Option("finals", _word(get_args(Finals)), get_args(Finals)),
    "carry": Option("carry", _word(get_args(CarryOver)), get_args(CarryOver)),
    "matches": Option("matches", lambda name, text: int(_word(MATCHES)(name, text)), MATCHES),
    "divisions": Option("divisions", _word(get_args(Divisions)), get_args(Divisions)),
    "nights": Option("nights", _number(1, 60), ("4", "6", "8", "10", "12", "16")),
    "prizes": Option("prizes", _list(get_args(Prize)), get_args(Prize)),
    "stake": Option("stake", _number(0, 10_000), ("0", "50", "100", "500", "1000")),
}
"""The settings of a format by the names under which they are typed."""

LISTS: Final = ("ties", "prizes")
"""Settings that are lists: a button moves one word to the front, or adds or removes it."""

VISIBILITIES: Final[tuple[Visibility, ...]] = get_args(Visibility)
DEFAULT_VISIBILITY: Final[Visibility] = "unlisted"
"""What a league is until somebody chooses: it can be shown to anybody, and nobody comes across it."""

NAMED: Final = ("name", "start", "time", "zone", "every", "game", "deals", "visibility", *OPTIONS)
"""Every name that can be typed. `rounds` are the night's; `deals` is the number of deals at a table."""

HOUR: Final = "20:00"
"""The hour of a night unless somebody chooses another."""


def change_setting(draft: LeagueDraft, option: str, text: str, now: float) -> LeagueDraft:
    """Return the draft with one setting changed to a word's value.

    Raises Refused `unknown_league_option`, `league_number`, `league_points`, `league_word`, `bad_clock`,
    `league_name`, `cap_too_small`, or as `read_schedule` does.
    """
    text = text.strip()
    match option:
        case "name":
            return replace(draft, name=_league_name(text))
        case "start":
            return _schedule(replace(draft, start=read_start(text, _zone(draft), now)), now)
        case "zone":
            return _schedule(replace(draft, zone=read_zone(text)), now)
        case "every":
            return _schedule(replace(draft, every=text), now)
        case "day":
            return _schedule(_on_day(draft, _number(0, 6)(option, text), now), now)
        case "time":
            return _schedule(_at_time(draft, text, now), now)
        case "visibility":
            return replace(draft, visibility=read_visibility(text))
    if option not in OPTIONS:
        raise Refused("unknown_league_option", option=option[:32], known=nearest_first(option, NAMED))
    known = OPTIONS[option]
    value = known.read(option, text)
    return _seatable(replace(draft, format=replace(draft.format, **{known.field: value})))


def schedule_of(draft: LeagueDraft, now: float) -> Schedule:
    """Return the draft's schedule, from tomorrow until somebody chooses a start. Raises as `read_schedule`
    does."""
    return read_schedule(_start(draft, now), _zone(draft), draft.every, now)


def toggle(format: Format, option: str, word: str) -> str:
    """Return a list setting after a press on a word: a tie-break moves to the front, a prize is added or
    removed."""
    held = [str(each) for each in getattr(format, OPTIONS[option].field)]
    rest = [each for each in held if each != word]
    return ",".join([word, *rest] if option == "ties" or word not in held else rest) or NONE


def whole_of(draft: LeagueDraft, now: float) -> LeagueDraft:
    """Return the draft with no more nights in a season than its schedule has, and with no more of them that
    count. Raises as `read_schedule` does."""
    format = draft.format
    nights = len(occurrences(schedule_of(draft, now), now, format.nights))
    return replace(draft, format=replace(format, nights=nights, best_of=min(format.best_of, nights)))


def edit_settings(draft: LeagueDraft, held: LeagueSettings, now: float) -> LeagueSettings:
    """Return settings with what was changed in the draft since it was begun: what others have changed
    meanwhile stays. Raises as `read_schedule` does."""
    begun = draft.edits or held
    wanted = ((each.name, getattr(draft.format, each.name)) for each in fields(Format))
    changes: dict[str, Any] = {name: value for name, value in wanted if value != getattr(begun.format, name)}
    settings = replace(held, format=replace(held.format, **changes))
    if draft.name != begun.name:
        settings = replace(settings, name=draft.name)
    if (draft.start, draft.zone, draft.every) == (begun.start, begun.zone, begun.rule):
        return settings
    schedule = schedule_of(draft, now)
    return replace(settings, start=schedule.start, zone=schedule.zone, rule=schedule.rule)


def create_league(draft: LeagueDraft, community: str, now: float) -> League:
    """Return the league that a draft makes in a community. Raises as `read_schedule` does."""
    return League(
        id=draft.league,
        name=draft.name,
        community=community,
        places=(draft.place,),
        language=draft.language,
        schedule=schedule_of(draft, now),
        format=whole_of(draft, now).format,
        visibility=draft.visibility or DEFAULT_VISIBILITY,
        page_key=draft.page_key,
    )


def read_visibility(text: str) -> Visibility:
    """Read who sees a league's pages. Raises Refused `league_word`."""
    for known in VISIBILITIES:
        if known == text.lower():
            return known
    raise Refused("league_word", option="visibility", word=text[:32], known=nearest_first(text, VISIBILITIES))


def _schedule(draft: LeagueDraft, now: float) -> LeagueDraft:
    schedule_of(draft, now)
    return draft


def _seatable(draft: LeagueDraft) -> LeagueDraft:
    """Return the draft, if its cap is enough people for a table. Raises Refused `cap_too_small`."""
    cap = draft.format.cap
    try:
        if cap:
            table_sizes(cap, draft.format.fill)
    except CannotSeat as small:
        raise Refused("cap_too_small", cap=cap, needed=small.values["needed"]) from None
    return draft


def _on_day(draft: LeagueDraft, weekday: int, now: float) -> LeagueDraft:
    """Return the draft with its first night on the next such weekday (0: Monday), at the same hour."""
    days = (_day(draft, now, days) for days in range(8))
    starts = (_at(day, draft.start[-len(HOUR) :] or HOUR) for day in days if day.weekday() == weekday)
    return replace(draft, start=next(start for start in starts if instant(start, _zone(draft)) > now))


def _at_time(draft: LeagueDraft, hour: str, now: float) -> LeagueDraft:
    """Return the draft with its first night at another hour; a week later if that is past."""
    day = datetime.fromisoformat(_start(draft, now)).date()
    start = read_local(f"{day.isoformat()} {hour}")
    if instant(start, _zone(draft)) <= now:
        start = _at(day + timedelta(days=7), start[-len(HOUR) :])
    return replace(draft, start=start)


def _zone(draft: LeagueDraft) -> str:
    return draft.zone or ANYWHERE


def _start(draft: LeagueDraft, now: float) -> str:
    """Return the first night, written as in a schedule; tomorrow until somebody chooses it."""
    return draft.start or _at(_day(draft, now, 1), HOUR)


def _day(draft: LeagueDraft, now: float, days: int) -> date:
    """Return the date a number of days from today, in the league's zone."""
    return (datetime.fromtimestamp(now, ZoneInfo(_zone(draft))) + timedelta(days=days)).date()


def _at(day: date, hour: str) -> str:
    return f"{day.isoformat()}T{hour}"


def _league_name(text: str) -> str:
    """Return a league's name as it is shown. Raises Refused `league_name` when it is empty or too long."""
    name = clean_name(text)
    if name == NOBODY or len(" ".join(text.split())) > LONGEST:
        raise Refused("league_name", most=LONGEST)
    return name
