"""Short matches of every preset: one round where rounds are counted, two points where points run out."""

from typing import Final, NamedTuple


class Short(NamedTuple):
    """A short match of a preset."""

    words: str
    """The words after `/okey <preset>`."""
    people: int
    """The number of people. The other seats are computer players'."""


SHORT: Final = {
    "okey": Short("start_points=2", 2),
    "okey-partners": Short("start_points=2", 2),
    "okey-elimination": Short("start_points=2", 2),
    "turkish-rummy": Short("rounds=1", 2),
    "turkish-rummy-fast-1": Short("", 2),
    "turkish-rummy-fast-3": Short("", 1),
    "okey-rounds": Short("rounds=1", 2),
    "okey101": Short("rounds=1", 4),
    "okey101-raise": Short("rounds=1", 2),
    "okey101-partners": Short("rounds=1", 2),
}
