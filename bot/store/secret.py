"""Secret: random bytes of the store, which never leave this room.

Digests made with it give tables and leagues ids that nobody outside can compute, the same in every process.
"""

import hmac
import json
import secrets
from typing import Final

from bot.store import keys
from bot.store.codec import Codec
from bot.store.server import Server

_BYTES: Final = 32
_CODEC: Final = Codec(bytes, 1)


def fresh_secret() -> bytes:
    """Return random bytes that nobody can know or choose."""
    return secrets.token_bytes(_BYTES)


class StoreSecret:
    """The secret of a store: made at its first use, kept with the data, and never changed."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def digest(self, *words: str) -> bytes:
        """Return the 32 bytes of HMAC-SHA-256 over these words, by the store's secret. Raises
        UnknownSchema."""
        return hmac.digest(await self._secret(), json.dumps(words).encode(), "sha256")

    async def _secret(self) -> bytes:
        """Return the secret, read each time: should a failover lose it, all processes must agree on the next
        one."""
        held: bytes | None = await self._server.call("GET", keys.SECRET)
        if held is None:
            await self._server.call("SET", keys.SECRET, _CODEC.encode(fresh_secret()), "NX")
            held = await self._server.call("GET", keys.SECRET)
            assert held is not None
        return _CODEC.decode(held)
