from collections.abc import AsyncIterator

import pytest

from tests.adapters.discord_chat.scene import Scene, scene


@pytest.fixture
async def okey() -> AsyncIterator[Scene]:
    """A Discord in which the bot is connected."""
    async with scene() as made:
        yield made
