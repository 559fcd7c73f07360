"""Accounts: two accounts on different platforms, linked by a code typed in the other. They are one person for
seats and settings."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from cachetools import TTLCache

from bot.errors import Refused
from bot.ids import TableId
from bot.people.codes import Codes, fresh_code, read_code
from bot.people.profiles import Profiles
from bot.ports import Person, platform_of
from bot.repository.tables import StoredTable, TableRepository
from bot.repository.versioned import RECENT_SECONDS
from bot.store import Store
from bot.store.codec import Codec, UnknownSchema
from bot.tables import membership
from bot.tables.names import clean_name
from bot.tables.table import Change

LINK_CODE_LENGTH: Final = 8
LINK_CODE_SECONDS: Final = 600.0
"""Seconds for which a code to link accounts is valid, once."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The account that asked for a code."""

    person: str
    name: str


_OFFER: Final = Codec(Offer, 1)
_RECENT_MOST: Final = 4096


class Accounts:
    """The links of one store."""

    def __init__(self, store: Store, repository: TableRepository, codes: Codes, people: Profiles) -> None:
        self._store = store
        self._repository = repository
        self._codes = codes
        self._people = people
        self._recent: TTLCache[str, str | None] = TTLCache(_RECENT_MOST, RECENT_SECONDS)

    async def other(self, person: str) -> str | None:
        """A person's account on another platform."""
        profile, other = await self._store.who_acts(person)
        self._people.remember(person, profile)
        self._recent[person] = other
        return other

    async def _recently(self, person: str) -> str | None:
        """The same, at most two seconds old. So seats follow a link made in another process that much
        later."""
        return self._recent[person] if person in self._recent else await self.other(person)

    async def offer(self, by: Person) -> str:
        """Return a code that links this account to the one in which it is typed. Raises Refused
        `already_linked`."""
        if await self.other(by.key) is not None:
            raise Refused("already_linked")
        code = fresh_code(LINK_CODE_LENGTH)
        offer = _OFFER.encode(Offer(by.key, clean_name(by.name)))
        await self._codes.put("link", code, offer, LINK_CODE_SECONDS, owner=by.key)
        return code

    async def accept(self, text: str, by: Person) -> str:
        """Link the account to the one that asked for the code, and return the person's name there.

        Raises Refused: `wrong_code`, `too_many_tries`, `same_chat`, `already_linked`, `both_seated`.
        """
        await self._codes.charge(by.key)
        offer = await self._take(text)
        if offer is None:
            raise Refused("wrong_code")
        if platform_of(offer.person) == platform_of(by.key):
            raise Refused("same_chat")
        if await self.other(by.key) is not None or await self.other(offer.person) is not None:
            raise Refused("already_linked")
        if await self._both_sit(by.key, offer.person):
            raise Refused("both_seated")
        await self._store.link(by.key, offer.person)
        self._forget(by.key, offer.person)
        await self._people.share(offer.person, by.key)
        return offer.name

    async def burn(self, text: str) -> None:
        """Make a code invalid that was typed where others read it."""
        await self._take(text)

    async def unlink(self, person: str) -> None:
        """Separate the accounts into two people. Raises Refused `not_linked`."""
        other = await self.other(person)
        if other is None:
            raise Refused("not_linked")
        await self._store.unlink(person, other)
        self._forget(person, other)

    async def follow(self, by: Person) -> str | None:
        """Return the other account of a person who acts. Seats that they took under it move to this one."""
        other = await self._recently(by.key)
        if other is not None:
            for table in await self._store.tables_of(other):
                await self._move(table, other, by)
        return other

    async def _move(self, table: TableId, other: str, by: Person) -> None:
        def act(stored: StoredTable) -> Change | None:
            return membership.followed(stored.value, other, by.key, by.language[:16], stored.now)

        # A failed move is tried again at their next act, so the current one need not wait.
        with suppress(Refused, UnknownSchema):
            await self._repository.change(table, None, act)

    def _forget(self, *accounts: str) -> None:
        for account in accounts:
            self._recent.pop(account, None)

    async def _take(self, text: str) -> Offer | None:
        code = read_code(text)
        taken = None if code is None else await self._codes.take("link", code)
        return None if taken is None else _OFFER.decode(taken)

    async def _both_sit(self, one: str, other: str) -> bool:
        for table in set(await self._store.tables_of(one)) & set(await self._store.tables_of(other)):
            stored = await self._repository.load(table)
            if stored is not None and stored.value.is_open and {one, other} <= set(stored.value.people()):
                return True
        return False
