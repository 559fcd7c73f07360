"""Refusals: the recipients that refused the last time, and when each is to be tried again."""

from collections.abc import Sequence

from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server, together

_MEMBERS = script("members")


class RefusalNotes:
    """The refusals of one store. The values are bytes, whose meaning only the application knows."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def read(
        self, recipients: Sequence[str], persons: Sequence[str] = ()
    ) -> tuple[list[bytes | None], list[bytes | None]]:
        """Return the stored refusals of these recipients, in their order (None: they refuse nothing), and in
        the same call the settings of persons."""
        names = (*map(keys.refusal, recipients), *map(keys.person, persons))
        values = await self._server.values(names) if names else []
        return values[: len(recipients)], values[len(recipients) :]

    async def put(self, recipient: str, value: bytes, at: float) -> None:
        """Store a recipient's refusal and the moment of its next try: seconds since the epoch. The moment is
        written first, so that no recipient is left alone for ever."""
        retries = keys.retries(keys.partition_of(recipient))
        await self._server.call("ZADD", retries, round(at * 1000), recipient)
        await self._server.call("SET", keys.refusal(recipient), value)

    async def drop(self, recipient: str) -> None:
        """Note that a recipient no longer refuses."""
        await self._server.call("DEL", keys.refusal(recipient))
        await self._server.call("ZREM", keys.retries(keys.partition_of(recipient)), recipient)

    async def list_all(self) -> list[str]:
        """Return all recipients that refuse. `Timers.look` finds those that are to be tried again."""
        groups = self._server.in_one_call(map(keys.retries, keys.PARTITIONS))
        replies = await together(self._server.run(_MEMBERS, group) for group in groups)
        return [recipient.decode() for reply in replies for recipient in reply]
