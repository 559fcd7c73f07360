"""Timing: how often something can be done in a while, and how long each time takes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Times:
    """Durations of single operations, in seconds."""

    durations: tuple[float, ...]
    wall: float = 0.0
    """How long all of them took, some at the same time."""
    cpu: float = 0.0
    """This process's part of that."""

    @property
    def per_second(self) -> float:
        """How often it was done in a second."""
        return len(self.durations) / self.wall

    @property
    def cpu_ms(self) -> float:
        """What one costs this process, in milliseconds."""
        return 1000 * self.cpu / len(self.durations)

    def milliseconds(self, share: float) -> float:
        """The duration within which `share` (0 to 1) of the operations were done."""
        ordered = sorted(self.durations)
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 3)

    def report(self) -> dict[str, float]:
        """Median and 99th percentile, in milliseconds."""
        return {"p50": self.milliseconds(0.5), "p99": self.milliseconds(0.99)}


def rate(work: Callable[[_T], object], items: Sequence[_T]) -> float:
    """Items worked off in a second, on one core."""
    started = time.perf_counter()
    for item in items:
        work(item)
    return round(len(items) / (time.perf_counter() - started), 1)


def times(work: Callable[[], object], count: int) -> Times:
    """How long each of `count` calls takes, after one that does not count."""
    work()
    durations = []
    for _ in range(count):
        started = time.perf_counter()
        work()
        durations.append(time.perf_counter() - started)
    return Times(tuple(durations))
