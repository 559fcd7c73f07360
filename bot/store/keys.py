"""Keys: the names of everything in the store.

All keys of a table share the hash tag of its partition (`{p07}`), so that one script may touch all of them,
in a cluster too. Persons, places and tokens are looked up one at a time and need no tag.
"""

from zlib import crc32

PARTITIONS = range(64)
"""Can never change: a table's partition is part of its keys."""


def partition_of(table: str) -> int:
    """The partition of a table, 0 to 63."""
    return crc32(table.encode()) % len(PARTITIONS)


def _tag(partition: int) -> str:
    return f"{{p{partition:02}}}"


def state(table: str) -> str:
    """Hash: `v` version, `s` state, `a` the last actions."""
    return f"{_tag(partition_of(table))}t:{table}"


def log(table: str) -> str:
    """List of a table's log entries, oldest first."""
    return f"{_tag(partition_of(table))}l:{table}"


def shown(table: str) -> str:
    """Hash from a target to its last screen: `revision message`."""
    return f"{_tag(partition_of(table))}s:{table}"


def deadlines(partition: int) -> str:
    """Sorted set of tables by deadline, in milliseconds of the partition's clock."""
    return f"{_tag(partition)}due"


def dirty(partition: int) -> str:
    """Sorted set of tables whose newest state chats may not show yet, by `Mark`."""
    return f"{_tag(partition)}dirty"


def delivered(partition: int) -> str:
    """Hash from a dirty key to its `Mark` and the chats that have nothing of it left to deliver."""
    return f"{_tag(partition)}delivered"


def leases(partition: int) -> str:
    """Hash from work (`clock`, or a chat's name) to the worker that does it in the partition."""
    return f"{_tag(partition)}leases"


def workers() -> str:
    """Sorted set of the workers that are alive, by the moment at which they count as gone."""
    return "{workers}alive"


def chats_of_workers() -> str:
    """Hash from a worker to the chats that it serves, each between spaces."""
    return "{workers}chats"


def receivers() -> str:
    """Hash from a chat to the worker that receives what people do in it, if only one can."""
    return "{workers}receivers"


def alive(partition: int) -> str:
    """`milliseconds patience`: when a process was last seen at work, and how long that stays valid. Missing
    when nothing is waited for."""
    return f"{_tag(partition)}alive"


def tables_at(place: str) -> str:
    """Set of the tables that may stand at a place."""
    return f"place:{place}"


def tables_in(community: str) -> str:
    """Sorted set of the tables that may stand in a community, by the moment of the hint."""
    return f"community:{community}"


def tables_of(person: str) -> str:
    """Set of the tables at which a person may sit."""
    return f"seats:{person}"


def person(key: str) -> str:
    """The settings of a person."""
    return f"person:{key}"


def settings_at(place: str) -> str:
    """The settings of a place."""
    return f"settings:{place}"


def last_message(person: str) -> str:
    """The reference of the last message in a person's private chat."""
    return f"last:{person}"


def numbers_at(place: str) -> str:
    """The numbers of a place's tables."""
    return f"numbers:{place}"


def token(token: str) -> str:
    """Hash of a token: `v` its value, `of` its owner or empty, `by` the call that took it."""
    return f"token:{token}"


def tokens_of(person: str) -> str:
    """Set of the tokens that may belong to a person."""
    return f"tokens:{person}"


def link_of(person: str) -> str:
    """The other account of a person; valid if its own link leads back."""
    return f"link:{person}"


def settings_by(person: str) -> str:
    """Set of the places for which a person may have set something."""
    return f"set:{person}"


def ended(partition: int) -> str:
    """Sorted set of tables with a result that may not be in the match history yet, by `Mark`."""
    return f"{_tag(partition)}ended"


def synced(partition: int) -> str:
    """A key without contents: a write to it follows everything written before in the append-only file."""
    return f"{_tag(partition)}synced"


def agenda(partition: int) -> str:
    """Sorted set of the keys to look at, by the wall clock: milliseconds since the epoch."""
    return f"{_tag(partition)}agenda"


def moved(partition: int) -> str:
    """Sorted set of tables whose deadline has moved and may not be shown yet, by `Mark`."""
    return f"{_tag(partition)}moved"


def unattended(partition: int) -> str:
    """Hash from a key of the agenda to the milliseconds in which nobody was at work, ever since it is
    there."""
    return f"{_tag(partition)}unattended"


def refusal(recipient: str) -> str:
    """The refusals of a place or person."""
    return f"refusal:{recipient}"


def retries(partition: int) -> str:
    """Sorted set of the recipients that refuse, by their next try: milliseconds since the epoch."""
    return f"{_tag(partition)}retries"


def leagues_at(place: str) -> str:
    """Set of the leagues that may meet at a place, or know a person."""
    return f"leagues:{place}"


def daily_at(place: str) -> str:
    """Set of the daily boards that may be posted at a place."""
    return f"daily:{place}"


def matches(owner: str) -> str:
    """Of a person or place: hash from a table to 4 bytes of progress and the match."""
    return f"{{book:{owner}}}"


def match_times(owner: str) -> str:
    """Sorted set of an owner's tables by time, in milliseconds since the epoch."""
    return f"{{book:{owner}}}at"


def archived(table: str) -> str:
    """A whole finished match."""
    return f"match:{table}"


def judgements(table: str) -> str:
    """Hash from a round and a seat to the judgement of its play."""
    return f"judged:{table}"


def allowance(scope: str, seconds: float) -> str:
    """List of the last calls charged to a scope, newest first. All windows of a scope are charged at once."""
    return f"{{spend:{scope}}}{seconds:g}"
