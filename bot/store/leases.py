"""Leases: the workers that are alive, and the work of each in each partition.

A worker counts as alive for a few seconds after each time it attends. A lease has no end of its own: it holds
while its worker is alive, and then another may take it. So nothing is written while nothing changes.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server, together

_ATTEND = script("attend")
_CLAIM = script("claim")
_LEAVE = script("leave")

_WORKERS = (keys.WORKERS, keys.CHATS_OF_WORKERS, keys.RECEIVERS)


@dataclass(frozen=True, slots=True)
class Attendance:
    """The workers at work, as an attending worker sees them."""

    unbroken: bool
    """Whether the attending worker has counted as alive ever since its last call."""
    receives: frozenset[str]
    """Those of its chats in which it receives what people do; of several workers only one does."""
    workers: Mapping[str, frozenset[str]]
    """The workers that are alive, including the one that asks, each with the chats that it serves."""


class Leases:
    """The shares of work that nobody presses a button for."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def attend(self, worker: str, chats: frozenset[str], seconds: float) -> Attendance:
        """Say that a worker is alive for this many seconds; returns who else is. In those of its chats that
        no live worker receives, it receives from now on."""
        words = _words(chats)
        asked = self._server.clock()
        now, unbroken, receives, *flat = await self._server.run(
            _ATTEND, _WORKERS, worker, words, round(seconds * 1000)
        )
        self._server.set_clock(now / 1000, asked)
        pairs = zip(flat[::2], flat[1::2], strict=True)
        served = {who.decode(): frozenset(said.decode().split()) for who, said in pairs}
        return Attendance(bool(unbroken), frozenset(receives.decode().split()), served)

    async def leave(self, worker: str) -> None:
        """Remove a worker that is no longer at work; whatever it held is free."""
        await self._server.run(_LEAVE, _WORKERS[:2], worker)

    async def holders(self) -> dict[str, Counter[str]]:
        """Return for each live worker the number of partitions in which it does each kind of work. A chat
        that it receives counts as one of `receives <chat>`."""
        held = {worker.decode(): Counter[str]() for worker in await self._server.call("HKEYS", _WORKERS[1])}
        leases = await together(self._server.call("HGETALL", keys.leases(each)) for each in keys.PARTITIONS)
        receivers = await self._server.call("HGETALL", keys.RECEIVERS)
        for work, worker in (pair for each in leases for pair in each.items()):
            if worker.decode() in held:
                held[worker.decode()][work.decode()] += 1
        for chat, worker in receivers.items():
            if worker.decode() in held:
                held[worker.decode()][f"receives {chat.decode()}"] += 1
        return held

    async def claim(
        self, worker: str, wanted: Mapping[int, frozenset[str]], alive: frozenset[str]
    ) -> dict[int, frozenset[str]]:
        """Have a worker hold exactly this work in these partitions, except what another that is `alive`
        holds.

        Work that it held there and no longer wants is given back. Returns what it holds now, by partition.
        """

        async def claim(group: list[int]) -> dict[int, frozenset[str]]:
            names = [name(each) for each in group for name in (keys.leases, keys.alive, keys.deadlines)]
            asked = [_words(wanted[each]) for each in group]
            held = await self._server.run(_CLAIM, names, worker, _words(alive), *asked)
            return {each: frozenset(got.decode().split()) for each, got in zip(group, held, strict=True)}

        groups = await together(claim(group) for group in self._server.in_one_call(wanted))
        return {partition: work for group in groups for partition, work in group.items()}


def _words(words: frozenset[str]) -> str:
    """Return words in the form that the scripts read: each between spaces."""
    return f" {' '.join(sorted(words))} "
