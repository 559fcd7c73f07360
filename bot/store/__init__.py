"""Store: what outlives the process, in one Redis, Valkey or cluster. The only home of redis-py."""

from bot.store.client import Within
from bot.store.people import SettingsOf, settings_version
from bot.store.store import Store, open_store
from bot.store.values import (
    KEEP,
    Committed,
    Conflict,
    Keep,
    Mark,
    NoStore,
    Repeated,
    ShownMessage,
    Stored,
    StoreUnavailable,
)

__all__ = [
    "KEEP",
    "Committed",
    "Conflict",
    "Keep",
    "Mark",
    "NoStore",
    "Repeated",
    "SettingsOf",
    "ShownMessage",
    "Store",
    "StoreUnavailable",
    "Stored",
    "Within",
    "open_store",
    "settings_version",
]
