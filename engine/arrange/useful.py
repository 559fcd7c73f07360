"""Useful tiles: the faces that let a rack keep one more tile, those that are spare, and those that combine.

A useful face completes something in one of the best choices of sets: it joins a run, joins a set, or makes a
new set with a tile that the sets left over.
"""

from collections.abc import Iterable, Iterator, Sequence

from engine.arrange.racks import COLOURS, LANE, NUMBERS, WILD, CountedRack, faces_of, less_one
from engine.arrange.runs import PLACES, runs_of, together, value_at
from engine.arrange.search import Choice, SetsOfNumber, count_kept, keeps
from engine.tiles import COPIES, Tile


def useful_in_melds(rack: CountedRack, kept: int, choices: Iterable[Choice]) -> set[int]:
    """Return the faces with which `kept` + 1 tiles fit into fourteen in sets and runs; `kept` and `choices`
    are the results of `best_choices` for the rack."""
    useful: set[int] = set()
    for choice in choices:
        useful |= _run_faces(choice, kept, useful)
        useful.update(_set_faces(choice, kept, useful))
    return {face for face in useful if rack.columns[face % NUMBERS] >> LANE * (face // NUMBERS) & 3 < COPIES}


def _run_faces(choice: Choice, kept: int, known: set[int]) -> set[int]:
    """Return the faces that a run accepts while the sets stay as they are; `known` faces are skipped."""
    room = PLACES - choice.places
    curves = [runs_of(colour, choice.wrap) for colour in choice.left]
    faces = set()
    for colour, tiles in enumerate(choice.left):
        a, b, c = (curve for other, curve in enumerate(curves) if other != colour)
        others = together(together(a, b), c)
        for number in range(NUMBERS):
            if tiles >> LANE * number & 2 or colour * NUMBERS + number in known:
                continue
            curve = together(others, runs_of(tiles + (1 << LANE * number), choice.wrap))
            if choice.kept + value_at(curve, room) > kept:
                faces.add(colour * NUMBERS + number)
    return faces


def _set_faces(choice: Choice, kept: int, known: set[int]) -> Iterator[int]:
    """Yield the faces that a set accepts, or that make a set with a tile that the sets left over."""
    for way in choice.sets:
        for hand in way.hands:
            bigger = choice._replace(kept=choice.kept + 1, places=choice.places + max(0, len(hand) - 2))
            if len(hand) < COLOURS and _fits(bigger, kept + 1):
                yield from _other_colours(way.number, hand)
    for colour, tiles in enumerate(choice.left):
        for number in range(NUMBERS):
            if tiles >> LANE * number & 3:
                others = set(_other_colours(number, (colour,)))
                if not others <= known and _fits(_with_half_a_set(choice, colour, number), kept + 1):
                    yield from others


def _other_colours(number: int, colours: tuple[int, ...]) -> Iterator[int]:
    return (colour * NUMBERS + number for colour in range(COLOURS) if colour not in colours)


def _fits(choice: Choice, kept: int) -> bool:
    return choice.places <= PLACES and count_kept(choice) >= kept


def _with_half_a_set(choice: Choice, colour: int, number: int) -> Choice:
    """Return the choice with a set of this tile, the drawn one, and a missing one."""
    left = less_one(choice.left, colour, number)
    way = SetsOfNumber(number, ((colour,),), (0, 0, 0, 0), 2, 3)
    return Choice(left, choice.wrap, choice.kept + 2, choice.places + 3, (*choice.sets, way))


def spare_in_melds(rack: CountedRack, kept: int, choices: Iterable[Choice]) -> set[int]:
    """Return the faces, and `WILD`, without which the others keep as much in sets and runs: `kept` plain
    tiles, or one more to replace an okey. The choices keep `kept` tiles."""
    faces: set[int] = set()
    for choice in choices:
        for colour, tiles in enumerate(choice.left):
            for number in range(NUMBERS):
                face = colour * NUMBERS + number
                if tiles >> LANE * number & 3 and face not in faces:
                    left = less_one(choice.left, colour, number)
                    if count_kept(choice._replace(left=left)) >= kept:
                        faces.add(face)
    if rack.wild and keeps(rack, kept + 1):
        faces.add(WILD)
    return faces


def neighbours(tile: Tile, rack: Sequence[Tile], okey: Tile) -> int:
    """Return the number of tiles of the rack that could join this one in a set or run of three; all for an
    okey."""
    if tile == okey:
        return len(rack)
    colour, number = divmod(okey if tile is Tile.F else tile, NUMBERS)
    return sum(
        face % NUMBERS == number if face // NUMBERS != colour else abs(face % NUMBERS - number) in (1, 2)
        for face in faces_of(okey, rack)
    )
