"""Each game is one object, and every registry with an entry for one game has entries for all of them."""

from typing import get_args

import pytest

from engine import judge, players, review
from engine.games import CLASSIC, GAMES, OKEY101, Game, game_of
from engine.players import PlayerLevel
from engine.rules import GameName
from tests.engine.laid_out import rules_of


def test_every_name_that_rules_know_is_a_game() -> None:
    assert set(GAMES) == set(get_args(GameName))
    assert [game.name for game in GAMES.values()] == list(GAMES)


@pytest.mark.parametrize(("preset", "game"), [("okey-rounds", CLASSIC), ("okey101", OKEY101)])
def test_the_rules_name_the_game(preset: str, game: Game) -> None:
    assert game_of(rules_of(preset=preset)) is game


def test_every_game_has_players_of_every_level_a_judge_and_reviews() -> None:
    games = set(GAMES.values())
    assert set(players._PLAYERS) == games == set(judge._JUDGES) == set(review._MEASURES)
    assert all(set(levels) == set(get_args(PlayerLevel)) for levels in players._PLAYERS.values())


def test_the_sizes_of_the_racks_and_stacks() -> None:
    """RULES 2: two stacks of five each, a third for the starter; in 101 three of seven."""
    assert (CLASSIC.rack_size, CLASSIC.stack_size, CLASSIC.stacks_each, CLASSIC.stacks_more) == (14, 5, 2, 1)
    assert (OKEY101.rack_size, OKEY101.stack_size, OKEY101.stacks_each, OKEY101.stacks_more) == (21, 7, 3, 0)
