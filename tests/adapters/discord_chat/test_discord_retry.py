"""Retry: which troubles are tried again, after how long, and what giving up says."""

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from adapters.discord_chat.retry import LATER, Overloaded, retry
from bot.ports import RetryAfter


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between tries, which take no time."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waited


def failing(*troubles: Exception) -> Callable[[], Awaitable[str]]:
    """A call that meets these troubles, one at a try."""
    left = list(troubles)

    async def call() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return call


@pytest.mark.parametrize("trouble", [OSError(), aiohttp.ClientError(), Overloaded(502, None)])
async def test_trouble_is_tried_again_twice(waits: list[float], trouble: Exception) -> None:
    assert await retry(failing(trouble, trouble)) == "done"
    assert waits == pytest.approx([0.3, 1.0])
    with pytest.raises(RetryAfter) as later:
        await retry(failing(trouble, trouble, trouble))
    assert later.value.seconds == LATER


async def test_a_short_limit_is_waited_for_as_long_as_it_says(waits: list[float]) -> None:
    assert await retry(failing(Overloaded(429, 0.7), Overloaded(429, 0.0))) == "done"
    assert waits == [0.7, 0.0]


async def test_a_long_limit_is_handed_on_at_once(waits: list[float]) -> None:
    with pytest.raises(RetryAfter) as later:
        await retry(failing(Overloaded(429, 1.1)))
    assert later.value.seconds == 1.1
    assert waits == []


@pytest.mark.parametrize("trouble", [TimeoutError(), RuntimeError("Session is closed")])
async def test_who_hangs_or_has_left_is_not_tried_again(waits: list[float], trouble: Exception) -> None:
    with pytest.raises(RetryAfter):
        await retry(failing(trouble))
    assert waits == []


async def test_our_own_faults_come_through(waits: list[float]) -> None:
    with pytest.raises(ValueError, match="ours"):
        await retry(failing(ValueError("ours")))
    assert waits == []
