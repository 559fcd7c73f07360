"""Forgeries: honest records of whole matches, and ways to change them that every checker must refuse.

The changes are those of somebody who runs the server and knows every secret, so most of them also make anew
what follows from the change. What they can't make anew is what people saw before the deal.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from engine.context import ClosedWord, Context, context_from_json, context_to_json
from engine.replay import seal, seed_of
from engine.rules import rules_from
from engine.shuffle import Beacon, BoundSeed
from tests.engine.many_records import played_and_recorded

Json = dict[str, Any]

QUICKNET: Final = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
DRAND: Final = Beacon(
    QUICKNET,
    657413,
    bytes.fromhex(
        "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
    ),
)
"""A round of drand's quicknet as it was published."""


def honest(preset: str = "okey", number: int = 1, beacon: Beacon | None = None) -> Json:
    """Return the exported record of a match of three rounds at most."""
    shorter = {"start_points": 4} if rules_from({"preset": preset}).end != "rounds" else {}
    shorter |= {} if preset.startswith("turkish-rummy-fast") else {"rounds": 3}
    _, record = played_and_recorded(rules_from({"preset": preset, **shorter}), number, beacon)
    told: Json = json.loads(json.dumps(seal(record)))
    return told


def _rewrite(entry: Json, change: Callable[[Context, dict[int, ClosedWord]], Context]) -> None:
    """Change a round's context, and make its fingerprint and its seed anew."""
    context, words = context_from_json(entry["context"])
    context = change(context, words)
    entry["context"] = context_to_json(context, words)
    seed = seed_of(entry)
    assert isinstance(seed, BoundSeed)
    entry["seed"] = replace(seed, context=context.digest()).text()


def _marks(words: dict[int, ClosedWord]) -> tuple[bytes, ...]:
    return tuple(word.mark() for _, word in sorted(words.items()))


def _fewer_fields(record: Json) -> None:
    record["rounds"][-1]["context"]["seats"].pop()


def _more_fields(record: Json) -> None:
    def add(context: Context, words: dict[int, ClosedWord]) -> Context:
        return replace(context, marks=(*context.marks, words[0].mark()))

    _rewrite(record["rounds"][-1], add)


def _words_in_another_order(record: Json) -> None:
    first, second = record["rounds"][-1]["context"]["seats"][:2]
    first["word"], second["word"] = second["word"], first["word"]


def _words_moved_and_bound_anew(record: Json) -> None:
    def move(context: Context, words: dict[int, ClosedWord]) -> Context:
        words[0], words[1] = (replace(words[seat], word=words[1 - seat].word) for seat in (0, 1))
        return replace(context, marks=_marks(words))

    _rewrite(record["rounds"][-1], move)


def _seats_rotated(record: Json) -> None:
    seats = record["rounds"][-1]["context"]["seats"]
    seats.append(seats.pop(0))


def _names_rotated(record: Json) -> None:
    record["seats"].append(record["seats"].pop(0))


def _name_bound_anew(record: Json) -> None:
    def rename(context: Context, words: dict[int, ClosedWord]) -> Context:
        words[0] = replace(words[0], name="Eve")
        return replace(context, marks=_marks(words))

    _rewrite(record["rounds"][0], rename)


def _other_rules(record: Json) -> None:
    game = {"reclaim_joker": True} if record["rules"]["game"] == "101" else {"last_take": False}
    record["rules"] |= game


def _other_rules_in_the_context(record: Json) -> None:
    record["rounds"][-1]["context"]["rules"]["stack_doublings"] ^= True


def _first_dealer(record: Json) -> None:
    first = record["rounds"][0]
    first["dealer"] = (first["dealer"] + 1) % len(record["seats"])


def _first_dealer_chosen(record: Json) -> None:
    entry = record["rounds"][0]
    _rewrite(entry, lambda context, words: replace(context, dealer=entry["dealer"]))


def _no_commitment(record: Json) -> None:
    del record["rounds"][-1]["commitment"]


def _no_context(record: Json) -> None:
    del record["rounds"][-1]["context"]


def _no_seed(record: Json) -> None:
    del record["rounds"][-1]["seed"]


def _other_seal(record: Json) -> None:
    record["rounds"][-1]["commitment"] = "0" * 64


def _other_secret(record: Json) -> None:
    entry = record["rounds"][-1]
    seed = seed_of(entry)
    assert isinstance(seed, BoundSeed)
    entry["seed"] = replace(seed, secret=seed.secret[::-1]).text()


def _other_salt(record: Json) -> None:
    def salt(context: Context, words: dict[int, ClosedWord]) -> Context:
        words[0] = replace(words[0], salt=bytes(16))
        return replace(context, marks=_marks(words))

    _rewrite(record["rounds"][-1], salt)


def _other_fingerprint(record: Json) -> None:
    record["rounds"][-1]["context"]["digest"] = "0" * 64


def _previous(record: Json) -> None:
    record["rounds"][-1]["context"]["previous"] = "ab" * 32


def _round_replaced(record: Json) -> None:
    """The first deal is bound to another beacon's value, and the following ones stay as they were
    published."""
    entry = record["rounds"][0]
    seed = seed_of(entry)
    assert isinstance(seed, BoundSeed)
    entry["seed"] = replace(seed, signature=seed.signature[::-1] or b"signed").text()


def _round_left_out(record: Json) -> None:
    del record["rounds"][0]


def _other_beacon_round(record: Json) -> None:
    context = record["rounds"][-1]["context"]
    context["beacon"] = {"chain": QUICKNET, "round": 1000}


def _other_deal(record: Json) -> None:
    stock = record["rounds"][-1]["deal"]["stock"]
    place = next(i for i, tile in enumerate(stock) if tile != stock[0])
    stock[0], stock[place] = stock[place], stock[0]


def _names_hidden(record: Json) -> None:
    """The names of the last round are said to be deleted, and the record still has them."""
    for seat in record["rounds"][-1]["context"]["seats"]:
        del seat["name"], seat["word"], seat["salt"]


FORGERIES: Final[dict[str, tuple[Callable[[Json], None], set[str]]]] = {
    "a word field less": (_fewer_fields, {"wrong_seats"}),
    "a word field more": (_more_fields, {"wrong_seats", "deal_mismatch"}),
    "words in another order": (_words_in_another_order, {"wrong_word"}),
    "words moved and bound anew": (_words_moved_and_bound_anew, {"deal_mismatch"}),
    "seats rotated": (_seats_rotated, {"wrong_word"}),
    "names rotated": (_names_rotated, {"wrong_names"}),
    "a name bound anew": (_name_bound_anew, {"deal_mismatch"}),
    "names hidden": (_names_hidden, {"wrong_names"}),
    "other rules": (_other_rules, {"wrong_rules"}),
    "other rules in the context": (_other_rules_in_the_context, {"wrong_rules"}),
    "another first dealer": (_first_dealer, {"deal_mismatch", "wrong_dealer", "bad_deal", "not_your_turn"}),
    "a first dealer bound anew": (_first_dealer_chosen, {"deal_mismatch"}),
    "no commitment": (_no_commitment, {"no_commitment"}),
    "no context": (_no_context, {"no_context"}),
    "no seed": (_no_seed, {"no_seed"}),
    "another seal": (_other_seal, {"wrong_commitment"}),
    "another secret": (_other_secret, {"deal_mismatch"}),
    "a salt that was not sealed": (_other_salt, {"deal_mismatch"}),
    "another fingerprint": (_other_fingerprint, {"wrong_context"}),
    "another deal before": (_previous, {"wrong_previous"}),
    "a deal replaced": (_round_replaced, {"deal_mismatch"}),
    "a round left out": (_round_left_out, {"wrong_dealer", "wrong_previous", "wrong_context"}),
    "another round of the beacon": (_other_beacon_round, {"wrong_context"}),
    "another deal": (_other_deal, {"deal_mismatch"}),
}
"""Each way with the codes that `okey verify` may refuse it with; one is enough for another checker."""


def forge(record: Json, way: str) -> Json:
    """Return a record changed in one of the ways, without the result and the digest that find damage."""
    forged = copy.deepcopy(record)
    for key in ("result", "digest"):
        del forged[key]
    FORGERIES[way][0](forged)
    return forged
