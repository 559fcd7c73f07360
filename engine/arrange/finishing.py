"""Which tile, discarded from fifteen, leaves fourteen that are all in sets and runs, or seven pairs."""

from engine.arrange.racks import LANE, NUMBERS, Rack, faces_held, without
from engine.arrange.runs import PLACES
from engine.arrange.search import Choices, kept_by, most_kept

WILD = -1
"""Stands for an okey where faces are listed."""


def finishing_in_melds(rack: Rack, one_after_thirteen: bool) -> set[int]:
    """The faces, and `WILD`, without which the other fourteen are in sets and runs."""
    plain = PLACES - rack.wild
    faces = set()
    for choice in Choices(rack, rack.wild):
        if kept_by(choice, one_after_thirteen) < plain:
            continue
        for colour, tiles in enumerate(choice.left):
            for number in range(NUMBERS):
                if tiles >> LANE * number & 3:
                    left = without(choice.left, colour, number)
                    if kept_by(choice._replace(left=left), one_after_thirteen) >= plain:
                        faces.add(colour * NUMBERS + number)
    if rack.wild and most_kept(rack, one_after_thirteen, plain + 1) > plain:
        faces.add(WILD)
    return faces


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
