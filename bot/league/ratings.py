"""Ratings: members' strength, estimated from all results (openskill's Plackett–Luce). No prize depends on it.

Ratings are recomputed over all results, in the order in which they were played, so a corrected result needs
no special treatment. Tables of single players and tables of partners are separate pools. Computer players
have no rating and are left out; a table is rated when at least two people, or teams of equal size, remain.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from openskill.models import PlackettLuce, PlackettLuceRating

from bot.league.results import NightResult, TableResult, score_of

RatingPool = Literal["free", "partners"]
POOLS: Final[tuple[RatingPool, ...]] = ("free", "partners")

SHOWN_FROM: Final = 10
"""The number of rated tables from which a rating is shown."""

_MODEL: Final = PlackettLuce(limit_sigma=True, gamma=lambda *a, **k: 1.0)
"""With openskill's own gamma, uncertainty hardly shrinks at tables of four."""

_START: Final = 1500
_SCALE: Final = 24
"""The shown figure is 1500 + 24 · (μ − 3σ): 1500 for a member without results; the luck of a table (β) is 100
points."""


@dataclass(frozen=True, slots=True)
class RatedNight:
    """A point of the curve: the rating after a night."""

    night: str
    start: float
    """Seconds since the epoch."""
    value: int


@dataclass(slots=True)
class Rating:
    """A member's rating in one pool."""

    believed: PlackettLuceRating = field(default_factory=_MODEL.rating)
    tables: int = 0
    curve: list[RatedNight] = field(default_factory=list)
    """The points by night, beginning with the first night after which the rating was shown."""

    @property
    def shown(self) -> int | None:
        """The figure that people see; None while too few tables are rated."""
        return _show(self.believed, self.tables)


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating that is kept: what is believed of somebody's strength, and from how many tables."""

    mean: float = _MODEL.mu
    doubt: float = _MODEL.sigma
    tables: int = 0

    @property
    def shown(self) -> int | None:
        """The figure that people see; None while too few tables are rated."""
        return _show(_MODEL.rating(self.mean, self.doubt), self.tables)


UNRATED: Final = Strength()


def rate_sides(sides: Sequence[Sequence[Strength]], places: Sequence[int]) -> list[list[Strength]]:
    """Return the strengths of a table's sides after it, from their places. It changes nothing unless two
    sides of equal size or more have met."""
    if len(sides) < 2 or len({len(side) for side in sides}) > 1:
        return [list(side) for side in sides]
    before = [[_MODEL.rating(each.mean, each.doubt) for each in side] for side in sides]
    after = _MODEL.rate(before, ranks=[float(place) for place in places])
    return [
        [Strength(new.mu, new.sigma, old.tables + 1) for old, new in zip(side, rated, strict=True)]
        for side, rated in zip(sides, after, strict=True)
    ]


def ratings(nights: Iterable[NightResult]) -> Mapping[tuple[RatingPool, str], Rating]:
    """Return everybody's rating after all nights, by pool and member. Disputed tables wait for their
    decision."""
    rated: defaultdict[tuple[RatingPool, str], Rating] = defaultdict(Rating)
    for night in sorted(nights, key=lambda night: (night.start, night.id)):
        played: dict[tuple[RatingPool, str], Rating] = {}
        for table in sorted(night.tables, key=lambda table: (table.round, table.number)):
            played |= _rate(table, rated)
        for rating in played.values():
            if rating.shown is not None:
                rating.curve.append(RatedNight(night.id, night.start, rating.shown))
    return dict(rated)


def _rate(
    table: TableResult, rated: defaultdict[tuple[RatingPool, str], Rating]
) -> Mapping[tuple[RatingPool, str], Rating]:
    """Update the ratings of a table's players, and return them."""
    pool: RatingPool = "partners" if table.teams else "free"
    sides = tuple(_sides(table))
    if table.state != "counted" or len(sides) < 2 or len({len(members) for members, _ in sides}) > 1:
        return {}
    keys = [[(pool, member) for member in members] for members, _ in sides]
    after = _MODEL.rate([[rated[key].believed for key in side] for side in keys], ranks=_ranks(sides))
    for side, believed in zip(keys, after, strict=True):
        for key, each in zip(side, believed, strict=True):
            rated[key].believed = each
            rated[key].tables += 1
    return {key: rated[key] for side in keys for key in side}


def _sides(table: TableResult) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the members of each side and its score, without computer players and sides that have no
    member."""
    count = 2 if table.teams else len(table.seats)
    for first in range(count):
        members = tuple(seat.member for seat in table.seats[first::count] if seat.member)
        if members:
            yield members, score_of(table, first)


def _show(believed: PlackettLuceRating, tables: int) -> int | None:
    """Return the figure of a rating; None while too few tables are rated."""
    return None if tables < SHOWN_FROM else round(believed.ordinal(z=3.0, alpha=_SCALE, target=_START))


def _ranks(sides: Sequence[tuple[tuple[str, ...], int]]) -> list[float]:
    return [float(sum(other > own for _, other in sides)) for _, own in sides]
