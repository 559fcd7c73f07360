"""Requirements of a server, each with a sentence for the person who started the program."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    InvalidResponse,
    NoPermissionError,
    ResponseError,
)

from bot.store import keys
from bot.store.scripts import script
from bot.store.server import PATIENCE, trouble_of
from bot.store.values import NoStore, StoreFault

OLDEST: Final = 7
"""The oldest version of Redis; Valkey also reports 7 here."""

_PROBE: Final = script("probe")
_NOBODYS: Final = keys.state("")
"""The key of a table without a name, which no table has."""


_PASSING: Final[dict[StoreFault, str]] = {
    "unreachable": "No Redis server answers at REDIS_URL: start it, or check the address.",
    "loading": "The server at REDIS_URL is still reading its data: start the program again when it is ready.",
    "replica": "The server at REDIS_URL is a replica that can't be written: give the address of its primary.",
}
"""Sentences for what may pass within `PATIENCE`, by code: a server may be starting, or become the primary."""


async def let_in(client: "Redis | RedisCluster", url: str) -> None:
    """Raise `NoStore` unless a server answers within `PATIENCE`, accepts us and offers all that is needed."""
    trouble: StoreFault | None = "unreachable"
    try:
        async with asyncio.timeout(PATIENCE):
            while trouble := await _trouble(client):  # noqa: ASYNC110 - it comes by itself
                await asyncio.sleep(0.1)
    except TimeoutError:
        trouble = trouble or "unreachable"
        if trouble == "unreachable" and not url.startswith("unix:"):
            await _tell_by_its_first_words(url)
        raise NoStore(trouble, _PASSING[trouble]) from None


async def _tell_by_its_first_words(url: str) -> None:
    """Raise NoStore when what a server says first tells why it doesn't answer."""
    scheme, other = ("rediss", "redis") if url.startswith("rediss") else ("redis", "rediss")
    if scheme == "redis" and await _first_words(url, tls=False, asked=b"") == b"-DENIED":
        words = "The server at REDIS_URL is in protected mode, for its own machine alone: give it a password."
        raise NoStore("protected", words) from None
    if (await _first_words(url, tls=scheme == "redis", asked=b"PING\r\n"))[:1] in (b"+", b"-"):
        speaks = "speaks TLS" if scheme == "redis" else "does not speak TLS"
        words = f"The server at REDIS_URL {speaks}: write {other} instead of {scheme}."
        raise NoStore("tls", words) from None


async def _trouble(client: "Redis | RedisCluster") -> StoreFault | None:
    """Return the fault, one of `_PASSING`, for which the server doesn't serve now; None if it does. Raises
    NoStore for a fault that waiting does not mend."""
    command = "INFO"
    try:
        told = await client.execute_command(command)
        _examine(told, cluster=isinstance(client, RedisCluster))
        if told.get("role") == "slave" and told.get("slave_read_only", 1):
            return "replica"
        command = "EVAL"
        denied = await client.execute_command(command, _PROBE.text, 1, _NOBODYS)
        command = "EVALSHA"
        await client.execute_command(command, _PROBE.sha, 1, _NOBODYS)
    except NoPermissionError as error:
        raise _not_allowed([] if "access" in str(error) else [command]) from None
    except InvalidResponse:
        words = "What answers at REDIS_URL isn't a Redis server: check the host and the port."
        raise NoStore("no_redis", words) from None
    except Exception as error:
        _tell_database(error)
        if trouble_of(error) is None:
            raise
        for cause in _causes(error):
            if isinstance(cause, AuthenticationError):
                words = "The server at REDIS_URL refuses its user name or password."
                raise NoStore("refused", words) from None
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise NoStore(
                    "certificate",
                    f"The certificate of the server at REDIS_URL is not trusted ({cause.verify_message}):"
                    " add ?ssl_ca_certs= and the file of the authority that signed it.",
                ) from None
            if "Cluster mode is not enabled" in str(cause):
                words = "The server at REDIS_URL isn't a cluster: write redis instead of redis+cluster."
                raise NoStore("cluster", words) from None
        return "loading" if isinstance(error, BusyLoadingError) else "unreachable"
    if denied:
        raise _not_allowed([name.decode().upper() for name in denied])
    return None


def _tell_database(error: Exception) -> None:
    """Raise NoStore when the server lacks the database that the address ends with."""
    if isinstance(error, ResponseError) and "DB index" in str(error):
        words = "The server at REDIS_URL lacks the database whose number ends the address: write /0."
        raise NoStore("no_database", words) from None


def _examine(told: dict[str, Any], *, cluster: bool) -> None:
    version = str(told.get("redis_version", OLDEST))
    if int(version.partition(".")[0]) < OLDEST:
        words = f"The server at REDIS_URL is Redis {version}: it must be Redis 7 or Valkey 7.2, or later."
        raise NoStore("too_old", words)
    if told.get("cluster_enabled") and not cluster:
        words = "The server at REDIS_URL is one of a cluster: write redis+cluster instead of redis."
        raise NoStore("cluster", words)
    if evicts(told):
        raise NoStore(
            "evicts",
            "The server at REDIS_URL drops tables when its memory is full: set maxmemory-policy noeviction.",
        )


def evicts(told: dict[str, Any]) -> bool:
    """Return whether a server with this INFO drops data when its memory is full."""
    return int(told.get("maxmemory", 0)) > 0 and told.get("maxmemory_policy") != "noeviction"


def _not_allowed(commands: list[str]) -> NoStore:
    """`commands` is empty when it is keys that are denied."""
    rights = f"use {', '.join(commands)}" if commands else "touch all keys"
    return NoStore("not_allowed", f"The user of REDIS_URL may not {rights}: ACL SETUSER gives the right to.")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes: the library raises some errors in place of others."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


async def _first_words(url: str, *, tls: bool, asked: bytes) -> bytes:
    """Return the first bytes that a server says at the host and port of an address, with or without TLS;
    empty if there are none."""
    parts, context = urlsplit(url), None
    if tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(1.0):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 6379, ssl=context)
            writer.write(asked)
            answer = await reader.read(len(b"-DENIED"))
        writer.close()
        return answer
    return b""
