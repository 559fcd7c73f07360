"""A house for whoever needs no clocks."""

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from tests.bot.house import House, open_house


@pytest.fixture
async def house(store: Store) -> AsyncIterator[House]:
    """An application on an empty store, at which nothing happens but what people do."""
    async with open_house(store, work=False) as opened:
        yield opened
