"""Store: what outlives the process, in one Redis, Valkey or cluster. The only home of redis-py."""

from bot.store.client import TimeLimits
from bot.store.people import SettingsOf, community_hint, settings_hint, table_hints
from bot.store.schedule import daily_hint, league_hints
from bot.store.store import Store, open_store
from bot.store.values import (
    KEEP,
    Committed,
    Conflict,
    IndexHint,
    Keep,
    Mark,
    NoStore,
    Repeated,
    ShownMessage,
    Stored,
    StoreUnavailable,
    value_digest,
)

__all__ = [
    "KEEP",
    "Committed",
    "Conflict",
    "IndexHint",
    "Keep",
    "Mark",
    "NoStore",
    "Repeated",
    "SettingsOf",
    "ShownMessage",
    "Store",
    "StoreUnavailable",
    "Stored",
    "TimeLimits",
    "community_hint",
    "daily_hint",
    "league_hints",
    "open_store",
    "settings_hint",
    "table_hints",
    "value_digest",
]
