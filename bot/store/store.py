"""The store: everything that must outlive the process, in one Redis, Valkey or cluster of them."""

from bot.store.agenda import Agenda
from bot.store.books import Books
from bot.store.budgets import Budgets
from bot.store.keeping import Keepings
from bot.store.people import People
from bot.store.server import Server
from bot.store.tables import Tables
from bot.store.timers import Timers
from bot.store.tokens import Tokens


class Store(Tables, Timers, People, Books, Tokens, Budgets, Keepings, Agenda):
    """All that is kept. Any method may raise `StoreAway`, within 2.5 s."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def ping(self) -> None:
        """Ask whether the server is there."""
        await self._server.call("PING")
