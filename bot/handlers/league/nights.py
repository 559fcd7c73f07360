"""Nights: pages on which organisers act on a night, and the question for a reason before each act."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.commands import Argument
from bot.errors import Refused
from bot.handlers.arguments import MEMBER, RESULT, SCORES, WHY
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.night_actions import (
    OF_PEOPLE,
    OF_RESULTS,
    PLAIN,
    TYPED,
    NightAction,
    action_of,
    read_action,
)
from bot.handlers.league.pages import turns
from bot.handlers.league.targets import (
    HOST,
    NIGHT,
    REFEREE,
    TYPED_LEAGUE,
    LeagueNight,
    check_role,
    coming_night,
    find_played,
    league_word,
)
from bot.i18n import words_for
from bot.league.decide import table_of
from bot.league.finals import find_changed
from bot.league.model import League
from bot.league.night import Night
from bot.markup import Page
from bot.ports import Answer
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

WHY_MOST: Final = 200
"""The characters of a typed reason that are kept."""

_ARGUMENTS: Final[dict[str, tuple[Argument, ...]]] = {
    **dict.fromkeys(("pause", "go", "close", "cancel", "finish"), (WHY,)),
    **dict.fromkeys(("void", "replay", "uphold", "reject"), (RESULT, WHY)),
    "correct": (RESULT, SCORES, WHY),
    "extend": (Argument("minutes", "integer", least=1, most=999, required=True), WHY),
    **dict.fromkeys(("penalty", "bonus"), (MEMBER, Argument("points", most=5, required=True), WHY)),
    "away": (MEMBER, WHY),
}
"""The arguments of each typed act."""

_MakePage = Callable[[RequestContext, League, Night], Page]


def _page_button(verb: str) -> Callable[[_MakePage], _MakePage]:
    """Declare the function as the maker of the page that this button opens."""

    def declare(make: _MakePage) -> _MakePage:
        @button(verb, on=NIGHT, who=HOST)
        async def page(context: RequestContext, of: LeagueNight) -> Answer:
            return Answer(page=make(context, of.league, of.night))

        return make

    return declare


@button("night_run", on=NIGHT, who=HOST)
async def _run(context: RequestContext, of: LeagueNight) -> Answer:
    return Answer(page=await _make_run_page(context, of.league, of.night, turns=turns(context)))


async def _make_run_page(context: RequestContext, league: League, night: Night, *, turns: bool) -> Page:
    """Return an organiser's actions for a night. If the table before a final has changed since it began, they
    are told what would be different."""
    changed = None
    if night.is_seeded and night.rounds and night.stage != "cancelled":
        changed = find_changed(night, await context.services.leagues.standings.seeds_before(league, night))
    return night_run_page(league, night, context.words, changed=changed, turns=turns)


@_page_button("night_tables")
def _tables_page(context: RequestContext, league: League, night: Night) -> Page:
    return tables_page(night, context.number_or_0(0), context.words)


@_page_button("night_table")
def _table_page(context: RequestContext, league: League, night: Night) -> Page:
    round, number = context.number(0), context.number(1)
    table = table_of(night, round, number)
    return table_run_page(league, night, round, table, context.words, asks=context.can_be_asked)


@_page_button("night_people")
def _people_page(context: RequestContext, league: League, night: Night) -> Page:
    return people_page(league, night, night.people, context.number_or_0(0), context.words)


@_page_button("night_person")
def _person_page(context: RequestContext, league: League, night: Night) -> Page:
    return person_run_page(league, night, context.argument(), context.words)


@_page_button("night_replace")
def _replace_page(context: RequestContext, league: League, night: Night) -> Page:
    others, first = _others(night), context.number_or_0(1)
    return replace_page(league, night, context.argument(), others, first, context.words)


@_page_button("night_reseat")
def _reseat_page(context: RequestContext, league: League, night: Night) -> Page:
    """Raises Refused `no_round_running`."""
    if night.running is None:
        raise Refused("no_round_running")
    return reseat_page(league, night, context.argument(), context.number_or_0(1), context.words)


@button("night_ask", on=NIGHT, who=HOST)
async def _ask(context: RequestContext, of: LeagueNight) -> Answer:
    act = action_of(context.argument(), context.data.arguments[1:], of.league)
    await _check_act(context, of, act)
    return Answer(page=_why(context, of.night, act))


@button("night_do", on=NIGHT, who=HOST)
async def _do(context: RequestContext, of: LeagueNight) -> Answer:
    """Carry out a confirmed act, with the reason that the button names."""
    if len(context.data.arguments) < 2 or context.data.arguments[-1] not in REASONS:
        raise Refused("unknown_button")
    name, *arguments, reason = context.data.arguments
    why = words_for(of.league.language).plain(f"league.reason.{reason}")
    return await _do_for(context, of, action_of(name, arguments, of.league), why)


@button("night_why", on=NIGHT, who=HOST, asks=replace(WHY, required=True))
async def _do_for_own_reason(context: RequestContext, of: LeagueNight) -> Answer:
    """Carry out a confirmed act, with the reason that was typed. Without one, ask for it."""
    act = action_of(context.argument(), context.data.arguments[1:], of.league)
    if not context.text:
        await _check_act(context, of, act)
        return Answer(page=_why(context, of.night, act))
    return await _do_for(context, of, act, context.text[:WHY_MOST])


@button("night_scores", on=NIGHT, who=HOST, asks=SCORES)
async def _correct(context: RequestContext, of: LeagueNight) -> Answer:
    """Ask for the reason why a table gets the scores that were typed. Raises Refused `bad_league_act`."""
    await check_role(context, of.league, "referee")
    typed = f"{context.number(0)}.{context.number(1)} {context.text}"
    arguments, more = read_action("correct", typed, of.league)
    if more:
        raise Refused("bad_league_act")
    return Answer(page=_why(context, of.night, action_of("correct", arguments, of.league)))


async def _do_for(context: RequestContext, of: LeagueNight, act: NightAction, why: str) -> Answer:
    """Carry out a confirmed act, and show the night as it is then."""
    await _check_act(context, of, act)
    night, answer = await _carry_out(context, of, act, why)
    page = await _make_run_page(context, of.league, night, turns=True)
    return replace(answer, page=page)


async def _check_act(context: RequestContext, of: LeagueNight, act: NightAction) -> None:
    """Check that the person may do this act. Raises Refused `league_role_only`."""
    if act.name in OF_RESULTS:
        await check_role(context, of.league, "referee")


async def _carry_out_typed(context: RequestContext, league: League) -> Answer:
    """Carry out an act on the running or next night, or on the last one's results. Without a reason, ask for
    it; without any words, for what it is about.

    Raises Refused `bad_league_act`, `no_next_night`, `no_night_played`.
    """
    name = context.verb
    of = await (find_played if name in OF_RESULTS else coming_night)(context, league)
    if not context.text and name not in PLAIN:
        return Answer(page=await _choose(context, of, name))
    arguments, why = read_action(name, context.text, league)
    act = action_of(name, arguments, league)
    if not why:
        return Answer(page=_why(context, of.night, act))
    return (await _carry_out(context, of, act, why[:WHY_MOST]))[1]


for _name in TYPED:
    league_word(
        _name,
        on=TYPED_LEAGUE,
        who=REFEREE if _name in OF_RESULTS else HOST,
        group="organise night",
        arguments=_ARGUMENTS[_name],
    )(_carry_out_typed)


async def _choose(context: RequestContext, of: LeagueNight, name: str) -> Page:
    """Return the page with the tables or the people that an act may be about; in a night that has neither
    yet, with what can be done now."""
    league, night = of.league, of.night
    if name in OF_PEOPLE and night.people:
        return people_page(league, night, night.people, 0, context.words)
    if name in OF_RESULTS and name not in OF_PEOPLE and night.rounds:
        return tables_page(night, 0, context.words)
    return await _make_run_page(context, league, night, turns=False)


def _why(context: RequestContext, night: Night, act: NightAction) -> Page:
    """Return the question for a reason. An impossible act is refused before it is asked: raises Refused as
    the act does."""
    act.decide(night, context.services.leagues.clock())
    named = (act.name, *act.arguments)
    return reason_page(night, act.ask(context.words), named, context.words, asks=context.can_be_asked)


async def _carry_out(
    context: RequestContext, of: LeagueNight, act: NightAction, why: str
) -> tuple[Night, Answer]:
    services = context.services
    member = await services.leagues.organiser(of.league.id, context.by)
    night = await services.leagues.act(of.night.id, context.action, act.decide, by=member.id, why=why)
    return night, Answer(notice=context.words.say("notice.night_done", act=act.confirm(context.words)))


def _others(night: Night) -> tuple[str, ...]:
    """Return the people who could take somebody's place: substitutes first, then those who wait, are late or
    have a bye."""
    round = night.round
    seated = () if round is None else [m for t in round.tables if not t.over for m in t.members]
    entrants = sorted(night.entrants, key=lambda each: each.reply != "substitute")
    return tuple(each.member for each in entrants if each.reply != "no" and each.member not in seated)
