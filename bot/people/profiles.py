"""Profiles: what is known of people beyond any table, and links that open their private chats."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.daily.record import DailyRecord
from bot.markup import Link, Typed
from bot.people.notifications import DEFAULT, Notifying
from bot.ports import Chat, platform_of
from bot.repository.versioned import SettingsRepository
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.table import PLAIN, USUAL_LEVEL, ComputerLevel, Display

INVITATION_SECONDS: Final = 900.0
"""A link that opens the private chat is good for so long, and once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A person, whichever tables they sit at."""

    private_open: bool = False
    """Whether a private message has reached them, or they have written to the bot."""
    display: Display = PLAIN
    """How they want their screens."""
    notifying: Notifying = DEFAULT
    """How they want to hear of their turns."""
    language: str = ""
    """The one that they chose; empty: their platform's."""
    stand_in: ComputerLevel = USUAL_LEVEL
    """How well a computer player plays for them while they are away."""
    guided: bool = False
    """Whether they have been shown how to play."""
    daily: DailyRecord = DailyRecord()  # noqa: RUF009 - it never changes
    """How they did with the daily racks."""


_PROFILES: Final = Codec(Profile, 1)

_SHARED: Final = ("display", "notifying", "language", "stand_in", "guided", "daily")
"""What holds for a person in both of their linked accounts."""


class Profiles:
    """The people of one store.

    What only decides how something looks or is told is read as it was at most two seconds ago; a change is
    always made to the newest.
    """

    def __init__(self, store: Store, chats: Mapping[str, Chat]) -> None:
        self._store = store
        self._chats = chats
        self._settings = SettingsRepository(store, _PROFILES, "person", Profile())

    def chat_of(self, key: str) -> Chat | None:
        """The chat that a person's or a place's key belongs to, if it is running here."""
        return self._chats.get(platform_of(key))

    def homes(self) -> dict[str, Link]:
        """Where people meet the bot in each chat that runs here, by its short name."""
        return {name: home for name, chat in self._chats.items() if (home := chat.home)}

    def typed_elsewhere(self, person: str, typed: Typed) -> str:
        """A command as it is typed on the platforms that are not this person's."""
        others = (chat for name, chat in self._chats.items() if name != platform_of(person))
        return " · ".join(dict.fromkeys(chat.written(typed) for chat in others)) or typed.line

    async def known(self, person: str) -> Profile:
        """What is known of a person."""
        return (await self.of([person]))[person]

    async def of(self, persons: Iterable[str]) -> dict[str, Profile]:
        """What is known of several people, by their keys, in one round trip at most."""
        return await self._settings.recent(persons)

    def remember(self, person: str, state: bytes | None) -> None:
        """What the store holds of a person was read just now, with something else."""
        self._settings.remember(person, state)

    async def reached(self, person: str, *, open: bool = True) -> None:
        """A private message reached a person, or could not. Asks the store for nothing when that is known."""
        if (await self.known(person)).private_open != open:
            await self._settings.change(person, None, lambda held: replace(held.value, private_open=open))

    async def change(self, person: str, function: Callable[[Profile], Profile]) -> None:
        """Set something for a person, in both of their accounts.

        `function` makes the new profile of the one that is there, and is called for each account with what
        that one holds: whatever else is set in either stays, whoever sets it at the same time. The two are
        not changed in one step. They hold the same once both are written, and each time the same thing is
        set again; only where it is set to two values at one moment, under both accounts, may each keep
        another one until then. Raises Refused (`busy`, or as `function` does).
        """
        other = await self._store.linked_to(person)
        for account in sorted({person, other or person}):
            await self._settings.change(account, None, lambda held: function(held.value))

    async def share(self, person: str, other: str) -> None:
        """The settings of two accounts that were just linked become one person's: those of the first,
        where it has any."""
        own, theirs, plain = await self.known(person), await self.known(other), Profile()
        shared = {
            name: getattr(own if getattr(own, name) != getattr(plain, name) else theirs, name)
            for name in _SHARED
        }
        await self.change(person, lambda held: replace(held, **shared))

    async def forget(self, person: str) -> None:
        """Delete what is remembered of a person, and the indexes that lead from them to anything else."""
        await self._store.forget_person(person)
        self._settings.forget(person)

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
