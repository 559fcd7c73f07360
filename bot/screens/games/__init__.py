"""Games: each game's own part of the screens, as one object by the game's name.

No other screen asks which game is played.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.screens.games.classic import CLASSIC
from bot.screens.games.game import GameScreens
from bot.screens.games.okey101 import OKEY101
from bot.tables.facts import TableFacts
from engine.games import game_of
from engine.rules import Rules

__all__ = ["SCREENS", "GameScreens", "of_game", "screens_of"]

SCREENS: Final[Mapping[str, GameScreens]] = MappingProxyType({game.name: game for game in (CLASSIC, OKEY101)})


def screens_of(rules: Rules) -> GameScreens:
    """Return the screens of the game that these rules belong to."""
    return SCREENS[game_of(rules).name]


def of_game(key: str, facts: TableFacts) -> str:
    """Return the key of a message that has its own words for each game."""
    return key + screens_of(facts.rules).suffix
