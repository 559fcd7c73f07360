"""The feed of one table: which state counts, and when its mark may go."""

import asyncio
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

from bot.background import Starts
from bot.delivery.feed import Feed, Shared
from bot.delivery.in_flight import InFlightAnswers
from bot.delivery.items import Item, Rank
from bot.delivery.notes import Notes
from bot.delivery.queue import SendQueue
from bot.delivery.snapshot import TableAsTold
from bot.repository.versioned import Versioned
from bot.store import Mark, Note

PLACE = "dc:1"
NOW = 1000.0


class Surroundings:
    """What a feed is given: a place that sees the table's version, and a chat that may not be served yet."""

    def __init__(self) -> None:
        self.served = frozenset({"dc"})
        self.stored = 1
        """The version in the store."""
        self.reads = 0
        self.sent: list[int] = []
        self.settled: list[str] = []
        self.shared = Shared(
            store=SimpleNamespace(
                clock=lambda: NOW, timers=SimpleNamespace(note_delivered=self.note_delivered)
            ),  # type: ignore[arg-type]
            duties=self,
            snapshots=SimpleNamespace(take=self.take),  # type: ignore[arg-type]
            outbox=SimpleNamespace(items=self.items, waits=lambda _: False, chats=lambda *_: {"dc"}),  # type: ignore[arg-type]
            sender=SimpleNamespace(send=self.send),  # type: ignore[arg-type]
            queue=SendQueue(self.spend),
            answers=InFlightAnswers(),
            starts=Starts(lambda: False),
            in_app=None,
        )
        self.feed = Feed("table", self.shared, lambda: None)

    def chats_at(self, partition: int) -> frozenset[str]:
        return self.served

    async def take(self, of: str, committed: Any) -> TableAsTold:
        self.reads += committed is None
        stored = committed or commit(self.stored, mark=None)
        return TableAsTold(stored, {}, {}, chat_of=lambda _: None)

    def items(self, snapshot: TableAsTold) -> Iterator[Item]:
        version = snapshot.stored.version
        if snapshot.notes.get(PLACE) != Note("", version):
            yield Item("table", PLACE, PLACE, Rank.TABLE, (), partial(self.show, version))

    async def show(self, version: int) -> Notes:
        self.sent.append(version)
        return {PLACE: Note("", version)}

    async def send(self, item: Item, noted: Any) -> bool:
        noted(await item.send())
        return False

    async def spend(self, limits: object) -> float:
        return 0.0

    async def note_delivered(self, settled: list[Any]) -> None:
        self.settled += [each.key for each in settled]

    async def rest(self) -> None:
        """Let all tasks end."""
        for _ in range(20):
            await asyncio.sleep(0)


def commit(version: int, mark: int | None = 1) -> Any:
    return Versioned(object(), version, now=NOW, mark=None if mark is None else Mark(mark))


async def test_of_two_commits_the_one_of_the_higher_version_is_shown() -> None:
    around = Surroundings()
    around.feed.latest.note_commit(commit(3))
    around.feed.latest.note_commit(commit(2))
    await around.feed.look(None)
    await around.rest()
    assert around.sent == [3]
    around.feed.latest.note_commit(commit(2))
    await around.feed.look(None)
    await around.rest()
    assert around.sent == [3]
    assert around.reads == 0


async def test_what_was_shown_is_settled_and_neither_read_nor_shown_again() -> None:
    around = Surroundings()
    around.feed.latest.note_commit(commit(2))
    await around.feed.look(None)
    await around.rest()
    assert await around.feed.look(Mark(1))
    assert (around.sent, around.settled, around.reads) == ([2], ["table"], 0)
    assert around.feed.is_idle


async def test_the_mark_of_another_process_has_the_table_read() -> None:
    around = Surroundings()
    around.feed.latest.note_commit(commit(2))
    await around.feed.look(None)
    await around.rest()
    around.stored = 3
    assert not await around.feed.look(Mark(2))
    await around.rest()
    assert (around.sent, around.reads) == ([2, 3], 1)


async def test_a_chat_that_is_served_from_now_on_is_not_settled_for_what_it_has_not_shown() -> None:
    around = Surroundings()
    around.served = frozenset()
    around.feed.latest.note_commit(commit(2))
    await around.feed.look(None)
    around.served = frozenset({"dc"})
    assert not await around.feed.look(Mark(1))
    await around.rest()
    assert (around.sent, around.settled) == ([2], [])
    assert await around.feed.look(Mark(1))
    assert around.settled == ["table"]
