"""Rollouts: rounds of Okey 101 played to their end, over guesses of the tiles that a seat does not see.

Everybody plays a simplified `steady`: before they open, tiles that stand in threes are kept and neighbours
are counted, where `steady` arranges its rack anew without each tile. If all open with pairs, they play on.
This is the reference; `_rollouts.c` plays the same rounds some thousand times as fast.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from engine.arrange.opening import best_melds
from engine.arrange.racks import COLOURS, NUMBERS, count_tiles
from engine.melds import Meld, MeldRules, Way
from engine.tiles import COPIES, FACES, Tile

WAYS: Final[Mapping[Way | None, int]] = {None: 0, "melds": 1, "pairs": 2}
"""The ways to open, by the numbers that they have here."""

_WILD: Final = 52
"""An okey, among faces: it is played as none before it is laid."""
_SMALLEST: Final = 3
_LIKELY: Final = 0.9
"""How much less likely a rack is for each neighbour of a tile that was let go."""
_TRIES: Final = 12
_TURNS: Final = 200
_NEARLY_OUT: Final = 3
_FINE: Final = 101
_NOT_OPENED: Final = 202
_MASK: Final = (1 << 64) - 1


class OtherSeat(NamedTuple):
    """What is known of another seat."""

    size: int
    opened: int
    shown: tuple[Tile, ...]
    """The discards of it that are seen."""


class Sight(NamedTuple):
    """What a seat with a tile too many sees, beside its rack."""

    points: int
    """The points, and the pairs, that an opening needs."""
    pairs: int
    partners: bool
    """Whether the second of the others is the seat's partner, and their points count too."""
    stock: int
    """The tiles left to draw."""
    opened: int
    """The way in which the seat opened, as in `WAYS`."""
    others: tuple[OtherSeat, ...]
    """In order of play."""
    table: tuple[tuple[Tile, ...], ...]
    """Of each set and run on the table the faces as which its tiles are played."""


@dataclass
class _Random:
    """The generator splitmix64."""

    state: int

    def next(self) -> int:
        self.state = self.state + 0x9E3779B97F4A7C15 & _MASK
        mixed = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return mixed ^ mixed >> 31

    def shuffle(self, faces: list[int], first: int, last: int) -> None:
        """Move random faces from `first` on to the places from there to `last`."""
        for at in range(first, last):
            other = at + self.next() % (len(faces) - at)
            faces[at], faces[other] = faces[other], faces[at]


@dataclass
class _Meld:
    """A set or run on the table: the colours or numbers of one number or colour."""

    is_set: bool
    of: int
    places: list[int]

    def fits(self) -> list[int]:
        """Return the faces that can be laid off on it."""
        if self.is_set:
            return [colour * NUMBERS + self.of for colour in range(COLOURS) if colour not in self.places]
        ends = (min(self.places) - 1, max(self.places) + 1)
        return [self.of * NUMBERS + number for number in ends if 0 <= number < NUMBERS]

    def faces(self) -> list[int]:
        if self.is_set:
            return [colour * NUMBERS + self.of for colour in self.places]
        return [self.of * NUMBERS + number for number in self.places]


@dataclass
class _Seat:
    opened: int = 0
    fines: int = 0
    held: list[int] = field(default_factory=lambda: [0] * (_WILD + 1))
    """Tiles by face, okeys last."""

    @property
    def size(self) -> int:
        return sum(self.held)

    @property
    def wild(self) -> int:
        return self.held[_WILD]

    def holds(self, colour: int, number: int) -> bool:
        return 0 <= number < NUMBERS and self.held[colour * NUMBERS + number] > 0

    def in_three(self, face: int) -> bool:
        """Return whether a face stands in three that the rack makes with it."""
        colour, number = divmod(face, NUMBERS)
        near = [self.holds(colour, number + step) for step in (-2, -1, 1, 2)]
        others = sum(self.holds(other, number) for other in range(COLOURS) if other != colour)
        return others >= _SMALLEST - 1 or any(map(all, pairwise(near)))

    def neighbours(self, face: int) -> int:
        """Return the number of tiles that could join a face in a meld of three."""
        colour, number = divmod(face, NUMBERS)
        beside = [at for at in range(number - 2, number + 3) if at != number and 0 <= at < NUMBERS]
        return sum(
            [
                *(self.held[other * NUMBERS + number] for other in range(COLOURS) if other != colour),
                *(self.held[colour * NUMBERS + at] for at in beside),
            ]
        )

    def pairs(self) -> int:
        singles, doubles = (self.held[:_WILD].count(count) for count in (1, 2))
        alone = min(singles, self.wild)
        return doubles + alone + (self.wild - alone) // 2

    def melds(self, okey: Tile) -> tuple[int, tuple[Meld, ...]]:
        """Return the most points of sets and runs, and these."""
        rules = MeldRules(okey, wrap=False)
        tiles = [
            Tile.F if face == okey else FACES[face] for face in range(_WILD) for _ in range(self.held[face])
        ]
        return best_melds(count_tiles(rules, [*tiles, *[okey] * self.wild]))

    def opens_with(self, okey: Tile, points: int) -> bool:
        return self.melds(okey)[0] >= points

    def way_to_open(self, okey: Tile, sight: Sight) -> int:
        if self.opens_with(okey, sight.points):
            return WAYS["melds"]
        return WAYS["pairs"] if self.pairs() >= sight.pairs else WAYS[None]

    def way_with(self, face: int, okey: Tile, sight: Sight) -> int:
        """Return the way in which the rack opens with a tile that it got, if it did not before."""
        matters = self.wild or self.in_three(face) or self.held[face] == COPIES
        return self.way_to_open(okey, sight) if matters else WAYS[None]

    def use(self, face: int) -> None:
        """Take a tile of a face away, or an okey in its place."""
        self.held[face if self.held[face] else _WILD] -= 1


def _share_sets(number: int, melds: Sequence[Meld], okey: Tile) -> list[_Meld]:
    """Lay the sets of one number: each tile in the smallest set without its colour, then okeys likewise."""
    played = [each for meld in melds for each in meld.tiles]
    sets = [_Meld(True, number, []) for _ in melds]
    for colour in sorted(each.face // NUMBERS for each in played if each.tile != okey):
        free = [each for each in sets if colour not in each.places]
        min(free, key=lambda each: len(each.places)).places.append(colour)
    for _ in range(sum(each.tile == okey for each in played)):
        smallest = min(sets, key=lambda each: len(each.places))
        smallest.places.append(next(colour for colour in range(COLOURS) if colour not in smallest.places))
    return sets


@dataclass
class _Round:
    okey: Tile
    sight: Sight
    seats: list[_Seat]
    """In order of play; the first one asks."""
    table: list[_Meld]
    stock: list[int] = field(default_factory=list)
    """The next drawn last."""
    last: int | None = None
    """The last discard."""
    opened_now: bool = False
    over: bool = False
    winner: int | None = None
    marks: int = 0

    def playable(self) -> set[int]:
        """Return the faces that can be laid off."""
        return {face for meld in self.table for face in meld.fits()}

    def put_on_table(self, face: int) -> None:
        """Put a face on the first meld that it fits."""
        meld = next(meld for meld in self.table if face in meld.fits())
        meld.places.append(face // NUMBERS if meld.is_set else face % NUMBERS)

    def lay_melds(self, seat: _Seat) -> None:
        """Lay all melds. If no tile is left to discard, the last meld that can do without its last one gives
        it, or the last meld is kept."""
        kinds = groupby(
            seat.melds(self.okey)[1],
            lambda meld: meld.tiles[0].face % NUMBERS if meld.kind == "set" else id(meld),
        )
        laid: list[_Meld] = []
        for number, group in kinds:
            melds = list(group)
            if melds[0].kind == "set":
                laid += _share_sets(number, melds, self.okey)
            else:
                faces = [int(each.face) for each in melds[0].tiles]
                laid.append(_Meld(False, faces[0] // NUMBERS, [face % NUMBERS for face in faces]))
        if laid and sum(len(meld.places) for meld in laid) == seat.size:
            longer = [meld for meld in laid if len(meld.places) > _SMALLEST]
            if longer:
                longer[-1].places.remove(max(longer[-1].places))
            else:
                laid.pop()
        for meld in laid:
            for face in sorted(meld.faces()):
                seat.use(face)
        self.table += laid

    def lay_pairs(self, seat: _Seat) -> None:
        """Lay all pairs, and okeys with the highest single tiles, but keep a tile to discard."""
        for face in range(_WILD):
            if seat.held[face] == COPIES and seat.size > COPIES:
                seat.held[face] = 0
        for face in reversed(range(_WILD)):
            if seat.held[face] == 1 and seat.wild and seat.size > COPIES:
                seat.held[face] -= 1
                seat.held[_WILD] -= 1

    def may_end_soon(self, seat: int) -> bool:
        others = [other.size for at, other in enumerate(self.seats) if at != seat]
        return len(self.stock) < len(self.seats) or min(others) <= _NEARLY_OUT

    def lay_off(self, at: int) -> None:
        """Lay off what fits, okeys only where that may end the round or it may end soon."""
        seat, laid = self.seats[at], True
        while laid:
            laid = False
            for face in range(_WILD):
                if seat.held[face] and seat.size > 1 and face in self.playable():
                    seat.held[face] -= 1
                    self.put_on_table(face)
                    laid = True
        while seat.wild and seat.size > 1 and self.playable():
            if seat.size - seat.wild > 1 and not self.may_end_soon(at):
                return
            seat.held[_WILD] -= 1
            self.put_on_table(min(self.playable()))

    def let_go(self, at: int, face: int) -> None:
        """Discard a tile, the last one to finish."""
        seat = self.seats[at]
        seat.held[face] -= 1
        if not seat.size:
            elden = self.opened_now and sum(other.opened > 0 for other in self.seats) == 1
            self.marks = elden + (face == _WILD) + (seat.opened == WAYS["pairs"])
            self.winner, self.over = at, True
            return
        seat.fines += face == _WILD or face in self.playable()
        self.last, self.opened_now, self.over = face, False, not self.stock

    def discard(self, at: int) -> None:
        """Discard what costs least, an okey only as the last tile or if there is nothing else."""
        seat = self.seats[at]
        soon = seat.opened > 0 and self.may_end_soon(at)
        hopeful = (7 * self.sight.points + 9) // 10
        pairs = not seat.opened and seat.pairs() + 1 >= self.sight.pairs
        pairs = pairs and not seat.opens_with(self.okey, hopeful)
        costs = {face: self._cost(seat, face, pairs, soon) for face in range(_WILD) if seat.held[face]}
        self.let_go(at, min(costs, key=costs.__getitem__, default=_WILD))

    def _cost(self, seat: _Seat, face: int, pairs: bool, soon: bool) -> tuple[int, ...]:
        """Return what a discard costs: a fine; then before opening a tile of its threes or pairs, its
        neighbours, and its number; after it the neighbours less its number."""
        number, fined, near = face % NUMBERS + 1, face in self.playable(), seat.neighbours(face)
        if seat.opened:
            return fined, (0 if soon or seat.opened == WAYS["pairs"] else 6 * near) - number
        doubled = seat.held[face] == COPIES
        return fined, doubled if pairs else not doubled and seat.in_three(face), near, number

    def play_on(self, at: int, got: int | None = None) -> None:
        """Lay and discard in a turn in which this tile came; None if the rack may have opened before."""
        seat = self.seats[at]
        if not seat.opened and got is not None:
            seat.opened = seat.way_with(got, self.okey, self.sight)
            self.opened_now = seat.opened > 0
        elif not seat.opened:
            seat.opened = seat.way_to_open(self.okey, self.sight)
            self.opened_now = seat.opened > 0
        if seat.opened == WAYS["melds"]:
            self.lay_melds(seat)
        if seat.opened == WAYS["pairs"]:
            self.lay_pairs(seat)
        if seat.opened:
            self.lay_off(at)
        self.discard(at)

    def takes(self, at: int) -> bool:
        """Return whether the last discard is taken: only to be laid at once."""
        seat, face = self.seats[at], self.last
        if face is None:
            return False
        if not seat.opened:
            more = deepcopy(seat)
            more.held[face] += 1
            return more.way_with(face, self.okey, self.sight) > 0
        playable = self.playable()
        if face == _WILD or face in playable:
            return bool(playable)
        if seat.size <= COPIES:
            return False
        if seat.opened == WAYS["pairs"]:
            return seat.held[face] == 1
        return not seat.held[face] and seat.in_three(face)

    def play_turn(self, at: int) -> None:
        taken = self.last if self.takes(at) else None
        got = self.stock.pop() if taken is None else taken
        self.seats[at].held[got] += 1
        self.play_on(at, got)

    def points_of(self, at: int) -> int:
        """Return the points of a seat without its partner's."""
        seat, factor = self.seats[at], 1 << self.marks
        fines = _FINE * (seat.fines + (seat.opened > 0 and seat.wild > 0))
        if at == self.winner:
            return -_FINE * factor + fines
        if self.sight.partners and self.winner is not None and (at - self.winner) % 2 == 0:
            return fines
        if not seat.opened:
            return _NOT_OPENED * factor + fines
        points = sum(seat.held[face] * (face % NUMBERS + 1) for face in range(_WILD))
        return points * factor * (1 + (seat.opened == WAYS["pairs"])) + fines

    def outcome(self, candidate: int | None) -> int:
        """Return the points of the first seat and of its partner at the end of the round."""
        if candidate is None:
            self.play_on(0)
        else:
            self.let_go(0, candidate)
        for turn in range(1, _TURNS):
            if self.over:
                break
            self.play_turn(turn % len(self.seats))
        return self.points_of(0) + (self.points_of(2) if self.sight.partners else 0)


def _face_of(okey: Tile, tile: Tile) -> int:
    return _WILD if tile == okey else int(okey) if tile is Tile.F else int(tile)


def _is_likely(okey: Tile, seat: _Seat, other: OtherSeat, sight: Sight, random: _Random) -> bool:
    """Return whether a guess is kept: with such a rack a seat would not have opened, and would have let these
    discards go."""
    if seat.way_to_open(okey, sight):
        return False
    likely = 1.0
    for face in (_face_of(okey, tile) for tile in other.shown):
        for _ in range(0 if face == _WILD else seat.neighbours(face)):
            likely *= _LIKELY
    return (random.next() >> 11) / (1 << 53) < likely


def _guess(start: _Round, hidden: list[int], random: _Random) -> None:
    """Deal the hidden tiles to the other seats and the stock."""
    first, sight = 0, start.sight
    random.shuffle(hidden, 0, len(hidden))
    for at, other in enumerate(sight.others, 1):
        for tries in range(1, _TRIES + 1):
            start.seats[at] = seat = _Seat(other.opened)
            for face in hidden[first : first + other.size]:
                seat.held[face] += 1
            if other.opened or tries == _TRIES or _is_likely(start.okey, seat, other, sight, random):
                break
            random.shuffle(hidden, first, first + other.size)
        first += other.size
    start.stock = hidden[first : first + sight.stock]


def rollouts(
    rules: MeldRules,
    tiles: Sequence[Tile],
    unseen: Mapping[Tile, int],
    sight: Sight,
    discards: tuple[Tile | None, ...],
    guesses: int,
    seed: int,
) -> list[int]:
    """Okey 101: return for each of these discards the points to which the round comes, summed up over the
    same guesses of the hidden tiles; None stands for laying and discarding as everybody does.

    The sight's rules are those of RULES 5 without a one after thirteen, raising, or reclaiming of okeys.
    """
    okey, random = rules.okey, _Random(seed)
    counts = [0] * (_WILD + 1)
    for tile in FACES:
        counts[_face_of(okey, tile)] += unseen[tile]
    hidden = [face for face, count in enumerate(counts) for _ in range(count)]
    own = _Seat(sight.opened)
    for tile in tiles:
        own.held[_face_of(okey, tile)] += 1
    table = []
    for faces in sight.table:
        is_set = faces[0] % NUMBERS == faces[-1] % NUMBERS
        places = [face // NUMBERS if is_set else face % NUMBERS for face in faces]
        table.append(_Meld(is_set, faces[0] % NUMBERS if is_set else faces[0] // NUMBERS, places))
    start = _Round(okey, sight, [own, *(_Seat() for _ in sight.others)], table)
    totals = [0] * len(discards)
    for _ in range(guesses):
        _guess(start, hidden, random)
        for at, discard in enumerate(discards):
            totals[at] += deepcopy(start).outcome(None if discard is None else _face_of(okey, discard))
    return totals
