"""Records of whole matches replay to their scores, a change in one is found, and a damaged one is refused."""

import json
import random
from typing import Any

import pytest

from engine.replay import replay, seal
from engine.rules import Rules, switches_of
from engine.verify import verify
from tests.engine.laid_out import rules_of
from tests.engine.many_records import (
    Json,
    another,
    damaged,
    leaves,
    played_and_recorded,
    refused,
    short_rules,
    with_change,
)

pytestmark = pytest.mark.long


@pytest.mark.parametrize("rules", list(short_rules()), ids=lambda rules: str(switches_of(rules)))
def test_a_whole_match_replays_to_its_scores(rules: Rules) -> None:
    match, record = played_and_recorded(rules, 5)
    result = verify(json.loads(json.dumps(record)))
    assert result["finished"]
    assert (result["scores"], result["winners"]) == (list(match.scores), list(match.winners))
    assert ("payout" in result) == rules.pot


@pytest.fixture(scope="module")
def record() -> Json:
    """A sealed record of a short match."""
    rules = rules_of(preset="okey101-raise", players=2, rounds=1, opening_points=51)
    loaded: Json = json.loads(json.dumps(seal(played_and_recorded(rules, 2)[1])))
    return loaded


def value_at(record: Json, path: tuple[Any, ...]) -> Any:
    value: Any = record
    for key in path:
        value = value[key]
    return value


def test_a_sealed_record_is_right(record: Json) -> None:
    assert refused(record) is None
    assert record["result"] == replay(record)
    assert seal(record) == record


def test_every_single_change_is_found(record: Json) -> None:
    chance = random.Random(1)
    for path in leaves(record):
        changed = with_change(record, path, another(value_at(record, path), chance))
        assert refused(changed) is not None, path


@pytest.mark.parametrize("part", ["scores", "changes", "winners"])
def test_a_changed_score_is_found_without_a_digest(record: Json, part: str) -> None:
    unsealed = {key: value for key, value in record.items() if key != "digest"}
    inner = unsealed["result"]["rounds"][0] if part == "changes" else unsealed["result"]
    inner_before = list(inner[part])
    inner[part] = [value + 1 for value in inner[part]]
    assert refused(unsealed) == "wrong_result"
    inner[part] = inner_before


@pytest.mark.parametrize("number", range(4))
def test_damage_is_refused_with_a_code_and_nothing_else(record: Json, number: int) -> None:
    chance = random.Random(number)
    whole = {key: value for key, value in record.items() if key not in ("digest", "result")}
    codes = {refused(damaged(whole, chance), by) for _ in range(100) for by in (replay, verify)}
    assert len(codes - {None}) > 5  # anything but an EngineError would have come through
