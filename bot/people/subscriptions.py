"""Subscriptions: the people who are told when a table opens at a place, and whom of them a lobby calls.

Where an organiser has named a role, that is mentioned instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.errors import is_allowed
from bot.people.communities import Communities
from bot.people.notifications import is_quiet
from bot.people.permissions import Admission
from bot.people.profiles import Profiles
from bot.ports import RetryAfter
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store
from bot.tables.table import CalledPerson

CALLED_MOST: Final = 50
"""The most people that one lobby calls."""

CALL_AGAIN_SECONDS: Final = 3600.0
"""Seconds between two calls of one person to tables at one place."""

ROLE_AGAIN_SECONDS: Final = 1800.0
"""Seconds between two calls of a community's role."""


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """The subscriptions of one store. Nobody has one who did not ask for it."""

    store: Store
    tables: TableRepository
    people: Profiles
    communities: Communities
    admission: Admission

    async def has(self, person: str, place: str) -> bool:
        """Return whether a person is subscribed for a place."""
        return place in await self.store.subscriptions.find_places(person)

    async def toggle(self, person: str, place: str, language: str) -> bool:
        """Subscribe a person for a place, or end that if they are subscribed; return whether they are now."""
        if await self.has(person, place):
            await self.store.subscriptions.remove(person, place)
            return False
        await self.store.subscriptions.add(person, place, language)
        return True

    async def choose(self, stored: StoredTable) -> tuple[tuple[CalledPerson, ...], Mapping[str, str]]:
        """Return the subscribers whom a lobby with free seats calls, and by place the role that it calls
        there instead. Each is charged for the call."""
        table, chosen, roles = stored.value, dict[str, CalledPerson](), dict[str, str]()
        homes = dict.fromkeys(table.postings.rooms.get(place, place) for place in table.places)
        for home in homes if table.has_room else ():
            if role := await self.find_role(home):
                whole = await self.communities.whole(home)
                if await self.store.calls.spend([(f"role {whole}", 1, ROLE_AGAIN_SECONDS)]) == 0:
                    roles[home] = role
                continue
            for person, language in sorted((await self.store.subscriptions.find_people(home)).items()):
                if (
                    len(chosen) < CALLED_MOST
                    and person not in chosen
                    and await self._calls(person, home, stored)
                ):
                    chosen[person] = CalledPerson(person, language, "bell")
        return tuple(chosen.values()), roles

    async def find_role(self, place: str) -> str:
        """Return the role that is mentioned when a table at a place looks for players; empty: there is none,
        or the chat can't tell whose place it is."""
        try:
            return await self.communities.nearest(place, lambda each: each.role)
        except RetryAfter:
            return ""

    async def _calls(self, person: str, home: str, stored: StoredTable) -> bool:
        """Return whether a person is called to a table: not one who sits there or was removed, plays
        somewhere, is blocked, has quiet hours now, or was called an hour ago."""
        if person in (*stored.value.people(), *stored.value.gone.removed) or await self._plays(person):
            return False
        profile = await self.people.load(person)
        if is_quiet(profile.notifying, stored.now):
            return False
        if not await is_allowed(self.admission.take_part(person, home)):
            return False
        return await self.store.calls.spend([(f"bell {home} {person}", 1, CALL_AGAIN_SECONDS)]) == 0

    async def _plays(self, person: str) -> bool:
        for stored in await self.tables.load_many(await self.store.index.tables_of(person)):
            seat = stored.value.seat_of(person)
            in_match = stored.value.stage in ("playing", "between")
            if seat is not None and in_match and stored.value.seats[seat].computer is None:
                return True
        return False
