"""Daily boards in the store, by their communities."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from bot.daily import DAILY_SCHEMA, DailyBoard, due, is_late, next_post, without_person
from bot.ids import DailyId, daily_id, read_key
from bot.repository.leagues import TimeSource
from bot.repository.versioned import Commit, DocumentRepository, Versioned
from bot.store import KEEP, IndexHint, Store, daily_hint, settings_hint
from bot.store.codec import Codec

_CODEC: Final = Codec(DailyBoard, DAILY_SCHEMA)

DailyAct = Callable[[DailyBoard, float], DailyBoard]
"""Makes the new board from a board and the time."""


class DailyBoards(DocumentRepository[DailyId, DailyBoard, DailyBoard]):
    """The daily boards, found by their communities. Every community has one: empty if nothing is stored."""

    unknown = ""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        super().__init__(store, _CODEC)
        self.clock = clock

    async def of(self, community: str) -> DailyBoard:
        """Return a community's board."""
        held = await self.load(daily_id(community))
        return DailyBoard(community=community) if held is None else held.value

    async def update(self, community: str, act: DailyAct) -> DailyBoard:
        """Act on a community's board and commit the result; returns the new board. Raises Refused `busy`,
        StoreUnavailable, UnknownSchema."""
        id = daily_id(community)

        def function(held: Versioned[DailyBoard]) -> DailyBoard:
            return act(held.value, self.clock())

        held = await self.change_if_there(id, None, function)
        if held is None:
            await self.create(id, DailyBoard(community=community), f"begin {id}")
            held = await self.change(id, None, function)
        return held.value

    async def waiting_at(self, place: str) -> list[DailyId]:
        """Return the boards of which a rack may still be shown in a place."""
        found = [(id, await self.load(id)) for id in await self._store.index.daily_at(place)]
        return [
            id
            for id, held in found
            if held is not None and held.value.place == place and not is_late(held.value, self.clock())
        ]

    async def post_due(self, id: DailyId) -> None:
        """Post the rack of a board that is due, and set the moment of the next look."""
        now = self.clock()
        held = await self.change_if_there(id, None, lambda held: due(held.value, now))
        at = None if held is None else next_post(held.value, now)
        await self._store.timers.put_down(id, 0 if held is None else held.version, at)

    async def move(self, place: str, new_place: str) -> None:
        """Move the board of a community with a new key to that key; it is posted there."""
        old = await self.of(place)
        if old == DailyBoard(community=place):
            return

        def take_over(board: DailyBoard, now: float) -> DailyBoard:
            if board != DailyBoard(community=new_place):
                return board
            posted = new_place + old.place.removeprefix(place) if old.place else ""
            return replace(old, community=new_place, place=posted, since=now)

        await self.update(new_place, take_over)
        await self.update(place, lambda board, now: DailyBoard(community=place, since=now))

    async def forget(self, person: str) -> None:
        """Remove a person from every board."""
        for key in await self._store.index.places_set_by(person):
            match read_key(key):
                case "daily", id:
                    await self.change_if_there(id, None, lambda held: without_person(held.value, person))

    def _make_commit(self, before: DailyBoard | None, change: DailyBoard) -> Commit[DailyBoard]:
        new = before is None or before.since != change.since
        posted = change.day != (0 if before is None else before.day)
        agenda = self.clock() if new and change.place else KEEP
        return Commit(change, dirty=posted, agenda=agenda, hints=[*_hints(before, change)])


def _hints(before: DailyBoard | None, after: DailyBoard) -> Iterator[IndexHint]:
    """Yield the hints that lead from its place, and from the people who are new on it."""
    board = daily_id(after.community)
    if after.place and (before is None or (before.place, before.day) != (after.place, after.day)):
        yield daily_hint(board, after.place)
    known = set() if before is None else {each.person for each in before.entries}
    for person in sorted({each.person for each in after.entries} - known - {""}):
        yield settings_hint(person, board)
