"""Replay: play a record again, and check it (FORMATS, "Game records").

Beyond FORMATS a record may hold: a round's `seed` and `deal` together (they must agree), its `commitment` and
`context` (`engine.verify` checks them), and for the whole record the `result` as `replay` returns it and a
`digest` (they must be right). The digest detects changes in transit; it proves nothing, since anybody can
compute it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.context import ClosedWord, Context
from engine.deal import Dealt, deal
from engine.errors import EngineError, NotAllowed, Unreadable
from engine.events import Event, Took
from engine.match import Match, begin_round, new_match, next_dealer, next_round, play
from engine.melds import meld_of, read_as_played
from engine.moves import Finish, Move, Take
from engine.record import (
    FORMAT,
    Action,
    deal_from_json,
    digest_of,
    melds_from,
    move_of,
    record_of,
    round_entry,
)
from engine.rules import Rules, rules_from
from engine.scoring import final_chips, payout
from engine.shuffle import AnySeed, Rng, seed_from_text
from engine.view import public_view

_Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Position:
    """A record's match after one of its steps: a deal (action None) or an action, counted from 0."""

    round: int
    action: int | None
    match: Match
    events: tuple[Event, ...]
    by: tuple[int, Move] | None = None
    """The seat and its move; None for a deal."""


def positions(record: object) -> Iterator[Position]:
    """Yield the record, step by step.

    Raises EngineError with the code of the fault, and with its `round` and `action` as parameters.
    """
    data = _mapping(record, "bad_record")
    if data.get("format") != FORMAT:
        raise Unreadable("bad_record")
    if "digest" in data and data["digest"] != digest_of(data):
        raise Unreadable("wrong_digest")
    match = new_match(rules_from(_mapping(data.get("rules"), "bad_rules", switch="rules")))
    if len(_sequence(data.get("seats"))) != match.rules.players:
        raise Unreadable("bad_record")
    for number, entry in enumerate(_sequence(data.get("rounds"))):
        try:
            entry = _mapping(entry, "bad_record")
            match, events = begin_round(match, _read_deal(match, entry))
            actions = _sequence(entry.get("actions"))
        except EngineError as error:
            raise error.at(round=number) from None
        yield Position(number, None, match, events)
        for place, action in enumerate(actions):
            try:
                seat, move = move_of(_mapping(action, "bad_action"))
                match, events = play(match, seat, move)
                if isinstance(move, Finish) and "melds" in action:
                    _check_melds(match, seat, action["melds"])
            except EngineError as error:
                raise error.at(round=number, action=place) from None
            yield Position(number, place, match, events, (seat, _as_listed(match.rules, move, events)))


def _as_listed(rules: Rules, move: Move, events: tuple[Event, ...]) -> Move:
    """Return the move in the form of `legal_moves`: in a record any take may name its pile or leave it
    out."""
    match events:
        case (Took(_, source, _),):
            return Take(None if rules.discard_sources == "left" else source)
    return move


def replay(record: object) -> _Json:
    """Return the result of the record's match, in the form of FORMATS. Raises as `positions`, and Unreadable
    `wrong_result` if the record contains another result."""
    rounds: list[_Json] = []
    match: Match | None = None
    for position in positions(record):
        match = position.match
        outcome = public_view(match).outcome
        if outcome is not None:
            rounds.append(
                {
                    "outcome": outcome.kind,
                    "winner": outcome.winner,
                    "how": list(outcome.how),
                    "changes": list(outcome.changes),
                    "scores": list(match.scores),
                    **({"bowl": match.bowl} if match.rules.bowl else {}),
                }
            )
    data = _mapping(record, "bad_record")
    match = match or new_match(rules_from(data["rules"]))
    result: _Json = {
        "rounds": rounds,
        "finished": match.finished,
        "winners": list(match.winners),
        "scores": list(match.scores),
    }
    if match.rules.bowl:
        result["chips"] = list(final_chips(match.rules, match.chips, match.bowl, match.winners))
    if match.finished and match.rules.pot:
        result["payout"] = list(payout(match.rules, match.scores, match.winners))
    if "result" in data and data["result"] != result:
        raise Unreadable("wrong_result")
    return result


class PlayedRound(NamedTuple):
    """A round that is over, as a record tells it."""

    seed: AnySeed
    actions: list[Action]
    context: Context | None = None
    words: Mapping[int, ClosedWord] = MappingProxyType({})
    """The closed words that are told, by seat."""


def make_record(rules: Rules, names: Sequence[str], rounds: Iterable[PlayedRound]) -> _Json:
    """Return the record of a match from its rounds, seats by name in order of play.

    A seed reveals every rack: pass only rounds that are over. Raises EngineError if the actions do not follow
    from the seeds.
    """
    match, entries = new_match(rules), []
    for seed, actions, context, words in rounds:
        match, _ = next_round(match, seed)
        assert match.dealer is not None
        dealt = deal(rules, match.dealer, match.seats, Rng(seed, "deal"))
        entries.append(round_entry(dealt, actions, seed, None if context is None else (context, words)))
        for action in actions:
            match, _ = play(match, *move_of(action))
    return record_of(rules, names, entries)


def seal(record: Mapping[str, Any]) -> _Json:
    """Return the record with its result and its digest, so that `replay` finds any change. Raises as
    `replay`."""
    told = {key: value for key, value in record.items() if key not in ("result", "digest")}
    told["result"] = replay(told)
    return {**told, "digest": digest_of(told)}


def _check_melds(match: Match, seat: int, told: object) -> None:
    """Check that the arrangement named by a finish is one of the winning rack. Raises NotAllowed."""
    round = match.round
    assert round is not None
    meld_rules = match.rules.meld_rules(round.okey)
    melds = [[read_as_played(placed, round.okey) for placed in meld] for meld in melds_from(told)]
    kinds = {meld and meld.kind for meld in (meld_of(meld_rules, meld) for meld in melds)}
    tiles = sorted(played.tile for meld in melds for played in meld)
    right = kinds <= {"run", "set"} or (kinds == {"pair"} and match.rules.pairs_win)
    if not right or tiles != list(round.racks[seat]):
        raise NotAllowed("wrong_melds")


def _read_deal(match: Match, entry: Mapping[str, Any]) -> Dealt:
    """Return the deal of a record's round."""
    dealer = entry.get("dealer")
    if type(dealer) is not int or dealer not in match.seats:
        raise Unreadable("bad_dealer")
    if dealer != (dealer if match.dealer is None else next_dealer(match)):
        raise NotAllowed("wrong_dealer")
    if "seed" not in entry:
        return deal_from_json(match.rules, dealer, match.seats, _mapping(entry.get("deal"), "bad_deal"))
    made = deal(match.rules, dealer, match.seats, Rng(seed_of(entry), "deal"))
    if "deal" in entry:
        told = deal_from_json(match.rules, dealer, match.seats, _mapping(entry["deal"], "bad_deal"))
        if replace(told, dice=made.dice) != made:
            raise Unreadable("deal_mismatch")
    return made


def seed_of(entry: Mapping[str, Any]) -> AnySeed:
    """Return the seed of a record's round. Raises Unreadable `bad_seed`."""
    if not isinstance(entry["seed"], str):
        raise Unreadable("bad_seed")
    return seed_from_text(entry["seed"])


def _mapping(value: object, code: str, **parameters: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Unreadable(code, **parameters)
    return value


def _sequence(value: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise Unreadable("bad_record")
    return value
