"""What an organiser sees of a league: the way to its next night, nights to skip, its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.league.model import League
from bot.league.night import Night
from bot.league.schedule import Occurrence
from bot.markup import Button, Moment, Name, Page, Row, Text
from bot.screens.league.organising import why_page
from bot.screens.league.parts import in_rows, league_button


@dataclass(frozen=True, slots=True)
class Shown:
    """A place of a league."""

    way: Text
    """A link to it, or its key."""
    tag: str
    """For the button that withdraws it; empty where the reader may not."""


def run_page(league: League, night: Night | None, words: Words, *, turns: bool) -> Page:
    """What organisers may do with a league, and the way to its next night."""
    lines = [
        words.say("league.run.title", name=Name(league.name)),
        words.say("league.run.places", n=len(league.places)),
        words.say("league.run.typed"),
    ]
    rows: list[Row] = []
    if night is not None:
        label = words.plain("button.league_night", number=night.number)
        rows.append((Button((label,), callback_text("night_run", night.id), "primary"),))
    ways = ("skips", "places", "invite")
    rows.append(tuple(league_button(way, league.id, words) for way in ways))
    rows.append(
        (league_button("close", league.id, words, style="danger"), league_button("hub", league.id, words))
    )
    return Page(text=joined(lines), buttons=tuple(rows), turns=turns)


def places_page(league: League, places: Sequence[Shown], words: Words) -> Page:
    """Where a league is played, and which of these places the reader may withdraw."""
    lines = [words.say("league.run.shown", name=Name(league.name))]
    lines += [(f"{number}. ", *each.way) for number, each in enumerate(places, start=1)]
    buttons = [
        Button(
            (words.plain("button.league_withdraw", number=number),),
            callback_text("league_withdraw", league.id, 0, each.tag),
            "danger",
        )
        for number, each in enumerate(places, start=1)
        if each.tag
    ]
    ways = (league_button("invite", league.id, words), league_button("run", league.id, words))
    return Page(text=joined(lines), buttons=(*in_rows(buttons, 4), ways), turns=True)


def skips_page(league: League, dates: Sequence[Occurrence], words: Words) -> Page:
    """Which of the next nights is to be skipped."""
    zone = league.schedule.zone
    lines = [words.say("league.run.skips")]
    buttons = []
    for number, each in enumerate(dates, start=1):
        lines.append(words.say("league.nights.line", number=number, when=words.moment(each.at, zone)))
        label = words.plain("button.league_skip", number=number)
        press = callback_text("league_skip", league.id, 0, _digits(each.original))
        buttons.append(Button((label,), press, "danger"))
    rows = (*in_rows(buttons, 6), (league_button("run", league.id, words),))
    return Page(text=joined(lines), buttons=rows, turns=True)


def skip_page(league: League, start: str, when: Moment, words: Words) -> Page:
    """Whether a night is really to be skipped, and why: it cannot be taken back."""
    asked = words.say("league.asked.skip", when=when)
    press = ("league_skip", league.id, 0, _digits(start))
    return why_page(asked, press, league_button("run", league.id, words), words)


def _digits(start: str) -> str:
    """A local start, as a button holds it."""
    return "".join(filter(str.isdigit, start))


def ending_page(league: League, words: Words) -> Page:
    """Whether the league is really to end."""
    rows = (
        (league_button("end", league.id, words, style="danger"),),
        (league_button("run", league.id, words),),
    )
    return Page(text=words.say("league.run.ending", name=Name(league.name)), buttons=rows, turns=True)
