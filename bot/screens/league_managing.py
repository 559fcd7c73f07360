"""What an organiser sees of a league: the way to its next night, nights to skip, its end."""

from collections.abc import Sequence

from bot.league.model import League
from bot.league.night import Night
from bot.league.schedule import Occurrence
from bot.presses import press_text
from bot.screens.league_buttons import in_rows, league_button
from bot.screens.league_organising import why_page
from bot.screens.model import Button, Leaflet, Moment, Name, Row
from bot.words import Words, joined


def run_page(league: League, night: Night | None, words: Words, *, turns: bool) -> Leaflet:
    """What organisers may do with a league, and the way to its next night."""
    lines = [
        words.say("league.run.title", name=Name(league.name)),
        words.say("league.run.places", n=len(league.places)),
        words.say("league.run.typed"),
    ]
    rows: list[Row] = []
    if night is not None:
        label = words.plain("button.league_night", number=night.number)
        rows.append((Button((label,), press_text("night_run", night.id), "primary"),))
    rows.append((league_button("skips", league.id, words), league_button("invite", league.id, words)))
    rows.append(
        (league_button("close", league.id, words, style="danger"), league_button("hub", league.id, words))
    )
    return Leaflet(text=joined(lines), buttons=tuple(rows), turns=turns)


def skips_page(league: League, dates: Sequence[Occurrence], words: Words) -> Leaflet:
    """Which of the next nights is to be skipped."""
    zone = league.schedule.zone
    lines = [words.say("league.run.skips")]
    buttons = []
    for number, each in enumerate(dates, start=1):
        lines.append(words.say("league.nights.line", number=number, when=words.moment(each.at, zone)))
        label = words.plain("button.league_skip", number=number)
        press = press_text("league_skip", league.id, 0, _digits(each.original))
        buttons.append(Button((label,), press, "danger"))
    rows = (*in_rows(buttons, 6), (league_button("run", league.id, words),))
    return Leaflet(text=joined(lines), buttons=rows, turns=True)


def skip_page(league: League, start: str, when: Moment, words: Words) -> Leaflet:
    """Whether a night is really to be skipped, and why: it cannot be taken back."""
    asked = words.say("league.asked.skip", when=when)
    press = ("league_skip", league.id, 0, _digits(start))
    return why_page(asked, press, league_button("run", league.id, words), words)


def _digits(start: str) -> str:
    """A local start, as a button holds it."""
    return "".join(filter(str.isdigit, start))


def ending_page(league: League, words: Words) -> Leaflet:
    """Whether the league is really to end."""
    rows = (
        (league_button("end", league.id, words, style="danger"),),
        (league_button("run", league.id, words),),
    )
    return Leaflet(text=words.say("league.run.ending", name=Name(league.name)), buttons=rows, turns=True)
