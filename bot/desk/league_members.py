"""A league's members: the list of who may play, fixed pairs, and who wants to be reminded."""

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.chats import Answer, Person
from bot.desk.league_acts import named_member
from bot.desk.league_reading import check_organiser
from bot.desk.visit import Visit
from bot.league.leagues import Leagues
from bot.league.model import League, Member
from bot.organisers import Organisers
from bot.screens.league_standings import names
from bot.screens.model import Name
from bot.tables.changes import Refused
from bot.tables.names import NOBODY, clean_name
from bot.words import Words, folded

REMINDING: Final = frozenset({"league_remind"})

NAMES_MOST: Final = 400
_BETWEEN: Final = re.compile(r"[\n\r,;]+")
_OFF: Final = "-"
"""Before a name: he is to be taken off the list."""


@dataclass(frozen=True, slots=True)
class Members:
    """The handlers of these lines and buttons. Refusals are raised as Refused."""

    leagues: Leagues
    organisers: Organisers

    async def listed(self, league: League, text: str, by: Person, words: Words, action: str) -> Answer:
        """Show who is on the list, or put names on it that are pasted with commas or line breaks between
        them; `-Ada` takes one off. Refused: `organisers_only`, `too_many_names`."""
        await check_organiser(self.organisers, league, by.key)
        if text.strip():
            league = await self.leagues.change(
                league.id, f"{by.key} {action}", lambda now: with_list(now, pasted(text))
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

    async def press(self, visit: Visit) -> Answer:
        """The button of `REMINDING`."""
        league = await self.leagues.load(visit.request.table)
        return await self.remind(league, visit.argument() == "on", visit.by, visit.words)


def pasted(text: str) -> list[str]:
    """Names out of pasted text. Raises Refused `too_many_names`."""
    found = [name for piece in _BETWEEN.split(text) if (name := " ".join(piece.split()))]
    if len(found) > NAMES_MOST:
        raise Refused("too_many_names", most=NAMES_MOST)
    return found


def with_list(league: League, typed: list[str]) -> League:
    """The league with these names on its list of members; behind a minus, off it."""
    for name in typed:
        shown = clean_name(name.removeprefix(_OFF))
        if shown == NOBODY:
            continue
        known = next((each for each in league.members.values() if folded(each.name) == folded(shown)), None)
        if known is None and name.startswith(_OFF):
            continue
        if known is None:
            known = Member(id=f"m{league.next_member}", name=shown)
            league = replace(league, next_member=league.next_member + 1)
        league = _with(league, replace(known, listed=not name.startswith(_OFF)))
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
