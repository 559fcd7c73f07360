"""Retries: recipients that refuse messages, and the moments at which they are tried again."""

from collections.abc import Sequence

from bot.store import keys
from bot.store.client import Server, together
from bot.store.scripts import script

_MEMBERS = script("members")


class Retries:
    """Places and people that refuse, by their keys. The values' meaning only the application knows.

    Each recipient is also listed in its partition by the moment of its next try; that is written first, so
    that no recipient is left alone for ever.
    """

    _server: Server

    async def refusals(self, recipients: Sequence[str]) -> list[bytes | None]:
        """The stored refusals of these recipients, in their order; None: they refuse nothing."""
        return await self._server.values([keys.refusal(each) for each in recipients])

    async def put_refusal(self, recipient: str, value: bytes, at: float) -> None:
        """Store a recipient's refusal and the moment of its next try: seconds since the epoch."""
        retries = keys.retries(keys.partition_of(recipient))
        await self._server.call("ZADD", retries, round(at * 1000), recipient)
        await self._server.call("SET", keys.refusal(recipient), value)

    async def drop_refusal(self, recipient: str) -> None:
        """Note that a recipient no longer refuses."""
        await self._server.call("DEL", keys.refusal(recipient))
        await self._server.call("ZREM", keys.retries(keys.partition_of(recipient)), recipient)

    async def all_refusing(self) -> list[str]:
        """All recipients that refuse. `look` finds those that are to be tried again."""
        groups = self._server.in_one_call(map(keys.retries, keys.PARTITIONS))
        replies = await together(self._server.run(_MEMBERS, group) for group in groups)
        return [recipient.decode() for reply in replies for recipient in reply]
