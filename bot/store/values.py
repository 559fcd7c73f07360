"""Values that the store gives back, and errors that it raises."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from hashlib import blake2b
from typing import Final, Literal, NewType

from bot.errors import CannotStart

Mark = NewType("Mark", int)
"""When a table was last marked dirty: a number that grows with every mark of that table."""


class Keep(Enum):
    """The one value that says: leave the deadline as it is."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """What a place or a person was last shown."""

    message: str
    """The message's reference, as the chat gave it."""
    revision: int
    """The revision of the screen in it."""


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
    shown: Mapping[str, ShownMessage] = field(default_factory=dict)
    """What each target was last shown of it, by its key."""

    def carried_out(self, action: str) -> bool:
        """Whether one of the last 32 actions was this one."""
        named = action_digest(action)
        return any(self.actions.startswith(named, at) for at in range(0, len(self.actions), _ACTION_BYTES))


_ACTION_BYTES: Final = 16


def action_digest(action: str) -> bytes:
    """What is kept of an action's name: 8 bytes."""
    return blake2b(action.encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class Committed:
    """The commit was carried out."""

    version: int
    now: float
    due: float | None
    shown: Mapping[str, ShownMessage]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Nothing was changed: the table is at `version` (0: there is none), not at the expected one."""

    version: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """Nothing was changed: this action was carried out before, and made `version`."""

    version: int


class StoreUnavailable(Exception):
    """The server can't be reached, or can't write just now. Nothing is half done; try again later.

    A commit that raises it may have been carried out or not: the same action sent again tells.
    """


StoreFault = Literal[
    "bad_url",
    "bad_folder",
    "no_server",
    "server_failed",
    "unreachable",
    "refused",
    "too_old",
    "evicts",
    "not_allowed",
    "tls",
    "certificate",
]


class NoStore(CannotStart):
    """No store can be opened. `code` is for the program, the message for whoever started it."""

    def __init__(self, code: StoreFault, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
