"""Leagues at a terminal: `okey league export`, `members`."""

import asyncio
import sys
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable

from bot.cli.arguments import WrongUsage, content_of
from bot.cli.stored import on_store
from bot.errors import Refused
from bot.ids import LeagueId
from bot.league.calendar import calendar
from bot.league.export import LoggedNight, league_json, nights_csv, results_csv, standings_csv
from bot.league.members import parse_members, with_roster
from bot.league.model import League
from bot.league.results import result_of
from bot.league.standings import season_table
from bot.repository.leagues import LeagueRepository


def run_export(arguments: Namespace) -> int:
    """Write a league into a file; the exit status, 1 with sentences on standard error."""
    content = b""

    async def export(leagues: LeagueRepository) -> None:
        nonlocal content
        content = await _content(arguments, leagues, await _league(leagues, arguments.league))

    status = asyncio.run(_on_leagues(export))
    if status == 0 and arguments.output is None:
        sys.stdout.buffer.write(content)
    elif status == 0:
        arguments.output.write_bytes(content)
    return status


def run_members(arguments: Namespace) -> int:
    """Put the people of a file on a league's list of members, or nobody when a line can't be read; the exit
    status, 1 with a sentence for each such line on standard error."""
    try:
        text = content_of(arguments.file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WrongUsage(f"{arguments.file} can't be read: it is not text in UTF-8.") from None

    async def add(leagues: LeagueRepository) -> None:
        league = await _league(leagues, arguments.league)
        roster = parse_members(text)
        if roster.wrong:
            raise ExceptionGroup("lines that say nothing", roster.wrong)
        await leagues.change(league.id, None, lambda now: with_roster(now, roster))

    return asyncio.run(_on_leagues(add))


async def _on_leagues(act: Callable[[LeagueRepository], Awaitable[None]]) -> int:
    return await on_store(lambda store, settings: act(LeagueRepository(store)))


async def _content(arguments: Namespace, leagues: LeagueRepository, league: League) -> bytes:
    match arguments.format:
        case "json":
            return league_json(league, await _nights(leagues, league))
        case "ics":
            return calendar(league, time.time()).encode()
        case _:
            return (await _sheet(arguments, leagues, league)).encode()


async def _sheet(arguments: Namespace, leagues: LeagueRepository, league: League) -> str:
    season = league.season if arguments.season is None else arguments.season
    if not 1 <= season <= league.season:
        raise Refused("unknown_season", n=league.season)
    if arguments.what == "nights":
        return nights_csv(league)
    nights = await _nights(leagues, league)
    results = [night.result for night in nights if night.result.season == season]
    if arguments.what == "results":
        return results_csv(league, results)
    return standings_csv(league, season_table(results, league.format, season))


async def _league(leagues: LeagueRepository, league: str) -> League:
    if not league.isascii():
        raise Refused("unknown_league")
    return await leagues.load(LeagueId(league.lower()))


async def _nights(leagues: LeagueRepository, league: League) -> list[LoggedNight]:
    nights = await leagues.nights(league)
    return [LoggedNight(result_of(night), await leagues.log(night.id)) for night in nights]
