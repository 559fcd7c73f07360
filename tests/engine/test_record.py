"""Records: the result of a replay, and the faults that it finds (FORMATS)."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, Unreadable
from engine.events import Took
from engine.match import new_match, next_round, play
from engine.melds import Placed
from engine.moves import (
    Discard,
    Draw,
    Finish,
    LayMeld,
    LayOff,
    Move,
    Open,
    OpenPairs,
    Reclaim,
    Return,
    Show,
    Take,
    TakeBack,
)
from engine.record import action_of, deal_from_json, deal_to_json, move_of, record_of, round_entry
from engine.replay import PlayedRound, make_record, positions, replay
from engine.round import legal_moves
from engine.rules import PRESETS
from engine.shuffle import Seed
from engine.tiles import Tile
from engine.verify import verify
from tests.engine.laid_out import HOPELESS, WINS_IN_MELDS, boldly, dealt, placed, round_in, rules_of

NAMES = ["Ada", "Can", "Ece", "Ali"]


def by_chance(number: int, rounds: int = 3, **switches: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """A match of random moves as a record, and its result."""
    chance = random.Random(number)
    rules = rules_of(**switches)
    match = new_match(rules)
    history: list[PlayedRound] = []
    told = []
    while not match.finished and len(history) < rounds:
        seed = Seed(chance.randbytes(64), ("elma",), "masa", match.round_number + 1)
        match, _ = next_round(match, seed)
        actions = []
        while round_in(match).phase != "over":
            seat = round_in(match).turn
            move = boldly(legal_moves(rules, round_in(match), seat), chance)
            match, _ = play(match, seat, move)
            actions.append(action_of(seat, move))
        history.append(PlayedRound(seed, actions))
        told.append(list(match.scores))
    result = {"scores": told, "finished": match.finished, "winners": list(match.winners)}
    return make_record(rules, NAMES[: rules.players], history), result


@pytest.mark.long
@settings(max_examples=10)
@given(st.sampled_from(list(PRESETS)), st.integers(2, 4), st.integers(0, 2**32))
def test_a_replay_gives_what_was_played(preset: str, players: int, number: int) -> None:
    switches = {} if PRESETS[preset].get("teams") else {"players": players}
    record, played = by_chance(number, preset=preset, **switches)
    through_text = json.loads(json.dumps(record))
    result = replay(through_text)
    assert [entry["scores"] for entry in result["rounds"]] == played["scores"]
    assert (result["finished"], result["winners"]) == (played["finished"], played["winners"])
    proof = verify(through_text)
    assert proof["commitments"] == [entry["commitment"] for entry in record["rounds"]]
    assert proof["words"] == [["elma"]] * len(record["rounds"])
    by_seed = copy.deepcopy(through_text)
    for entry in by_seed["rounds"]:
        del entry["deal"]
    assert replay(by_seed) == result
    by_deal = copy.deepcopy(through_text)
    for entry in by_deal["rounds"]:
        del entry["seed"]
    assert replay(by_deal) == result


@pytest.mark.parametrize("preset", ["okey", "turkish-rummy", "okey101"])
def test_a_take_is_the_same_move_whether_it_names_the_previous_players_pile_or_not(preset: str) -> None:
    """Reviews look it up among the legal moves."""
    record, _ = by_chance(1, rounds=1, preset=preset)
    actions = record["rounds"][0]["actions"]
    listed = [each.by for each in positions(record)]
    took = {}
    for each in positions(record):
        for event in each.events:
            if isinstance(event, Took) and event.source == (event.seat - 1) % 4:
                took[each.action] = event.source
    assert took
    for action, source in took.items():
        actions[action]["from"] = source
    assert [each.by for each in positions(record)] == listed
    for action in took:
        del actions[action]["from"]
    assert [each.by for each in positions(record)] == listed


MOVES = [
    (Show(), {"seat": 2, "do": "show"}),
    (Draw(), {"seat": 2, "do": "draw"}),
    (Take(), {"seat": 2, "do": "take"}),
    (Take(0), {"seat": 2, "do": "take", "from": 0}),
    (Discard(Tile.B3), {"seat": 2, "do": "discard", "tile": "B3"}),
    (Finish(Tile.F), {"seat": 2, "do": "finish", "tile": "F"}),
    (Return(), {"seat": 2, "do": "return"}),
    (
        Open((placed("B6 *B7 B8"), placed("R4 F R6"))),
        {"seat": 2, "do": "open", "melds": [["B6", "*B7", "B8"], ["R4", "F", "R6"]]},
    ),
    (OpenPairs((placed("K9 K9"),)), {"seat": 2, "do": "open", "pairs": [["K9", "K9"]]}),
    (LayMeld(placed("B6 *B7 B8")), {"seat": 2, "do": "meld", "tiles": ["B6", "*B7", "B8"]}),
    (LayOff(Placed(Tile.R9), 3), {"seat": 2, "do": "lay", "tile": "R9", "on": 3}),
    (LayOff(Placed(Tile.R9, wild=True), 0), {"seat": 2, "do": "lay", "tile": "*R9", "on": 0}),
    (Reclaim(Tile.R9, 1), {"seat": 2, "do": "reclaim", "tile": "R9", "on": 1}),
    (TakeBack(2), {"seat": 2, "do": "takeback", "count": 2}),
]


@pytest.mark.parametrize(("move", "action"), MOVES)
def test_moves_and_actions(move: Move, action: dict[str, Any]) -> None:
    assert action_of(2, move) == action
    assert move_of(action) == (2, move)


def test_input_takes_lower_case_and_green() -> None:
    assert move_of({"seat": 0, "do": "discard", "tile": "g3"}) == (0, Discard(Tile.B3))


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({}, "bad_action"),
        ({"seat": 0}, "bad_action"),
        ({"seat": 0, "do": "sing"}, "bad_action"),
        ({"seat": "0", "do": "draw"}, "bad_action"),
        ({"seat": True, "do": "draw"}, "bad_action"),
        ({"do": "draw"}, "bad_action"),
        ({"seat": 0, "do": ["draw"]}, "bad_action"),
        ({"seat": 0, "do": "take", "from": "1"}, "bad_action"),
        ({"seat": 0, "do": "discard"}, "bad_tile"),
        ({"seat": 0, "do": "discard", "tile": "Z3"}, "bad_tile"),
        ({"seat": 0, "do": "discard", "tile": 3}, "bad_tile"),
        ({"seat": 0, "do": "finish", "tile": "*B3"}, "bad_tile"),
        ({"seat": 0, "do": "open"}, "bad_action"),
        ({"seat": 0, "do": "open", "melds": [], "pairs": []}, "bad_action"),
        ({"seat": 0, "do": "open", "melds": "R1 R2 R3"}, "bad_action"),
        ({"seat": 0, "do": "open", "melds": ["R1 R2 R3"]}, "bad_action"),
        ({"seat": 0, "do": "open", "pairs": [["R1", "R14"]]}, "bad_tile"),
        ({"seat": 0, "do": "meld", "tiles": [4]}, "bad_tile"),
        ({"seat": 0, "do": "meld"}, "bad_action"),
        ({"seat": 0, "do": "lay", "tile": "*F", "on": 0}, "bad_tile"),
        ({"seat": 0, "do": "lay", "tile": "**R1", "on": 0}, "bad_tile"),
        ({"seat": 0, "do": "lay", "tile": "R1"}, "bad_action"),
        ({"seat": 0, "do": "lay", "tile": "R1", "on": None}, "bad_action"),
        ({"seat": 0, "do": "reclaim", "tile": "*R1", "on": 0}, "bad_tile"),
        ({"seat": 0, "do": "takeback", "count": 1.0}, "bad_action"),
        ({"seat": 0, "do": "takeback"}, "bad_action"),
    ],
)
def test_what_is_no_action(action: dict[str, Any], code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        move_of(action)
    assert refused.value.code == code


def example(**switches: object) -> dict[str, Any]:
    """Seat 1 shows and discards; seat 2 draws and wins with pairs, discarding the okey R5."""
    racks = {
        1: "R4 R1 R9 R12 Y1 Y5 Y9 Y13 B3 B7 B11 K1 K3 K6 K8",
        2: "R2 R2 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K12 K12 R5",
    }
    given_out = dealt(rules_of(**switches), racks, indicator="R4", stock="K2")
    actions = [
        {"seat": 1, "do": "show"},
        {"seat": 1, "do": "discard", "tile": "B3"},
        {"seat": 2, "do": "draw"},
        {"seat": 2, "do": "finish", "tile": "R5"},
    ]
    return {
        "format": "okey-record/1",
        "rules": {"preset": "okey", **switches},
        "seats": NAMES,
        "rounds": [{"dealer": 0, "deal": deal_to_json(given_out), "actions": actions}],
    }


def test_the_form_of_a_result() -> None:
    assert replay(example()) == {
        "rounds": [
            {"outcome": "win", "winner": 2, "how": ["joker", "pairs"], "changes": [-9, -8, -1, -9],
             "scores": [11, 12, 19, 11]}
        ],
        "finished": False,
        "winners": [],
        "scores": [11, 12, 19, 11],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("melds", "right"),
    [
        (["R2 R2", "R3 R3", "Y6 Y6", "B8 B8", "B10 B10", "K2 K2", "K12 K12"], True),
        (["R2 R2", "R3 R3", "Y6 Y6", "B8 B8", "B10 B10", "K2 K2"], False),
        (["R2 R2", "R3 R3", "Y6 Y6", "B8 B8", "B10 B10", "K2 K2", "K12 K11"], False),
        (["R2 R2", "R3 R3", "Y6 Y6", "B8 B8", "B10 B10", "K2 K2", "K12 *K12"], False),
        (["R2 R3 Y6", "R2 R3 Y6", "B8 B8", "B10 B10", "K2 K2", "K12 K12"], False),
    ],
)
def test_the_melds_of_a_finish_must_be_those_of_the_rack(melds: list[str], right: bool) -> None:
    record = example()
    record["rounds"][0]["actions"][3]["melds"] = [meld.split() for meld in melds]
    if right:
        assert replay(record) == replay(example())
    else:
        assert wrong(record) == {"code": "wrong_melds", "round": 0, "action": 3}


@pytest.mark.parametrize("pairs_win", [True, False])
def test_the_melds_of_a_finish_are_pairs_only_where_pairs_win(pairs_win: bool) -> None:
    """Seat 1 finishes at once with seven pairs that are also two runs."""
    yellow = [f"Y{number}" for number in range(1, 8)]
    given_out = dealt(rules_of(pairs_win=pairs_win), {1: " ".join([*yellow, *yellow, "K1"])})

    def finished(melds: list[list[str]]) -> dict[str, Any]:
        finish = {"seat": 1, "do": "finish", "tile": "K1", "melds": melds}
        return {
            "format": "okey-record/1",
            "rules": {"preset": "okey", "pairs_win": pairs_win},
            "seats": NAMES,
            "rounds": [{"dealer": 0, "deal": deal_to_json(given_out), "actions": [finish]}],
        }

    assert replay(finished([yellow, yellow]))["rounds"][0]["winner"] == 1
    pairs = finished([[tile, tile] for tile in yellow])
    if pairs_win:
        assert replay(pairs)["rounds"][0]["winner"] == 1
    else:
        assert wrong(pairs) == {"code": "wrong_melds", "round": 0, "action": 0}


def test_a_running_match_has_its_scores_so_far() -> None:
    record = example()
    del record["rounds"][0]["actions"][2:]
    assert replay(record) == {"rounds": [], "finished": False, "winners": [], "scores": [19, 20, 19, 19]}
    record["rounds"] = []
    assert replay(record)["scores"] == [20, 20, 20, 20]


def test_a_finished_fast_game_has_its_payout() -> None:
    rules = rules_of(preset="turkish-rummy-fast-1")
    given_out = dealt(rules, {1: f"{WINS_IN_MELDS} Y13", 2: HOPELESS.replace("K6", "K13")})
    record = record_of(rules, NAMES, [round_entry(given_out, [action_of(1, Finish(Tile.Y13))])])
    result = replay(record)
    assert result["scores"] == [30, 10, 20, 30]
    # 100 of 400 chips go to those below 40 by 10, 20 and 10
    assert result["payout"] == [25, 300, 50, 25]
    del record["rounds"][0]["actions"][0]
    assert "payout" not in replay(record)


def test_a_cancelled_round_is_dealt_again_and_does_not_count() -> None:
    rules = rules_of(preset="okey101", players=2, rounds=1)
    five = {0: ("K9 K9", "Y2 Y2", "B7 B7", "F F", "R1 R1"), 1: ("K8 K8", "Y3 Y3", "B6 B6", "R6 R6", "K1 K1")}
    given_out = dealt(
        rules, {seat: " ".join(pairs) for seat, pairs in five.items()}, indicator="R4", stock="B13"
    )
    opening = {seat: OpenPairs(tuple(map(placed, pairs))) for seat, pairs in five.items()}
    moves: list[tuple[int, Move]] = [
        (0, opening[0]),
        (0, Discard(given_out.racks[0][-3])),
        (1, Draw()),
        (1, opening[1]),
    ]
    entry = round_entry(given_out, [action_of(seat, move) for seat, move in moves])
    record = record_of(rules, NAMES[:2], [entry, {**entry, "actions": []}])
    result = replay(record)
    assert result["rounds"] == [
        {"outcome": "cancelled", "winner": None, "how": [], "changes": [0, 0], "scores": [0, 0]}
    ]
    assert not result["finished"]


def test_a_record_steps_through_every_action() -> None:
    steps = list(positions(example()))
    assert [(step.round, step.action) for step in steps] == [(0, None), (0, 0), (0, 1), (0, 2), (0, 3)]
    assert steps[1].match.scores == (19, 20, 19, 19)


def wrong(record: object) -> dict[str, Any]:
    with pytest.raises(EngineError) as refused:
        replay(record)
    return {"code": refused.value.code, **refused.value.parameters}


def changed(**how: Any) -> dict[str, Any]:
    return {**example(), **how}


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (None, "bad_record"),
        ([], "bad_record"),
        ({}, "bad_record"),
        (changed(format="okey-record/2"), "bad_record"),
        (changed(rules=None), "bad_rules"),
        (changed(rules={"preset": "poker"}), "bad_rules"),
        (changed(rules={"teams": True, "players": 2}), "rules_clash"),
        (changed(seats=["Ada"]), "bad_record"),
        (changed(seats="Adas"), "bad_record"),
        (changed(rounds={}), "bad_record"),
        (changed(result={"scores": [20, 20, 20, 20]}), "wrong_result"),
    ],
)
def test_what_is_no_record(record: object, code: str) -> None:
    assert wrong(record)["code"] == code


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"dealer": 4}, "bad_dealer"),
        ({"dealer": None}, "bad_dealer"),
        ({"dealer": True}, "bad_dealer"),
        ({"dealer": 1}, "bad_deal"),
        ({"deal": None}, "bad_deal"),
        ({"deal": {}}, "bad_deal"),
        ({"seed": "00"}, "bad_seed"),
        ({"seed": 5}, "bad_seed"),
        ({"seed": Seed(bytes(64), (), "t", 1).text()}, "deal_mismatch"),
        ({"actions": None}, "bad_record"),
        ({"actions": "draw"}, "bad_record"),
    ],
)
def test_what_is_no_round(entry: dict[str, Any], code: str) -> None:
    record = example()
    record["rounds"][0].update(entry)
    assert {"code": code, "round": 0}.items() <= wrong(record).items()


@pytest.mark.parametrize(
    ("place", "tile"),
    [
        ("indicator", "R5"),
        ("indicator", "F"),
        ("stock", "K3"),
        ("racks", "K3"),
        ("stock", None),
        ("racks", 7),
    ],
)
def test_a_deal_holds_the_106_tiles_exactly_once(place: str, tile: object) -> None:
    record = example()
    told = record["rounds"][0]["deal"]
    if place == "indicator":
        told["indicator"] = tile
    else:
        (told["stock"] if place == "stock" else told["racks"][0])[0] = tile
    assert wrong(record)["code"] == ("bad_deal" if isinstance(tile, str) else "bad_tile")


def test_a_false_joker_is_an_indicator_only_where_it_may_be() -> None:
    rules = rules_of(false_joker_indicator="false_jokers_wild")
    told = deal_to_json(dealt(rules, {}, indicator="F"))
    assert deal_from_json(rules, 0, range(4), told).indicator is Tile.F
    with pytest.raises(Unreadable) as refused:
        deal_from_json(rules_of(), 0, range(4), told)
    assert refused.value.code == "bad_deal"


@pytest.mark.parametrize(
    ("place", "action", "code"),
    [
        (0, {"seat": 2, "do": "show"}, "not_twin"),
        (0, {"seat": 0, "do": "draw"}, "not_your_turn"),
        (1, {"seat": 1, "do": "discard", "tile": "B4"}, "not_on_rack"),
        (1, {"seat": 1, "do": "finish", "tile": "B3"}, "no_win"),
        (2, {"seat": 2, "do": "take", "from": 3}, "nothing_to_take"),
        (2, {"seat": 9, "do": "draw"}, "not_playing"),
        (3, {"seat": 2, "do": "finish", "tile": "B9"}, "not_on_rack"),
        (3, "draw", "bad_action"),
        (3, {"seat": 2, "do": "fold"}, "bad_action"),
    ],
)
def test_a_broken_rule_is_named_with_its_place(place: int, action: object, code: str) -> None:
    record = example()
    record["rounds"][0]["actions"][place] = action
    assert {"code": code, "round": 0, "action": place}.items() <= wrong(record).items()


def test_nothing_happens_after_the_round() -> None:
    record = example()
    record["rounds"][0]["actions"].append({"seat": 3, "do": "draw"})
    assert wrong(record) == {"code": "round_over", "round": 0, "action": 4}


def test_a_round_must_be_over_before_the_next() -> None:
    record = example()
    del record["rounds"][0]["actions"][3]
    record["rounds"].append({**record["rounds"][0], "dealer": 1})
    assert wrong(record)["code"] in ("round_not_over", "bad_deal")


def test_the_deal_passes_on() -> None:
    record, _ = by_chance(3, rounds=2)
    record["rounds"][1]["dealer"] = record["rounds"][0]["dealer"]
    assert {"code": "wrong_dealer", "round": 1}.items() <= wrong(record).items()


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("seed", None, "no_seed"),
        ("commitment", None, "no_commitment"),
        ("commitment", "00", "wrong_commitment"),
        ("seed", Seed(bytes(64), (), "masa", 2).text(), "wrong_commitment"),
    ],
)
def test_a_proof_that_fails(key: str, value: str | None, code: str) -> None:
    record, _ = by_chance(4, rounds=2)
    entry = record["rounds"][1]
    entry[key] = value
    if value is None:
        del entry[key]
    if value is not None and key == "seed":
        del entry["deal"]
        entry["actions"] = []
    with pytest.raises(EngineError) as refused:
        verify(record)
    assert (refused.value.code, refused.value.parameters) == (code, {"round": 1})


def test_a_dealer_who_was_not_drawn_is_found() -> None:
    record, _ = by_chance(5, rounds=1)
    entry = record["rounds"][0]
    entry["dealer"] = (entry["dealer"] + 1) % 4
    del entry["deal"]
    entry["actions"] = []
    with pytest.raises(EngineError) as refused:
        verify(record)
    assert (refused.value.code, refused.value.parameters) == ("wrong_dealer", {"round": 0})
