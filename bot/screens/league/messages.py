"""Messages that the bot itself sends about a night: reminders, calls to a table, and calendar entries."""

from typing import Final, Literal

from bot.i18n import Words
from bot.league.model import League
from bot.league.night import Night
from bot.markup import Clock, Name, Page, Text
from bot.ports import Right, ScheduledEvent
from bot.screens.league.pages import reminders_button
from bot.screens.league.parts import moment, page
from bot.screens.parts import button

TITLE_MOST: Final = 100


def reminder(league: League, night: Night, member: str, words: Words) -> Page:
    """Return the reminder that a night begins soon, for a member who has signed up."""
    begins = words.say(
        "league.letter.remind",
        name=Name(league.name),
        number=night.number,
        when=Clock(night.start),
        moment=moment(league, night.start, words),
    )
    entrant = night.entrant(member)
    no, quiet = button(words, "night_no", night.id), reminders_button(league, words, on=False)
    if entrant is not None and entrant.reply == "maybe":
        yes = button(words, "night_yes", night.id, style="good")
        return page([begins, words.say("league.letter.maybe")], (yes, no), (quiet,), turns=False)
    if night.stage == "check_in" and entrant is not None and not entrant.here:
        here = button(words, "night_here", night.id, style="good")
        return page([begins, words.say("league.letter.check_in")], (here, no), (quiet,), turns=False)
    return page([begins], (no,), (quiet,), turns=False)


def free_seat(league: League, night: Night, table: int, words: Words) -> Page:
    """Return the offer of a free seat, for a possible substitute."""
    text = words.say("league.letter.seat", name=Name(league.name), table=table)
    return page([text], (button(words, "night_sit", night.id, style="good"),), turns=False)


def call(league: League, round: int, words: Words) -> Text:
    """Return the words after the names of the people whose tables are open."""
    return words.say("league.call", name=Name(league.name), round=round)


def lacking(league: League, right: Right, words: Words) -> Text:
    """Return the notice that the bot lacks a right, told once to the people who run a place."""
    return words.say(f"league.lacks.{right}", name=Name(league.name))


def role_name(league: League, words: Words) -> str:
    """Return the name of the champion's role."""
    return words.plain("league.role", name=league.name)[:TITLE_MOST]


def event(league: League, night: Night, words: Words) -> ScheduledEvent:
    """Return a night's calendar entry, in its current state."""
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
