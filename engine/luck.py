"""Luck of the deal: the okeys on a dealt rack and how good a start it is, beside what chance brings.

The start of classic Okey is the number of tiles that the rack still misses to win, that of Okey 101 the
points with which it could open. What chance brings was found by dealing a million racks of each kind or more;
the tests deal others and compare.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.arrange import distance, distances_without, opening_points
from engine.deal import Dealt
from engine.games import OKEY101, game_of
from engine.rules import Rules
from engine.tiles import FULL_SET, Tile, okey_of

_OKEYS: Final = 2
_HIDDEN: Final = len(FULL_SET) - 1
"""The tiles that may be dealt: all but the indicator."""


@dataclass(frozen=True, slots=True)
class DealtRack:
    """What a seat was dealt."""

    kind: str
    """The kind of the rack, as in `MEAN_STARTS`: the game, the number of tiles, and the rules that matter."""
    okeys: int
    start: int


def judge_deal(rules: Rules, dealt: Dealt) -> tuple[DealtRack | None, ...]:
    """Return what each seat was dealt; None for one that no longer plays, and where false jokers are wild in
    a round: of those there are fewer."""
    okey = okey_of(dealt.indicator)
    if okey is Tile.F:
        return (None,) * len(dealt.racks)
    return tuple(_judge_rack(rules, okey, rack) if rack else None for rack in dealt.racks)


def _judge_rack(rules: Rules, okey: Tile, rack: tuple[Tile, ...]) -> DealtRack:
    game, meld_rules = game_of(rules), rules.meld_rules(okey)
    if game is OKEY101:
        start = opening_points(meld_rules, rack)
    elif len(rack) == game.rack_size:
        start = distance(meld_rules, rack)
    else:
        start = min(distances_without(meld_rules, rack).values())
    return DealtRack(name_kind(rules, len(rack)), rack.count(okey), start)


def name_kind(rules: Rules, tiles: int) -> str:
    """Return the name of a kind of racks."""
    kind = f"{rules.game}-{tiles}"
    if not rules.one_after_thirteen:
        kind += "-line"
    return kind if rules.pairs_win else f"{kind}-melds"


def expect_okeys(kind: str) -> float:
    """Return the mean number of okeys on a rack of this kind: every hidden tile is as likely to be one."""
    return _OKEYS * int(kind.split("-")[1]) / _HIDDEN


MEAN_STARTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "classic-14": 4.061,
        "classic-15": 3.711,
        "classic-14-melds": 4.128,
        "classic-15-melds": 3.765,
        "classic-14-line": 4.144,
        "classic-15-line": 3.795,
        "classic-14-line-melds": 4.223,
        "classic-15-line-melds": 3.858,
        "101-21-line": 67.697,
        "101-22-line": 74.360,
        "101-21": 69.562,
        "101-22": 76.339,
    }
)
"""The mean start of each kind of racks."""
