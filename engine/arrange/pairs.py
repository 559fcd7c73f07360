"""Seven pairs."""

from engine.arrange.racks import EVERY_LANE, LANE, NUMBERS, Rack

PAIRS = 7
_SECONDS = EVERY_LANE << 1


def most_kept_in_pairs(rack: Rack) -> int:
    """The most plain tiles that some seven pairs can keep; a single tile keeps half a pair."""
    doubles, singles = _doubles_and_singles(rack)
    return 2 * min(doubles, PAIRS) + min(singles, max(0, PAIRS - doubles))


def useful_in_pairs(rack: Rack) -> set[int]:
    """The faces with which seven pairs, not complete yet, keep one tile more."""
    doubles, singles = _doubles_and_singles(rack)
    helping = (0, 1) if doubles + singles < PAIRS else (1,)
    return {
        colour * NUMBERS + number
        for colour, tiles in enumerate(rack.colours)
        for number in range(NUMBERS)
        if tiles >> LANE * number & 3 in helping
    }


def _doubles_and_singles(rack: Rack) -> tuple[int, int]:
    doubles = sum((colour & _SECONDS).bit_count() for colour in rack.colours)
    singles = sum((colour & EVERY_LANE).bit_count() for colour in rack.colours)
    return doubles, singles
