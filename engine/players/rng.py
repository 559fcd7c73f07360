"""Player rng: the random choices of an automatic player."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

_Item = TypeVar("_Item")


class PlayerRng:
    """Chooses at random; the same seed makes the same choices."""

    def __init__(self, seed: bytes) -> None:
        self._state = seed

    def choice(self, items: Sequence[_Item]) -> _Item:
        """Return any of the items, of which there is at least one."""
        return items[self._below(len(items))]

    def cheapest(self, costs: Mapping[_Item, Any]) -> _Item:
        """Return any of the items with the lowest cost, of which there is at least one."""
        least = min(costs.values())
        return self.choice([item for item, cost in costs.items() if cost == least])

    def sample(self, items: Sequence[_Item], count: int) -> list[_Item]:
        """Return a number of the items, each at most once, in random order."""
        left = list(items)
        return [left.pop(self._below(len(left))) for _ in range(min(count, len(left)))]

    def once_in(self, times: int) -> bool:
        """Return True once in this many times."""
        return self._below(times) == 0

    def number(self) -> int:
        """Return any number of 64 bits."""
        return self._below(1 << 64)

    def _below(self, bound: int) -> int:
        """Return a number from 0 to bound − 1. With 256 bits the bias of the remainder is immeasurable."""
        self._state = hashlib.sha256(self._state).digest()
        return int.from_bytes(self._state) % bound
