"""The organisers' hand on a night: pages of acts, a question why before each, and the act with its reason."""

from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.handlers.league.actions import OF_RESULTS, Act, act_of, typed_act
from bot.handlers.league.reading import LeagueReading, check_organiser
from bot.handlers.request import RequestContext
from bot.i18n import Words, words_for
from bot.league.decide import table_of
from bot.league.model import League
from bot.league.night import Night
from bot.markup import Page
from bot.people.leagues import Leagues
from bot.people.permissions import Organisers
from bot.ports import Answer, Person
from bot.screens.league.organising import (
    REASONS,
    night_run_page,
    people_page,
    person_run_page,
    reason_page,
    replace_page,
    reseat_page,
    table_run_page,
    tables_page,
)

ORGANISING: Final = frozenset(
    {
        *("night_run", "night_tables", "night_table", "night_people", "night_person"),
        *("night_replace", "night_reseat", "night_ask", "night_do"),
    }
)
"""The buttons of these pages."""

WHY_MOST: Final = 200
"""Letters of a typed reason that are kept."""


@dataclass(frozen=True, slots=True)
class NightOrganising:
    """The handlers of these buttons. Who may is asked at each of them; refusals are Refused."""

    leagues: Leagues
    organisers: Organisers
    reading: LeagueReading

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of the buttons of `ORGANISING`. Refused: `organisers_only`, `cannot_ask`, …"""
        night = await self.leagues.night(context.night)
        league = await self.leagues.load(night.league)
        await check_organiser(self.organisers, league, context.by.key)
        if context.request.verb == "night_ask":
            act = act_of(context.argument(), context.request.arguments[1:], league)
            return Answer(page=_why(night, act, context.words))
        if context.request.verb == "night_do":
            return await self._done(context, league, night, f"{context.by.key} {press_id}")
        return Answer(page=_page(league, night, context))

    async def typed(
        self, name: str, text: str, league: League, by: Person, words: Words, action: str
    ) -> Answer:
        """A typed act on the night that is on or next, or on the last one's results; without a reason it is
        asked for. Refused as a button, and `bad_league_act`, `no_next_night`, `no_night_played`."""
        await check_organiser(self.organisers, league, by.key)
        night = await (self.reading.played(league) if name in OF_RESULTS else self.reading.coming(league))
        arguments, why = typed_act(name, text, league)
        act = act_of(name, arguments, league)
        if not why:
            return Answer(page=_why(night, act, words))
        return await self._act(league, night, act, why[:WHY_MOST], by, words, action)

    async def _done(self, context: RequestContext, league: League, night: Night, action: str) -> Answer:
        if len(context.request.arguments) < 2 or context.request.arguments[-1] not in REASONS:
            raise Refused("unknown_button")
        *arguments, reason = context.request.arguments
        act = act_of(arguments[0], arguments[1:], league)
        why = words_for(league.language).plain(f"league.reason.{reason}")
        answer = await self._act(league, night, act, why, context.by, context.words, action)
        page = night_run_page(league, await self.leagues.night(night.id), context.words, turns=True)
        return Answer(notice=answer.notice, page=page)

    async def _act(
        self, league: League, night: Night, act: Act, why: str, by: Person, words: Words, action: str
    ) -> Answer:
        member = await self.leagues.organiser(league.id, by)
        await self.leagues.act(night.id, action, act.decide, by=member.id, why=why)
        return Answer(notice=words.say("notice.night_done", act=act.done(words)))


def _why(night: Night, act: Act, words: Words) -> Page:
    return reason_page(night, act.asked(words), (act.name, *act.arguments), words)


def _page(league: League, night: Night, context: RequestContext) -> Page:
    words = context.words
    match context.request.verb:
        case "night_tables":
            return tables_page(night, _first(context, 0), words)
        case "night_table":
            round, number = context.number(0), context.number(1)
            return table_run_page(league, night, round, table_of(night, round, number), words)
        case "night_people":
            return people_page(league, night, _people(night), _first(context, 0), words)
        case "night_person":
            return person_run_page(league, night, context.argument(), words)
        case "night_replace":
            return replace_page(league, night, context.argument(), _others(night), _first(context, 1), words)
        case "night_reseat":
            if night.round is None or night.stage != "playing":
                raise Refused("no_round_running")
            return reseat_page(league, night, context.argument(), _first(context, 1), words)
    return night_run_page(league, night, words, turns=context.place is None)


def _first(context: RequestContext, number: int) -> int:
    """From which button on a page is shown: the argument of this number, or from the beginning."""
    return context.number(number) if len(context.request.arguments) > number else 0


def _people(night: Night) -> tuple[str, ...]:
    """Everybody of the night: who plays, and who has played."""
    sat = (member for round in night.rounds for table in round.tables for member in table.members)
    byes = (member for round in night.rounds for member in round.byes)
    return tuple(dict.fromkeys((*night.playing, *sat, *byes)))


def _others(night: Night) -> tuple[str, ...]:
    """Who could play in somebody's place: substitutes first, then whoever waits, is late or has a bye."""
    round = night.round
    seated = () if round is None else [m for t in round.tables if not t.over for m in t.members]
    entrants = sorted(night.entrants, key=lambda each: each.reply != "substitute")
    return tuple(each.member for each in entrants if each.reply != "no" and each.member not in seated)
