"""Who belongs to a league: people and their accounts, bars, and what a forgotten person leaves behind."""

from dataclasses import replace
from typing import Final

from bot.errors import Refused
from bot.league.model import League, Member
from bot.ports import Person
from bot.tables.names import NOBODY, clean_name

FIRST_BAR: Final = 24 * 3600.0
LONGEST_BAR: Final = 30 * 24 * 3600.0


def with_member(league: League, person: Person, other: str | None, *, anyway: bool = False) -> League:
    """The league with whoever acts as a member; `other` is his account on another platform.

    A person with two accounts is one member. Whoever is on the organisers' list under his name alone becomes
    that member by his first act. Raises Refused `members_only`.
    """
    found = league.member_of(person.key) or (None if other is None else league.member_of(other))
    found = found or _listed_by_name(league, person)
    if not anyway and league.format.entry == "members" and (found is None or not found.listed):
        raise Refused("members_only")
    if found is None:
        found = Member(id=f"m{league.next_member}", name=clean_name(person.name))
        league = replace(league, next_member=league.next_member + 1)
    accounts = dict.fromkeys((*found.accounts, person.key, *([other] if other else [])))
    member = replace(found, accounts=tuple(accounts), language=person.language[:16])
    members = {
        id: replace(each, accounts=tuple(key for key in each.accounts if key not in accounts))
        for id, each in league.members.items()
    }
    return replace(league, members={**members, member.id: member})


def _listed_by_name(league: League, person: Person) -> Member | None:
    name = clean_name(person.name).casefold()
    same = [each for each in league.members.values() if each.name.casefold() == name]
    open = [each for each in same if each.listed and not each.accounts]
    return open[0] if len(open) == 1 and name != NOBODY else None


def forgotten(league: League, person: str) -> League:
    """The league after a person asked to be forgotten: his results stay, without a name."""
    member = league.member_of(person)
    if member is None:
        return league
    return _with(league, replace(member, name=NOBODY, accounts=(), language="", listed=False))


def parted(league: League, one: str, other: str) -> League:
    """The league after two accounts are no more one person's: the member keeps the one that he had first."""
    member = league.member_of(one)
    if member is None or other not in member.accounts:
        return league
    later = max(one, other, key=member.accounts.index)
    return _with(league, replace(member, accounts=tuple(each for each in member.accounts if each != later)))


def barred(member: Member, start: float) -> bool:
    """Whether a member may not play a night that begins then."""
    return member.barred_until > start


def after_night(league: League, played: set[str], absent: set[str], ended: float) -> League:
    """The league after a night: who checked in and was not there is barred for a day, then for two, four …
    up to thirty; a night played clears it."""
    for member in (league.members[id] for id in sorted((played | absent) & set(league.members))):
        if member.id in played:
            league = _with(league, replace(member, missed=0, barred_until=0.0))
        else:
            bar = min(FIRST_BAR * 2**member.missed, LONGEST_BAR)
            league = _with(league, replace(member, missed=member.missed + 1, barred_until=ended + bar))
    return league


def _with(league: League, member: Member) -> League:
    return replace(league, members={**league.members, member.id: member})
