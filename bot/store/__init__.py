"""Store: what outlives the process, in one Redis, Valkey or cluster. The only home of redis-py."""

from bot.store.connect import open_store
from bot.store.store import Durability, Store
from bot.store.values import (
    KEEP,
    Committed,
    Conflict,
    Keep,
    Mark,
    NoStore,
    Repeated,
    Shown,
    Stored,
    StoreUnavailable,
)

__all__ = [
    "KEEP",
    "Committed",
    "Conflict",
    "Durability",
    "Keep",
    "Mark",
    "NoStore",
    "Repeated",
    "Shown",
    "Store",
    "StoreUnavailable",
    "Stored",
    "open_store",
]
