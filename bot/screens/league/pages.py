"""What people read about a league: its page, when it meets, and which nights were held."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.league.model import League, Member
from bot.league.night import Night, NightStage
from bot.league.schedule import Occurrence
from bot.markup import Button, Link, Name, Page, Row, Style, Text
from bot.screens.league.parts import in_rows, league_button, names, night_button
from bot.screens.league.settings import format_lines, schedule_line

NIGHTS_TOLD: Final = 12
_IN_A_ROW: Final = 6

_OFFERED: Final[Mapping[NightStage, tuple[tuple[str, Style], ...]]] = {
    "announced": (("yes", "good"), ("maybe", "plain"), ("no", "plain"), ("substitute", "plain")),
    "check_in": (("here", "good"), ("no", "plain")),
    "ready": (("late", "good"), ("leave", "danger")),
    "playing": (("late", "good"), ("leave", "danger")),
    "break": (("late", "good"), ("leave", "danger")),
}
"""What may be answered at each stage of a night."""

_PAGES: Final = ("dates", "table", "nights", "prizes", "me")


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFacts:
    """A league as one reader meets it."""

    league: League
    next: Night | None
    """The night that is on, or comes next."""
    member: Member | None
    """Who reads, if he is one of its members."""
    organises: bool
    page: str = ""
    """The address of its public page; empty where it has none."""


def leagues_page(leagues: Sequence[League], words: Words) -> Page:
    """Which of a place's leagues one means."""
    buttons = (Button((league.name,), callback_text("league_hub", league.id)) for league in leagues)
    return Page(text=words.say("league.hub.which"), buttons=tuple((button,) for button in buttons))


def hub_page(facts: HubFacts, words: Words, *, turns: bool) -> Page:
    """A league at a glance, and ways to everything else."""
    league, night = facts.league, facts.next
    lines = [
        words.say("league.hub.title", name=Name(league.name), season=league.season),
        schedule_line(league.schedule, words),
        *format_lines(league.format, words),
    ]
    if league.ended:
        lines.append(words.say("league.hub.ended"))
    elif night is not None:
        lines.append(_next(night, league, words))
        lines += _own_answer(facts, night, words)
    champions = max(league.champions, default=None)
    if champions is not None:
        who = names(league, league.champions[champions], words)
        lines.append(words.say("league.hub.champion", season=champions, who=who))
    if facts.page:
        lines.append(("🔗 ", Link(words.plain("league.hub.page"), facts.page)))
    return Page(text=joined(lines), buttons=_hub_buttons(facts, words), turns=turns)


def _next(night: Night, league: League, words: Words) -> Text:
    when = words.moment(night.start, league.schedule.zone)
    return words.say("league.hub.next", number=night.number, when=when)


def _own_answer(facts: HubFacts, night: Night, words: Words) -> list[Text]:
    entrant = None if facts.member is None else night.entrant(facts.member.id)
    if entrant is None:
        return [words.say("league.hub.unanswered")]
    if facts.member is not None and facts.member.id in night.waiting:
        place = night.waiting.index(facts.member.id) + 1
        return [words.say("league.hub.waiting", place=place)]
    return [words.say(f"league.hub.said.{entrant.reply}")]


def _hub_buttons(facts: HubFacts, words: Words) -> tuple[Row, ...]:
    league, night = facts.league, facts.next
    rows: list[Row] = []
    if night is not None and not league.ended:
        rows.append(
            tuple(night_button(verb, night, words, style) for verb, style in _offered(night, facts.member))
        )
    rows.append(tuple(league_button(verb, league.id, words) for verb in _PAGES))
    if facts.organises:
        rows.append((league_button("run", league.id, words, style="primary"),))
    return tuple(filter(None, rows))


def _offered(night: Night, member: Member | None) -> Sequence[tuple[str, Style]]:
    """What may be answered: who is in his seat cannot come late."""
    offered = _OFFERED.get(night.stage, ())
    there = member is not None and member.id in night.playing and night.kept_for(member.id) is None
    return [each for each in offered if not (there and each[0] == "late")]


def dates_page(league: League, dates: Sequence[Occurrence], words: Words, *, turns: bool) -> Page:
    """When the next nights are, in the reader's own time where his chat can tell it."""
    zone = league.schedule.zone
    lines = [words.say("league.dates.line", when=words.moment(each.at, zone)) for each in dates]
    title = words.say("league.dates.title", name=Name(league.name))
    told = [title, *(lines or [words.say("league.dates.none")]), words.say("league.dates.zone", zone=zone)]
    return Page(text=joined(told), buttons=((league_button("hub", league.id, words),),), turns=turns)


def nights_page(league: League, words: Words, *, turns: bool) -> Page:
    """The nights that were held, the newest first, each with its results."""
    zone = league.schedule.zone
    held = [ref for ref in reversed(league.nights) if ref.over][:NIGHTS_TOLD]
    lines = [
        words.say("league.nights.line", number=number, when=words.moment(ref.start, zone))
        for number, ref in enumerate(held, start=1)
    ]
    buttons = [
        Button((words.plain("button.night_nth", number=number),), callback_text("night_results", ref.id))
        for number, ref in enumerate(held, start=1)
    ]
    title = words.say("league.nights.title", name=Name(league.name))
    text = joined([title, *(lines or [words.say("league.nights.none")])])
    return Page(
        text=text,
        buttons=(*in_rows(buttons, _IN_A_ROW), (league_button("hub", league.id, words),)),
        turns=turns,
    )
