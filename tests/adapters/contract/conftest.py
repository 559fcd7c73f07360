from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from adapters.discord_chat import responses
from adapters.telegram_chat import answers
from tests.adapters.contract.discord_stage import discord_stage
from tests.adapters.contract.memory_stage import MemoryStage
from tests.adapters.contract.stage import Stage
from tests.adapters.contract.telegram_stage import telegram_stage
from tests.servers.discord_api.client import UNHURRIED, Address, discord_process
from tests.servers.telegram_api.client import telegram_process


@pytest.fixture(autouse=True)
def _answers_when_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine draws slowly: here no press is answered before what it brings is sent."""
    monkeypatch.setattr(answers, "AT_ONCE", 5.0)
    monkeypatch.setattr(responses, "SOON", 2.0)


@pytest.fixture(scope="session")
def discord_address() -> Iterator[Address]:
    """One server for all tests of a process."""
    with discord_process(*UNHURRIED) as address:
        yield address


@pytest.fixture(scope="session")
def telegram_url() -> Iterator[str]:
    """One server for all tests of a process."""
    with telegram_process() as url:
        yield url


@asynccontextmanager
async def open_stage(chat: str, request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A place of a chat. At the end no rule of the platform may have been broken."""
    if chat == "discord":
        async with discord_stage(request.getfixturevalue("discord_address")) as stage:
            yield stage
    elif chat == "telegram":
        async with telegram_stage(request.getfixturevalue("telegram_url")) as stage:
            yield stage
    else:
        yield MemoryStage()


@pytest.fixture(params=["discord", "telegram", "memory"])
async def stage(request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A place of each chat in turn."""
    async with open_stage(request.param, request) as each:
        yield each


@pytest.fixture(params=["discord", "telegram"])
async def acting(request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A place of each chat in which people can act."""
    async with open_stage(request.param, request) as each:
        yield each
