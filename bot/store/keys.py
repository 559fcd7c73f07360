"""Keys: the names of everything in the store.

All keys of a table share the hash tag of its partition (`{p07}`), so that one script may touch all of them,
in a cluster too. Persons, places and tokens are looked up one at a time and need no tag.
"""

import re
from collections.abc import Callable
from typing import Final
from zlib import crc32

PARTITIONS: Final = range(64)
"""Can never change: a table's partition is part of its keys."""


def partition_of(table: str) -> int:
    """Return the partition of a table, 0 to 63."""
    return crc32(table.encode()) % len(PARTITIONS)


def _tag(partition: int) -> str:
    return f"{{p{partition:02}}}"


def _of_table(kind: str) -> Callable[[str], str]:
    def key(table: str) -> str:
        return f"{_tag(partition_of(table))}{kind}:{table}"

    return key


state: Final = _of_table("t")
"""Hash: `v` version, `s` state, `a` the last actions."""
log: Final = _of_table("l")
"""List of a table's log entries, oldest first."""
notes: Final = _of_table("s")
"""Hash of a table, night, league or daily board: its notes by their keys, each `number worth text`."""


def note_key(table: str, call: str) -> str:
    """Return a key without contents, for a minute: this call has noted something that a table showed."""
    return f"{_tag(partition_of(table))}noted:{call}"


def _in_partition(kind: str) -> Callable[[int], str]:
    def key(partition: int) -> str:
        return f"{_tag(partition)}{kind}"

    return key


deadlines: Final = _in_partition("due")
"""Sorted set of tables by deadline, in milliseconds of the partition's clock."""
dirty: Final = _in_partition("dirty")
"""Sorted set of tables whose newest state chats may not show yet, by `Mark`."""
delivered: Final = _in_partition("delivered")
"""Hash from a dirty key to its `Mark` and the chats that have nothing of it left to deliver."""
leases: Final = _in_partition("leases")
"""Hash from work (`clock`, or a chat's name) to the worker that does it in the partition."""
alive: Final = _in_partition("alive")
"""`milliseconds patience`: when a process was last seen at work, and how long that stays valid. Missing
when nothing is waited for."""
ended: Final = _in_partition("ended")
"""Sorted set of tables with a result that may not be in the match history yet, by `Mark`."""
synced: Final = _in_partition("synced")
"""A key without contents: a write to it follows everything written before, in the append-only file and to
replicas."""
agenda: Final = _in_partition("agenda")
"""Sorted set of the keys to look at, by the wall clock: milliseconds since the epoch."""
moved: Final = _in_partition("moved")
"""Sorted set of tables whose deadline has moved and may not be shown yet, by `Mark`."""
unattended: Final = _in_partition("unattended")
"""Hash from a key of the agenda to the milliseconds without anybody at work since it came there."""
retries: Final = _in_partition("retries")
"""Sorted set of the recipients that refuse, by their next try: milliseconds since the epoch."""


def find_synced(key: str) -> str | None:
    """Return the `synced` key of another key's partition; None: that has none."""
    tag = re.match(r"\{p\d\d\}", key)
    return f"{tag[0]}synced" if tag else None


def _of(kind: str) -> Callable[[str], str]:
    """Return keys of a person, a place, a community, a token or a match."""

    def key(name: str) -> str:
        return f"{kind}:{name}"

    return key


tables_at: Final = _of("place")
"""Set of the tables that may stand at a place."""
tables_in: Final = _of("community")
"""Sorted set of the tables that may stand in a community, by the moment of the hint."""
tables_of: Final = _of("seats")
"""Set of the tables at which a person may sit."""
person: Final = _of("person")
"""The settings of a person."""
settings_at: Final = _of("settings")
"""The settings of a place."""
last_message: Final = _of("last")
"""The reference of the last message in a person's private chat."""
numbers_at: Final = _of("numbers")
"""The numbers of a place's tables."""
token: Final = _of("token")
"""Hash of a token: `v` its value, `of` its owner or empty, `by` the call that took it."""
token_ends: Final = _of("token-ends")
"""Sorted set of the tokens that may belong to a person, by their end: milliseconds since the epoch."""
link_of: Final = _of("link")
"""The other account of a person; valid if its own link leads back."""
settings_by: Final = _of("set")
"""Set of the places for which a person may have set something."""
community_of: Final = _of("whole")
"""The community of a place."""
subscribers_at: Final = _of("bell")
"""Hash from a person who wants to be told of new tables at a place to their language."""
subscriptions_of: Final = _of("bells")
"""Set of the places of whose new tables a person wants to be told."""
refusal: Final = _of("refusal")
"""The refusals of a place or person."""
leagues_at: Final = _of("leagues")
"""Set of the leagues that may meet at a place, or know a person."""
daily_at: Final = _of("daily")
"""Set of the daily boards that may be posted at a place."""
archived: Final = _of("match")
"""A whole finished match."""
judgements: Final = _of("judged")
"""Hash from a round and a seat to the judgement of its play."""

SECRET: Final = "secret"
"""The secret of the store, with which ids are made."""

WORKERS: Final = "{workers}alive"
"""Sorted set of the workers that are alive, by the moment at which they count as gone."""
CHATS_OF_WORKERS: Final = "{workers}chats"
"""Hash from a worker to the chats that it serves, each between spaces."""
RECEIVERS: Final = "{workers}receivers"
"""Hash from a chat to the worker that receives what people do in it, if only one can."""


def matches(owner: str) -> str:
    """Return the key of a person or place for a hash from a table to 4 bytes of progress and the match."""
    return f"{{book:{owner}}}"


def match_times(owner: str) -> str:
    """Sorted set of an owner's tables by time, in milliseconds since the epoch."""
    return f"{{book:{owner}}}at"


def tally(owner: str) -> str:
    """Return what the matches of a person or place add up to."""
    return f"{{book:{owner}}}tally"


def allowance(scope: str, seconds: float) -> str:
    """List of the last calls charged to a scope, newest first. All windows of a scope are charged at once."""
    return f"{{spend:{scope}}}{seconds:g}"
