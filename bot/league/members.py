"""Members: joining a league by taking part or by an organiser's list, bars, and forgetting people.

A list has one name a line, followed by any known accounts: `Ada`, `Ada, tg:4711`, `Ada; @<123456789>` …, as
plain lines or as CSV with commas, semicolons or tabs.
"""

import csv
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import msgspec

from bot.errors import Refused
from bot.i18n import LANGUAGES, fold, words_for
from bot.league.export import FORMULA
from bot.league.model import League, LeagueEvent, LoggedAct, Member, Merged, Renamed
from bot.ports import Person
from bot.tables.names import LONGEST, NOBODY, clean_name

FIRST_BAR: Final = 24 * 3600.0
LONGEST_BAR: Final = 30 * 24 * 3600.0

LINES_MOST: Final = 1000
_LINE_LONGEST: Final = 1000

_MENTION: Final = re.compile(r"<@!?([0-9]{5,20})>")
_ACCOUNT: Final = re.compile(r"(tg|telegram|dc|discord):([0-9]{1,20})")
_CHATS: Final = {"telegram": "tg", "discord": "dc"}


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of a list."""

    name: str
    accounts: tuple[str, ...]
    """The keys of their persons."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The entries of a list, and its lines that could not be read."""

    members: tuple[Listed, ...]
    wrong: tuple[Refused, ...]
    """The errors in the order of their lines; each has its line's number, from 1, as `line`."""


def with_member(league: League, person: Person, other: str | None, *, anyway: bool = False) -> League:
    """Return the league with a person as a member; `other` is their account on another platform.

    A person with two accounts is one member. A person whose name alone is on the organisers' list becomes
    that member when they first act. Their name follows the one that they have where they joined, unless an
    organiser gave them one. Raises Refused `members_only`.
    """
    known = [each for key in (person.key, other or "") if (each := league.member_of(key)) is not None]
    if league.format.entry == "members":  # of two members who are one person now, the listed one may play
        known.sort(key=lambda each: not each.listed)
    found = known[0] if known else _find_listed(league, person)
    if not anyway and league.format.entry == "members" and (found is None or not found.listed):
        raise Refused("members_only")
    found = found or Member(id=f"m{league.next_member}", name=NOBODY)
    accounts = dict.fromkeys((*found.accounts, person.key, *([other] if other else [])))
    others = {
        id: replace(each, accounts=tuple(key for key in each.accounts if key not in accounts))
        for id, each in league.members.items()
    }
    member = replace(found, accounts=tuple(accounts), language=person.language[:16])
    league = _with(replace(league, members=others), member)
    name = clean_name(person.name)
    follows = not member.named and member.accounts[0] == person.key and name != NOBODY
    return give_name(league, member.id, name, named=False) if follows else league


def give_name(league: League, member: str, name: str, *, named: bool) -> League:
    """Return the league with a name given to a member, by an organiser (`named`) or their chat. If somebody
    is called that already, they get a number: `Mehmet (2)`."""
    held = league.members[member]
    if name == find_given_name(held):
        return change_member(league, member, given=name, named=named)
    taken = {fold(each.name) for each in league.members.values() if each.id != member and not each.into}
    shown, number = name, 2
    while fold(shown) in taken and name != NOBODY:
        end = f" ({number})"
        shown, number = f"{name[: LONGEST - len(end)].rstrip()}{end}", number + 1
    return change_member(league, member, name=shown, given=name, named=named)


def find_given_name(member: Member) -> str:
    """Return the name that a member was given, without a number."""
    return member.given or member.name


def is_named(league: League, member: str) -> bool:
    """Return whether a member is somebody: they were neither forgotten nor merged into another one."""
    known = league.members.get(member)
    return known is not None and known.name != NOBODY and not known.into


def forget_member(league: League, person: str) -> League:
    """Return the league after a person asked to be forgotten: their results stay, without a name."""
    member = league.member_of(person)
    if member is None:
        return league
    league = change_member(
        league, member.id, name=NOBODY, given="", accounts=(), language="", listed=False, role=""
    )
    ids = {id for id in league.members if league.stands_for(id) == member.id}
    for id in ids - {member.id}:
        league = change_member(league, id, name=NOBODY, given="")
    return replace(league, acts=tuple(_without_names(act, ids) for act in league.acts))


def _without_names(act: LoggedAct, ids: Collection[str]) -> LoggedAct:
    """Return an act without the names and accounts of these members."""
    match act.event:
        case Renamed(member=member) as event if member in ids:
            nameless: LeagueEvent = msgspec.structs.replace(event, name=NOBODY, before=NOBODY)
        case Merged(gone=gone, kept=kept) if kept.id in ids:
            hidden = {"name": NOBODY, "given": "", "accounts": ()}
            nameless = Merged(replace(gone, **hidden), replace(kept, **hidden))  # type: ignore[arg-type]
        case _:
            return act
    return msgspec.structs.replace(act, event=nameless)


def part_accounts(league: League, one: str, other: str) -> League:
    """Return the league after two accounts were unlinked: the member keeps the account that they had first.
    Nothing leads to this league from the other any more, so its log does not keep it either."""
    member = league.member_of(one)
    if member is None or other not in member.accounts:
        return league
    later = max(one, other, key=member.accounts.index)
    league = replace(league, acts=tuple(_without_account(act, later) for act in league.acts))
    return change_member(league, member.id, accounts=_but(member.accounts, later))


def _without_account(act: LoggedAct, account: str) -> LoggedAct:
    """Return an act without an account of the members that it joined."""
    if not isinstance(act.event, Merged):
        return act
    gone, kept = (
        replace(each, accounts=_but(each.accounts, account)) for each in (act.event.gone, act.event.kept)
    )
    return msgspec.structs.replace(act, event=Merged(gone, kept))


def _but(accounts: tuple[str, ...], account: str) -> tuple[str, ...]:
    return tuple(each for each in accounts if each != account)


def is_barred(member: Member, start: float) -> bool:
    """Return whether a member may not play a night that begins at `start`."""
    return member.barred_until > start


def after_night(league: League, played: set[str], absent: set[str], ended: float) -> League:
    """Return the league after a night. A member who checked in and was absent is barred for a day, then for
    two, four … up to thirty; playing a night resets this."""
    for member in (league.members[id] for id in sorted((played | absent) & set(league.members))):
        if member.id in played:
            league = change_member(league, member.id, missed=0, barred_until=0.0)
        else:
            bar = min(FIRST_BAR * 2**member.missed, LONGEST_BAR)
            league = change_member(league, member.id, missed=member.missed + 1, barred_until=ended + bar)
    return league


def with_roster(league: League, roster: Roster) -> League:
    """Return the league with everybody of a list added to its own; the same list again changes nothing
    more."""
    for listed in roster.members:
        found = _find_meant(league, listed)
        if found is None:
            found = Member(id=f"m{league.next_member}", name=NOBODY)
            league = give_name(_with(league, found), found.id, listed.name, named=True)
            found = league.members[found.id]
        free = (key for key in listed.accounts if league.member_of(key) is None)
        league = _with(league, replace(found, listed=True, accounts=(*found.accounts, *free)))
    return league


def off_list(league: League, leaving: Collection[str]) -> League:
    """Return the league with the members of these names no longer on the organisers' list."""
    names = {fold(name) for name in leaving}
    for member in league.members.values():
        if member.listed and fold(member.name) in names:
            league = change_member(league, member.id, listed=False)
    return league


def with_pair(league: League, one: str, other: str) -> League:
    """Return the league with two members as partners. Their former partners have none any more."""
    pairs = {one: other, other: one}
    for member in league.members.values():
        if member.id in pairs or member.partner in pairs:
            league = change_member(league, member.id, partner=pairs.get(member.id, ""))
    return league


def change_member(league: League, member: str, **fields: Any) -> League:
    """Return the league with fields of a member changed."""
    return _with(league, replace(league.members[member], **fields))


def parse_members(text: str) -> Roster:
    """Read a list of members; a first line with column names is skipped.

    A wrong line gives a Refused `roster_name`, `roster_account` or `roster_twice` in `wrong`. Raises Refused
    `roster_long` when there are too many lines.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > LINES_MOST:
        raise Refused("roster_long", most=LINES_MOST)
    members: list[Listed] = []
    wrong: list[Refused] = []
    for number, line in enumerate(lines, 1):
        cells = _cells(line[:_LINE_LONGEST])
        if not any(cells) or (number == 1 and fold(cells[0]) in _heads()):
            continue
        try:
            members.append(_read(cells, number, members))
        except Refused as refused:
            wrong.append(refused)
    return Roster(tuple(members), tuple(wrong))


def _with(league: League, member: Member) -> League:
    """Return the league with a member changed or added."""
    following = league.next_member + (member.id not in league.members)
    return replace(league, members={**league.members, member.id: member}, next_member=following)


def _find_named(league: League, name: str) -> list[Member]:
    there = (each for each in league.members.values() if not each.into)
    return [each for each in there if fold(find_given_name(each)) == fold(name)]


def _find_listed(league: League, person: Person) -> Member | None:
    """Return the one member on the organisers' list with this name and no account yet."""
    name = clean_name(person.name)
    open = [each for each in _find_named(league, name) if each.listed and not each.accounts]
    return open[0] if len(open) == 1 and name != NOBODY else None


def _find_meant(league: League, listed: Listed) -> Member | None:
    """Return the member that an entry means: by an account, or by a name that no other member has. A name
    alone means, of several, the one who is on the list by it alone."""
    for key in listed.accounts:
        if (member := league.member_of(key)) is not None:
            return member
    same = _find_named(league, listed.name)
    if len(same) > 1 and not listed.accounts:
        same = [each for each in same if each.listed and not each.accounts]
    return same[0] if len(same) == 1 and not (listed.accounts and same[0].accounts) else None


# Lines of a list


def _cells(line: str) -> list[str]:
    """Return a line's cells, without the apostrophe that an export puts before a formula."""
    delimiter = next((mark for mark in (";", "\t") if mark in line), ",")
    read = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    cells = [cell.strip() for cell in read]
    return [cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA) else cell for cell in cells]


def _read(cells: list[str], line: int, before: list[Listed]) -> Listed:
    name = clean_name(cells[0])
    if name == NOBODY or len(" ".join(cells[0].split())) > LONGEST:
        raise Refused("roster_name", line=line, most=LONGEST)
    accounts = tuple(dict.fromkeys(_account(cell, line) for cell in cells[1:] if cell))
    known = {key for listed in before for key in listed.accounts}
    names = {fold(listed.name) for listed in before}
    if known & {*accounts} or (not accounts and fold(name) in names):
        raise Refused("roster_twice", line=line, name=name)
    return Listed(name, accounts)


@cache
def _heads() -> frozenset[str]:
    """Return the headings that a column of names may have."""
    heads = (words_for(language).plain("roster.head").split("|") for language in LANGUAGES)
    return frozenset(fold(head) for each in heads for head in each)


def _account(cell: str, line: int) -> str:
    """Return a person's key, from `tg:4711`, `discord:123456789` or Discord's mention."""
    if mention := _MENTION.fullmatch(cell):
        return f"dc:{mention[1]}"
    if account := _ACCOUNT.fullmatch(cell.lower()):
        return f"{_CHATS.get(account[1], account[1])}:{account[2]}"
    raise Refused("roster_account", line=line, account=cell[:32])
