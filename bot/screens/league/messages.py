"""What the bot itself tells people about a night: letters, a line that calls them, what calendars say."""

from typing import Final, Literal

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.league.model import League
from bot.league.night import Night
from bot.markup import Button, Clock, Name, Page, Row, Text
from bot.ports import Right, ScheduledEvent
from bot.screens.league.parts import night_button

TITLE_MOST: Final = 100


def reminder(league: League, night: Night, member: str, words: Words) -> Page:
    """That a night begins soon, to one who has signed up."""
    zone = league.schedule.zone
    begins = words.say(
        "league.letter.remind",
        name=Name(league.name),
        number=night.number,
        when=Clock(night.start),
        moment=words.moment(night.start, zone),
    )
    entrant = night.entrant(member)
    awaited = night.stage == "check_in" and entrant is not None and not entrant.here
    lines = [begins, *([words.say("league.letter.check_in")] if awaited else [])]
    quiet = Button((words.plain("button.league_quiet"),), callback_text("league_remind", league.id, 0, "off"))
    if awaited:
        answers: Row = (night_button("here", night, words, "good"), night_button("no", night, words))
    else:
        answers = (night_button("no", night, words),)
    return Page(text=joined(lines), buttons=(answers, (quiet,)))


def free_seat(league: League, night: Night, table: int, words: Words) -> Page:
    """That a seat is free, to one who would be a substitute."""
    text = words.say("league.letter.seat", name=Name(league.name), table=table)
    return Page(text=text, buttons=((night_button("sit", night, words, "good"),),))


def call(league: League, round: int, words: Words) -> Text:
    """What follows the names of those whose tables are open."""
    return words.say("league.call", name=Name(league.name), round=round)


def lacking(league: League, right: Right, words: Words) -> Text:
    """What whoever runs a place is told, once."""
    return words.say(f"league.lacks.{right}", name=Name(league.name))


def role_name(league: League, words: Words) -> str:
    """What the champion's role is called."""
    return words.plain("league.role", name=league.name)[:TITLE_MOST]


def event(league: League, night: Night, words: Words) -> ScheduledEvent:
    """What a calendar shows of a night, as it stands."""
    played = len(night.rounds)
    each = (night.format.round_minutes + night.format.grace_minutes) * 60
    breaks = max(0, night.format.rounds - max(played, 1)) * night.format.break_minutes * 60
    begun = night.start if night.round is None else night.round.hard_end
    return ScheduledEvent(
        title=words.plain("league.event.title", name=league.name, number=night.number)[:TITLE_MOST],
        words=words.plain("league.event.words"),
        start=night.start,
        end=begun + max(0, night.format.rounds - played) * each + breaks,
        stage=_stage(night),
    )


def _stage(night: Night) -> Literal["ahead", "running", "past"]:
    if night.stage in ("over", "cancelled"):
        return "past"
    return "ahead" if night.stage in ("announced", "check_in", "ready") else "running"
