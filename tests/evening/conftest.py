"""Fixtures of all evenings: the two chats' servers. No program outlives its test or module."""

from collections.abc import Iterator

import pytest

from tests.evening.running_bot import alive, end_others
from tests.servers.discord_api import client as discord_api
from tests.servers.discord_api.client import Address, discord_process
from tests.servers.telegram_api import client as telegram_api
from tests.servers.telegram_api.client import telegram_process


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    of_the_module = alive()
    yield
    end_others(of_the_module)


@pytest.fixture(scope="module")
def telegram_url() -> Iterator[str]:
    """The address of a Telegram server in its own process."""
    with telegram_process(*telegram_api.UNHURRIED) as url:
        yield url


@pytest.fixture(scope="module")
def discord_server() -> Iterator[Address]:
    """A Discord server in its own process."""
    with discord_process(*discord_api.UNHURRIED) as address:
        yield address
