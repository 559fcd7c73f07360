"""Tokens: secrets that stand for a value for a while: of links, pages and sessions, and in codes that people
read to each other; and what a person's app is open for, under their key."""

from hashlib import blake2b
from typing import Final, Literal

from bot.errors import Refused
from bot.store import Store

TokenKind = Literal[
    "invitation",
    "link",
    "proposal",
    "league",
    "personal",
    "session",
    "wall",
    "wish",
    "watch",
    "open",
    "fair",
    "claim",
    "shown",
]

TRIES: Final = 10
TRIES_SECONDS: Final = 600.0
"""Seconds in which a person may try TRIES codes."""


class HashedTokens:
    """The tokens of one store. It keeps their hashes, so a reader of the store learns none."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(
        self, kind: TokenKind, token: str, value: bytes, seconds: float, *, owner: str | None = None
    ) -> None:
        """Store a value under a token for this many seconds."""
        await self._store.tokens.put(digest_of(kind, token), value, seconds, owner=owner)

    async def look_at(self, kind: TokenKind, token: str) -> bytes | None:
        """Return the value of a token, which stays valid."""
        return await self._store.tokens.look_at(digest_of(kind, token))

    async def take(self, kind: TokenKind, token: str) -> bytes | None:
        """Return the value of a token, which becomes invalid."""
        return await self._store.tokens.take(digest_of(kind, token))

    async def drop(self, kind: TokenKind, token: str) -> None:
        """Make a token invalid."""
        await self._store.tokens.drop(digest_of(kind, token))

    async def charge_try(self, person: str) -> None:
        """Count a person's try of a code. Raises Refused `too_many_tries` when they seem to be guessing."""
        # Not their key itself: the count survives their being forgotten, or guessing would have no limit.
        scope = "codes:" + blake2b(person.encode(), digest_size=8).hexdigest()
        if await self._store.calls.spend([(scope, TRIES, TRIES_SECONDS)]) > 0:
            raise Refused("too_many_tries")


def digest_of(kind: TokenKind, token: str) -> str:
    """Return the hash under which a token is kept."""
    return blake2b(f"{kind} {token}".encode(), digest_size=16).hexdigest()
