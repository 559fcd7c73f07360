"""Games: each is one object, and `game_of` finds the one for a table's rules.

Nothing else asks which game it is. The parts above the rules (automatic players, screens) have registries of
their own, with an entry for each game here.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.games.classic import CLASSIC
from engine.games.game import Game
from engine.games.okey101 import OKEY101
from engine.rules import GameName, Rules

__all__ = ["CLASSIC", "GAMES", "OKEY101", "Game", "game_of"]

GAMES: Final[Mapping[GameName, Game]] = MappingProxyType({game.name: game for game in (CLASSIC, OKEY101)})


def game_of(rules: Rules) -> Game:
    """Return the game that is played by these rules."""
    return GAMES[rules.game]
