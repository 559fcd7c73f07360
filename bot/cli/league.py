"""League commands: `okey league export`, `members`, `seating`."""

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from bot.errors import Refused
from bot.i18n import words_for
from bot.league.calendar import calendar
from bot.league.export import LoggedNight, league_json, nights_csv, results_csv, standings_csv
from bot.league.members import parse_members, with_roster
from bot.league.model import League
from bot.league.results import result_of
from bot.league.seating.trial import run_seating, seating_arguments
from bot.league.standings import season_table
from bot.repository.leagues import LeagueRepository
from bot.settings import read_settings
from bot.store import open_store

SHEETS: Final = ("standings", "results", "nights")
"""What CSV can hold of a league."""


def export_arguments(parser: ArgumentParser) -> None:
    """`LEAGUE [--format …] [--what …] [--season …] [--output …]`."""
    parser.add_argument("league", metavar="LEAGUE", help="its five characters, as in its page's address")
    parser.add_argument("--format", choices=("json", "csv", "ics"), default="json", help="default: json")
    parser.add_argument("--what", choices=SHEETS, default="standings", help="of CSV (default: standings)")
    parser.add_argument("--season", type=int, help="of CSV (default: the one that runs)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")


def members_arguments(parser: ArgumentParser) -> None:
    """`LEAGUE FILE`."""
    parser.add_argument("league", metavar="LEAGUE", help="its five characters, as in its page's address")
    parser.add_argument("file", metavar="FILE", help="a name a line, or CSV; - for standard input")


def run_export(arguments: Namespace) -> int:
    """Write a league into a file; 1 when there is no such league or season."""
    return asyncio.run(_on_leagues(partial(_export, arguments)))


def run_members(arguments: Namespace) -> int:
    """Put people on a league's list of members; 1, and nobody is put there, when a line can't be read."""
    return asyncio.run(_on_leagues(partial(_members, arguments)))


async def _on_leagues(act: Callable[[LeagueRepository], Awaitable[None]]) -> int:
    async with _opened_repository() as league_repository:
        try:
            await act(league_repository)
        except Refused as refused:
            return _told(_sentence(refused))
        except _WrongLines as wrong:
            return _told(*map(_sentence, wrong.lines))
        except (OSError, UnicodeError) as error:
            return _told(str(error))
    return 0


class _WrongLines(Exception):
    """Lines of a list that say nothing."""

    def __init__(self, lines: Sequence[Refused]) -> None:
        super().__init__(len(lines))
        self.lines = lines


def _sentence(refused: Refused) -> str:
    return words_for("en").plain(f"refused.{refused.code}", **refused.values)


def _told(*sentences: str) -> int:
    for sentence in sentences:
        print(f"okey: {sentence}", file=sys.stderr)
    return 1


@asynccontextmanager
async def _opened_repository() -> AsyncIterator[LeagueRepository]:
    settings = read_settings()
    redis = None if settings.redis_url is None else settings.redis_url.reveal()
    async with open_store(redis, settings.data_dir) as store:
        yield LeagueRepository(store)


async def _export(arguments: Namespace, league_repository: LeagueRepository) -> None:
    league = await _league(league_repository, arguments.league)
    content = await _content(arguments, league_repository, league)
    if arguments.output is None:
        sys.stdout.buffer.write(content)
    else:
        await asyncio.to_thread(arguments.output.write_bytes, content)


async def _content(arguments: Namespace, league_repository: LeagueRepository, league: League) -> bytes:
    match arguments.format:
        case "json":
            return league_json(league, await _nights(league_repository, league))
        case "ics":
            return calendar(league, time.time()).encode()
        case _:
            return (await _sheet(arguments, league_repository, league)).encode()


async def _sheet(arguments: Namespace, league_repository: LeagueRepository, league: League) -> str:
    season = league.season if arguments.season is None else arguments.season
    if not 1 <= season <= league.season:
        raise Refused("unknown_season", n=league.season)
    if arguments.what == "nights":
        return nights_csv(league)
    results = [
        night.result for night in await _nights(league_repository, league) if night.result.season == season
    ]
    if arguments.what == "results":
        return results_csv(league, results)
    return standings_csv(league, season_table(results, league.format, season))


async def _members(arguments: Namespace, league_repository: LeagueRepository) -> None:
    league = await _league(league_repository, arguments.league)
    text = sys.stdin.read() if arguments.file == "-" else await asyncio.to_thread(_read, arguments.file)
    roster = parse_members(text)
    if roster.wrong:
        raise _WrongLines(roster.wrong)
    await league_repository.change(league.id, None, lambda now: with_roster(now, roster))


def _read(file: str) -> str:
    return Path(file).read_text(encoding="utf-8-sig")


async def _league(league_repository: LeagueRepository, league: str) -> League:
    held = await league_repository.league(league)
    if held is None:
        raise Refused("unknown_league")
    return held.value


async def _nights(league_repository: LeagueRepository, league: League) -> list[LoggedNight]:
    held = [await league_repository.night(ref.id) for ref in league.nights]
    return [
        LoggedNight(result_of(night.value), await league_repository.log(night.value.id))
        for night in held
        if night is not None
    ]


def league_arguments(parser: ArgumentParser) -> None:
    """The words after `okey league`."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    seating = commands.add_parser("seating", help="seat nights of many sizes and measure how good that is")
    seating_arguments(seating)
    seating.set_defaults(act=run_seating)
    export = commands.add_parser("export", help="write a league into a file: JSON, CSV or a calendar")
    export_arguments(export)
    export.set_defaults(act=run_export)
    members = commands.add_parser("members", help="put the people of a file on a league's list of members")
    members_arguments(members)
    members.set_defaults(act=run_members)


def run_league(arguments: Namespace) -> int:
    """Do what the word after `okey league` says; its exit status."""
    status: int = arguments.act(arguments)
    return status
