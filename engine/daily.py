"""The daily rack: a puzzle for each day, the same for everybody.

A day is its number in the calendar, where the first of January of the year 1 is 1 (`date.toordinal`). The
shuffles of a day follow from that number alone, and the first that makes a puzzle of the day's kind and level
is taken. So anybody can make it again, and nobody can choose it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal, NamedTuple

from engine.arrange import (
    best_opening,
    distance,
    distances_without,
    finishing_discards,
    look_ahead,
    most_pairs,
    opening_points,
    pair_count,
    useful_tiles,
    winning_arrangements,
    without,
)
from engine.arrange.useful import neighbours
from engine.melds import Meld, MeldRules
from engine.players.outlook import Outlook, outlook_of
from engine.rules import Rules, rules_from
from engine.shuffle import Rng, Seed
from engine.tiles import COLOURS, FULL_SET, Tile, okey_of, tile_of

PuzzleKind = Literal["discard", "finish", "open"]
"""`discard`: which of fifteen tiles to discard? `finish`: which tile finishes a rack of fourteen? `open`:
with what can twenty-two tiles of Okey 101 open?"""
PuzzleLevel = Literal["easy", "medium", "hard"]
PuzzleChoice = Tile | Literal["melds", "pairs", "no"]

KINDS: Final[tuple[PuzzleKind, ...]] = ("discard", "finish", "open")
LEVELS: Final[tuple[PuzzleLevel, ...]] = ("easy", "easy", "medium", "medium", "medium", "hard", "hard")
"""The levels from Monday to Sunday."""

MARGIN: Final = 4
"""The smallest lead of the best discard, in unseen tiles that help after it."""
_CLEARLY: Final = 1.05
"""The smallest lead of the best discard two draws ahead, as a factor."""
_PATIENCE: Final = 0.9
"""The probability that each of those draws is reached."""
_FARTHEST: Final = 3
_SIZES: Final = ((3, 3, 4, 4), (3, 3, 3, 5), (4, 5, 5))
"""The sizes of the melds of a nearly finished rack."""
_OFFERED: Final = 6
"""The number of tiles offered, one of which finishes."""
_TEMPTING: Final = 12
"""The number of tiles, those with the most neighbours on the rack, from which the wrong ones are chosen."""
_SHORTFALLS: Final[Mapping[PuzzleLevel, range]] = {
    "easy": range(21, 60),
    "medium": range(11, 21),
    "hard": range(3, 11),
}
"""The difference between the best sets and runs and the points needed to open, in either direction."""
_OPENINGS: Final[tuple[PuzzleChoice, ...]] = ("melds", "pairs", "no")

_CLASSIC: Final = rules_from({"preset": "okey"})
_OKEY101: Final = rules_from({"preset": "okey101"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A rack, a question about it, and its only answer."""

    day: int
    kind: PuzzleKind
    level: PuzzleLevel
    indicator: Tile
    rack: tuple[Tile, ...]
    """Sorted by face."""
    choices: tuple[PuzzleChoice, ...]
    best: PuzzleChoice

    @property
    def okey(self) -> Tile:
        """The wild face."""
        return okey_of(self.indicator)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return _OKEY101 if self.kind == "open" else _CLASSIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The reason why a puzzle's best answer is the best."""

    outlooks: Mapping[Tile, Outlook]
    """The outlook after each discard; only for `discard`."""
    melds: tuple[Meld, ...]
    """The melds of the finished rack, or of the best opening."""
    points: int
    """The points of the best sets and runs; only for `open`, like `pairs`."""
    pairs: int


class _Found(NamedTuple):
    """A rack that makes a puzzle."""

    rack: Sequence[Tile]
    choices: tuple[PuzzleChoice, ...]
    best: PuzzleChoice


def puzzle_of(day: int) -> Puzzle:
    """Return the puzzle of a day. Takes about a second without the part in C."""
    kind, level = KINDS[day % len(KINDS)], LEVELS[(day - 1) % len(LEVELS)]
    secret = hashlib.sha512(f"okey-daily/1 {day}".encode()).digest()
    attempts = (_attempt(kind, level, Seed(secret, (), "daily", number)) for number in count())
    indicator, found = next((indicator, found) for indicator, found in attempts if found is not None)
    return Puzzle(
        day=day,
        kind=kind,
        level=level,
        indicator=indicator,
        rack=tuple(sorted(found.rack)),
        choices=found.choices,
        best=found.best,
    )


def _attempt(kind: PuzzleKind, level: PuzzleLevel, seed: Seed) -> tuple[Tile, _Found | None]:
    """Return the indicator of a shuffle, and the puzzle that its other tiles make; None: they make none."""
    rng = Rng(seed, "deal")
    tiles = rng.shuffle(FULL_SET)
    indicator = next(tile for tile in tiles if tile is not Tile.F)
    tiles.remove(indicator)
    return indicator, _FINDERS[kind](level, okey_of(indicator), tiles, rng)


def solution_of(puzzle: Puzzle) -> Solution:
    """Return the solution of a puzzle."""
    rules = puzzle.rules.meld_rules(puzzle.okey)
    if puzzle.kind == "discard":
        unseen = Counter(FULL_SET) - Counter([*puzzle.rack, puzzle.indicator])
        return Solution(outlooks=_outlooks(rules, puzzle.rack, unseen), melds=(), points=0, pairs=0)
    if isinstance(puzzle.best, Tile):
        tiles = [*puzzle.rack, puzzle.best]
        arranged = winning_arrangements(rules, without(tiles, next(iter(finishing_discards(rules, tiles)))))
        return Solution(outlooks={}, melds=next(iter(arranged.values())), points=0, pairs=0)
    (points, melds), pairs = best_opening(rules, puzzle.rack), most_pairs(rules, puzzle.rack)
    best = pairs if puzzle.best == "pairs" else melds
    return Solution(outlooks={}, melds=best, points=points, pairs=len(pairs))


def _outlooks(rules: MeldRules, rack: Sequence[Tile], unseen: Mapping[Tile, int]) -> dict[Tile, Outlook]:
    """Return the outlook after each discard except an okey, by face."""
    after = distances_without(rules, rack)
    return {
        tile: outlook_of(rules, without(rack, tile), after[tile], unseen)
        for tile in sorted(after)
        if tile != rules.okey
    }


def _discard(level: PuzzleLevel, okey: Tile, tiles: Sequence[Tile], rng: Rng) -> _Found | None:
    """Return a rack with one clearly best discard. It is easy to find if it is the tile with the fewest
    neighbours, and hard if others have fewer."""
    rules, rack = _CLASSIC.meld_rules(okey), tiles[:15]
    after = distances_without(rules, rack)
    least = min(after.values())
    nearest = [tile for tile in sorted(after) if after[tile] == least and tile != okey]
    if not 1 <= least <= _FARTHEST or len(nearest) < 3:
        return None
    unseen = Counter(tiles[15:])
    live = {tile: outlook_of(rules, without(rack, tile), least, unseen).live for tile in nearest}
    best, second = sorted(nearest, key=lambda tile: -live[tile])[:2]
    if live[best] - live[second] < MARGIN or _level_of(best, nearest, rack, okey) != level:
        return None
    ahead = {tile: look_ahead(rules, without(rack, tile), unseen, _PATIENCE) for tile in nearest}
    if any(ahead[best] < _CLEARLY * ahead[tile] for tile in nearest if tile != best):
        return None
    return _Found(rack, tuple(tile for tile in sorted(after) if tile != okey), best)


def _level_of(best: Tile, nearest: Sequence[Tile], rack: Sequence[Tile], okey: Tile) -> PuzzleLevel:
    company = {tile: neighbours(tile, rack, okey) for tile in nearest}
    alone = [tile for tile in nearest if company[tile] == min(company.values())]
    if best not in alone:
        return "hard"
    return "easy" if alone == [best] else "medium"


def _finish(level: PuzzleLevel, okey: Tile, tiles: Sequence[Tile], rng: Rng) -> _Found | None:
    """Return a rack with one tile on offer that finishes: easy to find without jokers, hard with an okey."""
    rules, finished = _CLASSIC.meld_rules(okey), _find_finish(okey, tiles, rng)
    if finished is None:
        return None
    if level == "hard":
        finished = [okey, *finished[1:]]
    jokers = {"easy": set(), "medium": {Tile.F}, "hard": {okey}}[level]
    if {tile for tile in finished if tile in (okey, Tile.F)} != jokers:
        return None
    rest = Counter(tiles) - Counter(finished)
    others = [tile for tile in tiles if rest[tile] and tile not in (okey, Tile.F)]
    rack = [*finished[:-1], others[0]]
    if finished[-1] in jokers or distance(rules, rack) != 1:
        return None
    unseen = Counter(tiles) - Counter(rack)
    useful = useful_tiles(rules, rack)
    right = sorted(tile for tile in useful if tile not in (okey, Tile.F) and unseen[tile])
    wrong = sorted(tile for tile in unseen if tile not in useful and tile not in (okey, Tile.F))
    if not right:
        return None
    tempting = sorted(wrong, key=lambda tile: -neighbours(tile, rack, okey))[:_TEMPTING]
    best, decoys = right[rng.below(len(right))], rng.shuffle(tempting)[: _OFFERED - 1]
    return _Found(rack, tuple(sorted([best, *decoys])), best)


def _find_finish(okey: Tile, tiles: Sequence[Tile], rng: Rng) -> list[Tile] | None:
    """Fourteen of these tiles in sets and runs, in random order; None: a meld needs a tile too many."""
    held, melds = Counter(tiles), []
    for size in _SIZES[rng.below(len(_SIZES))]:
        if size <= len(COLOURS) and rng.below(2):
            number = rng.below(13) + 1
            faces = [tile_of(colour, number) for colour in rng.shuffle(COLOURS)[:size]]
        else:
            first, colour = rng.below(14 - size) + 1, COLOURS[rng.below(len(COLOURS))]
            faces = [tile_of(colour, first + step) for step in range(size)]
        melds += [Tile.F if face == okey else face for face in faces]
    return None if Counter(melds) - held else rng.shuffle(melds)


def _open(level: PuzzleLevel, okey: Tile, tiles: Sequence[Tile], rng: Rng) -> _Found | None:
    """Return a rack that opens with sets and runs, with pairs only, or not at all, each equally often. The
    nearer its points are to an opening, the harder it is."""
    rules, rack, wanted = _OKEY101.meld_rules(okey), tiles[:22], _OPENINGS[rng.below(len(_OPENINGS))]
    points = opening_points(rules, rack)
    if abs(points - _OKEY101.opening_points) not in _SHORTFALLS[level]:
        return None
    paired = pair_count(rules, rack) >= _OKEY101.opening_pairs
    enough = points >= _OKEY101.opening_points
    answer = "melds" if enough else "pairs" if paired else "no"
    return None if answer != wanted or (enough and paired) else _Found(rack, _OPENINGS, wanted)


_FINDERS: Final[Mapping[PuzzleKind, Callable[[PuzzleLevel, Tile, Sequence[Tile], Rng], _Found | None]]] = {
    "discard": _discard,
    "finish": _finish,
    "open": _open,
}
