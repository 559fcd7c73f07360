"""League members: the list of who may play, fixed pairs, and who wants to be reminded."""

import re
from dataclasses import replace
from typing import Final

from bot.errors import Refused
from bot.handlers.declarations import button
from bot.handlers.league.night_acts import named_member
from bot.handlers.league.targets import LEAGUE, MEANT_LEAGUE, league_word, organiser
from bot.handlers.request import RequestContext
from bot.i18n import LANGUAGES, folded, words_for
from bot.i18n.commands import bare
from bot.league.model import League, Member
from bot.league.roster import Roster, parse_members, with_roster
from bot.markup import Name
from bot.ports import Answer
from bot.screens.league.parts import names

_ACCOUNT: Final = re.compile(r"[a-z]+:[0-9]|<@")
_BETWEEN: Final = re.compile(r"[\n\r,;]+")
_OFF: Final = "-"
"""Before a name: they are to be taken off the list."""


@league_word("members", on=MEANT_LEAGUE, needs=organiser)
async def _members(context: RequestContext, league: League) -> Answer:
    """Show who is on the list, or put people on it: pasted lines with accounts, as an export has them, or
    names with commas between them; `-Ada` takes one off.

    Refused as by `parse_members`; a wrong line keeps the whole list out.
    """
    if context.text.strip():
        leaving, roster = read_list(context.text)
        league = await context.services.leagues.change(
            league.id, context.action, lambda now: without(with_roster(now, roster), leaving)
        )
    on, words = [member.id for member in league.members.values() if member.listed], context.words
    return Answer(notice=words.say("notice.league_members", n=len(on), names=names(league, on, words) or "–"))


@league_word("pair", on=MEANT_LEAGUE, needs=organiser)
async def _pair(context: RequestContext, league: League) -> Answer:
    """`Ada, Can` are partners from now on, wherever pairs are fixed.

    Refused: `bad_pair`, `unknown_member`.
    """
    both = pasted(context.text)
    if len(both) != 2:
        raise Refused("bad_pair")
    one, other = (named_member(league, name) for name in both)
    if one.id == other.id:
        raise Refused("bad_pair")
    await context.services.leagues.change(
        league.id, context.action, lambda now: with_pair(now, one.id, other.id)
    )
    names = {"who": Name(one.name), "other": Name(other.name)}
    return Answer(notice=context.words.say("notice.league_paired", **names))


@button("league_remind", on=LEAGUE)
async def _press_reminders(context: RequestContext, league: League) -> Answer:
    return await _remind(context, league, context.argument() == "on")


@league_word("reminders", on=MEANT_LEAGUE)
async def _type_reminders(context: RequestContext, league: League) -> Answer:
    off = {bare(words_for(language).plain("league.off")) for language in LANGUAGES}
    return await _remind(context, league, bare(context.text) not in off)


async def _remind(context: RequestContext, league: League, wanted: bool) -> Answer:
    """Whether whoever asks is reminded of nights."""
    leagues = context.services.leagues
    member = await leagues.member(league.id, context.by)
    await leagues.change(
        league.id,
        None,
        lambda now: _with(now, replace(now.members[member.id], reminders=wanted)),
    )
    return Answer(notice=context.words.say(f"notice.league_reminders_{'on' if wanted else 'off'}"))


def pasted(text: str) -> list[str]:
    """Names out of pasted text."""
    return [name for piece in _BETWEEN.split(text) if (name := " ".join(piece.split()))]


def read_list(text: str) -> tuple[list[str], Roster]:
    """Who is to be taken off a list, and who is to be put on it. One line is names alone, unless it names
    an account. Raises Refused as `parse_members`, also for its first wrong line."""
    lines = text.splitlines()
    if len(lines) == 1 and not _ACCOUNT.search(text):
        lines = pasted(text)
    leaving = [line.strip().removeprefix(_OFF).strip() for line in lines if line.strip().startswith(_OFF)]
    roster = parse_members("\n".join(line for line in lines if not line.strip().startswith(_OFF)))
    if roster.wrong:
        raise roster.wrong[0]
    return leaving, roster


def without(league: League, leaving: list[str]) -> League:
    """The league with these names off its list."""
    names = {folded(name) for name in leaving}
    for member in league.members.values():
        if member.listed and folded(member.name) in names:
            league = _with(league, replace(member, listed=False))
    return league


def with_pair(league: League, one: str, other: str) -> League:
    """The league with two members as partners; whoever was either's partner has none any more."""
    pairs = {one: other, other: one}
    for member in league.members.values():
        if member.id in pairs or member.partner in pairs:
            league = _with(league, replace(member, partner=pairs.get(member.id, "")))
    return league


def _with(league: League, member: Member) -> League:
    return replace(league, members={**league.members, member.id: member})
