"""The organisers' hand on a league: nights skipped and moved, its end."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.errors import Refused
from bot.handlers.league.organising import WHY_MOST
from bot.handlers.league.reading import DATES, LeagueReading, check_organiser
from bot.handlers.request import RequestContext
from bot.i18n import Words, words_for
from bot.ids import LeagueId, night_id, start_of
from bot.league import decide
from bot.league.decide import Happening
from bot.league.local_time import instant, read_local
from bot.league.model import League
from bot.league.night import Night
from bot.league.schedule import occurrences
from bot.markup import Moment, Name, Page
from bot.people.leagues import Leagues
from bot.people.permissions import Organisers
from bot.ports import Answer, Person, TypedCommand
from bot.repository.leagues import Decide
from bot.screens.league.organising import REASONS, ending_page, run_page, skip_page, skips_page

MANAGING: Final = frozenset({"league_run", "league_skips", "league_skip", "league_close", "league_end"})
"""The buttons of these pages."""

_MINUTE: Final = "%Y%m%d%H%M"


@dataclass(frozen=True, slots=True)
class Managing:
    """The handlers of these buttons and lines. Who may is asked at each of them; refusals are Refused."""

    leagues: Leagues
    organisers: Organisers
    reading: LeagueReading

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of the buttons of `MANAGING`. Refused: `organisers_only`, `cannot_ask`, …"""
        words = context.words
        league = await self.leagues.load(context.league)
        await check_organiser(self.organisers, league, context.by.key)
        match context.request.verb:
            case "league_skips":
                return Answer(page=await self._skips(league.id, words))
            case "league_skip":
                return await self._skip_pressed(league, context, press_id)
            case "league_close":
                return Answer(page=ending_page(league, words))
            case "league_end":
                answer = await self._ended(league, context.by, words, press_id)
                league = await self.leagues.load(league.id)
                page = await self.reading.page("hub", league, context.by, words, turns=True)
                return replace(answer, page=page.page)
        return await self.page(league, words, turns=context.place is None)

    async def page(self, league: League, words: Words, *, turns: bool) -> Answer:
        """What organisers may do with a league."""
        night = None if league.ended else await self.reading.next_night(league)
        return Answer(page=run_page(league, night, words, turns=turns))

    async def typed(self, verb: str, text: str, league: League, typed: TypedCommand, words: Words) -> Answer:
        """`run`, `skip`, `move 2026-03-06 20:00` or `end`. Refused as the buttons."""
        await check_organiser(self.organisers, league, typed.by.key)
        match verb:
            case "skip":
                start = await self._next(league)
                if not text:
                    return await self._skip_asked(league, start, words)
                return await self._skipped(league, start, text[:WHY_MOST], typed.by, words, typed.id)
            case "move":
                return await self._moved(league, text, typed.by, words, typed.id)
            case "end":
                return Answer(page=ending_page(league, words))
        return await self.page(league, words, turns=False)

    async def _skip_pressed(self, league: League, context: RequestContext, press_id: str) -> Answer:
        """A start alone asks why it is to be skipped; with a reason it is."""
        start, reasons = self._ahead(league, _start(context)), context.request.arguments[1:]
        if not reasons:
            return await self._skip_asked(league, start, context.words)
        if reasons[0] not in REASONS:
            raise Refused("unknown_button")
        why = words_for(league.language).plain(f"league.reason.{reasons[0]}")
        answer = await self._skipped(league, start, why, context.by, context.words, press_id)
        return replace(answer, page=await self._skips(league.id, context.words))

    async def _skip_asked(self, league: League, start: str, words: Words) -> Answer:
        night = await self.reading.next_night(league)
        if night is not None and start_of(night.id) == start:
            _called_off(night, self.leagues.clock())
        return Answer(page=skip_page(league, start, _when(league, start, words), words))

    def _ahead(self, league: League, start: str) -> str:
        """A start that is to come, or is skipped already. Raises Refused `old_button`."""
        dates = occurrences(league.schedule, self.leagues.clock(), DATES)
        if start not in {*league.schedule.skipped, *(each.original for each in dates)}:
            raise Refused("old_button")
        return start

    async def _skips(self, league: LeagueId, words: Words) -> Page:
        """The next nights as they now are."""
        held = await self.leagues.load(league)
        dates = occurrences(held.schedule, self.leagues.clock(), DATES)
        return skips_page(held, dates, words)

    async def _skipped(
        self, league: League, start: str, why: str, by: Person, words: Words, action: str
    ) -> Answer:
        """The night of this start is not held; one that is announced already is called off."""
        await self._to_night(league, start, _called_off, by, action, why=why)
        skipped = tuple(dict.fromkeys((*league.schedule.skipped, start)))
        await self.leagues.change(
            league.id, None, lambda now: replace(now, schedule=replace(now.schedule, skipped=skipped))
        )
        return Answer(notice=words.say("notice.league_skipped", when=_when(league, start, words)))

    async def _moved(self, league: League, text: str, by: Person, words: Words, action: str) -> Answer:
        """The next night is held at another time. Raises Refused `bad_start`, `past_start`, `night_begun`."""
        start, zone, local = await self._next(league), league.schedule.zone, read_local(text)
        at = instant(local, zone)
        if at <= self.leagues.clock():
            raise Refused("past_start", start=local.replace("T", " "), zone=zone)
        await self._to_night(league, start, lambda night, now: decide.reschedule(night, now, at), by, action)
        moved = {**league.schedule.moved, start: local}
        await self.leagues.change(
            league.id, None, lambda now: replace(now, schedule=replace(now.schedule, moved=moved))
        )
        return Answer(notice=words.say("notice.league_moved", when=words.moment(at, zone)))

    async def _ended(self, league: League, by: Person, words: Words, action: str) -> Answer:
        night = await self.reading.next_night(league)
        if night is not None and not night.rounds:
            await self._to_night(league, start_of(night.id), decide.cancel, by, action)
        await self.leagues.change(league.id, None, lambda now: replace(now, ended=True))
        return Answer(notice=words.say("notice.league_ended", name=Name(league.name)))

    async def _next(self, league: League) -> str:
        """The start by which the next night is called. Raises Refused `no_next_night`."""
        night = await self.reading.next_night(league)
        if night is not None:
            return start_of(night.id)
        dates = [] if league.ended else occurrences(league.schedule, self.leagues.clock(), 1)
        if not dates:
            raise Refused("no_next_night")
        return dates[0].original

    async def _to_night(
        self, league: League, start: str, decide: Decide, by: Person, action: str, *, why: str = ""
    ) -> None:
        """An act on a night, if it has been announced."""
        night = night_id(league.id, start)
        if night not in {ref.id for ref in league.nights}:
            return
        member = await self.leagues.organiser(league.id, by)
        await self.leagues.act(night, f"{by.key} {action}", decide, by=member.id, why=why)


def _called_off(night: Night, now: float) -> Happening:
    """A night that is skipped has not begun: to break one off is another act. Refused: `night_begun`."""
    if night.rounds:
        raise Refused("night_begun")
    return decide.cancel(night, now)


def _when(league: League, start: str, words: Words) -> Moment:
    return words.moment(instant(start, league.schedule.zone), league.schedule.zone)


def _start(context: RequestContext) -> str:
    """The local start that a button names in digits."""
    try:
        return datetime.strptime(context.argument(), _MINUTE).isoformat(timespec="minutes")
    except ValueError:
        raise Refused("unknown_button") from None
