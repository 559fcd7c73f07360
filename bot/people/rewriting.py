"""Rewriting for people who were forgotten: the store's file is written anew, and who asked is told how far it
is."""

import asyncio
import logging
from contextlib import suppress
from typing import Final, Literal

from bot.logs import way_of
from bot.store import Store, StoreUnavailable
from bot.store.rewriting import Rewritten

LOG: Final = logging.getLogger(__name__)

AsFarAs = Rewritten | Literal["asked"]
"""`asked`: it goes on, and its end will be in the log."""

TOLD_WITHIN: Final = 2.0
"""Seconds that somebody waits for the answer. A store of 100 MB is rewritten in about one."""

_LEVELS: Final = {"done": logging.INFO, "no_file": logging.INFO}


class FileRewriting:
    """One rewriting at a time: whoever asks during one shares the next."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._running: asyncio.Task[Rewritten] | None = None
        self._next: asyncio.Task[Rewritten] | None = None

    async def ask(self) -> AsFarAs:
        """Have the file written anew without what has been deleted so far, and return how far it is."""
        if self._running is None or self._running.done():
            task = self._running = asyncio.create_task(self._rewrite(None))
        else:
            if self._next is None or self._next.done():
                self._next = asyncio.create_task(self._rewrite(self._running))
            task = self._next
        with suppress(TimeoutError):
            async with asyncio.timeout(TOLD_WITHIN):
                return await asyncio.shield(task)
        return "asked"

    async def _rewrite(self, after: "asyncio.Task[Rewritten] | None") -> Rewritten:
        if after is not None:
            await asyncio.wait((after,))
            self._running, self._next = self._next, None
        try:
            outcome = await self._store.rewriting.rewrite_file()
        except StoreUnavailable:
            outcome = "failed"
        except Exception as error:  # whoever asked is told, and the program goes on
            LOG.error("the store's file could not be written anew: %s", way_of(error))
            return "failed"
        LOG.log(
            _LEVELS.get(outcome, logging.WARNING),
            "somebody was forgotten; the store's file was written anew: %s",
            outcome,
        )
        return outcome
