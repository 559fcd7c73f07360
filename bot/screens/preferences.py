"""How screens look: a person's own settings, one tap from his rack, and a host's for his table."""

from datetime import datetime

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.markup import Button, Page, Row
from bot.people.notifications import WAYS, Notifying, local_time
from bot.screens.parts import button
from bot.tables.facts import TableFacts
from bot.tables.table import ON_RACKS, ON_TABLES, Display

OWN = "me"
"""Stands in a press where others name their table: these settings belong to the person who presses."""

_ON, _OFF = "✓ ", ""


def preferences_page(display: Display, words: Words, *, turns: bool) -> Page:
    """Every switch with what it does, and a button that throws it."""
    lines = [words.say("preferences.title")]
    lines += [words.say(f"preferences.{name}") for name in ON_RACKS]
    rows = tuple(display_button(name, display, words, "prefer", OWN) for name in ON_RACKS)
    return Page(text=joined(lines), buttons=(*_pairs(rows), (notifications_button(words),)), turns=turns)


def appearance_page(facts: TableFacts, words: Words) -> Page:
    """In a lobby: how its places see the table."""
    lines = [words.say("dialogue.display"), *(words.say(f"preferences.{name}") for name in ON_TABLES)]
    switches = tuple(display_button(name, facts.display, words, "appear", facts.id) for name in ON_TABLES)
    back = button(words, "presets", facts, style="primary")
    return Page(text=joined(lines), buttons=(*_pairs(switches), (back,)), turns=True)


def display_button(name: str, display: Display, words: Words, verb: str, table: str) -> Button:
    """Throws one of the switches of a display. What it comes to is in the press: twice is as good as once."""
    on = getattr(display, name)
    label = (_ON if on else _OFF) + words.plain(f"display.{name}")
    return Button((label,), callback_text(verb, table, 0, name, int(not on)), "good" if on else "plain")


def _pairs(buttons: tuple[Button, ...]) -> tuple[Row, ...]:
    return tuple(buttons[at : at + 2] for at in range(0, len(buttons), 2))


"""Stands in a press where others name their table: these settings belong to the person who presses."""

QUIET_HOURS = ((22, 7), (23, 8), (0, 8), (9, 17))

_CHOSEN = "✓ "
_HOURS = range(-11, 13)
_SIDE_BY_SIDE = 2
_CLOCKS_SIDE_BY_SIDE = 4


def notifications_page(notifying: Notifying, now: float, words: Words, *, turns: bool) -> Page:
    """Every way to hear of a turn, and the quiet hours. `now` in seconds since the epoch."""
    lines = [words.say("notify.title"), *(words.say(f"notify.{way}") for way in WAYS)]
    lines.append(words.say("notify.clock", time=_time(local_time(notifying, now))))
    ways = [
        _choice(words.plain(f"button.notify_{way}"), way == notifying.way, "notify_way", way) for way in WAYS
    ]
    hours = [_quiet(words, notifying, begin, end) for begin, end in _offered(notifying)]
    off = _choice(words.plain("button.notify_never_quiet"), notifying.quiet is None, "notify_quiet", "off")
    zone = Button((words.plain("button.notify_zone"),), callback_text("notify_zone", OWN))
    back = Button((words.plain("button.preferences"),), callback_text("preferences", OWN), "primary")
    rows = (*_rows(ways, _SIDE_BY_SIDE), *_rows([off, *hours], _SIDE_BY_SIDE), (zone, back))
    return Page(text=joined(lines), buttons=rows, turns=turns)


def zone_page(notifying: Notifying, now: float, words: Words) -> Page:
    """What time it is for the person now: that tells his time zone."""
    clocks = []
    for hours in _HOURS:
        there = local_time(Notifying(offset=60 * hours), now)
        chosen = 60 * hours == notifying.offset
        clocks.append(_choice(_time(there), chosen, "notify_offset", 60 * hours))
    return Page(text=words.say("notify.zone"), buttons=_rows(clocks, _CLOCKS_SIDE_BY_SIDE), turns=True)


def notifications_button(words: Words) -> Button:
    """Leads to the page of notifications."""
    return Button((words.plain("button.notify"),), callback_text("notify", OWN))


def _offered(notifying: Notifying) -> tuple[tuple[int, int], ...]:
    own = () if notifying.quiet is None else (notifying.quiet,)
    return tuple(dict.fromkeys((*QUIET_HOURS, *own)))


def _quiet(words: Words, notifying: Notifying, begin: int, end: int) -> Button:
    label = words.plain("button.notify_quiet", begin=begin, end=end)
    return _choice(label, notifying.quiet == (begin, end), "notify_quiet", f"{begin}-{end}")


def _choice(label: str, chosen: bool, verb: str, argument: str | int) -> Button:
    return Button(
        (_CHOSEN * chosen + label,), callback_text(verb, OWN, 0, argument), "good" if chosen else "plain"
    )


def _time(there: datetime) -> str:
    return f"{there:%H:%M}"


def _rows(buttons: list[Button], width: int) -> tuple[Row, ...]:
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))
