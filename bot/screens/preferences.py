"""Preferences: a person's display and the ways in which they hear of their turns."""

from collections.abc import Sequence
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, join
from bot.markup import Button, Link, Page, Text
from bot.people.notifications import WAYS, Notifying, local_time
from bot.people.sessions import OwnSession
from bot.ports import platform_of
from bot.screens.parts import OWN, choice, full_hour, in_rows, label, own_button, say_on
from bot.tables.table import COMPUTER_LEVELS, ON_RACKS, ComputerLevel, Display

QUIET_HOURS: Final = ((22, 7), (23, 8), (0, 8), (9, 17))
_HOURS: Final = range(-11, 13)
SESSIONS_SHOWN: Final = 8


def preferences_page(display: Display, stand_in: ComputerLevel, words: Words, *, turns: bool) -> Page:
    """Return every switch with its effect and a button that flips it, and the computer level that plays for
    them."""
    lines = [words.say("preferences.title"), *(words.say(f"preferences.{name}") for name in ON_RACKS)]
    switches = [display_button(name, display, words, "prefer", OWN) for name in ON_RACKS]
    named = {level: words.plain(f"level.{level}") for level in COMPUTER_LEVELS}
    lines.append(words.say("preferences.stand_in", levels=", ".join(named.values())))
    levels = tuple(
        _choice(f"🤖 {name}", level == stand_in, "stand_in", level) for level, name in named.items()
    )
    rows = (*in_rows([*switches, own_button(words, "notify")]), levels)
    return Page(text=join(lines), buttons=rows, turns=turns)


def display_button(name: str, display: Display, words: Words, verb: str, table: str) -> Button:
    """Return the button that flips a switch of a display. The press holds the new value, so pressing it twice
    does no harm."""
    on = getattr(display, name)
    return choice(words.plain(f"display.{name}"), on, callback_text(verb, table, 0, name, int(not on)))


def notifications_page(notifying: Notifying, now: float, words: Words, *, turns: bool) -> Page:
    """Return every way to hear of a turn, and the quiet hours. `now` in seconds since the epoch."""
    lines = [words.say("notify.title"), *(words.say(f"notify.{way}") for way in WAYS)]
    lines.append(words.say("notify.clock", time=_time(notifying, now)))
    ways = [
        _choice(words.plain(f"button.notify_{way}"), way == notifying.way, "notify_way", way) for way in WAYS
    ]
    off = _choice(words.plain("button.notify_never_quiet"), notifying.quiet is None, "notify_quiet", "off")
    hours = [_quiet(each, notifying) for each in QUIET_HOURS]
    other = notifying.quiet if notifying.quiet not in QUIET_HOURS else None
    own = [] if other is None else [_quiet(other, notifying)]
    leads = (own_button(words, "notify_zone"), own_button(words, "preferences", style="primary"))
    rows = (*in_rows(ways), (off, *own), *in_rows(hours), leads)
    return Page(text=join(lines), buttons=rows, turns=turns)


def zone_page(notifying: Notifying, now: float, words: Words) -> Page:
    """Return the question what time it is for the person now, which tells their time zone."""
    clocks = [
        _choice(_time(Notifying(offset=minutes), now), minutes == notifying.offset, "notify_offset", minutes)
        for minutes in (60 * hours for hours in _HOURS)
    ]
    return Page(text=words.say("notify.zone"), buttons=in_rows(clocks, 4), turns=True)


def _quiet(hours: tuple[int, int], notifying: Notifying) -> Button:
    begin, end = hours
    said = f"🌙 {full_hour(begin)}–{full_hour(end)}"
    return _choice(said, hours == notifying.quiet, "notify_quiet", f"{begin}-{end}")


def _choice(said: str, chosen: bool, verb: str, argument: str | int) -> Button:
    return choice(said, chosen, callback_text(verb, OWN, 0, argument))


def _time(notifying: Notifying, now: float) -> str:
    return f"{local_time(notifying, now):%H:%M}"


def own_link_page(url: str, words: Words) -> Page:
    """Return a person's own link to the table as an app, and the button that signs out everywhere."""
    link = Link(words.plain("app.open"), url)
    row = (own_button(words, "sessions"), own_button(words, "log_out"))
    return Page(text=words.say("app.link", link=link), buttons=(row,))


def sessions_page(sessions: Sequence[OwnSession], words: Words) -> Page:
    """Return the sessions of a person, the one that was opened last first, each with a button that ends
    it."""
    if not sessions:
        return Page(text=words.say("sessions.none"), turns=True)
    shown = sessions[:SESSIONS_SHOWN]
    lines = [words.say("sessions.title"), *(_session_line(n, each, words) for n, each in enumerate(shown, 1))]
    if len(sessions) > len(shown):
        lines.append(words.say("sessions.more", n=len(sessions) - len(shown)))
    ends = [
        Button(label(words, "button.session_end", n=n), callback_text("session_end", OWN, 0, each.id))
        for n, each in enumerate(shown, 1)
    ]
    return Page(text=join(lines), buttons=(*in_rows(ends, 4), (own_button(words, "log_out"),)), turns=True)


def _session_line(number: int, own: OwnSession, words: Words) -> Text:
    session = own.session
    key = "sessions.link" if session.by_link else "sessions.app"
    since, seen = (words.moment(at, "UTC") for at in (session.since, session.seen))
    where = say_on(platform_of(session.person), key, words)
    return words.say("sessions.line", n=number, where=where, since=since, seen=seen)


def forgetting_page(words: Words) -> Page:
    """Return the question whether a person really wants everything about them deleted."""
    row = (own_button(words, "forget_now", style="danger"), own_button(words, "forget_no"))
    return Page(text=words.say("notice.forget_asks"), buttons=(row,))
