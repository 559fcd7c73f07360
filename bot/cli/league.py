"""Leagues at a terminal: `okey league export`, `members`."""

import asyncio
import sys
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable

from bot.cli.arguments import WrongUsage, content_of
from bot.cli.stored import on_store
from bot.errors import Refused
from bot.handlers.league.claims import put_claims
from bot.handlers.league.founding import fresh_page_key
from bot.handlers.league.members import put_invitation
from bot.ids import LeagueId
from bot.league.calendar import calendar
from bot.league.export import codes_csv, nights_csv, results_csv, standings_csv
from bot.league.members import parse_members, with_roster
from bot.league.model import League
from bot.league.transfer import NightLog, read_transfer, write_transfer
from bot.people.tokens import HashedTokens
from bot.repository.leagues import LeagueRepository
from bot.settings import Settings
from bot.store import Store


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


def run_import(arguments: Namespace) -> int:
    """Take over a league from another host's file; the exit status, 1 with a sentence on standard error."""
    content = content_of(arguments.file)

    async def take_over(leagues: LeagueRepository) -> None:
        found = read_transfer(content, fresh_page_key())
        await leagues.take_over(found.league, found.nights)
        id, nights = found.league.id, len(found.nights)
        print(f"League {id} is here, with {nights} nights and {len(found.league.members)} members.")
        print(f"`okey league codes {id}` makes codes that bring it to a group, and its members back to it.")

    return asyncio.run(_on_leagues(take_over))


def run_codes(arguments: Namespace) -> int:
    """Make the code that brings a league to a place, and one for each member who is known by their name
    alone, as CSV; the exit status, 1 with a sentence on standard error."""

    async def put(store: Store, settings: Settings) -> None:
        leagues, tokens = LeagueRepository(store), HashedTokens(store)
        league = await _league(leagues, arguments.league)
        invitation = await put_invitation(tokens, leagues, league)
        claims = await put_claims(tokens, league)
        print(codes_csv(league, invitation, claims), end="")

    return asyncio.run(on_store(put))


async def _on_leagues(act: Callable[[LeagueRepository], Awaitable[None]]) -> int:
    return await on_store(lambda store, settings: act(LeagueRepository(store)))


async def _content(arguments: Namespace, leagues: LeagueRepository, league: League) -> bytes:
    match arguments.format:
        case "json":
            logs = [NightLog(ref.id, await leagues.log(ref.id)) for ref in league.nights]
            return write_transfer(league, [each for each in logs if each.log])
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
    if arguments.what == "results":
        return results_csv(league, await leagues.standings.results(league, season))
    return standings_csv(league, await leagues.standings.season(league, season))


async def _league(leagues: LeagueRepository, league: str) -> League:
    if not league.isascii():
        raise Refused("unknown_league")
    return await leagues.load(LeagueId(league.lower()))
