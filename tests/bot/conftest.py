"""The house: an application without clocks."""

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from tests.bot.house import House, open_house


@pytest.fixture
async def house(store: Store) -> AsyncIterator[House]:
    """An application on an empty store, in which only people's acts change anything."""
    async with open_house(store, work=False) as opened:
        yield opened
