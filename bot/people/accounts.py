"""Accounts: two accounts on different platforms that are one person for seats and settings.

One account asks for a code, which is typed in the other. Then each is asked in its own private chat whether
to link with the other, first the one that typed the code. Only two yeses link them: nobody does by a code
alone, neither who made it nor who has seen it.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.ids import TableId
from bot.people.codes import fresh_code, read_code
from bot.people.profiles import Profiles
from bot.people.tokens import HashedTokens
from bot.ports import Person, platform_of
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store
from bot.store.codec import Codec, UnknownSchema
from bot.tables import membership
from bot.tables.membership import tag
from bot.tables.names import clean_name
from bot.tables.table import Change

LINK_CODE_LENGTH: Final = 8
LINK_CODE_SECONDS: Final = 600.0
"""Seconds for which a code to link accounts is valid, once; and then each question whether to link."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A link that is proposed to an account, which has at most one."""

    other: Person
    """The other account."""
    agreed: bool = False
    """Whether this account has said yes."""


_OFFER: Final = Codec(Person, 2)
"""Behind a code: the account that asked for it."""
_PROPOSAL: Final = Codec(Proposal, 1)


class Accounts:
    """The links of one store."""

    def __init__(self, store: Store, tables: TableRepository, tokens: HashedTokens, people: Profiles) -> None:
        self._store = store
        self._tables = tables
        self._tokens = tokens
        self._people = people

    async def other(self, person: str) -> str | None:
        """Return a person's account on another platform."""
        profile, other = await self._store.people.who_acts(person)
        self._people.remember(person, profile)
        return other

    async def offer(self, by: Person) -> str:
        """Return a code that names this account in another one. Raises Refused `already_linked`."""
        if await self.other(by.key) is not None:
            raise Refused("already_linked")
        code = fresh_code(LINK_CODE_LENGTH)
        await self._tokens.put("link", code, _OFFER.encode(_name(by)), LINK_CODE_SECONDS, owner=by.key)
        return code

    async def propose(self, text: str, by: Person) -> Proposal:
        """Propose a link to the account in which a code was typed, and return it. The code is used up.

        Raises Refused: `wrong_code`, `too_many_tries`, `same_chat`, `already_linked`, `both_seated`.
        """
        await self._tokens.charge_try(by.key)
        other = await self._take(text)
        if other is None:
            raise Refused("wrong_code")
        if platform_of(other.key) == platform_of(by.key):
            raise Refused("same_chat")
        await self._check(by.key, other.key)
        return await self._put(by.key, Proposal(other))

    async def find_proposal(self, person: str) -> Proposal | None:
        """Return the link that is proposed to an account; None: there is none."""
        held = await self._tokens.look_at("proposal", person)
        return None if held is None else _PROPOSAL.decode(held)

    async def agree(self, by: Person, other: str) -> tuple[Proposal, bool]:
        """Note that an account says yes to a link with another one, named by its tag. Return the proposal,
        and whether they are linked now; if not, the link is proposed to the other account.

        Raises Refused `no_proposal`, `already_linked`, `both_seated`.
        """
        own = await self._find_proposal_with(by.key, other)
        theirs = await self.find_proposal(own.other.key)
        if await self.other(by.key) == own.other.key:  # the same yes was delivered before
            return own, True
        await self._check(by.key, own.other.key)
        agreed = await self._put(by.key, Proposal(own.other, agreed=True))
        if theirs is None or theirs.other.key != by.key or not theirs.agreed:
            await self._put(own.other.key, Proposal(_name(by)))
            return agreed, False
        await self._store.people.link(by.key, own.other.key)
        await self._people.share(by.key, own.other.key)  # the one that asked for the code says yes last
        return agreed, True

    async def decline(self, person: str, other: str) -> Proposal:
        """Withdraw a link with an account, named by its tag, from both. Return it. Raises Refused
        `no_proposal`."""
        own = await self._find_proposal_with(person, other)
        await self.withdraw(person)
        return own

    async def withdraw(self, person: str) -> None:
        """Withdraw the link that is proposed to an account, from both."""
        own = await self.find_proposal(person)
        if own is None:
            return
        theirs = await self.find_proposal(own.other.key)
        if theirs is not None and theirs.other.key == person:
            await self._tokens.drop("proposal", own.other.key)
        await self._tokens.drop("proposal", person)

    async def burn(self, text: str) -> None:
        """Make a code invalid that was typed where others read it."""
        await self._take(text)

    async def unlink(self, person: str) -> None:
        """Separate the accounts into two people. Raises Refused `not_linked`."""
        other = await self.other(person)
        if other is None:
            raise Refused("not_linked")
        await self._store.people.unlink(person, other)

    async def follow(self, by: Person) -> str | None:
        """Return the other account of a person who acts. Seats that they took under it move to this one."""
        other = await self.other(by.key)
        if other is not None:
            for table in await self._store.index.tables_of(other):
                await self._move(table, other, by)
        return other

    async def _move(self, table: TableId, other: str, by: Person) -> None:
        def act(stored: StoredTable) -> Change | None:
            return membership.follow_account(stored.value, other, by.key, by.language[:16], stored.now)

        # A failed move is tried again at their next act, so the current one need not wait.
        with suppress(Refused, UnknownSchema):
            await self._tables.change(table, None, act)

    async def _find_proposal_with(self, person: str, other: str) -> Proposal:
        """Return the link that is proposed to an account with another one, named by its tag. A button may be
        older than the proposal. Raises Refused `no_proposal`."""
        own = await self.find_proposal(person)
        if own is None or tag(own.other.key) != other:
            raise Refused("no_proposal")
        return own

    async def _put(self, person: str, proposal: Proposal) -> Proposal:
        value = _PROPOSAL.encode(proposal)
        await self._tokens.put("proposal", person, value, LINK_CODE_SECONDS, owner=person)
        return proposal

    async def _check(self, one: str, other: str) -> None:
        """Check that two accounts can be linked. Raises Refused `already_linked`, `both_seated`."""
        if await self.other(one) is not None or await self.other(other) is not None:
            raise Refused("already_linked")
        if await self._both_sit(one, other):
            raise Refused("both_seated")

    async def _take(self, text: str) -> Person | None:
        code = read_code(text)
        taken = None if code is None else await self._tokens.take("link", code)
        return None if taken is None else _OFFER.decode(taken)

    async def _both_sit(self, one: str, other: str) -> bool:
        for table in set(await self._store.index.tables_of(one)) & set(
            await self._store.index.tables_of(other)
        ):
            stored = await self._tables.load(table)
            if stored is not None and stored.value.is_open and {one, other} <= set(stored.value.people()):
                return True
        return False


def _name(by: Person) -> Person:
    """Return an account as it is stored for the other one to read of it."""
    return Person(by.key, clean_name(by.name), by.language[:16])


def read_proposal(value: bytes) -> Proposal | None:
    """Return the proposal that is stored under a token; None: it is something else."""
    return _PROPOSAL.decode_known(value)
