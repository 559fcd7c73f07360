"""What a computer player leaves to chance."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Lots:
    """Draws lots; the same seed draws the same ones."""

    def __init__(self, seed: bytes) -> None:
        self._state = seed

    def one_of(self, items: Sequence[Item]) -> Item:
        """Any of the items, of which there is at least one."""
        return items[self._below(len(items))]

    def once_in(self, times: int) -> bool:
        """True once in so many times."""
        return self._below(times) == 0

    def _below(self, bound: int) -> int:
        """A number from 0 to bound − 1. So many bits make the bias of the remainder immeasurable."""
        self._state = hashlib.sha256(self._state).digest()
        return int.from_bytes(self._state) % bound
