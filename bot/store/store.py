"""Store: everything that must outlive the process, in one Redis, Valkey or cluster of them."""

from dataclasses import dataclass

from bot.store.client import Server
from bot.store.documents import Tables
from bot.store.history import Books
from bot.store.people import People
from bot.store.rate_limits import Budgets
from bot.store.schedule import Agenda, Timers
from bot.store.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Durability:
    """How the server is set up; of a cluster, one node speaks for all."""

    append_only: bool
    """Whether each write goes to a file, and not only now and then a snapshot."""
    evicts: bool
    """Whether it throws out what it holds when its memory is full."""


class DurabilityQueries:
    """The question, as a part of the store."""

    _server: Server

    async def durability(self) -> Durability:
        """Ask how the server keeps its data."""
        told = await self._server.call("INFO")
        limited = int(told["maxmemory"]) > 0
        return Durability(
            append_only=bool(int(told["aof_enabled"])),
            evicts=limited and told["maxmemory_policy"] != "noeviction",
        )


class Store(Tables, Timers, People, Books, Tokens, Budgets, DurabilityQueries, Agenda):
    """All that is kept. Any method may raise `StoreUnavailable`, within 2.5 s."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def ping(self) -> None:
        """Ask whether the server is there."""
        await self._server.call("PING")
