"""The calls of a person's whole turn: at most one public call in a place, and at most three private ones."""

from tests.evening.turn_calls import measure


async def test_a_turn_costs_little() -> None:
    for calls in (await measure()).values():
        assert calls["public"] <= 1
        assert calls["private"] <= 3
