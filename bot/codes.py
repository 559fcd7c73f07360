"""Short codes that people read to each other: invitations to a table, and the linking of accounts."""

import secrets
from hashlib import blake2b
from typing import Final, Literal

from bot.store import Store
from bot.tables.changes import Refused

Kind = Literal["invitation", "link", "league"]

ALPHABET: Final = "ACDEFHJKMNPRTUXY34679"
"""Nothing that is easily taken for another one: no O and 0, I, L and 1, S and 5, B and 8, Z and 2, G, V,
nor the letters that Turkish lacks."""

TRIES: Final = 10
TRIES_SECONDS: Final = 600.0
"""One person may name so many codes in so long."""


def fresh_code(length: int) -> str:
    """A code that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_code(text: str) -> str | None:
    """A code as people type it, with small letters, spaces and dashes; None when it can't be one."""
    code = "".join(text.replace("-", " ").split()).upper()
    return code if code and set(code) <= set(ALPHABET) else None


def spelled(code: str) -> str:
    """A code as it is shown: in two halves."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


class Codes:
    """The codes of one store. They are kept under a digest: who reads the store learns none."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(
        self, kind: Kind, code: str, value: bytes, seconds: float, *, owner: str | None = None
    ) -> None:
        """Let a code stand for a value, for so many seconds."""
        await self._store.put_token(_name(kind, code), value, seconds, owner=owner)

    async def look(self, kind: Kind, code: str) -> bytes | None:
        """What a code stands for; it goes on standing for it."""
        return await self._store.look_at_token(_name(kind, code))

    async def take(self, kind: Kind, code: str) -> bytes | None:
        """What a code stands for, once."""
        return await self._store.take_token(_name(kind, code))

    async def drop(self, kind: Kind, code: str) -> None:
        """Let a code stand for nothing any more."""
        await self._store.drop_token(_name(kind, code))

    async def charge(self, person: str) -> None:
        """A person names a code. Raises Refused `too_many_tries` when he seems to be guessing."""
        # Not his key itself: the count outlives his wish to be forgotten, or guessing would know no end.
        scope = "codes:" + blake2b(person.encode(), digest_size=8).hexdigest()
        if await self._store.spend([(scope, TRIES, TRIES_SECONDS)]) > 0:
            raise Refused("too_many_tries")


def _name(kind: Kind, code: str) -> str:
    return blake2b(f"{kind} {code}".encode(), digest_size=16).hexdigest()
