"""Verify: what a record proves, and that no forged one passes."""

import copy
from dataclasses import replace
from itertools import permutations, product

import pytest

from engine.context import ClosedWord, close_words, context_from_json, seal_from
from engine.deal import deal
from engine.errors import EngineError
from engine.match import new_match
from engine.replay import PlayedRound, make_record, replay, seal
from engine.rules import PRESETS, rules_from
from engine.shuffle import BoundSeed, Rng
from engine.tiles import okey_of, tile_from_text
from engine.verify import shortcoming, verify
from tests.engine.forgeries import DRAND, FORGERIES, QUICKNET, Json, forge, honest
from tests.engine.many_records import bind


@pytest.fixture(scope="module", params=[None, DRAND], ids=["alone", "beacon"])
def record(request: pytest.FixtureRequest) -> Json:
    """An honest record of several rounds."""
    told = honest(beacon=request.param)
    assert len(told["rounds"]) > 1
    return told


def code_of(record: Json) -> str | None:
    """The code with which a record is refused; None: with none."""
    try:
        result = verify(record)
    except EngineError as error:
        return error.code
    error = shortcoming(result)
    return None if error is None else error.code


def test_an_honest_record_tells_what_each_deal_was_bound_to(record: Json) -> None:
    result = verify(record)
    assert result["bound"]
    assert shortcoming(result) is None
    assert result["contexts"] == [entry["context"]["digest"] for entry in record["rounds"]]
    assert len(set(result["contexts"])) == len(result["contexts"])
    assert [[seat["name"] for seat in seats] for seats in result["closed"]] == [record["seats"]] * len(
        record["rounds"]
    )


@pytest.mark.parametrize("way", FORGERIES)
def test_no_forged_record_passes(record: Json, way: str) -> None:
    assert code_of(forge(record, way)) in FORGERIES[way][1]


@pytest.mark.parametrize("way", ["words moved and bound anew", "a name bound anew", "a deal replaced"])
def test_a_deal_that_is_made_anew_is_not_the_one_that_was_published(record: Json, way: str) -> None:
    """Without tiles and moves nothing contradicts it, but people saw another fingerprint or beacon."""
    seeds = {**record, "rounds": [{**record["rounds"][0], "actions": []}]}
    del seeds["rounds"][0]["deal"]
    forged = forge(seeds, way)
    forged["seats"] = [seat["name"] for seat in forged["rounds"][0]["context"]["seats"]]
    assert code_of(forged) in (None, "wrong_context", "wrong_dealer")
    if code_of(forged) is None:
        before, after = verify(strip(seeds)), verify(forged)
        assert (before["contexts"], before["beacons"]) != (after["contexts"], after["beacons"])


def strip(record: Json) -> Json:
    """The record without its result and digest."""
    return {key: value for key, value in record.items() if key not in ("result", "digest")}


def test_a_record_without_contexts_is_still_replayed_and_proves_less(record: Json) -> None:
    less = {key: value for key, value in copy.deepcopy(record).items() if key != "digest"}
    for entry in less["rounds"]:
        del entry["context"]
    assert replay(seal(less)) == record["result"]
    result = verify(less)
    assert (result["bound"], result["scores"]) == (False, record["result"]["scores"])
    assert result["contexts"] == [None] * len(record["rounds"])
    error = shortcoming(result)
    assert error is not None
    assert (error.code, error.parameters) == ("no_context", {"round": 0})


def test_a_record_without_rounds_proves_nothing() -> None:
    empty = {**honest(), "rounds": []}
    del empty["result"], empty["digest"]
    assert code_of(empty) == "no_context"


def test_a_forgotten_person_leaves_a_mark_that_still_holds(record: Json) -> None:
    less = copy.deepcopy(record)
    del less["digest"]
    for entry in less["rounds"]:
        for key in ("name", "word", "salt"):
            del entry["context"]["seats"][1][key]
    less["seats"][1] = "?"
    result = verify(less)
    assert shortcoming(result) is None
    assert [seats[1] for seats in result["closed"]] == [None] * len(record["rounds"])
    assert result["contexts"] == [entry["context"]["digest"] for entry in record["rounds"]]
    context, words = context_from_json(less["rounds"][0]["context"])
    guesses = {ClosedWord("Can", word, bytes(16)).mark() for word in ("", "elma", "göl")}
    assert not guesses & set(context.marks)
    assert 1 not in words


def test_the_salts_are_sealed_and_told_by_nothing_but_themselves() -> None:
    entropy = bytes(range(64))
    one = seal_from(entropy, "masa", 1)
    assert len({one.secret, *one.salts}) == 5
    assert entropy not in (one.secret, b"".join(one.salts))
    assert not any(salt.hex() in repr(one) or repr(salt) in repr(one) for salt in one.salts)
    assert len({seal_from(entropy, table, number).seal for table in "ab" for number in (1, 2)}) == 4


@pytest.mark.parametrize("preset", PRESETS)
def test_whatever_a_deal_is_bound_to_changes_its_tiles(preset: str) -> None:
    rules = rules_from({"preset": preset})
    sealed_now = seal_from(bytes(64), "masa", 2)
    said = [("Ada", "lavender"), ("Can", ""), ("Ece", ""), ("Ali", "")]
    context, _ = close_words(
        sealed_now, rules, said, table="masa", round_number=2, dealer=1, playing=(0, 1, 2, 3)
    )
    others = [
        context,
        replace(context, table="mas"),
        replace(context, round_number=3),
        replace(context, dealer=2),
        replace(context, playing=(0, 1, 3)),
        replace(context, chain=QUICKNET, beacon_round=1),
        replace(context, chain=QUICKNET, beacon_round=2),
        replace(context, previous=bytes(32)),
        replace(context, seal=bytes(32)),
        replace(context, rules={**context.rules, "stake": 101}),
        replace(context, rules={**context.rules, "preset": "other"}),
        *(replace(context, marks=marks) for marks in permutations(context.marks) if marks != context.marks),
    ]
    seeds = [BoundSeed(sealed_now.secret, each.digest()) for each in others]
    deals = {repr(deal(rules, 1, (0, 1, 2, 3), Rng(seed, "deal")).stock) for seed in seeds}
    assert len(deals) == len(others) == 11 + 23


def test_after_the_beacon_came_nobody_finds_a_deal_among_empty_words() -> None:
    """The forgery of a real round of quicknet: one seal, one visible word, 350 tries to place empty fields so
    that a seat gets both okeys and the start."""
    match = new_match(rules_from({"preset": "okey"}))
    names = ["Ada", "Can", "Ece", "Ali"]
    said = [("Ada", "lavender"), *((name, "") for name in names[1:])]
    honest_round = bind(match, bytes(range(64)), said, [], DRAND)
    assert honest_round.context is not None
    published = honest_round.context.digest()
    word, empty = honest_round.words[0].mark(), honest_round.words[1].mark()
    lucky, accepted = 0, []
    for before, after in product(range(14), range(25)):
        marks = (*[empty] * before, word, *[empty] * after)
        forged = replace(honest_round.context, marks=marks)
        seed = replace(honest_round.seed, context=forged.digest())
        record = make_record(match.rules, ["?"] * 4, [PlayedRound(seed, [], forged, {})])
        lucky += both_okeys(record, 0)
        if code_of(record) is None:
            accepted.append(verify(record)["contexts"])
    assert lucky > 0, "the attack would have found a deal"
    assert len(accepted) == 4, "one field a seat: only the place of the word is left, and everybody sees that"
    assert [published.hex()] not in accepted, "the fields were moved, so it is another fingerprint"


def both_okeys(record: Json, seat: int) -> bool:
    """Return whether a seat is dealt both okeys in the first round."""
    entry = record["rounds"][0]
    indicator = tile_from_text(entry["deal"]["indicator"])
    return entry["deal"]["racks"][seat].count(okey_of(indicator).name) == 2
