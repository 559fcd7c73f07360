"""Simulation: matches between computer players, the figures of RULES 7, those of Okey 101, and duels.

A duel is one level against another on duplicate deals. Every deal is played once with the hero in each seat
(with partners, once on each side), so that the luck of the deal is the same for both.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from engine.arrange import distance
from engine.match import Match, new_match, next_round, play
from engine.melds import MeldRules
from engine.moves import Call
from engine.players import Choose, PlayerLevel, calls, choose
from engine.round import legal_moves
from engine.rules import Rules
from engine.shuffle import Rng, Seed
from engine.tiles import FULL_SET, Tile, okey_of
from engine.view import seat_view

_SURE: Final = 1.96
"""The number of standard errors within which the true value lies 19 times out of 20."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of simulated rounds. Shares are of all rounds, from 0 to 1."""

    rounds: int
    discards: float
    """Discards a round, including the finishing one."""
    exhausted: float
    pairs: float
    """Share won with seven pairs, or with a rack opened by pairs."""
    joker: float
    """Share won by discarding an okey."""
    opened: float
    """Okey 101: seats that opened, a round."""
    fines: float
    """Okey 101: penalties a round, without those for okeys left on a rack."""
    wins: tuple[float, ...]
    """Share won by each seat."""
    scores: tuple[float, ...]
    """The mean change of each seat's score in a round."""


def simulate(rules: Rules, players: Sequence[PlayerLevel], rounds: int, seed: bytes) -> Simulation:
    """Let computer players, one a seat, play that many rounds: whole matches, the last one cut short."""
    counts: Counter[str] = Counter()
    wins = [0] * rules.players
    scores = [0] * rules.players
    for match in _rounds(rules, players, rounds, seed):
        round = match.round
        assert round is not None
        assert round.ending is not None
        counts["discards"] += round.turns
        counts.update([round.ending.kind, *round.ending.how])
        counts["opened"] += sum(way is not None for way in round.board.opened)
        counts["fines"] += sum(round.board.fines)
        if round.ending.winner is not None:
            wins[round.ending.winner] += 1
        scores = [score + change for score, change in zip(scores, match.changes, strict=True)]
    return Simulation(
        rounds=rounds,
        discards=counts["discards"] / rounds,
        exhausted=counts["exhausted"] / rounds,
        pairs=counts["pairs"] / rounds,
        joker=counts["joker"] / rounds,
        opened=counts["opened"] / rounds,
        fines=counts["fines"] / rounds,
        wins=tuple(won / rounds for won in wins),
        scores=tuple(score / rounds for score in scores),
    )


def _rounds(rules: Rules, players: Sequence[PlayerLevel], rounds: int, seed: bytes) -> Iterator[Match]:
    """Yield the match at the end of each round."""
    match = new_match(rules)
    for number in range(rounds):
        if match.finished:
            match = new_match(rules)
        secret = hashlib.sha512(seed + number.to_bytes(8)).digest()
        match, _ = next_round(match, Seed(secret, (), "simulation", match.round_number + 1))
        match = play_round(match, players, secret)
        yield match


def play_round(match: Match, players: Sequence[PlayerLevel], seed: bytes, choosing: Choose = choose) -> Match:
    """Return the match after computer players have played its round to the end."""
    moves = 0
    while match.round is not None and match.round.phase != "over":
        seat = match.round.turn
        legal = legal_moves(match.rules, match.round, seat)
        move = choosing(players[seat], match.rules, seat_view(match, seat), legal, seed + moves.to_bytes(8))
        match, _ = play(match, seat, move)
        moves += 1
        match = _with_call(match, players, seed + moves.to_bytes(8))
    return match


def _with_call(match: Match, players: Sequence[PlayerLevel], seed: bytes) -> Match:
    """Return the match after the first opponent who calls the last discard has done so."""
    if match.round is None or not match.round.board.call_open:
        return match
    for seat in match.round.seats:
        if calls(players[seat], match.rules, seat_view(match, seat), seed + bytes([seat])):
            return play(match, seat, Call())[0]
    return match


@dataclass(frozen=True, slots=True)
class Distances:
    """The distances of racks of fourteen random tiles from winning (RULES 7)."""

    racks: int
    mean: float
    shares: dict[int, float]
    """The share of each distance, from 0 to 1, in order."""


def rack_distances(racks: int, seed: bytes) -> Distances:
    """Return the distances of random racks, each from a shuffle of its own without the indicator."""
    secret = hashlib.sha512(seed).digest()
    counts = Counter(_random_distance(Seed(secret, (), "racks", number)) for number in range(racks))
    return Distances(
        racks=racks,
        mean=sum(distance * count for distance, count in counts.items()) / racks,
        shares={distance: counts[distance] / racks for distance in sorted(counts)},
    )


def _random_distance(seed: Seed) -> int:
    tiles = list(Rng(seed, "deal").shuffle(FULL_SET))
    indicator = next(tile for tile in tiles if tile is not Tile.F)
    tiles.remove(indicator)
    return distance(MeldRules(okey_of(indicator)), tiles[:14])


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
    played = [list(_play(rules, hero, others, _secret(seed, number), choosing)) for number in range(deals)]
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


def _play(
    rules: Rules, hero: PlayerLevel, others: PlayerLevel, secret: bytes, choosing: Choose
) -> Iterator[_Result]:
    """Yield the results of one deal with the hero in each seat in turn."""
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
    """Return the mean of the rounds' values of each deal. The rounds of a deal resemble each other, so each
    deal counts as one value."""
    means = [fmean(values) for values in by_deal]
    error = stdev(means) / sqrt(len(means)) if len(means) > 1 else None
    return Estimate(fmean(means), None if error is None else _SURE * error)
