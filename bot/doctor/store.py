"""Store: whether it answers, keeps what it is told, and keeps it from others."""

from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qs, urlsplit

from bot.doctor.addresses import is_loopback
from bot.doctor.certificates import examine_certificate
from bot.doctor.machine import examine_folder
from bot.doctor.report import Finding, good, printable, wrong
from bot.settings import Settings
from bot.store import NoStore, ServerCondition, Store, StoreUnavailable, open_store

LEAST_MEMORY: Final = 64 << 20
"""Bytes that a store must be allowed: it begins with a few, and a table takes four thousand."""
FULL: Final = 0.9
"""The share of its memory at which a store is nearly full."""
MOST_SILENT: Final = 5
"""Seconds that a replica may be silent. It speaks every second."""

_DISK: Final = {
    "MISCONF": "The store can't write to its disk, and refuses every move: make room, and look at its log.",
    "NOREPLICAS": "The store refuses every move, because too few replicas follow it: start them, or set"
    " min-replicas-to-write 0.",
    "OutOfMemoryError": "The store's memory is full, and it refuses every move: raise maxmemory.",
    "slow": "What the store is told doesn't reach its disk within ten seconds: set appendfsync everysec, or"
    " look at its disk.",
}


async def examine_store(settings: Settings) -> list[Finding]:
    """Return the findings about the server of REDIS_URL, or about the embedded one, which is started for a
    moment unless it already runs."""
    if settings.redis_url is None:
        folder = examine_folder(settings.data_dir)
        return [folder] if folder.grade == "wrong" else [folder, *await _of_store(None, settings)]
    return await _of_store(settings.redis_url.reveal(), settings)


async def _of_store(address: str | None, settings: Settings) -> list[Finding]:
    kind = "The embedded store" if address is None else "The store of REDIS_URL"
    try:
        async with open_store(address, settings.data_dir, settings.durability) as store:
            return [
                good("store", f"{kind} answers."),
                *await _of_servers(store, settings.durability),
                *(await _of_files(store) if "+sentinel:" in (address or "") else []),
                *([] if address is None else await _of_password(address)),
                *([] if address is None else await _of_certificate(address)),
                *(_of_process(name, held) for name, held in sorted((await store.leases.holders()).items())),
            ]
    except NoStore as error:
        return [wrong("store", str(error))]
    except StoreUnavailable:
        return [wrong("store", f"{kind} gives no answer: start it, or look at its log.")]


async def _of_servers(store: Store, durability: str) -> list[Finding]:
    trouble = await store.conditions.write_to_disk()
    conditions = await store.conditions.read()  # after the write: a disk that is full shows only then
    findings = [finding for each in conditions for finding in _of_server(each)]
    findings += [finding for each in conditions for finding in _of_replicas(each, durability)]
    if not all(each.wrote for each in conditions):
        trouble = "MISCONF"
    if trouble:
        words = _DISK.get(trouble, f"The store takes no write ({printable(trouble)}): look at its log.")
        findings.append(wrong("store_disk", words))
    return findings or [good("store_disk", "What the store is told reaches its disk.")]


async def _of_files(store: Store) -> list[Finding]:
    """Return a finding when a server that Sentinel watches was started without a file of settings."""
    if all(each.has_file for each in await store.conditions.read()):
        return []
    words = "Sentinel can't note a failover in the store's settings, and a server that restarts undoes it"
    return [wrong("store_file", f"{words}: start each server with a file of settings.")]


def _of_server(server: ServerCondition) -> Iterator[Finding]:
    if not server.append_only:
        yield wrong("store_append", "A crash of the store would lose minutes of play: set appendonly yes.")
    if 0 < server.most_memory < LEAST_MEMORY:
        allowed, least = server.most_memory >> 20, LEAST_MEMORY >> 20
        yield wrong("store_memory", f"The store may use {allowed} MB: set maxmemory {least}mb, or more.")
    elif 0 < server.most_memory * FULL < server.memory:
        words = "The store's memory is nearly full, and then it refuses every move: raise maxmemory."
        yield wrong("store_memory", words)
    for replica in server.replicas:
        if not replica.online or replica.silent_seconds > MOST_SILENT:
            words = f"The replica {printable(replica.name)} is {replica.silent_seconds} s behind"
            yield wrong("store_replica", f"{words}: look at its log, and at the network to it.")


def _of_replicas(server: ServerCondition, durability: str) -> Iterator[Finding]:
    """Yield a finding when a server needs each of its replicas, or has none that it needs."""
    there, needed = len(server.replicas), server.needed_replicas
    by, otherwise = f"min-replicas-to-write {needed}", "min-replicas-to-write 0"
    if durability == "replica" and needed < 1:
        needed, by, otherwise = 1, "DURABILITY=replica", "DURABILITY=everysec"
    if needed and there <= needed:
        followed = "1 replica" if there == 1 else f"{there} replicas"
        words = f"With {by} and {followed} the store refuses every move while one is away"
        hint = f"have {needed + 1} replicas, or set {otherwise}."
        yield wrong("store_replicas", f"{words}, as after each failover: {hint}")


def _of_process(name: str, held: Counter[str]) -> Finding:
    """Return the work of a process in the 64 partitions."""
    works = [work if work.startswith("receives") else f"{work} {held[work]}" for work in sorted(held)]
    return good("process", f"The process {printable(name)} is at work: {', '.join(works) or 'nothing yet'}.")


async def _of_password(address: str) -> list[Finding]:
    """Return a finding when no password guards a store that others may reach."""
    parts = urlsplit(address)
    login, _, hosts = parts.netloc.rpartition("@")
    if parts.scheme == "unix" or login.partition(":")[2]:
        return []
    names = [urlsplit(f"//{host}").hostname or "" for host in hosts.split(",")]
    if all([await is_loopback(name) for name in names]):
        return []
    words = "Anybody who reaches the store of REDIS_URL can read every rack and change every game: set"
    return [wrong("store_password", f"{words} requirepass, and put the password into REDIS_URL.")]


async def _of_certificate(address: str) -> list[Finding]:
    parts = urlsplit(address)
    if not parts.scheme.startswith("rediss"):
        return []
    (authority,) = parse_qs(parts.query).get("ssl_ca_certs", [""])[:1]
    at = (parts.hostname or "", parts.port or 6379)
    return await examine_certificate("REDIS_URL", *at, authority or None)
