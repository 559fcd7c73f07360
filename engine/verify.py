"""Verify: whether each deal of a record follows from what was published before it.

`docs/verify.md` says what that proves and what it can't, and holds a program of its own that does the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.context import (
    ClosedWord,
    Context,
    context_from_json,
    deal_digest,
    hashes_of,
    seal_of,
)
from engine.deal import first_dealer
from engine.errors import EngineError, NotAllowed, Unreadable
from engine.events import SeatsDrawn
from engine.match import Match
from engine.replay import positions, replay, seed_of
from engine.rules import every_switch, rules_from
from engine.shuffle import AnySeed, Beacon, BoundSeed, Rng, Seed

_Json = dict[str, Any]

UNTOLD = "?"
"""The name of a seat whose player has gone, or wanted to be forgotten."""


class _Proof(NamedTuple):
    """What a round proves."""

    commitment: str
    seed: AnySeed
    context: Context | None = None
    """None: the record doesn't say what the deal was bound to, which proves less."""
    words: Mapping[int, ClosedWord] = {}


def verify(record: object) -> _Json:
    """Return what `replay` does, and the proof that no deal was chosen after what was published before it.

    Each list has one entry a round. Compare `commitments` and `contexts` with the published ones. A context
    is null where the record has none; then `bound` is false, and the record proves less. `words` has what
    players added to each shuffle, `closed` the name and word of every seat (null: they are no longer told),
    and `beacons` the parts of a public beacon: null if none was to have a part, its signature null if none
    came in time. No signature is checked against the beacon's key: that takes more than the standard library.
    Raises as `replay`; Unreadable `no_seed`, `no_commitment`, `bad_context`, `wrong_commitment`,
    `wrong_context`, `wrong_word` (`seat`), `wrong_rules`, `wrong_seats`, `wrong_names`, `wrong_previous`;
    NotAllowed `wrong_dealer`.
    """
    result = replay(record)
    assert isinstance(record, Mapping)
    proofs: list[_Proof] = []
    for number, match in enumerate(each.match for each in positions(record) if each.action is None):
        try:
            proofs.append(_check_round(record["rounds"][number], match, proofs))
        except EngineError as error:
            raise error.at(round=number) from None
    _check_names(record, proofs)
    return result | {
        "commitments": [proof.commitment for proof in proofs],
        "contexts": [proof.context and proof.context.digest().hex() for proof in proofs],
        "bound": bool(proofs) and all(proof.context is not None for proof in proofs),
        "words": [_words_of(proof) for proof in proofs],
        "closed": [_read_closed_words(proof) for proof in proofs],
        "beacons": [_beacon_of(proof) for proof in proofs],
    }


def shortcoming(result: _Json) -> Unreadable | None:
    """Return why what `verify` returned proves less than that nobody could choose a deal; None: it doesn't.

    `wrong_signature`: a beacon's part was found not to be `signed`. `no_context`: a deal's context is
    missing.
    """
    for number, beacon in enumerate(result["beacons"]):
        if beacon is not None and beacon.get("signed") is False:
            return Unreadable("wrong_signature", round=number)
    if result["bound"]:
        return None
    rounds = [number for number, context in enumerate(result["contexts"]) if context is None]
    return Unreadable("no_context", round=rounds[0]) if rounds else Unreadable("no_context")


def _check_round(entry: Mapping[str, Any], match: Match, before: Sequence[_Proof]) -> _Proof:
    """Return what a round proves, just after its deal. Raises as `verify`."""
    if "seed" not in entry:
        raise Unreadable("no_seed")
    if not isinstance(entry.get("commitment"), str):
        raise Unreadable("no_commitment")
    seed, told = seed_of(entry), entry["commitment"]
    if isinstance(seed, Seed):
        if told != seed.commitment() or seed.round_number != match.round_number:
            raise Unreadable("wrong_commitment")
        if "context" in entry:
            raise Unreadable("wrong_context")
        _check_first_dealer(match, seed)
        return _Proof(told, seed)
    if "context" not in entry:
        _check_first_dealer(match, seed)
        return _Proof(told, seed)
    context, words = context_from_json(entry["context"])
    _check_seal(told, context, seed)
    _check_seats(context, words, match)
    _check_order(context, match, before)
    _check_first_dealer(match, seed)
    if context.round_number != match.round_number or (seed.signature and not context.chain):
        raise Unreadable("wrong_context")
    if context.digest() != seed.context or entry["context"].get("digest") != seed.context.hex():
        raise Unreadable("wrong_context")
    return _Proof(told, seed, context, words)


def _check_seal(told: str, context: Context, seed: BoundSeed) -> None:
    made = seal_of(seed.secret, context.table, context.round_number, context.salts)
    if made != context.seal or told != made.hex():
        raise Unreadable("wrong_commitment")


def _check_seats(context: Context, words: Mapping[int, ClosedWord], match: Match) -> None:
    """Check that it has these rules, one word a seat, and the words that were closed."""
    rules = match.rules
    if rules_from(context.rules) != rules or not set(every_switch(rules)) <= set(context.rules):
        raise Unreadable("wrong_rules")
    assert match.round is not None
    if len(context.marks) != rules.players or context.playing != match.round.seats:
        raise Unreadable("wrong_seats")
    for seat, word in words.items():
        if word.mark() != context.marks[seat] or hashes_of([word.salt])[0] != context.salts[seat]:
            raise Unreadable("wrong_word", seat=seat)


def _check_order(context: Context, match: Match, before: Sequence[_Proof]) -> None:
    """Check the dealer, and that it follows the deal before at the same table."""
    if context.dealer != (match.dealer if match.round_number > 1 else None):
        raise NotAllowed("wrong_dealer")
    previous = b""
    if before:
        last = before[-1]
        if last.context is None or not isinstance(last.seed, BoundSeed):
            return
        if last.context.table != context.table:
            raise Unreadable("wrong_context")
        previous = deal_digest(last.seed.context, last.seed.signature)
    if context.previous != previous:
        raise Unreadable("wrong_previous")


def _check_first_dealer(match: Match, seed: AnySeed) -> None:
    if match.round_number == 1 and first_dealer(match.rules, Rng(seed, "seats"))[0] != match.dealer:
        raise NotAllowed("wrong_dealer")


def _check_names(record: Mapping[str, Any], proofs: Sequence[_Proof]) -> None:
    """Check that the seats have the names that stood there when the last words were closed."""
    if not proofs or proofs[-1].context is None:
        return
    last = proofs[-1]
    players = range(len(record["seats"]))
    order = _draw_order(record, last.seed) if len(proofs) == 1 else players
    names = [last.words[seat].name if seat in last.words else UNTOLD for seat in order]
    if list(record["seats"]) != names:
        raise Unreadable("wrong_names")


def _draw_order(record: Mapping[str, Any], seed: AnySeed) -> Sequence[int]:
    """Return who sits where after the first round's draw, by their seats before it."""
    rules = rules_from(record["rules"])
    for event in first_dealer(rules, Rng(seed, "seats"))[1]:
        if isinstance(event, SeatsDrawn):
            return event.order
    return range(rules.players)


def _words_of(proof: _Proof) -> list[str]:
    said = proof.seed.words if isinstance(proof.seed, Seed) else [each.word for each in proof.words.values()]
    return [word for word in said if word]


def _read_closed_words(proof: _Proof) -> list[_Json | None] | None:
    if proof.context is None:
        return None
    seats = range(len(proof.context.marks))
    return [
        {"name": told.name, "word": told.word} if (told := proof.words.get(seat)) else None for seat in seats
    ]


def _beacon_of(proof: _Proof) -> _Json | None:
    named = _beacon_in(proof)
    if named is None:
        return None
    return {
        "chain": named.chain,
        "round": named.round,
        "signature": named.signature.hex() or None,
        "randomness": named.randomness.hex() or None,
    }


def _beacon_in(proof: _Proof) -> Beacon | None:
    if isinstance(proof.seed, Seed):
        return proof.seed.beacon
    if proof.context is None or not proof.context.chain:
        return None
    return Beacon(proof.context.chain, proof.context.beacon_round, proof.seed.signature)
