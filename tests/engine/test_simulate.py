"""Rounds between computer players: the figures of RULES 7, with few rounds and so with wide margins."""

import pytest

from engine.simulate import rack_distances, simulate
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


def test_random_racks_are_as_far_from_winning_as_the_rules_say() -> None:
    """RULES 7: mean 4.05; shares 2.9, 20.6, 46.3, 28.3 and 1.8 % for 2 to 6; wide margins for 4 000 racks."""
    found = rack_distances(4_000, b"racks")
    assert found.mean == pytest.approx(4.05, abs=0.07)
    for distance, share in {2: 0.029, 3: 0.206, 4: 0.463, 5: 0.283, 6: 0.018}.items():
        assert found.shares[distance] == pytest.approx(share, abs=0.03)
