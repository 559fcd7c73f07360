"""Who runs a place. Its chat is asked at each use: nobody keeps what was taken from him."""

from bot.accounts import Accounts
from bot.chats import TryLater
from bot.people import People
from bot.tables.changes import Refused


class Organisers:
    """Asks the chats."""

    def __init__(self, people: People, accounts: Accounts) -> None:
        self._people = people
        self._accounts = accounts

    async def check(self, person: str, place: str) -> None:
        """Raises Refused `organisers_only` when a person does not run a place under any of his accounts,
        `cannot_ask` while its chat does not say."""
        chat = self._people.chat_of(place)
        try:
            for account in (person, await self._accounts.other(person)):
                if account is None or chat is None or self._people.chat_of(account) is not chat:
                    continue
                if await chat.organises(account, place):
                    return
        except TryLater:
            raise Refused("cannot_ask") from None
        raise Refused("organisers_only")
