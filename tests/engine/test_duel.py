"""Duels: the same deals for both levels, every seat in turn."""

import json
from collections.abc import Sequence

import pytest

from bot.main import main
from engine.duel import Estimate, duel, estimate
from engine.moves import Move
from engine.players import PlayerLevel, choose
from engine.rules import Rules
from engine.view import SeatView
from tests.engine.laid_out import rules_of


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
