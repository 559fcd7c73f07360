"""Timing: how often an operation can be done in a time, and how long each one takes."""

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
    """Seconds from the first to the last of them, some at the same time."""
    cpu: float = 0.0
    """This process's processor time for them, in seconds."""

    @property
    def per_second(self) -> float:
        """The operations a second."""
        return len(self.durations) / self.wall

    @property
    def cpu_ms(self) -> float:
        """The processor time of one operation in this process, in milliseconds."""
        return 1000 * self.cpu / len(self.durations)

    def milliseconds(self, share: float) -> float:
        """Return the duration within which `share` (0 to 1) of the operations were done."""
        ordered = sorted(self.durations)
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 3)

    def report(self) -> dict[str, float]:
        """Median and 99th percentile, in milliseconds."""
        return {"p50": self.milliseconds(0.5), "p99": self.milliseconds(0.99)}


def rate(work: Callable[[_T], object], items: Sequence[_T]) -> float:
    """Items processed a second, on one core."""
    started = time.perf_counter()
    for item in items:
        work(item)
    return round(len(items) / (time.perf_counter() - started), 1)


def times(work: Callable[[], object], count: int) -> Times:
    """Return the duration of each of `count` calls, after one that does not count."""
    work()
    durations = []
    for _ in range(count):
        started = time.perf_counter()
        work()
        durations.append(time.perf_counter() - started)
    return Times(tuple(durations))
