"""Store: what outlives the process, in one Redis, Valkey or cluster. The only home of redis-py.

REDIS_URL leads to it: the address of one server, of Sentinels that know the primary, or of a cluster's node.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.driver_info import DriverInfo

from bot.ports import StoreUnavailable
from bot.store.condition import Conditions, ServerCondition
from bot.store.documents import DocumentNotes, Documents
from bot.store.embedded import use_embedded_valkey
from bot.store.history import MatchIndex
from bot.store.index import Index, community_hint, daily_hint, league_hints, settings_hint, table_hints
from bot.store.leases import Leases
from bot.store.people import People, SettingsOf, SubscriptionIndex
from bot.store.refusals import RefusalNotes
from bot.store.requirements import let_in
from bot.store.rewriting import Rewriting
from bot.store.schedule import Timers
from bot.store.secret import StoreSecret
from bot.store.server import Server
from bot.store.short_lived import CallWindows, Tokens
from bot.store.time_limits import TimeLimits
from bot.store.values import (
    KEEP,
    Committed,
    Conflict,
    IndexHint,
    Keep,
    Mark,
    NoStore,
    Note,
    Repeated,
    Stored,
    stamp_of,
    value_digest,
    was_carried_out,
)
from bot.store.wire import CLUSTER_CALLS, CLUSTER_SECONDS, LANES, wire_to

__all__ = [
    "KEEP",
    "Committed",
    "Conflict",
    "IndexHint",
    "Keep",
    "Mark",
    "NoStore",
    "Note",
    "Repeated",
    "ServerCondition",
    "SettingsOf",
    "Store",
    "StoreUnavailable",
    "Stored",
    "TimeLimits",
    "community_hint",
    "daily_hint",
    "league_hints",
    "open_store",
    "settings_hint",
    "stamp_of",
    "table_hints",
    "value_digest",
    "was_carried_out",
]


class Store:
    """The whole store, in values by what they keep. Any method may raise `StoreUnavailable`, within 2.5 s."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.documents = Documents(server)
        self.notes = DocumentNotes(server)
        self.timers = Timers(server)
        self.leases = Leases(server)
        self.index = Index(server)
        self.subscriptions = SubscriptionIndex(server)
        self.people = People(server, self.index, self.subscriptions)
        self.history = MatchIndex(server)
        self.tokens = Tokens(server)
        self.calls = CallWindows(server)
        self.refusals = RefusalNotes(server)
        self.secret = StoreSecret(server)
        self.conditions = Conditions(server)
        self.rewriting = Rewriting(server)

    def clock(self) -> float:
        """Return seconds since the epoch by the server's clock, since that of a machine may be wrong. Until
        this process attends (see `Leases`) it is this machine's."""
        return self._server.clock()

    async def ping(self) -> None:
        """Ask whether the server is there."""
        await self._server.call("PING")


@asynccontextmanager
async def open_store(
    redis_url: str | None, data_dir: Path, durability: str = "everysec"
) -> AsyncIterator[Store]:
    """Open the store at `redis_url`, or on an embedded Valkey that keeps its data in `data_dir` (see there).

    `durability`: how the embedded one keeps what it was told, `everysec` or `always`; `replica`: the one at
    `redis_url` answers when one of its replicas has it. Raises `NoStore`, with a sentence for the person who
    started the program, when neither is possible.
    """
    async with AsyncExitStack() as stack:
        ours = not redis_url
        if not redis_url and durability == "replica":
            words = "The embedded store has no replica: give REDIS_URL, or another DURABILITY."
            raise NoStore("no_replica", words)
        if not redis_url:
            redis_url = await stack.enter_async_context(use_embedded_valkey(data_dir, durability))
        client = client_for(redis_url)
        stack.push_async_callback(client.aclose)
        if not ours:
            await let_in(client, redis_url)
        replicas = 1 if durability == "replica" else 0
        yield Store(Server(await stack.enter_async_context(wire_to(client, replicas))))


def _options(*, timeout: float | None = None) -> dict[str, Any]:
    # The server object does all waiting and retrying. The library's own timeouts stay off: before Python 3.12
    # they can swallow the cancellation that ends a call, which then lasts a quarter of a minute.
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "max_connections": CLUSTER_CALLS + LANES,
        # Replies of the older protocol look alike on every supported server.
        "protocol": 2,
        # Else every connection looks the library's version up in the installed metadata: over 1 ms.
        "driver_info": DriverInfo(),
    }


def client_for(url: str) -> "Redis | RedisCluster":
    """Return a client that is not connected yet. Raises `NoStore("bad_url")`, without repeating what may be a
    password.

    `redis://`, `rediss://`, `unix://` (one server), `redis+cluster://`, `rediss+cluster://` (any node),
    `redis+sentinel://[user:password@]host:port,host:port/service`.
    """
    scheme = url.partition("://")[0]
    try:
        match scheme:
            case "redis" | "rediss" | "unix":
                return Redis.from_url(url, **_options())
            case "redis+cluster" | "rediss+cluster":
                options = _options(timeout=CLUSTER_SECONDS)
                return RedisCluster.from_url(url.replace("+cluster", "", 1), **options)
            case "redis+sentinel":
                return _behind_sentinel(url)
    except (ValueError, TypeError):
        pass  # answered below, since the library's own words may quote the address
    raise NoStore(
        "bad_url",
        "REDIS_URL isn't an address that I understand. It looks like redis://host:6379/0; "
        "rediss://, unix://, redis+cluster:// and redis+sentinel:// work too.",
    )


def _behind_sentinel(url: str) -> Redis:
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    sentinels = [(host.rpartition(":")[0] or host, int(host.rpartition(":")[2])) for host in hosts.split(",")]
    service = parts.path.strip("/")
    if not service:
        raise ValueError("no service")
    # A Sentinel that hangs must not delay the question to the next one.
    finder = Sentinel(sentinels, sentinel_kwargs=_options(timeout=0.3))  # type: ignore[no-untyped-call]
    primary: Redis = finder.master_for(
        service, username=user or None, password=password or None, **_options()
    )
    return primary
