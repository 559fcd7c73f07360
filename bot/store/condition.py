"""Condition of the servers behind a store: how safe what is written there is, as a real write tells."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from redis.exceptions import ResponseError

from bot.store import keys
from bot.store.server import Server, trouble_of

DISK_PATIENCE: Final = 10.0
"""Seconds for a write to reach the disk. Everywhere but with `appendfsync no` it takes two at most."""


@dataclass(frozen=True, slots=True)
class ReplicaCondition:
    """A replica, as its primary sees it."""

    name: str
    """Its host and port."""
    online: bool
    silent_seconds: int
    """Seconds since it last said how far it is."""


@dataclass(frozen=True, slots=True)
class ServerCondition:
    """One server that takes writes."""

    append_only: bool
    """Whether each write goes to a file, rather than an occasional snapshot."""
    wrote: bool
    """Whether its last write to that file succeeded."""
    memory: int
    most_memory: int
    """In bytes; `most_memory` 0: there is no limit."""
    replicas: tuple[ReplicaCondition, ...]
    needed_replicas: int
    """The number of replicas without which it refuses writes; 0: it takes them alone."""
    has_file: bool
    """Whether it was started with a file of settings, in which Sentinel notes whom it follows."""


class Conditions:
    """Questions about the servers, for whoever runs them."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def read(self) -> list[ServerCondition]:
        """Ask the server, or each primary of a cluster."""
        told = await self._server.call_everywhere("INFO")
        needed = await self._read_needed_replicas()
        return [_condition(each, needed) for each in told]

    async def write_to_disk(self) -> str:
        """Write to each server, and wait until the write is on its disk.

        Returns an empty text if it is, or if nothing can tell, as without an append-only file; else why not:
        `slow` after `DISK_PATIENCE`, or the name of the server's refusal, such as `MISCONF`.
        """
        each = self._server.one_for_each([keys.synced(partition) for partition in keys.PARTITIONS])
        troubles = await asyncio.gather(*map(self._write_to_disk, each))
        return next(filter(None, troubles), "")

    async def _write_to_disk(self, key: str) -> str:
        try:
            async with asyncio.timeout(DISK_PATIENCE):
                synced, _ = await self._server.wait_for_disk(key)
        except TimeoutError:
            return "slow"
        except Exception as error:
            if trouble := trouble_of(error):
                return trouble
            if isinstance(error, ResponseError):  # there is no file, or it's an older server
                return ""
            raise
        return "" if synced else "slow"

    async def _read_needed_replicas(self) -> int | None:
        """Return the setting; None where it may not be asked for."""
        try:
            (_, number), *_ = await self._server.call_everywhere("CONFIG", "GET", "min-replicas-to-write")
        except (ResponseError, ValueError):
            return None
        return int(number)


def _condition(told: Mapping[str, Any], needed: int | None) -> ServerCondition:
    replicas = [told[name] for name in told if name.startswith("slave") and name[5:].isdigit()]
    if "min_slaves_good_slaves" not in told:  # it is told only where some are needed
        needed = 0
    return ServerCondition(
        append_only=bool(int(told["aof_enabled"])),
        wrote=told.get("aof_last_write_status", "ok") == "ok",
        memory=int(told["used_memory"]),
        most_memory=int(told.get("maxmemory", 0)),
        replicas=tuple(
            ReplicaCondition(
                f"{each['ip']}:{each['port']}", each["state"] == "online", int(each.get("lag", 0))
            )
            for each in replicas
        ),
        needed_replicas=1 if needed is None else needed,
        has_file=bool(told.get("config_file")),
    )
