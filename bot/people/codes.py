"""Codes: short codes that people read to each other, for invitations to a table and linked accounts."""

import secrets
from typing import Final

from msgspec.structs import replace

from bot.errors import Refused
from bot.ids import TableId
from bot.people.tokens import HashedTokens
from bot.repository.tables import StoredTable, TableRepository
from bot.tables.table import Change

ALPHABET: Final = "ACDEFHJKMNPRTUXY34679"
"""Characters that are not easily confused: no O and 0, I, L and 1, S and 5, B and 8, Z and 2, G, V, nor the
letters that Turkish lacks."""


def fresh_code(length: int) -> str:
    """Return a new code that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_code(text: str) -> str | None:
    """Return a typed code, which may have small letters, spaces and dashes; None when it can't be one."""
    code = "".join(text.replace("-", " ").split()).upper()
    return code if code and set(code) <= set(ALPHABET) else None


def spell(code: str) -> str:
    """Return a code as it is shown, in two halves."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


INVITATION_LENGTH: Final = 6
INVITATION_SECONDS: Final = 24 * 3600.0
"""Seconds for which a code is valid after it was last requested; never longer than the match."""


class Invitations:
    """The codes of tables. A code is a hint: the table's own invitation decides."""

    def __init__(self, tables: TableRepository, tokens: HashedTokens) -> None:
        self._tables = tables
        self._tokens = tokens

    async def give(self, stored: StoredTable) -> str:
        """Return the code of a table: its valid one, or a new one. Its day begins anew."""
        earlier = good = stored.value.calls.invitation
        if not good or await self._tokens.look_at("invitation", good) is None:
            good = fresh_code(INVITATION_LENGTH)

        def act(now: StoredTable) -> Change:
            if not now.value.is_open:
                raise Refused("match_over")
            given = now.value.calls.invitation
            # One that somebody else has just been told stays valid, and is told here, too.
            return _with_code(now, good if given in ("", earlier) else given)

        good = (await self._tables.change(stored.value.id, None, act)).value.calls.invitation
        await self._tokens.put("invitation", good, stored.value.id.encode(), INVITATION_SECONDS)
        return good

    async def withdraw(self, stored: StoredTable) -> None:
        """Make the code of a table invalid. Raises Refused `no_invitation`."""

        def act(now: StoredTable) -> Change:
            if not now.value.calls.invitation:
                raise Refused("no_invitation")
            return _with_code(now, "")

        await self._tables.change(stored.value.id, None, act)
        await self._tokens.drop("invitation", stored.value.calls.invitation)

    async def find_invited(self, text: str, person: str) -> StoredTable:
        """Return the table of a typed code.

        Raises Refused `wrong_code`, `table_closed`, `match_over`, `too_many_tries`.
        """
        await self._tokens.charge_try(person)
        code = read_code(text)
        table = None if code is None else await self._tokens.look_at("invitation", code)
        stored = None if table is None else await self._tables.load(TableId(table.decode()))
        if stored is None or stored.value.calls.invitation != code:
            raise Refused("wrong_code")
        if not stored.value.is_open:
            raise Refused("table_closed" if stored.value.stage == "closed" else "match_over")
        return stored


def _with_code(now: StoredTable, code: str) -> Change:
    return Change(replace(now.value, calls=replace(now.value.calls, invitation=code)))
