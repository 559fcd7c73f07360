"""Melds: sets, runs and pairs, how they are made, the faces of their okeys, and the board on which they lie.

RULES 1, and for melds laid on the table RULES 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

from engine.tiles import COLOURS, FACES, Tile, tile_of

MeldKind = Literal["run", "set", "pair"]
Way = Literal["melds", "pairs"]
"""The way in which a rack wins or a seat opens: with sets and runs, or with pairs."""

_HIGHEST: Final = 13
_NOTHING_FITS: Final[Mapping[Tile, bool]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MeldRules:
    """The rules for melds in one round, and whether pairs win: all that arranging a rack depends on."""

    okey: Tile
    """The wild face, from `engine.tiles.okey_of`."""
    wrap: bool = True
    """Whether a 1 may stand after a 13 (`one_after_thirteen`)."""
    pairs: bool = True
    """Whether seven pairs win (`pairs_win`)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile in the notation of a meld: `R9`, `F`, or `*R9` (`wild`), an okey that stands for R9."""

    face: Tile
    wild: bool = False

    def __str__(self) -> str:
        return f"*{self.face}" if self.wild else str(self.face)


@dataclass(frozen=True, slots=True)
class Played:
    """A tile in a meld, and the face as which it is played: its own, except for okeys and false jokers."""

    tile: Tile
    face: Tile


@dataclass(frozen=True, slots=True)
class Meld:
    """A set, run or pair, its tiles in the order in which they are laid."""

    kind: MeldKind
    tiles: tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A meld on the table, and the seat that laid it."""

    by: int
    meld: Meld


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The melds laid in a round, visible to everybody; in a classic round the board stays empty.

    The fields from `opened_now` on are about this turn, or the discard that ended the one before it.
    """

    opened: tuple[Way | None, ...]
    """The way in which each seat opened; None: it has not."""
    fines: tuple[int, ...]
    """Penalties of 101 points so far, by seat."""
    melds: tuple[Laid, ...] = ()
    """In the order in which they were laid: a meld's index is its number in moves and records."""
    points: int = 0
    """The highest opening with sets and runs so far."""
    pairs: int = 0
    """The highest opening with pairs so far."""
    declared: tuple[int, ...] = ()
    """The seats that declared pairs, in the order in which they did."""
    opened_now: bool = False
    """Whether the seat on turn opened in this turn."""
    used: int = 0
    """The number of tiles equal to the taken discard that were laid in this turn."""
    returned: bool = False
    """Whether the taken discard was given back."""
    laid_off: tuple[tuple[int, bool], ...] = ()
    """Tiles laid off in this turn that can be taken back: the meld's number, and whether at its front."""
    added: int = 0
    """The number of tiles laid off in this turn and not taken back."""
    took_back: bool = False
    """Whether the free take-back was used since a tile was last laid off."""
    call_open: bool = False
    """Whether an opponent may call the last discard playable (`playable_called`)."""


def empty_board(players: int) -> Board:
    """Return the board of a round that begins."""
    return Board(opened=(None,) * players, fines=(0,) * players)


def read_as_played(placed: Placed, okey: Tile) -> Played:
    """Return the tile that must be on the rack, and the face as which it is played: for a false joker the
    okey's."""
    if placed.wild:
        return Played(okey, placed.face)
    if placed.face is Tile.F and okey is not Tile.F:
        return Played(Tile.F, okey)
    return Played(placed.face, placed.face)


def write_as_placed(meld: Meld, okey: Tile) -> tuple[Placed, ...]:
    """Return the tiles in the notation of a meld, the inverse of `read_as_played`: an okey always has its
    star."""
    return tuple(
        Placed(played.face, wild=True) if played.tile == okey else Placed(played.tile)
        for played in meld.tiles
    )


def words_of(meld: Meld, okey: Tile) -> tuple[str, ...]:
    """Return the meld in the notation of FORMATS: an okey as the tile it stands for, with a star: `*B7`."""
    return tuple(map(str, write_as_placed(meld, okey)))


def tile_for(face: int, held: bool, okey: Tile) -> Played:
    """Return the tile that fills a face's place in a meld: a held plain tile, or else an okey.

    A plain tile of the okey's own face can only be a false joker.
    """
    if not held:
        return Played(okey, FACES[face])
    return Played(Tile.F if face == okey else FACES[face], FACES[face])


def tiles_in(melds: Sequence[Meld]) -> tuple[Tile, ...]:
    """Return the tiles of the melds."""
    return tuple(played.tile for meld in melds for played in meld.tiles)


def points_of(meld: Meld) -> int:
    """Return the points of a meld for opening: the numbers of the faces; a 1 after 13 also counts as 1."""
    return sum(played.face.number or 0 for played in meld.tiles)


def meld_of(rules: MeldRules, tiles: Sequence[Played]) -> Meld | None:
    """Return the set, run or pair that tiles make, a run sorted; None when they make none."""
    faces = [played.face for played in tiles]
    if Tile.F in faces:  # where the false jokers are wild: one that stands for no face
        return None
    if len(tiles) == 2 and faces[0] == faces[1]:
        return Meld("pair", tuple(tiles))
    if len(tiles) < 3:
        return None
    if len({face.number for face in faces}) == 1:
        return Meld("set", tuple(tiles)) if len({face.colour for face in faces}) == len(faces) else None
    order = _in_a_row(faces, rules.wrap)
    return None if order is None else Meld("run", tuple(tiles[place] for place in order))


def meld_as_laid(rules: MeldRules, tiles: Sequence[Tile]) -> Meld:
    """Return the meld of some tiles of a winning arrangement, in their order.

    The face of an okey follows from its place: the number between its neighbours in a run, the next free
    colour in a set.
    """
    okey = rules.okey
    plain = {place: okey if tile is Tile.F else tile for place, tile in enumerate(tiles) if tile != okey}
    kind: MeldKind = "run"
    faces = None if len(tiles) == 2 else _run_through(plain, len(tiles), _HIGHEST + rules.wrap)
    if faces is None and len(tiles) == 2:
        kind, faces = "pair", [next(iter(plain.values()), okey)] * 2
    elif faces is None:
        kind, held = "set", {face.colour for face in plain.values()}
        number = next(iter(plain.values())).number or 0
        free = iter([tile_of(colour, number) for colour in COLOURS if colour not in held])
        faces = [plain[place] if place in plain else next(free) for place in range(len(tiles))]
    return Meld(kind, tuple(map(Played, tiles, faces)))


def _run_through(plain: Mapping[int, Tile], length: int, highest: int) -> list[Tile] | None:
    """Return the faces of the run of this length that has these faces in these places; None when there is
    none. A one after the thirteen counts as 14."""
    place, first = next(iter(plain.items()))
    number = first.number or 0
    lowest = number - place + _HIGHEST * (number <= place)
    if first.colour is None or lowest + length - 1 > highest:
        return None
    faces = [tile_of(first.colour, (lowest + step - 1) % _HIGHEST + 1) for step in range(length)]
    return faces if all(faces[at] == face for at, face in plain.items()) else None


def _in_a_row(faces: Sequence[Tile], wrap: bool) -> list[int] | None:
    """Return the indices of the faces in the order of a run; None when they make none."""
    if len({face.colour for face in faces}) != 1:
        return None
    for lowest in (1, 2)[: 1 + wrap]:  # from 2 on: a one comes after the thirteen
        numbers = [(face.number or 0) + _HIGHEST * ((face.number or 0) < lowest) for face in faces]
        order = sorted(range(len(faces)), key=numbers.__getitem__)
        first = numbers[order[0]]
        if [numbers[place] for place in order] == list(range(first, first + len(faces))):
            return order
    return None


def fitting(rules: MeldRules, meld: Meld) -> Mapping[Tile, bool]:
    """Return the faces that can be laid off on a meld, each with whether it goes to the front."""
    match meld.kind:
        case "set":
            return _fitting_set(tuple([played.face for played in meld.tiles]))
        case "run":
            return _fitting_run(meld.tiles[0].face, meld.tiles[-1].face, rules.wrap)
        case "pair":
            return _NOTHING_FITS


@cache  # there are only so many sets
def _fitting_set(faces: tuple[Tile, ...]) -> Mapping[Tile, bool]:
    number, held = faces[0].number or 0, {face.colour for face in faces}
    return MappingProxyType({tile_of(colour, number): False for colour in COLOURS if colour not in held})


@cache
def _fitting_run(first: Tile, last: Tile, wrap: bool) -> Mapping[Tile, bool]:
    """Return one lower at the front, one higher at the end; a 1 after the 13 unless one is in front, and vice
    versa."""
    one_behind = last.number == 1
    fits = {}
    if last.number == _HIGHEST:
        if wrap and first.number != 1:
            fits[Tile(last - _HIGHEST + 1)] = False
    elif not one_behind:
        fits[Tile(last + 1)] = False
    if first.number != 1 and not (first.number == 2 and one_behind):
        fits[Tile(first - 1)] = True
    return MappingProxyType(fits)
