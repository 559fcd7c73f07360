"""Games: what sets one game apart from another at a table, and what makes a meld in a round.

Nothing else asks which game it is; `bot.screens.games` has what screens need of each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.rules import Game, Rules
from engine.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableGame:
    """One game, as its tables need it."""

    name: Game
    shelf_size: int
    """Tiles that fit on one of a rack's two shelves, however the rack grows and shrinks in a round."""
    lays_melds: bool = False
    """Whether melds are laid on the table while the round goes on, where others may add to them."""


CLASSIC: Final = TableGame(name="classic", shelf_size=12)
OKEY101: Final = TableGame(name="101", shelf_size=15, lays_melds=True)
GAMES: Final[Mapping[str, TableGame]] = MappingProxyType({game.name: game for game in (CLASSIC, OKEY101)})


def game_of(rules: Rules) -> TableGame:
    """The game that is played by these rules."""
    return GAMES[rules.game]


@dataclass(frozen=True, slots=True)
class MeldRules:
    """What makes a meld in one round."""

    okey: Tile
    wrap: bool = True
    """Whether a 1 may stand after a 13 (`one_after_thirteen`)."""


def meld_rules(rules: Rules, okey: Tile) -> MeldRules:
    """What makes a meld in a round with this okey."""
    return MeldRules(okey, wrap=rules.one_after_thirteen)
