"""Profiles: data on people independent of tables, and links that open their private chats."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.daily import DailyRecord
from bot.markup import Link, Typed
from bot.people.notifications import DEFAULT, Notifying
from bot.ports import Chat, platform_of
from bot.repository.settings import SettingsRepository
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.table import PLAIN, USUAL_LEVEL, ComputerLevel, Display

OPENING_SECONDS: Final = 900.0
"""Seconds for which a link that opens the private chat is valid, once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A person's own data and settings."""

    private_open: bool = False
    """Whether a private message has reached them, or they have written to the bot."""
    display: Display = PLAIN
    """The display of their screens."""
    notifying: Notifying = DEFAULT
    """The ways in which they hear of their turns."""
    language: str = ""
    """The language that they chose; empty: their platform's."""
    stand_in: ComputerLevel = USUAL_LEVEL
    """The level of the computer player that plays for them while they are away."""
    guided: bool = False
    """Whether they have been shown the guide."""
    daily: DailyRecord = DailyRecord()  # noqa: RUF009 - it never changes
    """Their answers to the daily racks."""
    hidden: bool = False
    """Whether nobody else sees their profile, nor their name on leaderboards."""


_PROFILES: Final = Codec(Profile, 1)

_SHARED: Final = ("display", "notifying", "language", "stand_in", "guided", "daily", "hidden")
"""The fields that a person's linked accounts share."""


ChatOf = Callable[[str], Chat | None]
"""Returns the chat of a person's or a place's key, if it is running here."""


class Profiles:
    """The profiles of one store.

    Data that only affects looks or messages may be two seconds old. A change always applies to the newest.
    """

    def __init__(self, store: Store, chats: Mapping[str, Chat]) -> None:
        self._store = store
        self._chats = chats
        self._settings = SettingsRepository(store, _PROFILES, "person", Profile())

    def chat_of(self, key: str) -> Chat | None:
        """Return the chat of a person's or a place's key, if it is running here."""
        return self._chats.get(platform_of(key))

    def homes(self) -> dict[str, Link]:
        """Links to the bot in each chat that runs here, by the chat's short name."""
        return {name: home for name, chat in self._chats.items() if (home := chat.links.home)}

    def type_elsewhere(self, person: str, typed: Typed) -> str:
        """Return a command in the form in which people type it on the platforms other than this person's."""
        others = (chat for name, chat in self._chats.items() if name != platform_of(person))
        return " · ".join(dict.fromkeys(chat.type_command(typed) for chat in others)) or typed.line

    async def load(self, person: str) -> Profile:
        """Return a person's profile."""
        return (await self.of([person]))[person]

    async def of(self, persons: Iterable[str]) -> dict[str, Profile]:
        """Return the profiles of several people, by their keys, in one round trip at most."""
        return await self._settings.recent(persons)

    def not_recent(self, persons: Iterable[str]) -> list[str]:
        """Return those of the people whose profile would have to be read."""
        return self._settings.not_recent(persons)

    def remember(self, person: str, state: bytes | None) -> None:
        """Cache a profile that was read together with something else."""
        self._settings.remember(person, state)

    async def note_reached(self, person: str, *, open: bool = True) -> None:
        """Note that a private message reached a person, or could not. If that is known, the store is not
        asked."""
        if (await self.load(person)).private_open != open:
            await self._settings.change(person, None, lambda held: replace(held.value, private_open=open))

    async def change(self, person: str, function: Callable[[Profile], Profile]) -> None:
        """Change a person's profile in both of their accounts.

        `function` returns the new profile for the current one. It is called for each account with that
        account's profile, so other changes at the same time are kept. The two accounts are not changed in one
        step. They agree once both are written, and after every later change of the same setting. Only when
        one setting gets two values at the same moment, under both accounts, may they differ until its next
        change. Raises Refused (`busy`, or as `function` does).
        """
        state, other = await self._store.people.who_acts(person)
        read = self._settings.remember(person, state)
        for account in sorted({person, other or person}):
            first_try = account == person and await self._settings.replace(person, read, function(read.value))
            if not first_try:
                await self._settings.change(account, None, lambda held: function(held.value))

    async def share(self, person: str, other: str) -> None:
        """Share the settings of two accounts that were just linked: those of the first, where it has any."""
        newest, plain = await self._settings.newest([person, other]), Profile()
        own, theirs = newest[person], newest[other]
        shared = {
            name: getattr(own if getattr(own, name) != getattr(plain, name) else theirs, name)
            for name in _SHARED
        }
        await self.change(person, lambda held: replace(held, **shared))

    async def forget(self, person: str) -> None:
        """Delete a person's profile, and the indexes from them to anything else."""
        await self._store.people.forget_person(person)
        self._settings.forget(person)

    async def opening_token(self, person: str, target: str) -> str | None:
        """Return a new single-use token for a link that opens a person's private chat and leads on to a table
        or night; None where the chat has no such links."""
        chat = self.chat_of(person)
        if chat is None or not chat.features.leads_to_private:
            return None
        token = secrets.token_urlsafe(18)
        await self._store.tokens.put(token, target.encode(), OPENING_SECONDS, owner=person)
        return token

    async def accept(self, token: str, person: str) -> str | None:
        """Return the table or night of a token made for this person; None when it is used up, expired or
        another person's."""
        target = await self._store.tokens.take(token, owner=person)
        return None if target is None else target.decode()
