"""Drafts: melds that a player of Okey 101 builds on their own rack, tile by tile, before laying them.

A draft is its player's alone. In it an okey stands for a named tile, as on the table (RULES 5).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.tables.racks import tile_of_sign
from bot.tables.table import RackDraft
from engine.melds import Meld, MeldRules, Placed, meld_of, points_of, read_as_played, write_as_placed
from engine.tiles import FACES, Tile

DraftMeld = tuple[Placed, ...]

_NEAR: Final = 2
"""The largest difference between neighbouring numbers of a run that is being built: one tile may still be
missing between them."""


@dataclass(frozen=True, slots=True)
class DraftWorth:
    """The worth of a draft's complete melds."""

    points: int
    """The points of its sets and runs."""
    pairs: int


def read_melds(text: str) -> RackDraft:
    """Melds as an app writes them (`bot.live.ActKind`). Raises ValueError."""
    melds = []
    for word in text.split("-"):
        placed, wild = [], False
        for sign in word:
            if sign != "*":
                placed.append(Placed(tile_of_sign(sign), wild))
            wild = sign == "*"
        if not placed or wild or any(each.wild and each.face is Tile.F for each in placed):
            raise ValueError("no melds")
        melds.append(tuple(placed))
    return tuple(melds)


def tile_of(placed: Placed, okey: Tile) -> Tile:
    """Return the tile on the rack that is placed."""
    return read_as_played(placed, okey).tile


def subtract(rack: Sequence[Tile], draft: RackDraft, okey: Tile) -> tuple[Tile, ...]:
    """Return the rack, in its order, without the tiles of the draft."""
    used = Counter(tile_of(placed, okey) for group in draft for placed in group)
    rest = []
    for tile in reversed(rack):
        if used[tile]:
            used[tile] -= 1
        else:
            rest.append(tile)
    return tuple(reversed(rest))


def keep(draft: RackDraft, rack: Sequence[Tile], okey: Tile) -> RackDraft:
    """Return the draft after the rack changed, without the tiles that are no longer on it. A tile that two
    melds compete for stays in the one that otherwise loses less."""
    there = Counter(rack)

    def lose(at: int) -> tuple[int, int]:
        needed = Counter(tile_of(placed, okey) for placed in draft[at])
        return (needed - Counter(rack)).total(), -len(draft[at])

    groups: list[DraftMeld] = [()] * len(draft)
    for at in sorted(range(len(draft)), key=lose):
        for placed in draft[at]:
            tile = tile_of(placed, okey)
            if there[tile]:
                there[tile] -= 1
                groups[at] += (placed,)
    return _tidy(groups)


def add(draft: RackDraft, placed: Placed, rules: MeldRules) -> RackDraft:
    """Return the draft with one more tile: in its last meld if it may belong there, else in a new one."""
    if draft and _may_become(_faces((*draft[-1], placed), rules.okey), rules.wrap):
        return (*draft[:-1], (*draft[-1], placed))
    return (*draft, (placed,))


def with_new_group(draft: RackDraft) -> RackDraft:
    """Return the draft with a new meld begun."""
    return (*draft, ()) if draft and draft[-1] else draft


def undone(draft: RackDraft) -> RackDraft:
    """Return the draft without the tile that was added last."""
    if draft and draft[-1]:
        draft = (*draft[:-1], draft[-1][:-1])
    return _tidy(draft)


def without_group(draft: RackDraft, number: int) -> RackDraft:
    """Return the draft without its `number`-th meld, from 0; unchanged when there is none."""
    return _tidy(group for at, group in enumerate(draft) if at != number)


def of_melds(melds: Sequence[Meld], okey: Tile) -> RackDraft:
    """Melds as a draft."""
    return tuple(write_as_placed(meld, okey) for meld in melds)


def melds_in(draft: RackDraft, rules: MeldRules) -> tuple[Meld | None, ...]:
    """Return the meld that each group of the draft makes; None where it makes none yet."""
    return tuple(meld_of(rules, [read_as_played(placed, rules.okey) for placed in group]) for group in draft)


def worth(draft: RackDraft, rules: MeldRules) -> DraftWorth:
    """Return the worth of the draft so far."""
    melds = [meld for meld in melds_in(draft, rules) if meld]
    pairs = sum(meld.kind == "pair" for meld in melds)
    return DraftWorth(sum(points_of(meld) for meld in melds if meld.kind != "pair"), pairs)


def stands_for(draft: RackDraft, rules: MeldRules) -> tuple[Tile, ...]:
    """Return the faces that the next okey may stand for in the last meld; if it must begin a new meld, its
    own face.

    Empty when it is a false joker that would stand for nothing.
    """
    numbered = tuple(face for face in FACES if face is not Tile.F)
    faces = _faces(draft[-1], rules.okey) if draft and draft[-1] else ()
    fitting = [face for face in numbered if faces and _may_become((*faces, face), rules.wrap)]
    return tuple(fitting) or tuple(face for face in numbered if face is rules.okey)


def _faces(group: DraftMeld, okey: Tile) -> tuple[Tile, ...]:
    return tuple(read_as_played(placed, okey).face for placed in group)


def _may_become(faces: Sequence[Tile], wrap: bool) -> bool:
    """Return whether these faces may be the beginning of a set, a run or a pair."""
    if Tile.F in faces:  # a wild false joker that stands for nothing
        return False
    if len(faces) == 2 and faces[0] is faces[1]:
        return True
    if len(set(faces)) < len(faces):
        return False
    if len({face.number for face in faces}) == 1:
        return True
    return len({face.colour for face in faces}) == 1 and _near(faces, wrap)


def _near(faces: Sequence[Tile], wrap: bool) -> bool:
    """Return whether faces of one colour stand near enough for one run."""
    numbers = [face.number or 0 for face in faces]
    rows = [numbers] + [[number if number > 1 else 14 for number in numbers]] * wrap
    return any(all(after - before <= _NEAR for before, after in pairwise(row)) for row in map(sorted, rows))


def _tidy(groups: Iterable[DraftMeld]) -> RackDraft:
    """Return the draft without its empty groups."""
    return tuple(group for group in groups if group)
