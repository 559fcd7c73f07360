"""What must outlive the process: tables, deadlines, what chats show. The only home of redis-py."""

from bot.store.keeping import Keeping
from bot.store.opening import open_store
from bot.store.store import Store
from bot.store.values import (
    KEEP,
    Committed,
    Conflict,
    Keep,
    Mark,
    NoStore,
    Repeated,
    Shown,
    StoreAway,
    Stored,
)

__all__ = [
    "KEEP",
    "Committed",
    "Conflict",
    "Keep",
    "Keeping",
    "Mark",
    "NoStore",
    "Repeated",
    "Shown",
    "Store",
    "StoreAway",
    "Stored",
    "open_store",
]
