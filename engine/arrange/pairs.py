"""Seven pairs."""

from engine.arrange.racks import LANE, NUMBERS, Rack

PAIRS = 7
_SECONDS = sum(2 << LANE * number for number in range(NUMBERS))


def most_kept_in_pairs(rack: Rack) -> int:
    """The most plain tiles that some seven pairs can keep; a single tile keeps half a pair."""
    doubles = sum((colour & _SECONDS).bit_count() for colour in rack.colours)
    singles = sum((colour & _SECONDS >> 1).bit_count() for colour in rack.colours)
    return 2 * min(doubles, PAIRS) + min(singles, max(0, PAIRS - doubles))
