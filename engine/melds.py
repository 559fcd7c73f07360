"""Sets, runs and pairs, and what each okey in them stands for (RULES 1)."""

from dataclasses import dataclass
from typing import Literal

from engine.tiles import FACES, Tile

MeldKind = Literal["run", "set", "pair"]


@dataclass(frozen=True, slots=True)
class Played:
    """A tile in a meld, and the face it is played as: its own, except for okeys and false jokers."""

    tile: Tile
    face: Tile


@dataclass(frozen=True, slots=True)
class Meld:
    """A set, run or pair, its tiles in the order in which they are laid."""

    kind: MeldKind
    tiles: tuple[Played, ...]


def words_of(meld: Meld, okey: Tile) -> tuple[str, ...]:
    """The meld as FORMATS writes it: an okey as the tile it stands for, with a star: `*B7`."""
    return tuple(f"*{played.face}" if played.tile == okey else str(played.tile) for played in meld.tiles)


def tile_for(face: int, held: bool, okey: Tile) -> Played:
    """What fills a face's place in a meld: a plain tile that is held, or else an okey.

    A plain tile of the okey's own face can only be a false joker.
    """
    if not held:
        return Played(okey, FACES[face])
    return Played(Tile.F if face == okey else FACES[face], FACES[face])
