"""Hints: advice for the player on turn, at tables where help is allowed, computed outside the event loop."""

import logging
from concurrent.futures import BrokenExecutor
from typing import Final

from cachetools import LRUCache

from bot.pool import POOL
from bot.tables.table import Table
from engine.hints import Hint, hint
from engine.round import legal_moves
from engine.rules import Rules
from engine.view import SeatView, seat_view

LOG: Final = logging.getLogger(__name__)
_REMEMBERED: Final = 256


class Hints:
    """The hints of one process. The same view always gets the same one, so each is computed once."""

    def __init__(self) -> None:
        self._known = LRUCache[tuple[Rules, SeatView], Hint | None](_REMEMBERED)

    async def of(self, table: Table, seat: int) -> Hint | None:
        """The advice for the person on a seat; None when there is none: no screen fails for want of it."""
        rules, round = table.match.rules, table.match.round
        helped = (table.practice or table.hints) and table.night is None
        if not helped or round is None or table.match.turn != seat or table.seats[seat].computer:
            return None
        view = seat_view(table.match, seat)
        if (rules, view) not in self._known:
            try:
                found = await POOL.run(hint, rules, view, legal_moves(rules, round, seat))
            except BrokenExecutor:
                LOG.warning("a hint could not be computed")
                return None
            self._known[rules, view] = found
        return self._known[rules, view]
