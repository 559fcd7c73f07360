"""What people ask about themselves: to be one person on two platforms, and to be forgotten."""

from dataclasses import dataclass

from bot.accounts import Accounts
from bot.chats import Answer, Typed
from bot.codes import spelled
from bot.forgetting import Forgetting
from bot.league.keeping import Keeping
from bot.screens.model import Name
from bot.tables.changes import Refused
from bot.words import LANGUAGES, Words, folded, words_for


@dataclass(frozen=True, slots=True)
class Personal:
    """The handlers of these commands. Refusals are raised as Refused."""

    accounts: Accounts
    forgetting: Forgetting
    leagues: Keeping

    async def link(self, typed: Typed, argument: str, words: Words) -> Answer:
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

    async def unlink(self, typed: Typed, argument: str, words: Words) -> Answer:
        """Two people again, in leagues too: these first, so that what breaks off can be asked for again.

        Raises Refused `not_linked`.
        """
        other = await self.accounts.other(typed.by.key)
        if other is not None:
            await self.leagues.part(typed.by.key, other)
        await self.accounts.unlink(typed.by.key)
        return Answer(notice=words.say("notice.unlinked"))

    async def forget(self, typed: Typed, argument: str, words: Words) -> Answer:
        """Asks once more, then deletes everything."""
        agreed = {folded(words_for(language).plain("forget.yes")) for language in LANGUAGES}
        if folded(argument) not in agreed:
            return Answer(notice=words.say("notice.forget_asks"))
        await self.forgetting.forget(typed.by.key)
        return Answer(notice=words.say("notice.forgotten"))
