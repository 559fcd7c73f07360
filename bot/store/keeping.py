"""Whether the server keeps what it is given: what the doctor asks for."""

from dataclasses import dataclass

from bot.store.server import Server


@dataclass(frozen=True, slots=True)
class Keeping:
    """How the server is set up; of a cluster, one node speaks for all."""

    append_only: bool
    """Whether each write goes to a file, and not only now and then a snapshot."""
    evicts: bool
    """Whether it throws out what it holds when its memory is full."""


class Keepings:
    """The question, as a part of the store."""

    _server: Server

    async def keeping(self) -> Keeping:
        """Ask how the server keeps its data."""
        told = await self._server.call("INFO")
        limited = int(told["maxmemory"]) > 0
        return Keeping(
            append_only=bool(int(told["aof_enabled"])),
            evicts=limited and told["maxmemory_policy"] != "noeviction",
        )
