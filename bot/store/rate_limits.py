"""Budgets: how many calls the chats' platforms allow, counted where every worker sees it."""

from collections.abc import Sequence

from bot.store import keys
from bot.store.client import Server
from bot.store.scripts import script

_SPEND = script("spend")

Window = tuple[str, int, float]
"""A scope, and how many calls (1 or more) it allows in any so many seconds."""


class Budgets:
    """Sliding windows by the server's clock."""

    _server: Server

    async def spend(self, windows: Sequence[Window]) -> float:
        """Charge one call to every window and return 0, or return the seconds to wait and charge none.

        A call that was sent again after a broken connection may be charged twice, never too little.
        """
        if not windows:
            return 0.0
        names = [keys.allowance(scope, seconds) for scope, _, seconds in windows]
        limits = [limit for _, calls, seconds in windows for limit in (calls, round(seconds * 1000))]
        wait: int = await self._server.run(_SPEND, names, *limits)
        return wait / 1000
