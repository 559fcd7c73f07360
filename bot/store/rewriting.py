"""Rewriting: the append-only file written anew, without what has been deleted."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Literal

from redis.exceptions import ResponseError

from bot.store.server import Server

Rewritten = Literal["done", "refused", "failed", "no_file"]
"""`refused`: the server's user may not ask for it, as with many managed servers; `no_file`: it keeps none."""

_UNDER_WAY: Final = "already in progress"
_PAUSES: Final = (0.05, 2.0)
"""The first and the longest pause in seconds between two looks whether it is done."""


class Rewriting:
    """The append-only files of the servers."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def rewrite_file(self) -> Rewritten:
        """Have each server that takes writes write its file anew, and wait until all have: without what was
        deleted before this call. Replicas and backups have files of their own."""
        if not any(_number(told, "aof_enabled") for told in await self._persistence()):
            return "no_file"
        while True:
            await self._until_idle()  # one that is under way may still write what has just been deleted
            try:
                await self._server.call_everywhere("BGREWRITEAOF")
                break
            except ResponseError as refused:
                if _UNDER_WAY not in str(refused):
                    return "refused"
        told = await self._until_idle()
        well = all(each.get("aof_last_bgrewrite_status", "ok") == "ok" for each in told)
        return "done" if well else "failed"

    async def _until_idle(self) -> list[Mapping[str, Any]]:
        """Wait until no server is writing its file anew; return what they tell then."""
        pause, longest = _PAUSES
        while True:
            told = await self._persistence()
            if not any(
                _number(each, f"aof_rewrite_{stage}")
                for each in told
                for stage in ("in_progress", "scheduled")
            ):
                return told
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)

    async def _persistence(self) -> list[Mapping[str, Any]]:
        return await self._server.call_everywhere("INFO", "persistence")


def _number(told: Mapping[str, Any], name: str) -> int:
    return int(told.get(name, 0))
