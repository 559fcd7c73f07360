"""What is still to be told of a table, as the store has it now, and what chats that are here can tell."""

from collections.abc import Mapping

from bot.calls import Calls, Mention
from bot.keeper import Keeper, Kept
from bot.needs import CALL, ROOM, Need, Rank, Target, need_of
from bot.people import People
from bot.rooms import Rooms, Step
from bot.store import Shown, Store
from bot.tables.model import Table


class Wanting:
    """Looks tables up. Every look may raise StoreAway."""

    def __init__(self, store: Store, keeper: Keeper, people: People, calls: Calls, rooms: Rooms) -> None:
        self._store = store
        self._keeper = keeper
        self._people = people
        self._calls = calls
        self._rooms = rooms

    async def all(self, table: str) -> dict[Target, Rank]:
        """Who has not been told everything yet, and how much that matters."""
        kept, shown = await self._now(table)
        if kept is None:
            return {}
        needs = {key: self._need(kept, key, shown) for key in _everybody(kept.table)}
        wanting = {Target(table, key): need.rank for key, need in needs.items() if need is not None}
        if await self._calls.mention(kept, shown) is not None:
            wanting[Target(table, CALL)] = Rank.TURN
        if self._rooms.next(kept, shown) is not None:
            wanting[Target(table, ROOM)] = Rank.NEWS
        return wanting

    async def need(self, target: Target) -> tuple[Kept, Need] | None:
        """What a place or person needs; None when nothing."""
        kept, shown = await self._now(target.table)
        need = None if kept is None else self._need(kept, target.key, shown)
        return None if kept is None or need is None else (kept, need)

    async def mention(self, table: str) -> tuple[Kept, Mention] | None:
        """Who is to be called by his name; None when nobody."""
        kept, shown = await self._now(table)
        mention = None if kept is None else await self._calls.mention(kept, shown)
        return None if kept is None or mention is None else (kept, mention)

    async def step(self, table: str) -> tuple[Kept, Step] | None:
        """What is to be done next for a table's rooms; None when nothing."""
        kept, shown = await self._now(table)
        step = None if kept is None else self._rooms.next(kept, shown)
        return None if kept is None or step is None else (kept, step)

    async def can_be_told(self, table: str) -> bool:
        """Whether all chats of a table are here: one that is still starting will have news to bring."""
        kept = await self._keeper.load(table)
        return kept is None or all(self._people.chat_of(key) is not None for key in _everybody(kept.table))

    async def _now(self, table: str) -> tuple[Kept | None, Mapping[str, Shown]]:
        kept = await self._keeper.load(table)
        return kept, {} if kept is None else await self._store.shown(table)

    def _need(self, kept: Kept, key: str, shown: Mapping[str, Shown]) -> Need | None:
        """What a target needs, if it is one of a chat that is here."""
        chat = self._people.chat_of(key)
        if chat is None:
            return None
        open = key in kept.table.places or not chat.opening_allowances(key)
        return need_of(kept.table, key, shown.get(key), open=open)


def _everybody(table: Table) -> tuple[str, ...]:
    return (*table.places, *table.people(), *table.removed)
