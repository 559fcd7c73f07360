"""Versioned values: what stands in the store under a key, with the version that a change must be based on."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Versioned(Generic[T]):
    """A value as it stands in the store."""

    value: T
    version: int
    """1 after the first commit, one more after each."""
    deadline: float | None = None
    """When the clock acts next, in seconds since the epoch by the store's clock; None: never."""
    now: float = 0.0
    """The store's clock when it was read or written."""
    repeated: bool = False
    """Whether this very action had been carried out before."""
