"""Deleting everything that is stored about a person, in all of his accounts (docs/privacy.md)."""

from bot.accounts import Accounts
from bot.communities import Communities
from bot.history import History
from bot.keeper import Keeper
from bot.league.keeping import Keeping
from bot.store import Store
from bot.tables import persons
from bot.tables.changes import Refused
from bot.tables.play import Pace


class Forgetting:
    """Forgets people of one store."""

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        accounts: Accounts,
        communities: Communities,
        history: History,
        leagues: Keeping,
        pace: Pace,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._accounts = accounts
        self._communities = communities
        self._history = history
        self._leagues = leagues
        self._pace = pace

    async def forget(self, person: str) -> None:
        """Delete it all. What breaks off in the middle can be asked for again: what leads to the rest is
        deleted last. Raises Refused `busy`, StoreAway, UnknownSchema."""
        other = await self._accounts.other(person)
        for account in (person,) if other is None else (other, person):
            for table in await self._store.tables_of(account):
                await self._forget_at(table, account)
            await self._communities.forget(account)
            await self._history.forget(account)
            await self._leagues.forget(account)
            await self._store.drop_tokens_of(account)
            await self._store.forget_person(account)

    async def _forget_at(self, table: str, account: str) -> None:
        try:
            await self._keeper.change(
                table, None, lambda kept: persons.forgotten(kept.table, account, self._pace)
            )
        except Refused as refused:
            if refused.code != "unknown_table":
                raise
        await self._store.drop_shown(table, account)
