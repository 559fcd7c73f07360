"""Personal data: linked accounts, and deleting everything about a person."""

from dataclasses import dataclass

from bot.errors import Refused
from bot.history.matches import MatchHistory
from bot.i18n import LANGUAGES, Words, folded, words_for
from bot.ids import TableId
from bot.markup import Name
from bot.people.accounts import Accounts
from bot.people.codes import spelled
from bot.people.communities import Communities
from bot.ports import Answer, TypedCommand
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import TableRepository
from bot.store import Store
from bot.tables import membership
from bot.tables.play import Delays


class Forgetting:
    """Forgets people of one store."""

    def __init__(
        self,
        store: Store,
        repository: TableRepository,
        accounts: Accounts,
        communities: Communities,
        history: MatchHistory,
        leagues: LeagueRepository,
        delays: Delays,
    ) -> None:
        self._store = store
        self._repository = repository
        self._accounts = accounts
        self._communities = communities
        self._history = history
        self._leagues = leagues
        self._delays = delays

    async def forget(self, person: str) -> None:
        """Delete it all. What breaks off in the middle can be asked for again: what leads to the rest is
        deleted last. Raises Refused `busy`, StoreUnavailable, UnknownSchema."""
        other = await self._accounts.other(person)
        for account in (person,) if other is None else (other, person):
            for table in await self._store.tables_of(account):
                await self._forget_at(table, account)
            await self._communities.forget(account)
            await self._history.forget(account)
            await self._leagues.forget(account)
            await self._store.drop_tokens_of(account)
            await self._communities.people.forget(account)

    async def _forget_at(self, table: TableId, account: str) -> None:
        await self._repository.change_if_there(
            table, None, lambda kept: membership.forgotten(kept.value, account, self._delays)
        )
        await self._store.drop_shown(table, account)


@dataclass(frozen=True, slots=True)
class Personal:
    """The handlers of these commands. Refusals are raised as Refused."""

    accounts: Accounts
    forgetting: Forgetting
    leagues: LeagueRepository

    async def link(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """A code for the other account, or the link to the one that the code came from; in private only."""
        if typed.place is not None:
            await self.accounts.burn(argument)
            raise Refused("private_only")
        if not argument:
            return Answer(
                notice=words.say("notice.link_code", code=spelled(await self.accounts.offer(typed.by)))
            )
        name = await self.accounts.accept(argument, typed.by)
        return Answer(notice=words.say("notice.linked", who=Name(name)))

    async def unlink(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Two people again, in leagues too: these first, so that what breaks off can be asked for again.

        Raises Refused `not_linked`.
        """
        other = await self.accounts.other(typed.by.key)
        if other is not None:
            await self.leagues.part(typed.by.key, other)
        await self.accounts.unlink(typed.by.key)
        return Answer(notice=words.say("notice.unlinked"))

    async def forget(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Asks once more, then deletes everything."""
        agreed = {folded(words_for(language).plain("forget.yes")) for language in LANGUAGES}
        if folded(argument) not in agreed:
            return Answer(notice=words.say("notice.forget_asks"))
        await self.forgetting.forget(typed.by.key)
        return Answer(notice=words.say("notice.forgotten"))
