"""Retry: calls that fail shortly are repeated; long waits become RetryAfter.

discord.py itself sleeps for as long as a 429 says, and up to 25 s after a 5xx. That is too long for people
who wait, so a trace ends those answers before it sleeps. It still obeys the limits that it knows from earlier
answers.

One 429 is no limit of calls: a message of more than an hour takes only so many edits. It is a refusal.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import aiohttp
import discord
import stamina

from adapters.discord_chat.addresses import CHAT
from bot import metrics
from bot.ports import RetryAfter

SHORT: Final = 1.0
"""The longest limit, in seconds, that is waited for."""

LONGEST_CALL: Final = 10.0
"""Seconds for one try, including discord.py's wait for a limit that it knows."""

LATER: Final = 3.0
"""Seconds to make no calls when Discord cannot be reached."""

TOO_MANY_EDITS: Final = 30046
"""Discord's code for an edit too many of a message of more than an hour."""

T = TypeVar("T")


class Overloaded(aiohttp.ClientError):
    """Discord answered with 429 (`seconds` is how long to wait) or has an error of its own (5xx, None)."""

    def __init__(self, status: int, seconds: float | None) -> None:
        super().__init__(f"status {status}")
        self.seconds = seconds


async def retry(call: Callable[[], Awaitable[T]], *, hurried: bool = True, once: bool = False) -> T:
    """Return the call's result, after up to three tries, or `once` if each try is charged. A hurried one is
    given up after LONGEST_CALL seconds.

    Raises RetryAfter, and what Discord refuses for good.

    `call` may have been carried out even when it seems to fail: it must be safe to repeat.
    """

    async def attempt() -> T:
        async with asyncio.timeout(LONGEST_CALL if hurried else None):
            return await call()

    try:
        return await (attempt() if once else _THREE_TRIES(attempt))
    except Overloaded as overloaded:
        raise RetryAfter(overloaded.seconds or LATER) from None
    except (aiohttp.ClientError, OSError):
        raise RetryAfter(LATER) from None
    except RuntimeError as error:
        if str(error) != "Session is closed":  # aiohttp's words when the bot has just disconnected
            raise
        raise RetryAfter(LATER) from None


def _passes(trouble: Exception) -> bool | float:
    """Return whether a call is worth another try; a number: after that many seconds."""
    if isinstance(trouble, Overloaded) and trouble.seconds is not None:
        return trouble.seconds <= SHORT and trouble.seconds
    return isinstance(trouble, aiohttp.ClientError | OSError) and not isinstance(trouble, TimeoutError)


_THREE_TRIES: Final = stamina.AsyncRetryingCaller(
    attempts=3, timeout=None, wait_initial=0.3, wait_exp_base=1 / 0.3, wait_jitter=0
).on(_passes)
"""Three tries, with 0.3 s before the second and 1 s before the third."""


def overload_trace() -> aiohttp.TraceConfig:
    """End an answer of 429 or 5xx with Overloaded, that of an edit too many with discord.HTTPException."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_end)
    return config


async def _end(
    session: aiohttp.ClientSession, context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
) -> None:
    response = ended.response
    if response.status == 429 or response.status >= 500:
        limit = [response.headers.get(name) for name in ("X-RateLimit-Reset-After", "Retry-After")]
        refused = await _refusal(response) if response.status == 429 else {}
        response.close()
        if refused.get("code") == TOO_MANY_EDITS:
            raise discord.HTTPException(response, refused)
        if response.status == 429:
            metrics.RATE_LIMITED.labels(CHAT).inc()
        raise Overloaded(response.status, _seconds(*limit) if response.status == 429 else None)


async def _refusal(response: aiohttp.ClientResponse) -> dict[str, Any]:
    """Return Discord's words with a status; empty if they are those of a proxy before it."""
    try:
        said = json.loads(await response.read())
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _seconds(*headers: str | None) -> float:
    """Return the longest time in the headers; one second when they have none."""
    said = [float(header) for header in headers if header and header.replace(".", "", 1).isdigit()]
    return max(said, default=1.0)
