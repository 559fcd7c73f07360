"""Community pages: the settings of a whole community, for its organisers.

Every button names the place where the page was asked for. The person who presses it must be an organiser of
that place, wherever they press.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from bot.callback_data import callback_text
from bot.daily import DailyBoard
from bot.i18n import LANGUAGES, Words, join, own_name
from bot.markup import Button, Name, Page, Row, Style, Text
from bot.ports import platform_of
from bot.screens.parts import choice, full_hour, in_rows, say_on
from bot.screens.rules import clock_line, clock_name
from bot.tables.clocks import CHOICES
from engine.rules import PRESETS

VERB = "org"
"""The verb of every button here. It is short because a place's key takes most of a button's 64 bytes."""

MOST = (0, 1, 2, 3, 5, 10, 20, 50)
"""The limits on tables open at once that the page offers; 0: no limit."""


HOURS = range(8, 23)
"""The hours at which the page offers to post the daily rack."""


_LISTED_MOST: Final = 24
"""The most buttons of a list: with the one that leads back, Discord shows them in five rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityFacts:
    """A community's settings, as its organisers may see them."""

    place: str
    """The key of the place where the page was asked for."""
    rules: Sequence[Text]
    turn_seconds: int
    language: str
    """The language of new tables; empty: that of the person who opens one."""
    rooms: bool
    shared: bool
    where: Text
    """Links to the places in which tables may be opened; empty: in all of them."""
    here: bool
    """Whether `where` includes this place."""
    tables: int
    """The number of open tables that people opened."""
    of_nights: int
    """The number of open tables that leagues opened."""
    tables_most: int
    daily: Text
    """The place and the hour of the daily rack."""
    role: Text
    """The role that is mentioned when a table looks for players; empty where there are no roles."""
    blocked: Sequence[str]
    set_by: Sequence[Text]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A person or a table on a page, with the tag that stands for it in a button."""

    name: str
    tag: str


def settings_page(facts: CommunityFacts, words: Words, *, turns: bool) -> Page:
    """Return all settings, and the buttons that change them."""
    names, platform = ", ".join(facts.blocked), platform_of(facts.place)
    lines = [
        say_on(platform, "organise.title", words),
        *facts.rules,
        clock_line(facts.turn_seconds, words),
        words.say("organise.language", language=language_name(facts.language, words)),
        say_on(platform, "organise.rooms_on" if facts.rooms else "organise.rooms_off", words),
        words.say("organise.shared_on" if facts.shared else "organise.shared_off"),
        words.say("organise.where", where=facts.where or words.say("organise.anywhere")),
        words.say("organise.tables", n=facts.tables, most=most_name(facts.tables_most, words)),
        *_of_nights(facts.of_nights, words),
        facts.daily,
        *([facts.role] if facts.role else []),
        *([words.say("organise.blocked", names=Name(names))] if names else []),
        *facts.set_by,
    ]
    return Page(text=join(lines), buttons=_settings_buttons(facts, words), turns=turns)


def _settings_buttons(facts: CommunityFacts, words: Words) -> tuple[Row, ...]:
    def leads(to: str) -> Button:
        return _button(words.plain(f"button.organise_{to}"), facts.place, to)

    def switch(name: str, on: bool, what: str = "") -> Button:
        return _choice(words.plain(f"button.organise_{name}"), facts.place, what or name, int(not on), on)

    here = switch("here", facts.here) if facts.where else switch("only_here", False, "here")
    return (
        (leads("games"), leads("clocks"), leads("langs")),
        (switch("rooms", facts.rooms), switch("share", facts.shared)),
        (here, leads("mosts")),
        (leads("people"), leads("tables")),
        (leads("hours"), *([leads("roles")] if facts.role else [])),
    )


def games_page(place: str, words: Words) -> Page:
    """Return the games to choose from for tables opened without naming one."""
    games = [_button(words.plain(f"preset.{each}"), place, "game", short_tag(each)) for each in PRESETS]
    return _choices(words.say("organise.games"), games, place, words, 2)


def clocks_page(place: str, now: int, words: Words) -> Page:
    """Return the clocks to choose from for new tables."""
    clocks = [_choice(clock_name(each, words), place, "clock", each, each == now) for each in CHOICES]
    return _choices(words.say("organise.clocks"), clocks, place, words)


def languages_page(place: str, now: str, words: Words) -> Page:
    """Return the languages to choose from for the community's tables."""
    choices = [
        _choice(language_name(each, words), place, "lang", each or "off", each == now)
        for each in ("", *LANGUAGES)
    ]
    page = _choices(words.say("organise.langs"), choices[1:], place, words, 2)
    return replace(page, buttons=((choices[0],), *page.buttons))


def most_page(place: str, now: int, words: Words) -> Page:
    """Return the limits to choose from for tables open at once."""
    choices = [_choice(most_name(each, words), place, "most", each, each == now) for each in MOST]
    return _choices(words.say("organise.mosts"), choices, place, words)


def hours_page(place: str, board: DailyBoard, words: Words) -> Page:
    """Return the hours to choose from for the daily rack in this place. It may be posted in another one
    now."""
    off = _choice(words.plain("organise.no_hour"), place, "hour", "off", not board.place)
    now = board.hour if board.place == place else None
    choices = [_choice(full_hour(hour), place, "hour", hour, hour == now) for hour in HOURS]
    return _choices(words.say("organise.hours"), [off, *choices], place, words, 4)


def roles_page(place: str, roles: Sequence[Tagged], now: str, words: Words) -> Page:
    """Return the roles to choose from, as many as fit, of which one is mentioned when a table looks for
    players. `now`: the tag of the present one."""
    off = _choice(words.plain("organise.no_role"), place, "role", "off", not now)
    choices = [_choice(each.name, place, "role", each.tag, each.tag == now) for each in roles]
    text = join([words.say("organise.roles"), words.say("organise.roles_listed")])
    return _choices(text, [off, *choices[: _LISTED_MOST - 1]], place, words, 2)


def people_page(place: str, seated: Sequence[Tagged], blocked: Sequence[Tagged], words: Words) -> Page:
    """Return the people at the community's tables, each to be blocked, and the blocked people; as many as
    fit."""
    rows = [
        _button(words.plain(f"button.organise_{what}", who=Name(each.name)), place, what, each.tag)
        for what, people in zip(("block", "free"), _fitting(seated, blocked), strict=True)
        for each in people
    ]
    lines = [words.say("organise.people" if rows else "organise.nobody")]
    if more := len(seated) + len(blocked) - len(rows):
        lines.append(words.say("organise.more_people", n=more))
    return _choices(join(lines), rows, place, words, 1)


def tables_page(
    place: str, tables: Sequence[Tagged], guests: Sequence[Tagged], of_nights: int, words: Words
) -> Page:
    """Return the community's own tables, each to be ended; tables from elsewhere, each to be shown here no
    longer; as many as fit; and the number of league tables."""
    rows = [
        _button(words.plain(f"button.organise_{what}", table=each.name), place, what, each.tag)
        for what, shown in zip(("stop", "out"), _fitting(tables, guests), strict=True)
        for each in shown
    ]
    lines = [words.say("organise.open_tables" if rows else "organise.no_tables")]
    if more := len(tables) + len(guests) - len(rows):
        lines.append(words.say("organise.more_tables", n=more))
    return _choices(join([*lines, *_of_nights(of_nights, words)]), rows, place, words, 2)


def _fitting(first: Sequence[Tagged], second: Sequence[Tagged]) -> tuple[Sequence[Tagged], Sequence[Tagged]]:
    """Return as many of both lists as a message has room for."""
    shown = first[: max(_LISTED_MOST - len(second), _LISTED_MOST // 2)]
    return shown, second[: _LISTED_MOST - len(shown)]


def _of_nights(number: int, words: Words) -> list[Text]:
    return [words.say("organise.of_nights", n=number)] if number else []


def language_name(language: str, words: Words) -> str:
    """Return a language's name in itself; for an empty one, that the opener's language is used."""
    return own_name(language) if language else words.plain("organise.openers")


def most_name(most: int, words: Words) -> str:
    """Return the limit on tables open at once, in words."""
    return str(most) if most else words.plain("organise.unlimited")


def short_tag(name: str) -> str:
    """Return the short form of a preset's name, or of a role's reference, that buttons hold."""
    return blake2b(name.encode(), digest_size=4).hexdigest()


def _choices(text: Text, choices: Sequence[Button], place: str, words: Words, width: int = 3) -> Page:
    back = _button(words.plain("button.organise_back"), place, "main", style="primary")
    return Page(text=text, buttons=(*in_rows(choices, width), (back,)), turns=True)


def _choice(label: str, place: str, what: str, value: str | int, chosen: bool) -> Button:
    return choice(label, chosen, callback_text(VERB, place, 0, what, value))


def _button(label: str, place: str, *arguments: str | int, style: Style = "plain") -> Button:
    return Button((label,), callback_text(VERB, place, 0, *arguments), style)
