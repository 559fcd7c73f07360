"""Openings of Okey 101, found in a rack by an independent arranger, and built tile by tile with the draft's
buttons.

The two tiles of a face are equal, and the order of a set's tiles does not matter. A pair of two okeys stands
for their own face: the draft offers no other.

`python -m tests.bot.openings --rounds 200` checks as many rounds; the suite checks fewer.
"""

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from string import ascii_letters

from msgspec import structs

from bot.markup import SeatScreen
from bot.screens.player import Mode
from bot.tables import racks
from bot.tables.drafts import DraftMeld
from bot.tables.table import Table
from engine.games import OKEY101
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.games.okey101.turn import must_use
from engine.melds import Placed, Way
from engine.moves import LayMeld, Move, Open, OpenPairs
from engine.rules import PRESETS, Rules, rules_from
from engine.state import Round
from engine.tiles import FULL_SET, Tile
from tests.bot.hands import Hands, a_match, switched
from tests.engine.slow_search import all_melds

Melds = tuple[DraftMeld, ...]

PRESETS_101 = [preset for preset in PRESETS if "101" in preset]


class Arranger:
    """The melds of a rack, each with every use of its okeys, and the combinations of them that open."""

    def __init__(self, rules: Rules, round: Round) -> None:
        self.rack, self.okey = round.racks[round.turn], round.okey
        self._held, self._wild = Counter(self.rack), self.rack.count(self.okey)
        self._taken = must_use(round)
        self.needed: dict[Way, int] = {
            "melds": points_needed(rules, round.board),
            "pairs": pairs_needed(rules, round.board),
        }
        long = [meld for faces in all_melds(rules.one_after_thirteen) for meld in self._ways(faces)]
        self.melds: dict[Way, list[DraftMeld]] = {
            "melds": long,
            "pairs": [pair for face in range(52) for pair in self._pairs(face)],
        }

    def _ways(self, faces: tuple[int, ...]) -> Iterator[DraftMeld]:
        missing = {face for face in faces if not self._held[self._plain(face)]}
        for more in range(self._wild - len(missing) + 1):
            for okeys in combinations([face for face in faces if face not in missing], more):
                yield tuple(
                    Placed(Tile(face), wild=True)
                    if face in missing or face in okeys
                    else Placed(self._plain(face))
                    for face in faces
                )

    def _pairs(self, face: int) -> Iterator[DraftMeld]:
        plain, wild = Placed(self._plain(face)), Placed(Tile(face), wild=True)
        pairs = [(plain, plain), (plain, wild), *([(wild, wild)] if face == self.okey else [])]
        yield from (pair for pair in pairs if self.tiles((pair,)) <= self._held)

    def _plain(self, face: int) -> Tile:
        """The tile that is played as a face without being an okey."""
        return Tile.F if face == self.okey else Tile(face)

    def tiles(self, melds: Melds) -> Counter[Tile]:
        return Counter(self.okey if each.wild else each.face for meld in melds for each in meld)

    def opens(self, way: Way, melds: Melds) -> bool:
        """Return whether these melds open (RULES 5)."""
        tiles = self.tiles(melds)
        reached = len(melds) if way == "pairs" else sum(map(worth, melds))
        enough = reached >= self.needed[way] and tiles.total() < len(self.rack)
        return enough and (self._taken is None or self._taken in tiles)

    def openings(self, way: Way) -> Iterator[Melds]:
        """All openings."""
        yield from (melds for melds in self._choices(way, 0, self._held) if self.opens(way, melds))

    def _choices(self, way: Way, first: int, left: Counter[Tile]) -> Iterator[Melds]:
        yield ()
        for at in range(first, len(self.melds[way])):
            meld = self.melds[way][at]
            tiles = self.tiles((meld,))
            if tiles <= left:
                yield from ((meld, *rest) for rest in self._choices(way, at, left - tiles))

    def disjoint(self, way: Way, chance: random.Random) -> Melds:
        """Random disjoint melds, with a preference for higher values."""
        melds: Melds = ()
        left = self._held
        for meld in sorted(self.melds[way], key=lambda meld: -worth(meld) * chance.random()):
            if (tiles := self.tiles((meld,))) <= left:
                melds, left = (*melds, meld), left - tiles
                if self.opens(way, melds) and chance.random() < 0.5:
                    break
        return melds

    def an_opening(self, way: Way, chance: random.Random) -> Melds | None:
        """A random opening, if one is found."""
        tried = (self.disjoint(way, chance) for _ in range(30))
        return next((melds for melds in tried if self.opens(way, melds)), None)


def worth(meld: DraftMeld) -> int:
    return sum(each.face.number or 0 for each in meld)


def told(melds: Melds) -> Counter[tuple[str, ...]]:
    """Melds in a form that ignores their order."""
    return Counter(tuple(sorted(map(str, meld))) for meld in melds)


def neighbours_first(meld: DraftMeld) -> DraftMeld:
    """The tiles from the first one that stands for itself to the end, then those before it."""
    first = next((at for at, each in enumerate(meld) if not each.wild), 0)
    return (*meld[first:], *reversed(meld[:first]))


class Builder(Hands):
    """A person who builds melds."""

    async def press_the(self, screen: SeatScreen | None, verb: str, *arguments: str) -> SeatScreen | None:
        """Press the only such button that the screen offers."""
        assert screen is not None
        (found,) = (data for data in presses(screen, verb) if data.endswith(".".join(("", *arguments))))
        return await self.press(found)

    async def build(self, melds: Melds) -> SeatScreen:
        """Build these melds in a new draft, with the buttons of the screens."""
        screen: SeatScreen | None = self.screen(Mode("draft"))
        for meld in melds:
            if presses(screen, "new_group"):
                screen = await self.press_the(screen, "new_group")
            for placed in neighbours_first(meld):
                if not placed.wild:
                    screen = await self.press_the(screen, "add", placed.face.name)
                else:
                    if presses(screen, "ask_stand"):
                        screen = await self.press_the(screen, "ask_stand")
                    screen = await self.press_the(screen, "stand", placed.face.name)
        assert screen is not None
        assert told(self.table.seats[self.seat].draft) == told(melds)
        return screen

    async def opens_with(self, melds: Melds) -> None:
        """Assert that these melds can be built and opened with."""
        await self.press_the(await self.build(melds), "open_draft")
        (move,) = self.made
        assert _laid(move)[1] == told(melds)
        assert not isinstance(move, LayMeld)
        assert not self.refused
        await self.puts_down(melds, move)

    async def lays(self, melds: Melds) -> None:
        """Assert that these melds can be built and laid one by one."""
        for press in presses(await self.build(melds), "meld"):
            await self.press(press)
        laid = {told((move.tiles,)).popitem()[0]: move for move in self.made if isinstance(move, LayMeld)}
        assert laid.keys() == told(melds).keys()
        assert not self.refused
        for meld in melds:
            await self.puts_down((meld,), laid[told((meld,)).popitem()[0]])

    async def puts_down(self, melds: Melds, move: Move) -> None:
        """Assert that the app makes the same move of melds that stand so on the rack."""
        (down,) = (act.press for act in self.live().acts if act.kind == "put_down")
        self.made.clear()
        await self.press(f"{down}.{'-'.join(''.join(map(sign, meld)) for meld in melds)}")
        (made,) = self.made
        assert _laid(made) == _laid(move)
        assert not self.refused


def sign(placed: Placed) -> str:
    """A tile as the app writes it (`bot.live.ActKind`)."""
    return "*" * placed.wild + (ascii_letters + "0")[placed.face]


def _laid(move: Move) -> tuple[type[Move], Counter[tuple[str, ...]]]:
    match move:
        case Open(melds) | OpenPairs(melds):
            return type(move), told(melds)
        case LayMeld(tiles):
            return type(move), told((tiles,))
        case _:
            raise AssertionError(move)


def presses(screen: SeatScreen | None, verb: str) -> list[str]:
    assert screen is not None
    every = [button.press for row in screen.buttons for button in row]
    return [press for press in every if press.split(".")[0] == verb]


def seated(table: Table, rack: Sequence[Tile], **changes: object) -> Table:
    """The table with this rack for the player on turn."""
    round = table.match.round
    assert round is not None
    own = tuple(tuple(sorted(rack)) if seat == round.turn else each for seat, each in enumerate(round.racks))
    round = replace(round, racks=own, **changes)  # type: ignore[arg-type]
    table = structs.replace(table, match=replace(table.match, round=round))
    return table.with_seat(round.turn, shelves=racks.by_runs(rack, round.okey, OKEY101.shelf_size))


def full_of_melds(table: Table, chance: random.Random) -> Table:
    """The same number of tiles for the player on turn: random melds until they suffice to open, and other
    tiles. A tile drawn or taken this turn stays."""
    rules, round = table.match.rules, table.match.round
    assert round is not None
    bag = Counter(FULL_SET)
    bag.subtract([round.indicator])
    rack = [] if round.drawn is None else [round.drawn]
    bag.subtract(rack)
    pairs, reached, size = chance.random() < 0.3, 0, len(round.racks[round.turn])
    kinds = [(face, face) for face in range(52)] if pairs else all_melds(rules.one_after_thirteen)
    needed = pairs_needed(rules, round.board) if pairs else points_needed(rules, round.board)
    for _ in range(60):
        faces = chance.choice(kinds)
        tiles = [Tile.F if face == round.okey else Tile(face) for face in faces]
        if chance.random() < 0.4:
            tiles[chance.randrange(len(tiles))] = round.okey
        if reached < needed and len(rack) + len(tiles) < size and Counter(tiles) <= bag:
            rack += tiles
            bag.subtract(tiles)
            reached += 1 if pairs else sum(face % 13 + 1 for face in faces)
    return seated(table, [*rack, *chance.sample(list(bag.elements()), size - len(rack))])


def discarding(rules: Rules, chance: random.Random, often: float = 0.15) -> Iterator[Table]:
    """Tables of a round before a discard, chosen with the probability `often`, each also with another
    rack."""
    for table in a_match(rules, chance, steady=0.9):
        round = table.match.round
        assert round is not None
        if round.phase == "discard" and chance.random() < often:
            yield table
            yield full_of_melds(table, chance)


async def holds(table: Table, chance: random.Random) -> Counter[str]:
    """Assert that the buttons lead to every opening or lay. Return what was checked."""
    rules, round = table.match.rules, table.match.round
    assert round is not None
    arranger, opened, done = Arranger(rules, round), round.board.opened[round.turn], Counter[str]()
    if opened is None:
        for way in arranger.melds:
            if (melds := arranger.an_opening(way, chance)) is not None:
                await Builder(table, round.turn).opens_with(melds)
                done[f"opened with {way}"] += 1
    else:
        melds = arranger.disjoint(opened, chance)
        if melds and arranger.tiles(melds).total() < len(arranger.rack):
            await Builder(table, round.turn).lays(melds)
            done[f"laid {opened}"] += 1
    return done


async def play_on(preset: str, rounds: range) -> Counter[str]:
    """Play rounds of a preset, every second one with other switches. Return the number of checks by kind."""
    seen: Counter[str] = Counter()
    for number in rounds:
        chance = random.Random(f"{preset} {number}")
        rules = rules_from({"preset": preset})
        for table in discarding(switched(preset, chance) if number % 2 else rules, chance):
            seen += await holds(table, chance)
    return seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build openings by chance, in rounds of each preset.")
    parser.add_argument("--rounds", type=int, default=200)
    many = range(parser.parse_args().rounds)
    for preset in PRESETS_101:
        print(preset, dict(asyncio.run(play_on(preset, many))))
