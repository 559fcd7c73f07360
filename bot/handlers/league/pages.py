"""League pages: `/okey league`, a league's own page, its dates, tables, nights, prizes, members' figures."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Final

from bot.errors import Refused
from bot.handlers.arguments import NAMED_LEAGUE
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button, command
from bot.handlers.league.targets import (
    HOST,
    LEAGUE,
    MEMBER,
    NIGHT,
    WORDS,
    LeagueNight,
    about_league,
    leagues_here,
    next_night,
    organises,
)
from bot.handlers.who import ANYBODY
from bot.history.judgements import PlayedSeat
from bot.i18n import LANGUAGES, words_for
from bot.i18n.commands import bare
from bot.league.model import League, Member
from bot.league.night import Night
from bot.league.prizes import chips, month_leaders, pot
from bot.league.records import MemberRecord
from bot.league.results import result_in
from bot.league.seasons import coming, find_pause
from bot.league.standings import night_standings
from bot.league.visibility import path_of
from bot.markup import Link, Page
from bot.ports import Answer
from bot.screens.league.bracket import make_bracket
from bot.screens.league.pages import (
    HubFacts,
    OwnLineFacts,
    dates_page,
    hub_page,
    leagues_page,
    nights_page,
    pick_ratings,
    profile_page,
)
from bot.screens.league.remembered import bounds_lines, opponents_line, record_lines, tell_honours
from bot.screens.league.results import prizes_page, results_page, round_page, table_page
from engine.rules import rules_from

WALL_HOURS: Final = 24
_WALL_BYTES: Final = 32

DATES: Final = 6


def turns(context: RequestContext) -> bool:
    """Return whether a page replaces the one whose button was pressed: in private chats."""
    return context.place is None


@about_league("hub", who=MEMBER, group="")
async def show_league(context: RequestContext, league: League) -> Answer:
    return Answer(page=await own_page(context, league, turns=turns(context)))


async def own_page(context: RequestContext, league: League, *, turns: bool) -> Page:
    """Return a league's own page."""
    web = context.services.installation.web_url
    facts = HubFacts(
        league=league,
        next=await next_night(context, league),
        member=league.member_of(context.by.key),
        organises=await organises(context, league),
        paused=find_pause(league, context.services.leagues.clock()),
        page=f"{web}/league/{path_of(league)}" if web and path_of(league) else "",
    )
    return hub_page(facts, context.words, turns=turns)


@about_league("dates", who=MEMBER)
async def _dates(context: RequestContext, league: League) -> Answer:
    now = context.services.leagues.clock()
    dates = coming(league, now, DATES)
    paused = find_pause(league, now)
    return Answer(page=dates_page(league, dates, paused, context.words, turns=turns(context)))


@about_league("table", who=MEMBER)
async def _table(context: RequestContext, league: League) -> Answer:
    """Return the standings of the season that the button names, else of the current one."""
    season = _read_season(context, league)
    table = await context.services.leagues.standings.season(league, season)
    return Answer(page=table_page(league, season, table, context.words, turns=turns(context)))


@about_league("nights", who=MEMBER)
async def _nights(context: RequestContext, league: League) -> Answer:
    """List the nights of the season that the button names, from the named one on; else of the current one."""
    season = _read_season(context, league)
    first = context.number_or_0(1)
    return Answer(page=nights_page(league, season, first, context.words, turns=turns(context)))


def _read_season(context: RequestContext, league: League) -> int:
    """Return the season that a button names, else the current one. Raises Refused `unknown_button`."""
    season = context.number() if context.data.arguments else league.season
    if not 1 <= season <= league.season:
        raise Refused("unknown_button")
    return season


@about_league("prizes", who=MEMBER)
async def _prizes(context: RequestContext, league: League) -> Answer:
    leagues = context.services.leagues
    results = await leagues.standings.results(league)
    make = partial(month_leaders, results, league.settings_of, league.schedule.zone)
    months = await leagues.standings.count("months", league, results, make)
    over = max(league.champions, default=0)
    honours = await leagues.standings.honours(league, over)
    lines = tell_honours(league, honours, context.words)
    return Answer(page=prizes_page(league, months, lines, context.words, turns=turns(context)))


@about_league("me", who=MEMBER)
async def _profile(context: RequestContext, league: League) -> Answer:
    """Return a member's own figures. Raises Refused `no_member`."""
    member = league.member_of(context.by.key)
    if member is None:
        raise Refused("no_member")
    leagues = context.services.leagues
    nights, rated = await leagues.nights(league), await leagues.standings.ratings(league)
    season = await leagues.standings.season(league, league.season)
    record = (await leagues.standings.records(league)).get(member.id, MemberRecord())
    bounds = (await leagues.standings.bounds(league)).get(member.id)
    words, own = context.words, path_of(league)
    past = (
        *bounds_lines(bounds, words, final=league.format.finals != "none"),
        *record_lines(league, record, words),
        *opponents_line(league, record, words),
    )
    shown = bool(own and record.nights) and league.visibility != "members"
    web = context.services.installation.web_url if shown else ""
    facts = OwnLineFacts(
        league=league,
        member=member,
        standing=next((each for each in season if each.member == member.id), None),
        chips=_chips(league, nights, member),
        ratings=pick_ratings(rated, member.id),
        play=await context.services.played.judgements.of(_find_played(league, nights, member)),
        past=past,
        page=f"{web}/league/{own}/member/{member.id}" if web else "",
        now=context.services.leagues.clock(),
    )
    return Answer(page=profile_page(facts, context.words, turns=turns(context)))


@button("night_results", on=NIGHT, who=MEMBER)
async def _results(context: RequestContext, of: LeagueNight) -> Answer:
    """Return a night's results, or those of one of its rounds. Raises Refused `unknown_button`."""
    league, night = of.league, of.night
    if context.data.arguments:
        round = context.number()
        if not 1 <= round <= len(night.rounds):
            raise Refused("unknown_button")
        return Answer(page=round_page(league, night, round, context.number_or_0(1), context.words))
    result = result_in(league, night)
    page = results_page(
        league,
        night,
        night_standings(result, night.format.ties),
        pot(result, night.format),
        context.words,
        bracket=make_bracket(league, result, context.words),
        organises=await organises(context, league),
        turns=turns(context),
    )
    return Answer(page=page)


def _find_played(league: League, nights: list[Night], member: Member) -> Iterator[PlayedSeat]:
    """Yield the rounds of the league's game that a member played themselves in this season, the newest
    first."""
    game = rules_from(league.format.rules).game
    season = [night for night in nights if night.season == league.season]
    for night in sorted(season, key=lambda night: -night.start):
        if rules_from(night.format.rules).game != game:
            continue
        for round in reversed(night.rounds):
            for table in round.tables:
                id = night.id_of(round.number, table)
                for number, tiles in enumerate(table.tiles, start=1):
                    if table.state == "over" and member.id in tiles.players:
                        yield PlayedSeat(id, number, tiles.players.index(member.id))


def _chips(league: League, nights: list[Night], member: Member) -> int | None:
    """Return the chips that a member won from this season's pots, less what they paid in; None where there
    are no pots."""
    season = [night for night in nights if night.season == league.season]
    if not any("pot" in night.format.prizes for night in season):
        return None
    return chips((result_in(league, night), night.format) for night in season)[member.id]


@command("league", who=ANYBODY, audience="everybody", order=140, group="league", arguments=(NAMED_LEAGUE,))
async def _league(context: RequestContext) -> Answer:
    """Carry out `/okey league`: alone, with a page's word, a reply or an organiser's act. Refused:
    `here_only`, `no_league`, `which_league`, `unknown_league_word`, …"""
    first, *rest = context.text.split(maxsplit=1) or [""]
    word = _read_words().get(bare(first)) if first else None
    if word is None:
        return await _wordless(context)
    context.data = replace(context.data, verb=word)
    context.text = "".join(rest)
    return await WORDS[word].run(context)


async def _wordless(context: RequestContext) -> Answer:
    """Return the page of the league whose id was typed, or of the only one. Refused:
    `unknown_league_word`."""
    here, named = await leagues_here(context), context.text
    meant = [league for league in here if not named or league.id == named.lower()]
    if named and not meant:
        raise Refused("unknown_league_word", word=named.split()[0][:32])
    if not meant:
        return await _none_here(context)
    if len(meant) > 1:
        return Answer(page=leagues_page(meant, context.words))
    return await show_league(context, meant[0])


async def _none_here(context: RequestContext) -> Answer:
    """Offer an organiser to found one. Raises Refused `no_league` for everybody else."""
    try:
        return await WORDS["new"].run(context)
    except Refused as refused:
        raise Refused("no_league") if refused.code == "organisers_only" else refused from None


@cache
def _read_words() -> Mapping[str, str]:
    """Return the words by their names in every language. A word's names are separated by `|`."""
    called = {
        bare(name): word
        for word in WORDS
        for language in LANGUAGES
        for name in words_for(language).plain(f"league.word.{word}").split("|")
    }
    return called | {word: word for word in WORDS}


@button("league_wall", on=LEAGUE, who=HOST)
async def _wall(context: RequestContext, league: League) -> Answer:
    """Make a new address of the wall, which shows all tables of a night together, and tell it to this
    organiser alone. Raises Refused
    `unknown_button` where the program's web server has no address."""
    services, words = context.services, context.words
    if not services.installation.web_url:
        raise Refused("unknown_button")
    key = secrets.token_urlsafe(_WALL_BYTES)
    await services.tokens.put("wall", key, league.id.encode(), WALL_HOURS * 3600.0, owner=context.by.key)
    link = Link(words.plain("league.wall"), f"{services.installation.web_url}/league/wall#{key}")
    text = (*words.say("league.run.wall", n=WALL_HOURS), "\n🖥 ", link)
    return Answer(page=Page(text=text, turns=context.place is None))
