"""The adapter in this process, over sockets to the Telegram server in another."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress

import pytest

from adapters.telegram_chat import TelegramChat, answers
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.patience import eventually
from tests.servers.telegram_api.client import TOKEN, Control, telegram_process
from tests.servers.telegram_api.client import telegram as empty_telegram


@pytest.fixture(autouse=True)
def _answers_when_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine draws slowly: only tests about that see a press answered before its rack is sent."""
    monkeypatch.setattr(answers, "AT_ONCE", 5.0)


@pytest.fixture(scope="session")
def telegram_url() -> Iterator[str]:
    """One server for all tests of a process."""
    with telegram_process() as url:
        yield url


@pytest.fixture
async def telegram(telegram_url: str) -> AsyncIterator[Control]:
    """An empty Telegram. At the end no rule of it may have been broken."""
    async with empty_telegram(telegram_url) as control:
        yield control
        assert await control.findings() == []


@pytest.fixture
def router() -> ScriptedRouter:
    return ScriptedRouter()


@pytest.fixture
def delivery() -> ScriptedDelivery:
    return ScriptedDelivery()


@pytest.fixture
async def chat(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> AsyncIterator[TelegramChat]:
    """A chat that runs."""
    running = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
    await running.start()
    task = asyncio.create_task(running.run())
    yield running
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await running.stop()


Until = Callable[[Callable[[], bool]], Awaitable[None]]


@pytest.fixture
def until() -> Until:
    """Wait for a condition in this process."""
    return eventually
