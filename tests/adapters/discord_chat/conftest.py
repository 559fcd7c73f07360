from collections.abc import AsyncIterator, Iterator

import pytest

from adapters.discord_chat import responses
from tests.adapters.discord_chat.scene import Scene, scene
from tests.patience import eventually
from tests.servers.discord_api.client import (
    UNHURRIED,
    Address,
    Discord,
    discord_process,
    fresh_discord,
)


@pytest.fixture(autouse=True)
def _answers_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine draws slowly: only tests about that see an answer announced before it comes."""
    monkeypatch.setattr(responses, "SOON", 2.0)


@pytest.fixture(scope="session")
def discord_server() -> Iterator[Address]:
    """A server for all tests of this process."""
    with discord_process(*UNHURRIED) as address:
        yield address


@pytest.fixture
async def discord(discord_server: Address) -> AsyncIterator[Discord]:
    """A Discord in which nobody has been. At the end it must have found nothing wrong."""
    async with fresh_discord(discord_server) as fresh:
        yield fresh
        findings = await fresh.findings()
        assert not findings, findings


@pytest.fixture
async def okey(discord: Discord) -> AsyncIterator[Scene]:
    """A Discord in which the bot is connected."""
    async with scene(discord) as made:
        yield made


@pytest.fixture
async def there(okey: Scene) -> Scene:
    """A Discord whose server the gateway has reported to the bot, which asks for nothing then."""

    await eventually(lambda: okey.chat.places.link(okey.place) is not None)
    return okey
