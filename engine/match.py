"""Rounds into a match: who deals, what the scores are, when it ends, who won (RULES 2 and 4)."""

from dataclasses import dataclass, replace
from typing import Final

from engine import scoring
from engine.deal import Dealt, deal, first_dealer
from engine.errors import NotAllowed
from engine.events import Event, Left, MatchEnded, RoundBegan, Shown
from engine.games.okey101 import scoring as scoring_101
from engine.moves import Move
from engine.round import step
from engine.rules import Rules, starting_score
from engine.scoring import players_left, show_changes, shown_at_once, winners_of
from engine.shuffle import Chance, Seed
from engine.state import Ending, Round, begin

_CHANGES: Final = {"classic": scoring.round_changes, "101": scoring_101.round_changes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match between its rounds or in one. Tuples by seat hold one entry a seat."""

    rules: Rules
    scores: tuple[int, ...]
    seats: tuple[int, ...]
    """Who still plays, in order of play."""
    dealer: int | None = None
    """Of this round, or the last one; None before the first."""
    round_number: int = 0
    """Deals so far; 0 when none has begun."""
    rounds_scored: int = 0
    """Rounds that are over and counted."""
    round: Round | None = None
    """The round in progress, or the last one until the next begins."""
    changes: tuple[int, ...] = ()
    """What that round has done to every score so far."""
    finished: bool = False
    winners: tuple[int, ...] = ()


def new_match(rules: Rules) -> Match:
    """A match in which nothing was dealt yet."""
    return Match(
        rules=rules,
        scores=(starting_score(rules),) * rules.players,
        seats=tuple(range(rules.players)),
    )


def next_round(match: Match, seed: Seed) -> tuple[Match, tuple[Event, ...]]:
    """Deal the next round. Raises NotAllowed `match_over`, `round_not_over`."""
    _refuse_unless_between_rounds(match)
    dealer = next_dealer(match)
    found: tuple[Event, ...] = ()
    if dealer is None:
        dealer, found = first_dealer(match.rules, Chance(seed, "seats"))
    begun, events = begin_round(match, deal(match.rules, dealer, match.seats, Chance(seed, "deal")))
    return begun, found + events


def begin_round(match: Match, dealt: Dealt) -> tuple[Match, tuple[Event, ...]]:
    """Begin the next round with tiles already dealt. Raises NotAllowed `match_over`, `round_not_over`."""
    _refuse_unless_between_rounds(match)
    number = match.round_number + 1
    begun = replace(
        match,
        dealer=dealt.dealer,
        round_number=number,
        round=begin(match.rules, dealt, match.seats),
        changes=(0,) * match.rules.players,
    )
    return begun, (RoundBegan(number, dealt.dealer, dealt.starter, dealt.indicator, dealt.dice),)


def next_dealer(match: Match) -> int | None:
    """Who deals the next round: the next in order of play who still plays; None for the first round.

    A cancelled round is dealt again by the same dealer.
    """
    if match.dealer is None:
        return None
    if match.round is not None and match.round.ending == Ending("cancelled"):
        return match.dealer
    after = [seat for seat in match.seats if seat > match.dealer]
    return after[0] if after else match.seats[0]


def play(match: Match, seat: int, move: Move) -> tuple[Match, tuple[Event, ...]]:
    """Make a move, and score the round when it ends with it.

    Raises NotAllowed: `match_over`, `no_round`, or what `engine.round.step` raises.
    """
    if match.finished:
        raise NotAllowed("match_over")
    if match.round is None:
        raise NotAllowed("no_round")
    round, events = step(match.rules, match.round, seat, move)
    match = replace(match, round=round)
    if shown_at_once(match.rules) and Shown(seat) in events:
        match = _scored(match, show_changes(match.rules, match.seats, seat))
    if round.phase != "over":
        return match, events
    return _closed(match, round, events)


def _closed(match: Match, round: Round, events: tuple[Event, ...]) -> tuple[Match, tuple[Event, ...]]:
    """The match after a round that has just ended."""
    rules, ending, twin = match.rules, round.ending, round.twin_dealt_to
    assert ending is not None
    if rules.show == "automatic" and twin is not None:
        round = replace(round, shown_by=twin)
        events = (Shown(twin), *events)
    if round.shown_by is not None and not shown_at_once(rules):
        match = _scored(match, show_changes(rules, match.seats, round.shown_by))
    match = _scored(match, _CHANGES[rules.game](rules, round, ending))
    if ending.kind == "cancelled":
        return replace(match, round=round), events
    left = players_left(rules, match.seats, match.scores)
    events += tuple(Left(seat) for seat in match.seats if seat not in left)
    match = replace(match, round=round, rounds_scored=match.rounds_scored + 1, seats=left)
    winners = winners_of(rules, left, match.scores, match.rounds_scored)
    if not winners:
        return match, events
    return replace(match, finished=True, winners=winners), (*events, MatchEnded(winners))


def broken_off(match: Match) -> Match:
    """The match without the round in progress, as if that had never been dealt."""
    return replace(
        match,
        round=None,
        round_number=match.round_number - 1,
        scores=_sum(match.scores, tuple(-change for change in match.changes)),
        changes=(),
    )


def _refuse_unless_between_rounds(match: Match) -> None:
    if match.finished:
        raise NotAllowed("match_over")
    if match.round is not None and match.round.phase != "over":
        raise NotAllowed("round_not_over")


def _scored(match: Match, changes: tuple[int, ...]) -> Match:
    return replace(match, scores=_sum(match.scores, changes), changes=_sum(match.changes, changes))


def _sum(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(left, right, strict=True))
