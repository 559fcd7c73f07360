"""Duel: one level of computer players against another on duplicate deals.

Every deal is played once with the hero in each seat (with partners, once on each side), so that the luck
of the deal is the same for both.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from engine.match import Match, new_match, next_round
from engine.players import Choose, PlayerLevel, choose
from engine.rules import Rules
from engine.shuffle import Seed
from engine.simulate import play_round

_SURE: Final = 1.96
"""The number of standard errors within which the true value lies 19 times out of 20."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over the deals."""

    mean: float
    margin: float | None
    """The distance of the true value from it on either side (95 %); None for a single deal."""


@dataclass(frozen=True, slots=True)
class Duel:
    """The results of the deals."""

    deals: int
    rounds: int
    wins: Estimate
    """The share of rounds that the hero's side won, from 0 to 1."""
    score: Estimate
    """The mean change of the hero's score in a round."""
    others_score: Estimate
    """The mean change of the score of each other seat."""
    exhausted: float
    """The share of rounds that nobody won, from 0 to 1."""


def duel(
    rules: Rules, hero: PlayerLevel, others: PlayerLevel, deals: int, seed: bytes, choosing: Choose = choose
) -> Duel:
    """Let `hero` play this many deals in every seat against `others`."""
    played = [list(_played(rules, hero, others, _secret(seed, number), choosing)) for number in range(deals)]
    rounds = [result for results in played for result in results]
    return Duel(
        deals=deals,
        rounds=len(rounds),
        wins=estimate([[float(result.won) for result in results] for results in played]),
        score=estimate([[result.score for result in results] for results in played]),
        others_score=estimate([[result.others_score for result in results] for results in played]),
        exhausted=fmean(result.exhausted for result in rounds),
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """A round from the hero's point of view."""

    won: bool
    score: float
    others_score: float
    exhausted: bool


def _secret(seed: bytes, number: int) -> bytes:
    return hashlib.sha512(seed + number.to_bytes(8)).digest()


def _played(
    rules: Rules, hero: PlayerLevel, others: PlayerLevel, secret: bytes, choosing: Choose
) -> Iterator[_Result]:
    """The results of one deal with the hero in each seat in turn."""
    dealt, _ = next_round(new_match(rules), Seed(secret, (), "duel", 1))
    for seat in range(2 if rules.teams else rules.players):
        own = [rules.same_side(seat, other) for other in range(rules.players)]
        levels = [hero if mine else others for mine in own]
        yield _result(play_round(dealt, levels, secret, choosing), own)


def _result(match: Match, own: Sequence[bool]) -> _Result:
    assert match.round is not None
    assert match.round.ending is not None
    winner = match.round.ending.winner
    changes = list(zip(match.changes, own, strict=True))
    return _Result(
        won=winner is not None and own[winner],
        score=fmean(change for change, mine in changes if mine),
        others_score=fmean(change for change, mine in changes if not mine),
        exhausted=winner is None,
    )


def estimate(by_deal: Sequence[Sequence[float]]) -> Estimate:
    """The mean of the rounds' values of each deal. The rounds of a deal resemble each other, so each deal
    counts as one value."""
    means = [fmean(values) for values in by_deal]
    error = stdev(means) / sqrt(len(means)) if len(means) > 1 else None
    return Estimate(fmean(means), None if error is None else _SURE * error)
