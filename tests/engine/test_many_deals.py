"""All checkers of deals agree: they accept honest rounds of every preset, and refuse each forgery."""

import pytest

from engine.rules import PRESETS
from tests.engine.forgeries import FORGERIES
from tests.engine.many_deals import checkers, forged_records, honest_rounds

pytestmark = pytest.mark.long


@pytest.mark.parametrize("preset", PRESETS)
def test_every_checker_accepts_honest_rounds(preset: str) -> None:
    records = list(honest_rounds(preset, 6, first=11))
    for name, check in checkers().items():
        assert check(records) == [None] * len(records), name


def test_every_checker_refuses_each_forgery_with_a_reason() -> None:
    forged = list(forged_records())
    assert len(forged) == 2 * len(FORGERIES)
    for name, check in checkers().items():
        said = check(forged)
        assert len(said) == len(forged), name
        assert [way for way, reason in zip([*FORGERIES] * 2, said, strict=True) if not reason] == [], name
