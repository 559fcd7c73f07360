"""One arrangement of a rack that wins, with a name for what every okey stands for."""

from collections.abc import Sequence
from functools import lru_cache

from engine.arrange.laid_runs import LaidRun, runs_with_lowest
from engine.arrange.racks import COLOURS, LANE, NUMBERS, Rack
from engine.arrange.runs import PLACES
from engine.arrange.search import Choice, Choices, kept_by
from engine.melds import Meld, Played, tile_for
from engine.tiles import Tile


def melds_of(rack: Rack, okey: Tile, one_after_thirteen: bool) -> tuple[Meld, ...] | None:
    """Fourteen tiles, all of them in sets and runs; None when that cannot be."""
    plain = PLACES - rack.wild
    for choice in Choices(rack, rack.wild):
        if kept_by(choice, one_after_thirteen) == plain:
            hands = [(way.number, hand) for way in choice.sets for hand in way.hands]
            melds = _with_sets(choice, hands, rack.wild, okey, one_after_thirteen)
            if melds is not None:
                return tuple(melds)
    return None


def _with_sets(
    choice: Choice,
    hands: Sequence[tuple[int, tuple[int, ...]]],
    wild: int,
    okey: Tile,
    one_after_thirteen: bool,
) -> list[Meld] | None:
    """The sets, each with as many okeys as leaves the right number for the other melds."""
    if not hands:
        return _with_runs(choice.left, 0, wild, okey, one_after_thirteen)
    (number, hand), *others = hands
    for okeys in range(max(0, 3 - len(hand)), min(COLOURS - len(hand), wild) + 1):
        rest = _with_sets(choice, others, wild - okeys, okey, one_after_thirteen)
        if rest is not None:
            return [set_of(number, hand, okeys, okey), *rest]
    return None


def _with_runs(
    colours: Sequence[int], first: int, wild: int, okey: Tile, one_after_thirteen: bool
) -> list[Meld] | None:
    """All tiles of the colours from `first` on in runs, with all the okeys."""
    if first == COLOURS:
        return None if wild else []
    for okeys in range(wild + 1):
        runs = _runs_with_all(colours[first], okeys, one_after_thirteen)
        if runs is not None:
            rest = _with_runs(colours, first + 1, wild - okeys, okey, one_after_thirteen)
            if rest is not None:
                return [*(run_of(run, first, okey) for run in runs), *rest]
    return None


@lru_cache(maxsize=1 << 16)
def _runs_with_all(colour: int, okeys: int, one_after_thirteen: bool) -> tuple[LaidRun, ...] | None:
    """Runs that use up the tiles of a colour, and just so many okeys."""
    if not colour:
        return None if okeys else ()
    for run in runs_with_lowest(colour, okeys, one_after_thirteen):
        rest = _runs_with_all(colour - run.kept, okeys - run.okeys, one_after_thirteen)
        if rest is not None:
            return (run, *rest)
    return None


def set_of(number: int, hand: Sequence[int], okeys: int, okey: Tile) -> Meld:
    """The set of a number (from 0 for a one) with the colours of its plain tiles and so many okeys."""
    free = [colour for colour in range(COLOURS) if colour not in hand]
    colours = sorted([*hand, *free[:okeys]])
    tiles = (tile_for(colour * NUMBERS + number, colour in hand, okey) for colour in colours)
    return Meld("set", tuple(tiles))


def run_of(run: LaidRun, colour: int, okey: Tile) -> Meld:
    """The run in a colour."""
    held = [bool(run.kept >> LANE * number & 1) for number in run.numbers]
    faces = [colour * NUMBERS + number for number in run.numbers]
    return Meld("run", tuple(tile_for(face, kept, okey) for face, kept in zip(faces, held, strict=True)))


def pairs_of(rack: Rack, okey: Tile) -> tuple[Meld, ...]:
    """As many pairs as the rack holds. Okeys go to tiles that are alone; two that are left are a pair."""
    held = [
        (tiles >> LANE * number & 3, colour * NUMBERS + number)
        for colour, tiles in enumerate(rack.colours)
        for number in range(NUMBERS)
    ]
    pairs = [(tile_for(face, True, okey),) * 2 for count, face in held if count == 2]
    alone = [face for count, face in held if count == 1][: rack.wild]
    pairs += [(tile_for(face, True, okey), tile_for(face, False, okey)) for face in alone]
    pairs += [(Played(okey, okey), Played(okey, okey))] * ((rack.wild - len(alone)) // 2)
    return tuple(Meld("pair", pair) for pair in pairs)
