"""Values that the store returns, and errors that it raises."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from hashlib import blake2b, sha1
from typing import Final, Literal, NewType

from bot.errors import CannotStart

Mark = NewType("Mark", int)
"""The moment when a table was last marked dirty: a number that grows with every mark of that table."""


class Keep(Enum):
    """The type of `KEEP`, which leaves a deadline unchanged."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True)
class Note:
    """The note of the last screen of a place or a person, or of something else that was told or done."""

    text: str = ""
    """The message's reference, as the chat gave it, or whatever else there is to be noted."""
    number: int = 0
    """The version of the table or night that it shows; a number of their own kind for other notes."""
    worth: str = ""
    """What it shows of a table, without spaces (`bot.tables.worth`); empty: nobody knows, or no table."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it was read."""

    state: bytes = field(repr=False)
    version: int
    """1 after the first commit, one more after each."""
    due: float | None
    """The deadline, in seconds since the epoch by the server's clock."""
    now: float
    """The server's clock at the read."""
    actions: bytes = field(default=b"", repr=False)
    """The last 32 actions, as commit.lua keeps them: 8 bytes of a digest, 4 of the call, 4 of the version."""
    notes: Mapping[str, Note] = field(default_factory=dict)
    """The last screen of each target for it, by the target's key."""

    @property
    def call(self) -> bytes:
        """The call that made this version."""
        return self.actions[:CALL_BYTES]


_ACTION_BYTES: Final = 16
CALL_BYTES: Final = 12
"""The bytes of a call: 8 of its action's digest, and 4 that are its own."""


def stamp_of(version: int, actions: bytes) -> bytes:
    """Return what tells a version from another one of the same number: with the call that made it, which
    begins its last actions."""
    return b"%d " % version + actions[:CALL_BYTES]


def action_digest(action: str) -> bytes:
    """Return the stored digest of an action's name: 8 bytes."""
    return blake2b(action.encode(), digest_size=8).digest()


def was_carried_out(actions: bytes, action: str) -> bool:
    """Return whether one of the last actions of a table, as it was read, is this one."""
    named = action_digest(action)
    return any(actions.startswith(named, at) for at in range(0, len(actions), _ACTION_BYTES))


def value_digest(value: bytes | None) -> int:
    """Return a digest of a stored value, the same as in swap.lua; 0: nothing is stored."""
    return 0 if value is None else int(sha1(value, usedforsecurity=False).hexdigest()[:13], 16)


@dataclass(frozen=True, slots=True)
class IndexHint:
    """A set by which something may be found, such as the tables at a place. It may point to nothing, but
    never misses anything."""

    key: str
    name: str
    seconds: int = 0
    """Seconds for which the set is kept from now on, at least; 0: for ever."""
    at: float | None = None
    """The moment of the hint, in a sorted set that drops those that are older than `seconds`; None: in a
    plain set."""


@dataclass(frozen=True, slots=True)
class Committed:
    """The result of a commit that was carried out."""

    version: int
    now: float
    due: float | None
    notes: Mapping[str, Note]
    mark: Mark | None
    """Its mark, by which it is to be delivered."""
    call: bytes = field(repr=False)
    """The call that made it, which tells it from another version of the same number."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The result of a commit that changed nothing: the table has `version` (0: there is none), not the
    expected one, or another call made it."""

    version: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The result of a commit that changed nothing: its action was carried out before, and made `version`."""

    version: int


StoreFault = Literal[
    "bad_url",
    "bad_folder",
    "no_server",
    "server_failed",
    "damaged",
    "unreachable",
    "loading",
    "replica",
    "no_replica",
    "protected",
    "refused",
    "too_old",
    "evicts",
    "not_allowed",
    "tls",
    "certificate",
    "no_redis",
    "no_database",
    "cluster",
]


class NoStore(CannotStart):
    """Raised when no store can be opened. `code` is for the program, the message for people."""

    def __init__(self, code: StoreFault, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
