"""A league's members: the list of who may play, fixed pairs, and who wants to be reminded."""

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused
from bot.handlers.league.actions import named_member
from bot.handlers.league.reading import check_organiser
from bot.handlers.request import RequestContext
from bot.i18n import Words, folded
from bot.league.members import Roster, parse_members, with_roster
from bot.league.model import League, Member
from bot.markup import Name
from bot.people.leagues import Leagues
from bot.people.permissions import Organisers
from bot.ports import Answer, Person
from bot.screens.league.parts import names

REMINDING: Final = frozenset({"league_remind"})

_ACCOUNT: Final = re.compile(r"[a-z]+:[0-9]|<@")
_BETWEEN: Final = re.compile(r"[\n\r,;]+")
_OFF: Final = "-"
"""Before a name: he is to be taken off the list."""


@dataclass(frozen=True, slots=True)
class Members:
    """The handlers of these lines and buttons. Refusals are raised as Refused."""

    leagues: Leagues
    organisers: Organisers

    async def listed(self, league: League, text: str, by: Person, words: Words, action: str) -> Answer:
        """Show who is on the list, or put people on it: pasted lines with accounts, as an export has them,
        or names with commas between them; `-Ada` takes one off.

        Refused: `organisers_only`, and as `parse_members`; a wrong line keeps the whole list out.
        """
        await check_organiser(self.organisers, league, by.key)
        if text.strip():
            leaving, roster = read_list(text)
            league = await self.leagues.change(
                league.id,
                f"{by.key} {action}",
                lambda now: without(with_roster(now, roster), leaving),
            )
        on = [member.id for member in league.members.values() if member.listed]
        return Answer(
            notice=words.say("notice.league_members", n=len(on), names=names(league, on, words) or "–")
        )

    async def paired(self, league: League, text: str, by: Person, words: Words, action: str) -> Answer:
        """`Ada, Can` are partners from now on, wherever pairs are fixed. Refused: `organisers_only`,
        `bad_pair`, `unknown_member`."""
        await check_organiser(self.organisers, league, by.key)
        both = pasted(text)
        if len(both) != 2:
            raise Refused("bad_pair")
        one, other = (named_member(league, name) for name in both)
        if one.id == other.id:
            raise Refused("bad_pair")
        await self.leagues.change(
            league.id, f"{by.key} {action}", lambda now: with_pair(now, one.id, other.id)
        )
        return Answer(notice=words.say("notice.league_paired", who=Name(one.name), other=Name(other.name)))

    async def remind(self, league: League, wanted: bool, by: Person, words: Words) -> Answer:
        """Whether he is reminded of nights."""
        member = await self.leagues.member(league.id, by)
        await self.leagues.change(
            league.id,
            None,
            lambda now: _with(now, replace(now.members[member.id], reminders=wanted)),
        )
        return Answer(notice=words.say(f"notice.league_reminders_{'on' if wanted else 'off'}"))

    async def press(self, context: RequestContext) -> Answer:
        """The button of `REMINDING`."""
        league = await self.leagues.load(context.league)
        return await self.remind(league, context.argument() == "on", context.by, context.words)


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
