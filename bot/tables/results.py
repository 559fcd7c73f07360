"""What stays of a round when it is over: who won it and how, and who played his seat himself."""

from dataclasses import dataclass

from engine.match import Match
from engine.view import public_view


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """A round that was played to its end. Tuples by seat hold one entry a seat."""

    winner: int | None
    """None when nobody finished."""
    how: tuple[str, ...] = ()
    """A sorted subset of color, elden, joker, pairs."""
    changes: tuple[int, ...]
    """What the round did to the scores."""
    away: tuple[int, ...] = ()
    """The seats that a computer player played when the round ended."""
    opened: tuple[int, ...] = ()
    """Okey 101: the seats that opened."""
    fines: tuple[int, ...] = ()
    """Okey 101: how many penalties every seat got; empty when there were none."""
    members: tuple[str, ...] = ()
    """At a league night's table: the member who played each seat himself; empty: a computer player did."""


def round_result(
    match: Match, away: tuple[int, ...], openings: tuple[int, ...], members: tuple[str, ...] = ()
) -> RoundResult | None:
    """The result of a match's last round; None for one that was cancelled, which counts for nobody."""
    outcome = public_view(match).outcome
    assert outcome is not None
    if outcome.kind == "cancelled":
        return None
    return RoundResult(
        winner=outcome.winner,
        how=outcome.how,
        changes=outcome.changes,
        away=away,
        opened=tuple(seat for seat, worth in enumerate(openings) if worth),
        fines=outcome.fines if any(outcome.fines) else (),
        members=members,
    )
