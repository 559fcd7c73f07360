"""Every chat, with a stage on which it is tried."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

import pytest

from adapters.discord_chat import DiscordChat
from adapters.telegram_chat import TelegramChat
from adapters.web.local_chat import LocalChat
from tests.adapters.contract.discord_stage import DiscordStage, discord_stage
from tests.adapters.contract.memory_stage import MemoryStage, memory_stage
from tests.adapters.contract.page_stage import PageStage, page_stage
from tests.adapters.contract.stage import Stage
from tests.adapters.contract.telegram_stage import TelegramStage, telegram_stage
from tests.bot.house import MemoryChat


class Tried(NamedTuple):
    """A chat that is tried, and its stage. At the end no rule of the platform may have been broken."""

    chat: type
    stage: type
    opened: Callable[[pytest.FixtureRequest], AbstractAsyncContextManager[Stage]]


CHATS = (
    Tried(DiscordChat, DiscordStage, lambda test: discord_stage(test.getfixturevalue("discord_address"))),
    Tried(TelegramChat, TelegramStage, lambda test: telegram_stage(test.getfixturevalue("telegram_url"))),
    Tried(LocalChat, PageStage, lambda _: page_stage()),
    Tried(MemoryChat, MemoryStage, lambda _: memory_stage()),
)


def methods(protocol: type) -> set[str]:
    """Return the names that a protocol declares as methods or properties."""
    return {name for name in vars(protocol) if not name.startswith("_")}


def over(*protocols: type) -> Callable[..., object]:
    """Return a fixture: a stage of each chat in turn that has, or whose stage has, all of these."""
    names = {name for each in protocols for name in methods(each)}
    having = [each for each in CHATS if names <= {*dir(each.chat), *dir(each.stage)}]

    async def opened(request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
        async with request.param.opened(request) as each:
            yield each

    return pytest.fixture(params=having, ids=lambda each: each.chat.__name__)(opened)
