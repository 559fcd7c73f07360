"""What people are still to be told of a night besides its board, and what their platforms are to show of it.

All of it follows from the night as it stands and from what was noted when it was done: so it can be asked for
at any moment, and nothing is done twice.
"""

from dataclasses import dataclass

from bot.keeper import Keeper
from bot.league.deeds import Scene, Still
from bot.league.keeping import Keeping
from bot.league.letters import free_seats, reminders
from bot.league.model import League
from bot.league.naming import league_key
from bot.league.shown_elsewhere import calendar, pins, role
from bot.league.table_calls import calls
from bot.people import People
from bot.store import Store


@dataclass(frozen=True, slots=True)
class Tidings:
    """Finds what is still to be done."""

    store: Store
    people: People
    keeper: Keeper
    keeping: Keeping

    async def still(self, night_id: str) -> Still:
        """What is still to be done for a night. Raises StoreAway, UnknownSchema, TryLater."""
        held = await self.keeping.night(night_id)
        league = None if held is None else await self.keeping.league(held.value.league)
        if held is None or league is None:
            return Still()
        scene = Scene(
            store=self.store,
            people=self.people,
            keeper=self.keeper,
            league=league.value,
            night=held.value,
            noted=await self.store.shown(night_id),
            now=self.keeping.clock(),
        )
        called, waits = await calls(scene)
        deeds = [*pins(scene), *await reminders(scene), *free_seats(scene), *called]
        for place in await self._one_of_each_community(league.value):
            deeds += calendar(scene, place)
            deeds += role(scene, place, await self.store.shown(league_key(league.value.id)))
        return Still(tuple(deeds), waits)

    async def _one_of_each_community(self, league: League) -> list[str]:
        """Calendars and roles are a whole server's: the first place of each stands for it."""
        first: dict[str, str] = {}
        for place in league.places:
            chat = self.people.chat_of(place)
            if chat is not None:
                first.setdefault(await chat.community(place), place)
        return list(first.values())
