"""Community pages: how organisers see and set what is done in a whole community.

Every button names the place where the page was asked for: who presses it must run that place, wherever
they press.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from bot.callback_data import callback_text
from bot.i18n import LANGUAGES, Words, joined
from bot.markup import Button, Name, Page, Row, Style, Text
from bot.screens.parts import choice, in_rows
from bot.screens.rules import clock_line, clock_name
from bot.tables.clocks import CHOICES
from engine.rules import PRESETS

VERB = "org"
"""Short: a place's key takes most of a button's 64 bytes."""

MOST = (0, 1, 2, 3, 5, 10, 20, 50)
"""How many tables at once the page offers; 0: any number."""


HOURS = range(8, 23)
"""At which the page offers to post the daily rack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityFacts:
    """What is set for a community, as its organisers may know it."""

    place: str
    """Where the page was asked for."""
    rules: Sequence[Text]
    turn_seconds: int
    language: str
    """Empty: that of who opens a table."""
    rooms: bool
    shared: bool
    where: Text
    """Links to the places in which tables may be opened; empty: everywhere."""
    here: bool
    """Whether this place is named among them."""
    tables: int
    """How many that people opened are open now."""
    of_nights: int
    """How many that leagues opened."""
    tables_most: int
    daily: Text
    """When and where the daily rack is posted."""
    blocked: Sequence[str]
    set_by: Sequence[Text]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A person or a table on a page, and what stands for it in a press."""

    name: str
    tag: str


def settings_page(facts: CommunityFacts, words: Words, *, turns: bool) -> Page:
    """Everything that is set, and the buttons that change it."""
    names = ", ".join(facts.blocked)
    lines = [
        words.say("organise.title"),
        *facts.rules,
        clock_line(facts.turn_seconds, words),
        words.say("organise.language", language=language_name(facts.language, words)),
        words.say("organise.rooms_on" if facts.rooms else "organise.rooms_off"),
        words.say("organise.shared_on" if facts.shared else "organise.shared_off"),
        words.say("organise.where", where=facts.where or words.say("organise.anywhere")),
        words.say("organise.tables", n=facts.tables, most=most_name(facts.tables_most, words)),
        *_of_nights(facts.of_nights, words),
        facts.daily,
        *([words.say("organise.blocked", names=Name(names))] if names else []),
        *facts.set_by,
    ]
    return Page(text=joined(lines), buttons=_settings_buttons(facts, words), turns=turns)


def _settings_buttons(facts: CommunityFacts, words: Words) -> tuple[Row, ...]:
    def leads(to: str) -> Button:
        return _button(words.plain(f"button.organise_{to}"), facts.place, to)

    def switch(name: str, on: bool, what: str = "") -> Button:
        return _choice(words.plain(f"button.organise_{name}"), facts.place, what or name, int(not on), on)

    here = switch("here", facts.here) if facts.where else switch("only_here", False, "here")
    return (
        (leads("games"), leads("clocks"), leads("langs")),
        (switch("rooms", facts.rooms), switch("share", facts.shared), here),
        (leads("mosts"), leads("people"), leads("tables")),
        (leads("hours"),),
    )


def games_page(place: str, words: Words) -> Page:
    """The games that may be played when none is named."""
    games = [_button(words.plain(f"preset.{each}"), place, "game", preset_tag(each)) for each in PRESETS]
    return _choices(words.say("organise.games"), games, place, words, 2)


def clocks_page(place: str, now: int, words: Words) -> Page:
    """The clocks that new tables may have."""
    clocks = [_choice(clock_name(each, words), place, "clock", each, each == now) for each in CHOICES]
    return _choices(words.say("organise.clocks"), clocks, place, words)


def languages_page(place: str, now: str, words: Words) -> Page:
    """The languages that the community may be shown its tables in."""
    choices = [
        _choice(language_name(each, words), place, "lang", each or "off", each == now)
        for each in ("", *LANGUAGES)
    ]
    return _choices(words.say("organise.langs"), choices, place, words, 2)


def most_page(place: str, now: int, words: Words) -> Page:
    """How many tables there may be at once."""
    choices = [_choice(most_name(each, words), place, "most", each, each == now) for each in MOST]
    return _choices(words.say("organise.mosts"), choices, place, words)


def hours_page(place: str, now: int | None, words: Words) -> Page:
    """The hours at which the daily rack may be posted in this place."""
    off = _choice(words.plain("organise.no_hour"), place, "hour", "off", now is None)
    choices = [_choice(f"{hour}:00", place, "hour", hour, hour == now) for hour in HOURS]
    return _choices(words.say("organise.hours"), [off, *choices], place, words, 4)


def people_page(place: str, seated: Sequence[Tagged], blocked: Sequence[Tagged], words: Words) -> Page:
    """Who sits at the community's tables and may be blocked, and who is."""
    rows = [
        _button(words.plain(f"button.organise_{what}", who=Name(each.name)), place, what, each.tag)
        for what, people in (("block", seated), ("free", blocked))
        for each in people
    ]
    key = "organise.people" if rows else "organise.nobody"
    return _choices(words.say(key), rows, place, words, 1)


def tables_page(
    place: str, tables: Sequence[Tagged], guests: Sequence[Tagged], of_nights: int, words: Words
) -> Page:
    """The community's tables to be ended, those from elsewhere to be shown here no longer, and how many are
    a league's."""
    rows = [
        _button(words.plain(f"button.organise_{what}", table=each.name), place, what, each.tag)
        for what, shown in (("stop", tables), ("out", guests))
        for each in shown
    ]
    key = "organise.open_tables" if rows else "organise.no_tables"
    return _choices(joined([words.say(key), *_of_nights(of_nights, words)]), rows, place, words, 2)


def _of_nights(number: int, words: Words) -> list[Text]:
    return [words.say("organise.of_nights", n=number)] if number else []


def language_name(language: str, words: Words) -> str:
    """A language by its own name; of none, that it is the opener's."""
    return words.plain(f"language.{language}") if language else words.plain("organise.openers")


def most_name(most: int, words: Words) -> str:
    """How many tables at once."""
    return str(most) if most else words.plain("organise.unlimited")


def preset_tag(preset: str) -> str:
    """A game in a few letters, as it stands in a press."""
    return blake2b(preset.encode(), digest_size=4).hexdigest()


def _choices(text: Text, choices: Sequence[Button], place: str, words: Words, width: int = 3) -> Page:
    back = _button(words.plain("button.organise_back"), place, "main", style="primary")
    return Page(text=text, buttons=(*in_rows(choices, width), (back,)), turns=True)


def _choice(label: str, place: str, what: str, value: str | int, chosen: bool) -> Button:
    return choice(label, chosen, callback_text(VERB, place, 0, what, value))


def _button(label: str, place: str, *arguments: str | int, style: Style = "plain") -> Button:
    return Button((label,), callback_text(VERB, place, 0, *arguments), style)
