"""Stores for torture: one server, the embedded one, a primary behind Sentinels with and without somebody who
revives what dies, a cluster of six."""

import asyncio
import os
import signal
import socket
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import redis

from bot.store.embedded import valkey_binary

KEPT = ("--save", "", "--appendonly", "yes", "--bind", "127.0.0.1")
FOLLOWED = ("--min-replicas-to-write", "1", "--min-replicas-max-lag", "2", "--repl-diskless-sync-delay", "0")
"""The first two bound what a failover loses: the moves that no replica had. With them and one replica,
nothing can be written after a failover until somebody revives what died."""


class Servers(ABC):
    """Running servers of one kind."""

    def __init__(self, folder: Path, fsync: str) -> None:
        """`fsync`: as `appendfsync` of each server but the embedded one."""
        self.folder = folder
        self._kept = (*KEPT, "--appendfsync", fsync)
        self.url = ""
        """Empty: the embedded server."""
        self._commands: list[list[str]] = []
        self._running: list[subprocess.Popen[bytes]] = []

    @abstractmethod
    async def start(self) -> None:
        """Start the servers, and wait until they serve."""

    def victims(self) -> Sequence[int]:
        """The servers that may be stopped or killed, by their numbers."""
        return range(len(self._running))

    def mortals(self) -> Sequence[int]:
        """Return the servers that may be killed now; none: no further one can be done without."""
        return self.victims()

    def send(self, server: int, number: signal.Signals) -> None:
        """Send a signal to one of the servers."""
        self._running[server].send_signal(number)

    async def revive(self, server: int) -> None:
        """Restart a killed server."""
        await asyncio.to_thread(self._running[server].wait)
        self._running[server] = self._started(self._commands[server])

    def end(self) -> None:
        """Kill all servers."""
        for process in self._running:
            process.kill()
            process.wait()

    def _add(self, *arguments: str) -> None:
        self._commands.append(list(arguments))
        self._running.append(self._started(list(arguments)))

    def _started(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen([valkey_binary(), *arguments], cwd=self.folder, stdout=subprocess.DEVNULL)

    def _dir(self, name: object) -> str:
        (self.folder / str(name)).mkdir()
        return str(self.folder / str(name))


class Single(Servers):
    """One server with an append-only file."""

    async def start(self) -> None:
        port = free_ports(1)[0]
        self._add("--port", str(port), "--dir", self._dir(port), *self._kept)
        self.url = f"redis://127.0.0.1:{port}"
        await until(lambda: ask(port, "PING"))


class Embedded(Servers):
    """The server that the processes start, and restart, themselves."""

    async def start(self) -> None:
        """Do nothing: it starts with the first process."""

    def victims(self) -> Sequence[int]:
        return (0,)

    def send(self, server: int, number: signal.Signals) -> None:
        with suppress(OSError, ValueError):
            os.kill(int((self.folder / "valkey" / "valkey.pid").read_text()), number)

    async def revive(self, server: int) -> None:
        """Do nothing: the processes restart it."""


class BehindSentinel(Servers):
    """A primary, two replicas and three Sentinels, which are left alone."""

    async def start(self) -> None:
        first, *replicas = self._ports = free_ports(3)
        sentinels = free_ports(3)
        self._add_with_file(first, f"port {first}")
        for port in replicas:
            self._add_with_file(port, f"port {port}\nreplicaof 127.0.0.1 {first}")
        for port in replicas:
            await until(lambda port=port: ask(port, "INFO", "replication")["master_link_status"] == "up")
        for port in sentinels:
            (self.folder / f"{port}.conf").write_text(
                f"port {port}\nsentinel monitor okey 127.0.0.1 {first} 2\n"
                "sentinel down-after-milliseconds okey 1500\nsentinel failover-timeout okey 3000\n"
            )
            self._add(f"{port}.conf", "--sentinel")
        for port in sentinels:
            await until(lambda port=port: len(ask(port, "SENTINEL", "SENTINELS", "okey")) == 2)
            await until(lambda port=port: len(ask(port, "SENTINEL", "REPLICAS", "okey")) == 2)
        self.url = f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in sentinels)}/okey"

    def _add_with_file(self, port: int, settings: str) -> None:
        """Start a server with a file, in which Sentinel notes whom it follows: revived, it follows them."""
        file = self.folder / f"{port}.conf"
        file.write_text(f"{settings}\n")
        self._add(str(file), "--dir", self._dir(port), *self._kept, *FOLLOWED)

    def victims(self) -> Sequence[int]:
        return range(3)


class Unattended(BehindSentinel):
    """The same, where nobody revives what was killed: the primary dies, and the others have to go on."""

    def __init__(self, folder: Path, fsync: str) -> None:
        super().__init__(folder, fsync)
        self._dead: set[int] = set()

    def victims(self) -> Sequence[int]:
        return [server for server in super().victims() if server not in self._dead]

    def mortals(self) -> Sequence[int]:
        if self._dead:
            return ()
        return [server for server in self.victims() if self._leads(server)]

    async def revive(self, server: int) -> None:
        """Leave it dead."""
        await asyncio.to_thread(self._running[server].wait)
        self._dead.add(server)

    def _leads(self, server: int) -> bool:
        with suppress(redis.RedisError):
            return bool(ask(self._ports[server], "INFO", "replication")["role"] == "master")
        return False


class Cluster(Servers):
    """Three primaries, each with a replica."""

    async def start(self) -> None:
        ports = free_ports(12)
        nodes, buses = ports[:6], ports[6:]
        for port, bus in zip(nodes, buses, strict=True):
            self._add(
                *("--port", str(port), "--dir", self._dir(port), *self._kept, *FOLLOWED),
                *("--cluster-enabled", "yes", "--cluster-port", str(bus)),
                *("--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no"),
            )
        for number, port in enumerate(nodes):
            await until(lambda port=port: ask(port, "PING"))
            if number < 3:
                ask(port, "CLUSTER", "ADDSLOTSRANGE", 5462 * number, min(5462 * number + 5461, 16383))
            ask(port, "CLUSTER", "MEET", "127.0.0.1", nodes[0], buses[0])
        for port in nodes:
            await until(lambda port=port: ask(port, "CLUSTER", "INFO")["cluster_known_nodes"] == "6")
        for number in range(3):
            ask(nodes[3 + number], "CLUSTER", "REPLICATE", ask(nodes[number], "CLUSTER", "MYID").decode())
        for port in nodes[3:]:
            await until(lambda port=port: ask(port, "INFO", "replication")["master_link_status"] == "up")
        for port in nodes:
            await until(lambda port=port: ask(port, "CLUSTER", "INFO")["cluster_state"] == "ok")
        self.url = f"redis+cluster://127.0.0.1:{nodes[0]}"


KINDS: dict[str, type[Servers]] = {
    "single": Single,
    "embedded": Embedded,
    "sentinel": BehindSentinel,
    "unattended": Unattended,
    "cluster": Cluster,
}


def ask(port: int, *words: str | int) -> Any:
    """A server's answer to a command."""
    named = 2 if words[0] in ("CLUSTER", "SENTINEL") else 1  # the number of words in a command's name
    with redis.Redis(port=port, socket_timeout=2) as client:
        return client.execute_command(  # type: ignore[no-untyped-call]
            " ".join(map(str, words[:named])), *words[named:]
        )


async def until(holds: Any, seconds: float = 30) -> None:
    """Wait until a condition holds; an exception from it counts as no."""
    async with asyncio.timeout(seconds):
        while True:
            with suppress(redis.RedisError, KeyError):
                if holds():
                    return
            await asyncio.sleep(0.1)


def free_ports(count: int) -> list[int]:
    """Ports at which no program listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
