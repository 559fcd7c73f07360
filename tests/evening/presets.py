"""Short matches of every preset: one round where rounds are counted, two points where points run out."""

from typing import Final, NamedTuple

from engine.rules import PRESETS, rules_from


class Short(NamedTuple):
    """A short match of a preset."""

    words: str
    """The words after `/okey <preset>`."""
    people: int = 2
    """The number of people. The other seats are computer players'."""


def _short(preset: str) -> Short:
    return Short("rounds=1" if rules_from({"preset": preset}).end == "rounds" else "start_points=2")


SHORT: Final = {preset: _short(preset) for preset in PRESETS} | {
    "turkish-rummy-fast-1": Short(""),
    "turkish-rummy-fast-3": Short("", people=1),
    "okey101": Short("rounds=1", people=4),
}
