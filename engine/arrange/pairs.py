"""Seven pairs."""

from engine.arrange.racks import EVERY_LANE, LANE, NUMBERS, WILD, Rack, faces_held
from engine.melds import Meld, Played, tile_for
from engine.tiles import Tile

PAIRS = 7
_SECONDS = EVERY_LANE << 1


def most_kept_in_pairs(rack: Rack) -> int:
    """The most plain tiles that some seven pairs can keep; a single tile keeps half a pair."""
    doubles = sum((colour & _SECONDS).bit_count() for colour in rack.colours)
    singles = sum((colour & EVERY_LANE).bit_count() for colour in rack.colours)
    return 2 * min(doubles, PAIRS) + min(singles, max(0, PAIRS - doubles))


def useful_in_pairs(rack: Rack) -> set[int]:
    """The faces with which seven pairs keep one tile more, for fourteen tiles that are not seven pairs yet:
    they are of more than seven faces, so that only a second tile of one of these helps."""
    return faces_held(rack, 1)


def finishing_in_pairs(rack: Rack) -> set[int]:
    """The faces, and `WILD`, without which the other fourteen are seven pairs: an okey for each single."""
    singles, doubles = faces_held(rack, 1), faces_held(rack, 2)
    faces = set()
    if len(singles) - 1 <= rack.wild:
        faces |= singles
    if len(singles) + 1 <= rack.wild:
        faces |= doubles
    if len(singles) <= rack.wild - 1:
        faces.add(WILD)
    return faces


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
