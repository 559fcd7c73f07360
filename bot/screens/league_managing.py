"""What an organiser sees of a league: the way to its next night, nights to skip, its end."""

from collections.abc import Sequence

from bot.league.model import League
from bot.league.night import Night
from bot.league.schedule import Occurrence
from bot.presses import press_text
from bot.screens.league_buttons import in_rows, league_button
from bot.screens.model import Button, Leaflet, Name, Row
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
        start = "".join(filter(str.isdigit, each.original))
        label = words.plain("button.league_skip", number=number)
        buttons.append(Button((label,), press_text("league_skip", league.id, 0, start), "danger"))
    rows = (*in_rows(buttons, 6), (league_button("run", league.id, words),))
    return Leaflet(text=joined(lines), buttons=rows, turns=True)


def ending_page(league: League, words: Words) -> Leaflet:
    """Whether the league is really to end."""
    rows = (
        (league_button("end", league.id, words, style="danger"),),
        (league_button("run", league.id, words),),
    )
    return Leaflet(text=words.say("league.run.ending", name=Name(league.name)), buttons=rows, turns=True)
