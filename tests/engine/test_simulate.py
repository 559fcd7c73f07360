"""Rounds between computer players: the figures of RULES 7, with few rounds and so with wide margins.

Duels: the same deals for both levels, every seat in turn.
"""

import json
from collections.abc import Sequence

import pytest

from bot.main import main
from engine.moves import Move
from engine.players import PlayerLevel, choose
from engine.rules import Rules
from engine.simulate import Estimate, duel, estimate, rack_distances, simulate
from engine.view import SeatView
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


class Watched:
    """Players whose first moves are recorded: level, seat and rack."""

    def __init__(self) -> None:
        self.first: list[tuple[PlayerLevel, int, str]] = []

    def choose(
        self, level: PlayerLevel, rules: Rules, view: SeatView, legal: Sequence[Move], seed: bytes
    ) -> Move:
        if view.public.turns == 0 and view.public.phase == "discard" and view.drawn is None:
            self.first.append((level, view.seat, " ".join(map(str, view.rack))))
        return choose(level, rules, view, legal, seed)


@pytest.mark.parametrize(("preset", "heroes"), [("okey", [1, 3]), ("okey-partners", [1, 1])])
def test_every_deal_is_played_with_the_hero_in_every_seat(preset: str, heroes: list[int]) -> None:
    """Partners are two heroes: every deal is played once on each side."""
    watched = Watched()
    figures = duel(rules_of(preset=preset), "nearest", "random", 2, b"deals", watched.choose)
    times = sum(heroes)
    assert (figures.deals, figures.rounds) == (2, 2 * times)
    for deal in (watched.first[:times], watched.first[times:]):
        assert len({(seat, rack) for _, seat, rack in deal}) == 1  # the same starter with the same tiles
        levels = [level for level, _, _ in deal]
        assert [levels.count("nearest"), levels.count("random")] == heroes
    assert watched.first[0][2] != watched.first[-1][2]


def test_who_keeps_near_to_winning_beats_who_plays_anything() -> None:
    figures = duel(rules_of(), "nearest", "random", 2, b"deals")
    assert figures.wins.mean > 0.5
    assert figures.exhausted == pytest.approx(1 - figures.wins.mean, abs=0.2)
    assert figures.score.mean > figures.others_score.mean  # a countdown: the others lose points


def test_the_margin_is_that_of_independent_deals() -> None:
    """All rounds of one deal won and none of the other: the standard error is 1/√2/√2."""
    assert estimate([[1, 1, 1, 1], [0, 0, 0, 0]]) == Estimate(0.5, pytest.approx(1.96 / 2))
    assert estimate([[1, 0], [0, 1], [1, 0]]) == Estimate(0.5, 0.0)


def test_a_single_deal_has_no_margin() -> None:
    assert estimate([[1, 0, 0, 0]]) == Estimate(0.25, None)


def test_the_command_prints_the_duel_and_how_long_a_decision_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["simulate", "--duel", "nearest", "random", "--deals", "2"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["hero"], printed["others"], printed["deals"]) == ("nearest", "random", 2)
    assert set(printed["wins"]) == {"mean", "margin"}
    assert all(printed["seconds_a_decision"][level] > 0 for level in ("nearest", "random"))
