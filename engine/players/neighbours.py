"""Which tiles of a rack are company for each other."""

from collections.abc import Sequence

from engine.arrange.racks import NUMBERS, faces_of
from engine.tiles import Tile


def neighbours(tile: Tile, rack: Sequence[Tile], okey: Tile) -> int:
    """How many tiles of the rack could lie with this one in a set or a run of three; all with an okey."""
    if tile == okey:
        return len(rack)
    colour, number = divmod(okey if tile is Tile.F else tile, NUMBERS)
    return sum(
        face % NUMBERS == number if face // NUMBERS != colour else abs(face % NUMBERS - number) in (1, 2)
        for face in faces_of(okey, rack)
    )
