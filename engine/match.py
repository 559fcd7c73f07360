"""Match: rounds in a row, their dealers, the scores, the bowl, the end and the winners (RULES 2, 4 and 9)."""

from dataclasses import dataclass, replace

from engine.deal import Dealt, deal, first_dealer
from engine.errors import NotAllowed
from engine.events import Event, Left, MatchEnded, RoundBegan
from engine.games import game_of
from engine.moves import Move
from engine.round import begin, step
from engine.rules import Rules
from engine.scoring import breaks_bowl, may_be_last, paid, players_left, winners_of
from engine.shuffle import AnySeed, Rng
from engine.state import Ending, Round
from engine.tiles import okey_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match between its rounds or in one. Tuples by seat have one entry a seat."""

    rules: Rules
    scores: tuple[int, ...]
    seats: tuple[int, ...]
    """The seats that still play, in order of play."""
    dealer: int | None = None
    """The dealer of this round, or of the last one; None before the first."""
    round_number: int = 0
    """The number of deals so far; 0 before the first."""
    rounds_scored: int = 0
    """Rounds that are over and counted."""
    round: Round | None = None
    """The round in progress, or the last one until the next begins."""
    changes: tuple[int, ...] = ()
    """The changes that this round has made to every score so far."""
    finished: bool = False
    winners: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    """The balance of chips of every seat, partners with their side's; empty: the table has no bowl."""
    bowl: int = 0
    """The chips in the bowl; after the last round, those that `final_chips` divides."""

    @property
    def turn(self) -> int | None:
        """The seat on turn; None when no round is being played."""
        return None if self.round is None or self.round.phase == "over" else self.round.turn


def new_match(rules: Rules) -> Match:
    """Return a match before its first deal."""
    return Match(
        rules=rules,
        scores=(game_of(rules).starting_score(rules),) * rules.players,
        seats=tuple(range(rules.players)),
        chips=(0,) * rules.players if rules.bowl else (),
    )


def next_round(match: Match, seed: AnySeed) -> tuple[Match, tuple[Event, ...]]:
    """Deal the next round. Raises NotAllowed `match_over`, `round_not_over`."""
    _refuse_unless_between_rounds(match)
    dealer = next_dealer(match)
    found: tuple[Event, ...] = ()
    if dealer is None:
        dealer, found = first_dealer(match.rules, Rng(seed, "seats"))
    begun, events = begin_round(match, deal(match.rules, dealer, match.seats, Rng(seed, "deal")))
    return begun, found + events


def begin_round(match: Match, dealt: Dealt) -> tuple[Match, tuple[Event, ...]]:
    """Begin the next round with tiles already dealt. Raises NotAllowed `match_over`, `round_not_over`."""
    _refuse_unless_between_rounds(match)
    rules, number = match.rules, match.round_number + 1
    factor = rules.factor(okey_of(dealt.indicator), last_round=may_be_last(rules, match.rounds_scored))
    spared = tuple(seat for seat in match.seats if match.scores[seat] < rules.show_spares)
    begun = replace(
        match,
        dealer=dealt.dealer,
        bowl=match.bowl + rules.bowl,
        chips=paid(rules, match.chips, dealt.dealer, -rules.bowl),
        round_number=number,
        round=begin(rules, dealt, match.seats, factor, spared),
        changes=(0,) * rules.players,
    )
    return begun, (RoundBegan(number, dealt.dealer, dealt.starter, dealt.indicator, dealt.dice),)


def next_dealer(match: Match) -> int | None:
    """Return the dealer of the next round: the next in order of play who still plays; None for the first
    round.

    A cancelled round is dealt again by the same dealer.
    """
    if match.dealer is None:
        return None
    if match.round is not None and match.round.ending == Ending("cancelled"):
        return match.dealer
    after = [seat for seat in match.seats if seat > match.dealer]
    return after[0] if after else match.seats[0]


def play(match: Match, seat: int, move: Move) -> tuple[Match, tuple[Event, ...]]:
    """Make a move, and score its effects.

    Raises NotAllowed: `match_over`, `no_round`, or what `engine.round.step` raises.
    """
    if match.finished:
        raise NotAllowed("match_over")
    if match.round is None:
        raise NotAllowed("no_round")
    round, events = step(match.rules, match.round, seat, move)
    changes = game_of(match.rules).changes(match.rules, round)
    match = replace(match, round=round, scores=_rescore(match, changes), changes=changes)
    return (match, events) if round.ending is None else _close(match, round.ending, events)


def _close(match: Match, ending: Ending, events: tuple[Event, ...]) -> tuple[Match, tuple[Event, ...]]:
    """Return the match after a round that has just ended."""
    if ending.kind == "cancelled":
        return match, events
    match = _with_bowl_taken(match, ending)
    left = players_left(match.rules, match.seats, match.scores)
    events += tuple(Left(seat) for seat in match.seats if seat not in left)
    winners = winners_of(match.rules, match.seats, match.scores, match.rounds_scored + 1)
    match = replace(match, rounds_scored=match.rounds_scored + 1, seats=left)
    if not winners:
        return match, events
    return replace(match, finished=True, winners=winners), (*events, MatchEnded(winners))


def _with_bowl_taken(match: Match, ending: Ending) -> Match:
    """Return the match after a win by an okey discard or with pairs gave the winner all chips of the bowl."""
    if not match.bowl or ending.winner is None or not breaks_bowl(ending.how):
        return match
    return replace(match, chips=paid(match.rules, match.chips, ending.winner, match.bowl), bowl=0)


def break_off(match: Match) -> Match:
    """Return the match without the round in progress, as if that had never been dealt."""
    assert match.dealer is not None
    return replace(
        match,
        round=None,
        bowl=match.bowl - match.rules.bowl,
        chips=paid(match.rules, match.chips, match.dealer, match.rules.bowl),
        round_number=match.round_number - 1,
        scores=_rescore(match, (0,) * match.rules.players),
        changes=(),
    )


def _refuse_unless_between_rounds(match: Match) -> None:
    if match.finished:
        raise NotAllowed("match_over")
    if match.round is not None and match.round.phase != "over":
        raise NotAllowed("round_not_over")


def _rescore(match: Match, changes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the scores with these changes of the round instead of its earlier ones."""
    return tuple(
        score - before + after
        for score, before, after in zip(match.scores, match.changes, changes, strict=True)
    )
