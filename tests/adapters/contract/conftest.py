from collections.abc import Iterator

import pytest

from adapters.discord_chat import responses
from adapters.telegram_chat import answers
from bot.ports import Rooms, Timeline
from tests.adapters.contract.chats import over
from tests.adapters.contract.stage import ActingStage, PlatformStage, RefusingStage
from tests.servers.discord_api.client import UNHURRIED, Address, discord_process
from tests.servers.telegram_api.client import telegram_process

stage = over()
timeline = over(Timeline)
rooms = over(Rooms)
refusing = over(RefusingStage)
acting = over(ActingStage)
platform = over(PlatformStage)


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
