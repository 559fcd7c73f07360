"""Invitations: a short code by which people of another channel, group or platform come to a table."""

from dataclasses import replace
from typing import Final

from bot.codes import Codes, fresh_code, read_code
from bot.keeper import Keeper, Kept
from bot.tables.changes import Change, Refused
from bot.tables.model import Table

LENGTH: Final = 6
SECONDS: Final = 24 * 3600.0
"""A code is good for a day after it was last asked for, and never longer than the match."""

_OPEN: Final = ("lobby", "playing", "between")


def is_open(table: Table) -> bool:
    """Whether a table may still be shown in more places."""
    return table.stage in _OPEN and not table.practice


class Invitations:
    """Codes that lead to tables. A code is a hint: the table's own invitation has the last word."""

    def __init__(self, keeper: Keeper, codes: Codes) -> None:
        self._keeper = keeper
        self._codes = codes

    async def give(self, kept: Kept) -> str:
        """The code of a table: the one that is good already, or a fresh one. Its day begins anew."""
        good = kept.table.invitation
        if not good or await self._codes.look("invitation", good) is None:
            good = fresh_code(LENGTH)

        def act(now: Kept) -> Change:
            if not is_open(now.table):
                raise Refused("match_over")
            return Change(replace(now.table, invitation=good))

        await self._keeper.change(kept.table.id, None, act)
        await self._codes.put("invitation", good, kept.table.id.encode(), SECONDS)
        return good

    async def withdraw(self, kept: Kept) -> None:
        """From now on the code of a table is wrong. Raises Refused `no_invitation`."""

        def act(now: Kept) -> Change:
            if not now.table.invitation:
                raise Refused("no_invitation")
            return Change(replace(now.table, invitation=""))

        await self._keeper.change(kept.table.id, None, act)
        await self._codes.drop("invitation", kept.table.invitation)

    async def invited(self, text: str, person: str) -> Kept:
        """The table to which a typed code leads. Raises Refused `wrong_code`, `too_many_tries`."""
        await self._codes.charge(person)
        code = read_code(text)
        table = None if code is None else await self._codes.look("invitation", code)
        kept = None if table is None else await self._keeper.load(table.decode())
        if kept is None or kept.table.invitation != code or not is_open(kept.table):
            raise Refused("wrong_code")
        return kept
