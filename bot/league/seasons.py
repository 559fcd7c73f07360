"""Seasons: carry a league from night to night and from season to season."""

from collections.abc import Sequence
from dataclasses import replace

from bot.ids import night_id
from bot.league import prizes
from bot.league.events import Announced
from bot.league.members import after_night
from bot.league.model import League, NightRef
from bot.league.night import Night
from bot.league.results import result_of
from bot.league.schedule import Occurrence, occurrences
from bot.league.standings import season_table


def coming(league: League, now: float, limit: int) -> list[Occurrence]:
    """The next nights on the calendar, `limit` at most: the announced one, if it has not begun, and those
    after it. Nights that are over already are left out: called off, or held before their time."""
    over = {ref.id for ref in league.nights if ref.over}
    dates = [] if league.ended else occurrences(league.schedule, now, limit + len(over))
    return [each for each in dates if night_id(league.id, each.original) not in over][:limit]


def with_next_night(league: League, now: float) -> League:
    """The league with its next night on the calendar, unless one is there already or there are no more."""
    if any(not ref.over for ref in league.nights):
        return league
    refs = (
        NightRef(id=night_id(league.id, each.original), start=each.at, season=league.season)
        for each in coming(league, now, 1)
    )
    return replace(league, nights=(*league.nights, *refs))


def announcement(league: League, ref: NightRef, key: bytes) -> Announced:
    """The first event of a night. `key` is random, for the ids of its tables."""
    number = number_of(league, ref)
    return Announced(ref.id, league.id, ref.season, number, ref.start, league.format, key)


def number_of(league: League, ref: NightRef) -> int:
    """Return a night's number in its season, from 1; one that was called off has none of its own."""
    before = (each for each in league.nights if each.season == ref.season and each.start < ref.start)
    return 1 + sum(not each.cancelled for each in before)


def with_night_at(league: League, night: Night) -> League:
    """The league with a night's present start, which may have been moved."""
    nights = (replace(ref, start=night.start) if ref.id == night.id else ref for ref in league.nights)
    return replace(league, nights=tuple(nights))


def with_night_over(league: League, night: Night, season: Sequence[Night], at: float) -> League:
    """The league after a night is over or cancelled, and again after its results were corrected.

    `season` has the nights of its season. When the season has as many nights as the format says, it has
    champions, and the next one begins; also when no more nights come, or an organiser has ended the league,
    but then it is the last season.
    """
    ref = next((each for each in league.nights if each.id == night.id), None)
    if ref is None:
        return league
    if not ref.over:
        played, absent = who_played(night), set(night.absent)
        league = after_night(league, played, absent - played, at)
        cancelled = night.stage == "cancelled"
        done = replace(ref, start=night.start, over=True, cancelled=cancelled)
        league = replace(league, nights=tuple(done if each is ref else each for each in league.nights))
    held = sum(each.season == night.season and each.over and not each.cancelled for each in league.nights)
    last = all(ref.over for ref in league.nights) and not coming(league, at, 1)
    if night.season == league.season and held < night.format.nights and not (last and held):
        return league
    champions = {**league.champions, night.season: champions_of(league, season)}
    following = league.season if last else max(league.season, night.season + 1)
    return replace(league, champions=champions, season=following)


def champions_of(league: League, season: Sequence[Night]) -> tuple[str, ...]:
    """The members who lead the table of a season."""
    if not season:
        return ()
    table = season_table([result_of(night) for night in season], league.format, season[0].season)
    return prizes.champions(table)


def who_played(night: Night) -> set[str]:
    """The members who played a round of tiles themselves, or earned a table."""
    return {seat.member for table in result_of(night).tables for seat in table.seats if seat.member} | {
        member
        for round in night.rounds
        for table in round.tables
        for tiles in table.tiles
        for member in tiles.players
        if member
    }
