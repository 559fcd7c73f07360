"""Lists of members, as organisers keep them: a name a line, and behind it, where known, his accounts.

`Ada`, `Ada, tg:4711`, `Ada; @<123456789>` … as plain lines or as CSV with commas, semicolons or tabs.
"""

import csv
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from bot.errors import Refused
from bot.i18n import LANGUAGES, folded, words_for
from bot.league.export import FORMULA
from bot.league.model import League, Member
from bot.tables.names import LONGEST, NOBODY, clean_name

LINES_MOST: Final = 1000
_LINE_LONGEST: Final = 1000

_MENTION: Final = re.compile(r"<@!?([0-9]{5,20})>")
_ACCOUNT: Final = re.compile(r"(tg|telegram|dc|discord):([0-9]{1,20})")
_CHATS: Final = {"telegram": "tg", "discord": "dc"}


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody on a list."""

    name: str
    accounts: tuple[str, ...]
    """His persons' keys."""


@dataclass(frozen=True, slots=True)
class Roster:
    """What a list says, and the lines of it that say nothing."""

    members: tuple[Listed, ...]
    wrong: tuple[Refused, ...]
    """In the order of their lines; each has its line's number, from 1, as `line`."""


def parse_members(text: str) -> Roster:
    """The members on a list; a first line that only names its columns is left out.

    A wrong line is a Refused `roster_name`, `roster_account` or `roster_twice` among the others. Raises
    Refused `roster_long` when there are too many lines.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > LINES_MOST:
        raise Refused("roster_long", most=LINES_MOST)
    members: list[Listed] = []
    wrong: list[Refused] = []
    for number, line in enumerate(lines, 1):
        cells = _cells(line[:_LINE_LONGEST])
        if not any(cells) or (number == 1 and folded(cells[0]) in _heads()):
            continue
        try:
            members.append(_read(cells, number, members))
        except Refused as refused:
            wrong.append(refused)
    return Roster(tuple(members), tuple(wrong))


def with_roster(league: League, roster: Roster) -> League:
    """The league with everybody of a list on its own; the same list twice changes nothing more."""
    for listed in roster.members:
        found = _found(league, listed)
        if found is None:
            found = Member(id=f"m{league.next_member}", name=listed.name)
            league = replace(league, next_member=league.next_member + 1)
        free = (key for key in listed.accounts if league.member_of(key) is None)
        member = replace(found, listed=True, accounts=(*found.accounts, *free))
        league = replace(league, members={**league.members, member.id: member})
    return league


def _cells(line: str) -> list[str]:
    """A line's cells; an apostrophe that an export put before one is taken away."""
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
    names = {listed.name.casefold() for listed in before}
    if known & {*accounts} or (not accounts and name.casefold() in names):
        raise Refused("roster_twice", line=line, name=name)
    return Listed(name, accounts)


@cache
def _heads() -> frozenset[str]:
    """What a column of names is called."""
    heads = (words_for(language).plain("roster.head").split("|") for language in LANGUAGES)
    return frozenset(folded(head) for each in heads for head in each)


def _account(cell: str, line: int) -> str:
    """A person's key, out of `tg:4711`, `discord:123456789` or Discord's mention."""
    if mention := _MENTION.fullmatch(cell):
        return f"dc:{mention[1]}"
    if account := _ACCOUNT.fullmatch(cell.lower()):
        return f"{_CHATS.get(account[1], account[1])}:{account[2]}"
    raise Refused("roster_account", line=line, account=cell[:32])


def _found(league: League, listed: Listed) -> Member | None:
    """The member who is meant: by an account, or by a name that no other member has."""
    for key in listed.accounts:
        if (member := league.member_of(key)) is not None:
            return member
    same = [each for each in league.members.values() if each.name.casefold() == listed.name.casefold()]
    return same[0] if len(same) == 1 and not (listed.accounts and same[0].accounts) else None
