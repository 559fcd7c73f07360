"""Seven pairs."""

from engine.arrange.racks import EVERY_LANE, Rack, faces_held

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
