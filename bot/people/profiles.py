"""What is known of a person beyond any table, and the links by which he opens his private chat."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.people.notifications import DEFAULT, Notifying
from bot.ports import Chat, chat_name
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.table import PLAIN, Display

INVITATION_SECONDS: Final = 900.0
"""A link that opens the private chat is good for so long, and once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A person, whichever tables he sits at."""

    private_open: bool = False
    """Whether a private message has reached him, or he has written to the bot."""
    display: Display = PLAIN
    """How he wants his screens."""
    notifying: Notifying = DEFAULT
    """How he wants to hear of his turns."""
    guided: bool = False
    """Whether he has been shown how to play."""


_KNOWN: Final = Codec(Profile, 1)


_SHARED: Final = ("display", "notifying", "guided")
"""What holds for a person in both of his linked accounts."""


class Profiles:
    """The persons of one store."""

    def __init__(self, store: Store, chats: Mapping[str, Chat]) -> None:
        self._store = store
        self._chats = chats

    def chat_of(self, key: str) -> Chat | None:
        """The chat that a person's or a place's key belongs to, if it is running here."""
        return self._chats.get(chat_name(key))

    async def known(self, person: str) -> Profile:
        """What is known of a person."""
        stored = await self._store.person(person)
        return Profile() if stored is None else _KNOWN.decode(stored)

    async def reached(self, person: str, *, open: bool = True) -> None:
        """A private message reached a person, or could not."""
        if (await self.known(person)).private_open != open:
            await self._save(person, private_open=open)

    async def change(self, person: str, **settings: object) -> None:
        """Set something for a person, in both of his accounts, and leave the rest as it is."""
        other = await self._store.linked_to(person)
        for account in (person,) if other is None else (person, other):
            await self._save(account, **settings)

    async def share(self, person: str, other: str) -> None:
        """The settings of two accounts that were just linked become one person's: those of the first,
        where it has any."""
        first, second = await self.known(person), await self.known(other)
        plain = Profile()
        for name in _SHARED:
            own = getattr(first, name)
            await self.change(person, **{name: own if own != getattr(plain, name) else getattr(second, name)})

    async def _save(self, account: str, **settings: object) -> None:
        known = replace(await self.known(account), **settings)  # type: ignore[arg-type]
        await self._store.save_person(account, _KNOWN.encode(known))

    async def invitation(self, person: str, table: str) -> str | None:
        """A fresh single-use token for a link that opens the private chat; None where none is needed."""
        chat = self.chat_of(person)
        if chat is None or not chat.leads_to_private or (await self.known(person)).private_open:
            return None
        token = secrets.token_urlsafe(18)
        await self._store.put_token(token, table.encode(), INVITATION_SECONDS, owner=person)
        return token

    async def accept(self, token: str, person: str) -> str | None:
        """The table of a token made for this person; None when it is used up, old or somebody else's."""
        table = await self._store.take_token(token, owner=person)
        return None if table is None else table.decode()
