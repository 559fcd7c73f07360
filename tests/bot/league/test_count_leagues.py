"""Random leagues are counted alike by the program and by code that shares nothing with it."""

from fractions import Fraction

import pytest

from bot.league import standings
from tests.bot.league.count_leagues import count

pytestmark = pytest.mark.long


@pytest.mark.parametrize("number", range(12))
def test_a_random_league_is_counted_alike(number: int) -> None:
    league = count(number)
    assert league.differences() == 0
    assert league.moved == 0, "a changed setting moved an earlier rank"
    assert league.not_restored == 0, "an act that was taken back left something"


def test_a_wrong_count_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "exact", lambda points: Fraction(points) * 2)
    standings._evenings_of.cache_clear()
    try:
        assert sum(count(number).differences() for number in range(4)) > 0
    finally:
        standings._evenings_of.cache_clear()
