"""Simulation: matches between computer players, the figures of RULES 7, and those of Okey 101."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.arrange import distance
from engine.match import Match, new_match, next_round, play
from engine.melds import MeldRules
from engine.players import Choose, PlayerLevel, choose
from engine.round import legal_moves
from engine.rules import Rules
from engine.shuffle import Rng, Seed
from engine.tiles import FULL_SET, Tile, okey_of
from engine.view import seat_view


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
    """The match at the end of each round."""
    match = new_match(rules)
    for number in range(rounds):
        if match.finished:
            match = new_match(rules)
        secret = hashlib.sha512(seed + number.to_bytes(8)).digest()
        match, _ = next_round(match, Seed(secret, (), "simulation", match.round_number + 1))
        match = play_round(match, players, secret)
        yield match


def play_round(match: Match, players: Sequence[PlayerLevel], seed: bytes, choosing: Choose = choose) -> Match:
    """The match after computer players have played its round to the end."""
    moves = 0
    while match.round is not None and match.round.phase != "over":
        seat = match.round.turn
        legal = legal_moves(match.rules, match.round, seat)
        move = choosing(players[seat], match.rules, seat_view(match, seat), legal, seed + moves.to_bytes(8))
        match, _ = play(match, seat, move)
        moves += 1
    return match


@dataclass(frozen=True, slots=True)
class Distances:
    """The distances of racks of fourteen random tiles from winning (RULES 7)."""

    racks: int
    mean: float
    shares: dict[int, float]
    """The share of each distance, from 0 to 1, in order."""


def rack_distances(racks: int, seed: bytes) -> Distances:
    """The distances of random racks, each from a shuffle of its own without the indicator."""
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
