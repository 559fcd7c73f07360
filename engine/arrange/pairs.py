"""Pairs: the tiles that a rack keeps for seven pairs, which tiles help or are spare, and the most pairs."""

from typing import Final

from engine.arrange.racks import EVERY_LANE, NUMBERS, WILD, CountedRack, faces_held
from engine.melds import Meld, Played, tile_for

WINNING: Final = 7
_SECONDS: Final = EVERY_LANE << 1


def most_kept_in_pairs(rack: CountedRack) -> int:
    """Return the most plain tiles that some seven pairs can keep; a single tile keeps half a pair."""
    return _keep(*_singles_and_doubles(rack))


def count_of_pairs(rack: CountedRack) -> int:
    """Return the number of `pairs_of` the rack."""
    singles, doubles = _singles_and_doubles(rack)
    alone = min(singles, rack.wild)
    return doubles + alone + (rack.wild - alone) // 2


def _singles_and_doubles(rack: CountedRack) -> tuple[int, int]:
    """Return the number of faces of which the rack holds one plain tile, and two."""
    singles = sum([(colour & EVERY_LANE).bit_count() for colour in rack.colours])
    doubles = sum([(colour & _SECONDS).bit_count() for colour in rack.colours])
    return singles, doubles


def _keep(singles: int, doubles: int) -> int:
    return 2 * min(doubles, WINNING) + min(singles, max(0, WINNING - doubles))


def useful_in_pairs(rack: CountedRack) -> list[int]:
    """Return the faces with which seven pairs keep one more tile, for fourteen tiles that are not seven pairs
    yet: these have more than seven faces, so that only a second tile of one of them helps."""
    return faces_held(rack, 1)


def spare_in_pairs(rack: CountedRack, kept: int) -> set[int]:
    """Return the faces, and `WILD`, without which the others keep as much in seven pairs: `kept` plain tiles,
    or one more to replace an okey."""
    singles, doubles = faces_held(rack, 1), faces_held(rack, 2)
    faces: set[int] = set()
    if _keep(len(singles) - 1, len(doubles)) >= kept:
        faces.update(singles)
    if _keep(len(singles) + 1, len(doubles) - 1) >= kept:
        faces.update(doubles)
    if rack.wild and _keep(len(singles), len(doubles)) > kept:
        faces.add(WILD)
    return faces


def most_in_pairs(rack: CountedRack, okey_worth: int) -> int:
    """Return the highest total of tiles in pairs of the rack, where an okey counts `okey_worth`."""
    doubles = sum(2 * _number(face) for face in faces_held(rack, 2))
    alone = sorted((_number(face) for face in faces_held(rack, 1)), reverse=True)
    ways = [sum(alone[:wild]) + okey_worth * min(wild, len(alone)) for wild in range(rack.wild + 1)]
    return doubles + max(*ways, 2 * okey_worth * (rack.wild // 2))


def pairs_of(rack: CountedRack) -> tuple[Meld, ...]:
    """Return the most pairs of the rack. Okeys go to single tiles; two that are left make a pair."""
    okey = rack.rules.okey
    pairs = [(tile_for(face, True, okey),) * 2 for face in faces_held(rack, 2)]
    alone = faces_held(rack, 1)[: rack.wild]
    pairs += [(tile_for(face, True, okey), tile_for(face, False, okey)) for face in alone]
    pairs += [(Played(okey, okey), Played(okey, okey))] * ((rack.wild - len(alone)) // 2)
    return tuple(Meld("pair", pair) for pair in pairs)


def _number(face: int) -> int:
    return face % NUMBERS + 1
