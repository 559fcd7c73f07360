"""REDIS_URL: from an address to a client of the one server, Sentinel's primary, or cluster behind it."""

from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ExponentialBackoff

from bot.store.server import CALLS_AT_ONCE
from bot.store.values import NoStore

_PROTOCOL = 2
"""Replies of the older protocol look alike on every server that we support."""


def _options(retries: int) -> dict[str, Any]:
    # One try may last a second. The library sends again after a broken connection, scripts included;
    # how long in all is bounded by the server object, so many short tries bridge a quick restart.
    return {
        "socket_timeout": 1.0,
        "socket_connect_timeout": 1.0,
        "retry": Retry(ExponentialBackoff(cap=0.25, base=0.02), retries=retries),
        "max_connections": 2 * CALLS_AT_ONCE,
        "protocol": _PROTOCOL,
    }


def client_for(url: str, retries: int = 10) -> "Redis | RedisCluster":
    """A client, not connected yet. Raises `NoStore("bad_url")` and keeps quiet about what may be a password.

    `redis://`, `rediss://`, `unix://` (one server), `redis+cluster://`, `rediss+cluster://` (any node),
    `redis+sentinel://[user:password@]host:port,host:port/service`.
    """
    scheme = url.partition("://")[0]
    try:
        match scheme:
            case "redis" | "rediss" | "unix":
                return Redis.from_url(url, **_options(retries))
            case "redis+cluster" | "rediss+cluster":
                return RedisCluster.from_url(url.replace("+cluster", "", 1), **_options(retries))
            case "redis+sentinel":
                return _behind_sentinel(url, retries)
    except (ValueError, TypeError):
        pass  # answered below: the library's own words may quote the address
    raise NoStore(
        "bad_url",
        "REDIS_URL is no address I understand. It looks like redis://host:6379/0; "
        "rediss://, unix://, redis+cluster:// and redis+sentinel:// work too.",
    )


def _behind_sentinel(url: str, retries: int) -> Redis:
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    sentinels = [(host.rpartition(":")[0] or host, int(host.rpartition(":")[2])) for host in hosts.split(",")]
    service = parts.path.strip("/")
    if not service:
        raise ValueError("no service")
    finder = Sentinel(  # type: ignore[no-untyped-call]
        sentinels, socket_timeout=0.5, socket_connect_timeout=0.5, protocol=_PROTOCOL
    )
    primary: Redis = finder.master_for(
        service, username=user or None, password=password or None, **_options(retries)
    )
    return primary
