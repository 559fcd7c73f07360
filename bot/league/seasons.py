"""Seasons: carry a league from night to night and from season to season."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.errors import Refused
from bot.ids import night_id, start_of
from bot.league import prizes
from bot.league.events import Announced
from bot.league.finals import stage_of
from bot.league.local_time import instant
from bot.league.members import after_night, change_member
from bot.league.model import League, NightRef, Season, SeasonPaused, Stage
from bot.league.night import Night
from bot.league.results import result_of
from bot.league.schedule import Occurrence, occurrences, pause_end
from bot.league.standings import SeasonStanding

ANNOUNCED_AHEAD: Final = 7 * 24 * 3600.0
"""Seconds before the end of a pause at which the night after it is announced: until then, the pause can be
taken back or shortened."""


def coming(league: League, now: float, limit: int) -> list[Occurrence]:
    """Return the next nights on the calendar, `limit` at most: the announced one, if it has not begun, and
    those after it. Nights that are over already are left out: called off, or held before their time."""
    if league.ended:
        return []
    known = {ref.id for ref in league.nights}
    announced = [ref for ref in league.nights if not ref.over]
    begun = max([now, *(ref.start for ref in announced)])
    dates = occurrences(league.schedule, begun, limit + len(known))
    following = [each for each in dates if night_id(league.id, each.original) not in known]
    ahead = [_occurrence_of(league, ref) for ref in announced if ref.start > now]
    return [*(each for each in ahead if each.original not in league.schedule.skipped), *following][:limit]


def _occurrence_of(league: League, ref: NightRef) -> Occurrence:
    """Return an announced night on the calendar, which keeps its date when the schedule changes."""
    original, zone = start_of(ref.id), league.schedule.zone
    moved = league.schedule.moved.get(original)
    return Occurrence(original, ref.start if moved is None else instant(moved, zone))


def with_next_night(league: League, now: float) -> League:
    """Return the league with its next night on the calendar, unless one is there already, there are no more,
    the league pauses, or the season has had all of its nights and waits for a decision."""
    if any(not ref.over for ref in league.nights):
        return league
    if count_held(league, league.season) >= league.format.nights:
        return league
    if now < announces_at(league):
        return league
    refs = (
        NightRef(id=night_id(league.id, each.original), start=each.at, season=league.season)
        for each in coming(league, now, 1)
    )
    return replace(league, nights=(*league.nights, *refs))


def announces_at(league: League) -> float:
    """Return the moment from which the night after a pause is announced; 0: there was no pause."""
    return pause_end(league.schedule) - ANNOUNCED_AHEAD if league.schedule.resumes else 0.0


def is_put_off(league: League, ref: NightRef) -> bool:
    """Return whether an announced night falls into a pause."""
    return ref.season == league.season and ref.start < pause_end(league.schedule)


def is_early(league: League, ref: NightRef) -> bool:
    """Return whether a night is announced though one before it is not over, since that is held after all."""
    return any(not each.over and each.start < ref.start for each in league.nights)


def find_pause(league: League, now: float) -> float | None:
    """Return when the present pause ends; None: there is none."""
    end = pause_end(league.schedule)
    return end if end > now and not league.ended else None


def is_between_seasons(league: League, now: float) -> bool:
    """Return whether the present season has not begun, and is not the last night's."""
    own = (ref for ref in league.nights if ref.season == league.season and not ref.cancelled)
    begun = any(ref.over or ref.start <= now for ref in own)
    return not (begun or league.ended or league.season in league.seasons)


def pause(league: League, now: float, until: str) -> SeasonPaused:
    """Return the act that puts the present season off until a local time.

    Raises Refused `season_begun`, `past_start`, `pause_too_short` when the announced night is after that, and
    `no_next_night` when none is.
    """
    if not is_between_seasons(league, now):
        raise Refused("season_begun", season=league.season)
    schedule = replace(league.schedule, resumes=until)
    end, zone = pause_end(schedule), schedule.zone
    if end <= now:
        raise Refused("past_start", start=until.replace("T", " "), zone=zone)
    announced = next((ref.start for ref in league.nights if not ref.over), None)
    if announced is not None and announced >= end:
        held = datetime.fromtimestamp(announced, ZoneInfo(zone))
        raise Refused("pause_too_short", start=f"{held:%Y-%m-%d %H:%M}", zone=zone)
    if not occurrences(schedule, now, 1):
        raise Refused("no_next_night")
    return SeasonPaused(league.season, until, league.schedule.resumes)


def count_held(league: League, season: int) -> int:
    """Return how many nights a season has had."""
    held = (each for each in league.nights if each.season == season)
    return sum(each.over and not each.cancelled for each in held)


def announcement(league: League, ref: NightRef, key: bytes, people: int = 0) -> Announced:
    """Return the first event of a night. `key` is random, for the ids of its tables; `people` are in the
    table before it."""
    number, final = number_of(league, ref), final_of(league, ref, people)
    return Announced(ref.id, league.id, ref.season, number, ref.start, league.format, key, final)


def final_of(league: League, ref: NightRef, people: int) -> Stage | None:
    """Return the final that is played on a night: on the season's last one, with that many people in the
    table before it; on every night, if a season has one alone."""
    settings, number = league.settings_of(ref.season), number_of(league, ref)
    if number < settings.nights and (number == 1 or _follows(league, ref)):
        return None
    return stage_of(settings, people)


def _follows(league: League, ref: NightRef) -> bool:
    """Return whether the calendar has a night after this one."""
    return bool(occurrences(league.schedule, ref.start, 1))


def number_of(league: League, ref: NightRef) -> int:
    """Return a night's number in its season, from 1; one that was called off has none of its own."""
    before = (each for each in league.nights if each.season == ref.season and each.start < ref.start)
    return 1 + sum(not each.cancelled for each in before)


def with_night_at(league: League, night: Night) -> League:
    """Return the league with a night's present start, which may have been moved."""
    nights = (replace(ref, start=night.start) if ref.id == night.id else ref for ref in league.nights)
    return replace(league, nights=tuple(nights))


def with_night_over(
    league: League, night: Night, table: Sequence[SeasonStanding], at: float, *, disputed: bool = False
) -> League:
    """Return the league after a night is over or cancelled, and again after its results were corrected.

    `table` is that of its season. When the season has as many nights as the format says, it has
    champions, and the next one begins; also when no more nights come, or an organiser has ended the league,
    but then it is the last season. While a result of the season is `disputed`, it waits for the decision.
    """
    ref = next((each for each in league.nights if each.id == night.id), None)
    if ref is None:
        return league
    if night.cancelled == "early":
        return replace(league, nights=tuple(each for each in league.nights if each is not ref))
    if not ref.over:
        played, absent = who_played(night), set(night.absent)
        league = after_night(league, played, absent - played, at)
        cancelled = night.stage == "cancelled"
        done = replace(ref, start=night.start, over=True, cancelled=cancelled)
        league = replace(league, nights=tuple(done if each is ref else each for each in league.nights))
    held = count_held(league, night.season)
    last = all(ref.over for ref in league.nights) and not coming(league, at, 1)
    whole = held >= night.format.nights or (last and held > 0)
    if night.season == league.season and (not whole or (disputed and night.season not in league.seasons)):
        return league
    settings = league.settings_of(night.season)
    ended = Season(number=night.season, settings=settings, champions=prizes.champions(table))
    league = replace(league, seasons={**league.seasons, night.season: ended})
    return league if last or night.season < league.season else _open_season(league)


def _open_season(league: League) -> League:
    """Return the league in its next season, with the settings that were drafted for it."""
    return replace(league, season=league.season + 1, format=league.drafted or league.format, drafted=None)


def with_night_back(league: League, night: Night) -> League:
    """Return the league after a night that was over is held after all, since its end was taken back: who was
    absent is barred no more."""
    ref = next((each for each in league.nights if each.id == night.id and each.over), None)
    if ref is None or night.stage in ("over", "cancelled"):
        return league
    for member in set(night.absent) & set(league.members):
        missed = max(0, league.members[member].missed - 1)
        league = change_member(league, member, missed=missed, barred_until=0.0)
    again = replace(ref, start=night.start, over=False, cancelled=False)
    return replace(league, nights=tuple(again if each is ref else each for each in league.nights))


def may_reopen(league: League, night: Night) -> bool:
    """Return whether a night that is over could be held after all: its season goes on, and no later night has
    begun."""
    later = (each for each in league.nights if each.start > night.start)
    return night.season not in league.seasons and not any(each.over for each in later)


def with_champions(league: League, tables: Mapping[int, Sequence[SeasonStanding]]) -> League:
    """Return the league with the champions of past seasons by their tables, since two members have become
    one, or two again."""
    seasons = {
        number: replace(held, champions=prizes.champions(tables[number]))
        for number, held in league.seasons.items()
        if number in tables
    }
    return replace(league, seasons={**league.seasons, **seasons})


def who_played(night: Night) -> set[str]:
    """Return the members who played a round of tiles themselves, or earned a table."""
    return {seat.member for table in result_of(night).tables for seat in table.seats if seat.member} | {
        member
        for round in night.rounds
        for table in round.tables
        for tiles in table.tiles
        for member in tiles.players
        if member
    }
