"""What all evenings share: no program outlives the test that started it."""

from collections.abc import Iterator

import pytest

from tests.evening.running_bot import end_all


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    yield
    end_all()
