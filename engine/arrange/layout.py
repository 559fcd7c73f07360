"""One arrangement of a rack that wins, with a name for what every okey stands for."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, LANE, NUMBERS, Rack
from engine.arrange.runs import runs_through
from engine.melds import Meld, MeldKind, Played, tile_for
from engine.tiles import Tile

_SET_COLOURS: Final = tuple(
    colours for size in (3, COLOURS) for colours in combinations(range(COLOURS), size)
)


class _Places(NamedTuple):
    """A meld that could be laid: its faces in order, and how many tiles of each colour it keeps."""

    kind: MeldKind
    faces: tuple[int, ...]
    kept: frozenset[int]


def melds_of(rack: Rack, okey: Tile, one_after_thirteen: bool) -> tuple[Meld, ...] | None:
    """Sets and runs that use every tile of the rack; None when there are none."""
    laid = _lay(rack.colours, rack.wild, one_after_thirteen, set())
    return None if laid is None else tuple(_played(places, okey) for places in laid)


def _lay(
    colours: tuple[int, ...], wild: int, one_after_thirteen: bool, failed: set[tuple[tuple[int, ...], int]]
) -> list[_Places] | None:
    """Every meld through the first tile is tried, those that need the fewest okeys first."""
    if not any(colours):
        return None if wild else []
    if (colours, wild) in failed:
        return None
    ways = (way for way in _ways(colours, one_after_thirteen) if len(way.faces) - len(way.kept) <= wild)
    for way in sorted(ways, key=lambda way: len(way.faces) - len(way.kept)):
        left = list(colours)
        for face in way.kept:
            left[face // NUMBERS] -= 1 << LANE * (face % NUMBERS)
        rest = _lay(tuple(left), wild - len(way.faces) + len(way.kept), one_after_thirteen, failed)
        if rest is not None:
            return [way, *rest]
    failed.add((colours, wild))
    return None


def _ways(colours: tuple[int, ...], one_after_thirteen: bool) -> Iterator[_Places]:
    first = next(colour for colour, tiles in enumerate(colours) if tiles)
    number = ((colours[first] & -colours[first]).bit_length() - 1) // LANE

    def places(kind: MeldKind, faces: tuple[int, ...]) -> _Places:
        held = (face for face in faces if colours[face // NUMBERS] >> LANE * (face % NUMBERS) & 3)
        return _Places(kind, faces, frozenset(held))

    for run in runs_through(number, one_after_thirteen):
        yield places("run", tuple(first * NUMBERS + place for place in run))
    for chosen in _SET_COLOURS:
        if first in chosen:
            yield places("set", tuple(colour * NUMBERS + number for colour in chosen))


def _played(places: _Places, okey: Tile) -> Meld:
    return Meld(places.kind, tuple(tile_for(face, face in places.kept, okey) for face in places.faces))


def pairs_of(rack: Rack, okey: Tile) -> tuple[Meld, ...]:
    """As many pairs as the rack holds. Okeys go to tiles that are alone; two that are left are a pair."""
    held = [
        (tiles >> LANE * number & 3, colour * NUMBERS + number)
        for colour, tiles in enumerate(rack.colours)
        for number in range(NUMBERS)
    ]
    pairs = [(tile_for(face, True, okey),) * 2 for count, face in held if count == 2]
    alone = [face for count, face in held if count == 1][: rack.wild]
    pairs += [(tile_for(face, True, okey), tile_for(face, False, okey)) for face in alone]
    pairs += [(Played(okey, okey), Played(okey, okey))] * ((rack.wild - len(alone)) // 2)
    return tuple(Meld("pair", pair) for pair in pairs)
