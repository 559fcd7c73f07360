"""The measurements of the load run, each for a moment and at few tables: they run, and measure something."""

import pytest

from tests.load.__main__ import HERE, KINDS, measured

pytestmark = pytest.mark.long


@pytest.mark.parametrize("kind", KINDS)
def test_measures_a_load(kind: str) -> None:
    found = measured(HERE, {"tables": 8, "rate": 10.0, "seconds": 0.5} | KINDS[kind])
    if KINDS[kind].get("pages") or KINDS[kind]["computers"]:
        assert found["moves_a_second"] > 0
    else:
        assert 0 < found["rows"][0]["p99_ms"] < float("inf")
