"""Who sits out when people are left over."""

from collections.abc import Mapping, Sequence

from bot.league.seating.past import Past
from bot.league.seating.seated import Unit


def sitting_out(lots: Sequence[Unit], count: int, past: Past, season: Mapping[str, int]) -> tuple[Unit, ...]:
    """The units that get a bye, out of `lots`: among equals the first ones there.

    First who had fewest byes in this night, so nobody has two before everybody has had one. Of those, first
    who was there for every round: leaving and coming back brings nobody nearer to a bye. Of those, first who
    had fewest in the nights before (`season`, by member).
    """

    def claim(unit: Unit) -> tuple[int, int, int]:
        return (
            max(past.byes[member] for member in unit),
            max(past.missed(member) for member in unit),
            sum(season.get(member, 0) for member in unit),
        )

    return tuple(sorted(lots, key=claim)[:count])
