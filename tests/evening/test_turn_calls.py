"""The calls of a person's whole turn: at most one public call in a place, and at most three private ones."""

from tests.evening.turn_calls import measure

ATTEMPTS = 3
"""On a busy machine an answer may be so late that its screen is sent once more, which is no turn's cost."""


async def test_a_turn_costs_little() -> None:
    for _ in range(ATTEMPTS):
        measured = await measure()
        if all(calls["public"] <= 1 and calls["private"] <= 3 for calls in measured.values()):
            return
    raise AssertionError(measured)
