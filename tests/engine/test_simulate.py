"""Rounds between computer players: the figures of RULES 7, with few rounds and so with wide margins."""

import pytest

from engine.simulate import simulate
from tests.engine.laid_out import rules_of


def test_four_who_keep_the_smallest_distance() -> None:
    """RULES 7: 31 discards a round, 2 % exhausted, 1 % won with pairs."""
    figures = simulate(rules_of(), ["greedy"] * 4, 60, b"figures")
    assert figures.discards == pytest.approx(31, abs=4)
    assert figures.exhausted < 0.08
    assert figures.pairs < 0.05
    assert sum(figures.wins) + figures.exhausted == pytest.approx(1)


def test_random_players_hardly_ever_finish() -> None:
    """RULES 7: about 98 % exhausted."""
    assert simulate(rules_of(), ["random"] * 4, 30, b"figures").exhausted >= 0.94


def test_a_beginner_is_weak() -> None:
    figures = simulate(rules_of(), ["easy", "greedy", "greedy", "greedy"], 40, b"figures")
    assert 0 < figures.wins[0] < 0.15


def test_the_same_seed_gives_the_same_figures() -> None:
    first, again, other = (simulate(rules_of(), ["easy"] * 4, 3, seed) for seed in (b"1", b"1", b"2"))
    assert first == again != other
