"""Keys: the names of everything that is kept.

What belongs to a table shares its partition's hash tag (`{p07}`), so that one script may touch all of
it, in a cluster too. Persons, places and tokens are looked up one at a time and need no tag.
"""

from zlib import crc32

PARTITIONS = range(64)
"""Fixed for good: a table's partition is part of its keys."""


def partition_of(table: str) -> int:
    """The partition, 0 to 63, in which a table lives."""
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
    """Hash from a target to what it was shown: `revision message`."""
    return f"{_tag(partition_of(table))}s:{table}"


def deadlines(partition: int) -> str:
    """Sorted set of tables by deadline, in milliseconds of the partition's clock."""
    return f"{_tag(partition)}due"


def dirty(partition: int) -> str:
    """Sorted set of tables that chats may not show at their newest, by `Mark`."""
    return f"{_tag(partition)}dirty"


def delivered(partition: int) -> str:
    """Hash from what is dirty to its `Mark` and the chats that have nothing to deliver of it any more."""
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
    """Hash from a chat to the worker that receives what people do in it, where only one can."""
    return "{workers}receivers"


def alive(partition: int) -> str:
    """`milliseconds patience`: when somebody was last seen at work, and for how long that is fresh. There is
    none where nothing is waited for."""
    return f"{_tag(partition)}alive"


def tables_at(place: str) -> str:
    """Set of the tables that may stand at a place."""
    return f"place:{place}"


def tables_in(community: str) -> str:
    """Sorted set of the tables that may stand in a community, by when that was noted."""
    return f"community:{community}"


def tables_of(person: str) -> str:
    """Set of the tables at which a person may sit."""
    return f"seats:{person}"


def person(key: str) -> str:
    """What is remembered of a person."""
    return f"person:{key}"


def settings_at(place: str) -> str:
    """What is set for a place."""
    return f"settings:{place}"


def last_message(person: str) -> str:
    """The reference of the last message in a person's private chat."""
    return f"last:{person}"


def numbers_at(place: str) -> str:
    """Which tables of a place have which numbers."""
    return f"numbers:{place}"


def token(token: str) -> str:
    """Hash of a token: `v` its value, `of` its owner or nobody, `by` which call took it."""
    return f"token:{token}"


def tokens_of(person: str) -> str:
    """Set of the tokens that may belong to a person."""
    return f"tokens:{person}"


def link_of(person: str) -> str:
    """The other account of a person; in force if that one's link leads back."""
    return f"link:{person}"


def settings_by(person: str) -> str:
    """Set of the places that a person may have set something for."""
    return f"set:{person}"


def ended(partition: int) -> str:
    """Sorted set of tables with a result that may not be in the match history yet, by `Mark`."""
    return f"{_tag(partition)}ended"


def synced(partition: int) -> str:
    """Nothing: what is written here stands in the append-only file behind all that was written before."""
    return f"{_tag(partition)}synced"


def agenda(partition: int) -> str:
    """Sorted set of what is to be looked at, by the wall clock: milliseconds since the epoch."""
    return f"{_tag(partition)}agenda"


def refusal(recipient: str) -> str:
    """What is kept of a place or person that refuses."""
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
    """A whole match that is over."""
    return f"match:{table}"


def judgements(table: str) -> str:
    """Hash from a round and a seat to how well it was played."""
    return f"judged:{table}"


def allowance(scope: str, seconds: float) -> str:
    """List of the last calls charged to a scope, newest first. A scope's windows are charged at once."""
    return f"{{spend:{scope}}}{seconds:g}"
