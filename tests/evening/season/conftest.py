"""What a season's tests share: a Telegram server whose limits follow the moved clock."""

from collections.abc import Iterator

import pytest

from tests.evening.season.world import FREQUENT
from tests.servers.telegram_api.client import UNHURRIED, telegram_process


@pytest.fixture(scope="module")
def telegram_url() -> Iterator[str]:
    """The address of such a server, in a process of its own."""
    with telegram_process(*UNHURRIED, *FREQUENT) as url:
        yield url
