"""RULES 6 and 8: presets, switches, refusals, and the shortest description of rules."""

import pytest

import engine.rules
from engine.errors import Unreadable
from engine.match import new_match
from engine.rules import PRESETS, Rules, rules_from, switches_of

# Each preset in the words of RULES 6.
PRESETS_IN_RULES: dict[str, dict[str, object]] = {
    "okey": {
        "game": "classic",
        "players": 4,
        "deal": "stacks",
        "first_dealer": "random",
        "false_joker_indicator": "reroll",
        "discard_sources": "left",
        "show": "declared",
        "scoring": "countdown",
        "end": "zero",
        "teams": False,
        "start_points": 20,
        "pairs_win": True,
        "last_take": True,
        "one_after_thirteen": True,
        "starter": "after_dealer",
        "rethrow": False,
    },
    "okey-partners": {"teams": True, "scoring": "countdown", "end": "zero"},
    "okey-elimination": {"end": "elimination", "scoring": "countdown"},
    "turkish-rummy": {
        "game": "classic",
        "deal": "quick",
        "first_dealer": "highest_tile",
        "discard_sources": "any",
        "show": "automatic",
        "scoring": "penalty",
        "end": "rounds",
        "rounds": 5,
        "pot": False,
    },
    "turkish-rummy-fast-1": {"scoring": "penalty", "rounds": 1, "pot": True, "deal": "quick", "stake": 100},
    "turkish-rummy-fast-3": {"scoring": "penalty", "rounds": 3, "pot": True, "show": "automatic"},
    "okey-rounds": {
        "deal": "stacks",
        "die_counts_from": "top",
        "false_joker_indicator": "false_jokers_wild",
        "first_dealer": "highest_die",
        "direction": "clockwise",
        "pairs_win": False,
        "show": "off",
        "scoring": "rounds",
        "end": "rounds",
        "rounds": 5,
    },
    "okey101": {
        "game": "101",
        "players": 4,
        "rounds": 5,
        "end": "rounds",
        "starter": "dealer",
        "return_taken": "free",
        "openers_pay": "rack",
        "one_after_thirteen": False,
        "opening_points": 101,
        "opening_pairs": 5,
        "raising": False,
        "reclaim_joker": False,
        "strict": False,
        "penalties": ("joker_left", "joker_discard", "playable_discard", "failed_opening", "takeback"),
    },
    "okey101-raise": {"game": "101", "raising": True, "reclaim_joker": True},
    "okey101-partners": {"game": "101", "teams": True},
    "okey-bowl": {"game": "classic", "bowl": 100, "scoring": "countdown", "end": "zero", "teams": False},
    "okey101-tournament": {
        "game": "101",
        "teams": True,
        "end": "rounds",
        "rounds": 11,
        "starter": "after_dealer",
        "strict": True,
        "return_taken": "penalty",
        "reclaim_joker": True,
        "false_joker_indicator": "next_tile",
        "declare_pairs": True,
        "pairs_lay_off": "2",
        "lay_pairs": "once_opened",
        "elden_below": True,
        "playable_called": True,
        "partner_penalties": "wiped",
        "raising": False,
    },
}
# RULES 9: all of this is off in the presets of before.
OFF = {
    "bowl": 0,
    "show_spares": 0,
    "riziko": False,
    "factors": (1, 1, 1, 1),
    "last_factor": 1,
    "extend_within": 0,
    "declare_pairs": False,
    "pairs_lay_off": "any",
    "lay_pairs": "own",
    "elden_below": False,
    "playable_called": False,
    "partner_penalties": "counted",
}


def test_the_presets_are_those_of_the_rules() -> None:
    assert set(PRESETS) == set(PRESETS_IN_RULES)


@pytest.mark.parametrize("preset", PRESETS_IN_RULES)
def test_a_preset_sets_its_switches(preset: str) -> None:
    rules = rules_from({"preset": preset})
    assert {name: getattr(rules, name) for name in PRESETS_IN_RULES[preset]} == PRESETS_IN_RULES[preset]


@pytest.mark.parametrize("preset", sorted(set(PRESETS_IN_RULES) - {"okey-bowl", "okey101-tournament"}))
def test_the_rules_of_real_tables_are_off_in_every_older_preset(preset: str) -> None:
    rules = rules_from({"preset": preset})
    assert {name: getattr(rules, name) for name in OFF} == OFF
    assert "fed_opening" not in rules.penalties


def test_without_a_preset_the_defaults_hold() -> None:
    assert rules_from({}) == Rules() == rules_from({"preset": "okey"})


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ({"game": "101"}, {"starter": "dealer", "one_after_thirteen": False, "end": "rounds"}),
        ({"game": "101", "starter": "after_dealer"}, {"starter": "after_dealer"}),
        ({"scoring": "penalty"}, {"end": "rounds"}),
        ({"scoring": "rounds", "rounds": 7}, {"end": "rounds", "rounds": 7}),
        ({"preset": "turkish-rummy", "scoring": "countdown"}, {"end": "zero"}),
        ({"preset": "okey101", "penalties": ["takeback", "joker_left"]},
         {"penalties": ("joker_left", "takeback")}),
        ({"preset": "okey101", "penalties": []}, {"penalties": ()}),
        ({"preset": "okey101", "pairs_lay_off": 2}, {"pairs_lay_off": "2"}),
    ],
)  # fmt: skip
def test_defaults_follow_the_game_and_the_scoring(
    switches: dict[str, object], expected: dict[str, object]
) -> None:
    rules = rules_from(switches)
    assert {name: getattr(rules, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("switches", "named"),
    [
        ({"preset": "okay"}, "preset"),
        ({"preset": 4}, "preset"),
        ({"colour": "red"}, "colour"),
        ({"players": 5}, "players"),
        ({"players": 1}, "players"),
        ({"players": "4"}, "players"),
        ({"players": True}, "players"),
        ({"players": 4.0}, "players"),
        ({"teams": 1}, "teams"),
        ({"teams": None}, "teams"),
        ({"show": "loud"}, "show"),
        ({"deal": ["stacks"]}, "deal"),
        ({"start_points": 0}, "start_points"),
        ({"start_points": 1001}, "start_points"),
        ({"rounds": 51}, "rounds"),
        ({"stake": 0}, "stake"),
        ({"opening_points": 50, "game": "101"}, "opening_points"),
        ({"opening_pairs": 11, "game": "101"}, "opening_pairs"),
        ({"penalties": ["slowness"], "game": "101"}, "penalties"),
        ({"penalties": "joker_left", "game": "101"}, "penalties"),
        ({"penalties": [["joker_left"]], "game": "101"}, "penalties"),
        ({"bowl": 1001}, "bowl"),
        ({"show_spares": 21}, "show_spares"),
        ({"factors": [1, 1, 1]}, "factors"),
        ({"factors": [1, 1, 1, 11]}, "factors"),
        ({"factors": [1, 1, 1, True]}, "factors"),
        ({"factors": 2}, "factors"),
        ({"last_factor": 0, "scoring": "penalty"}, "last_factor"),
        ({"extend_within": 501, "scoring": "penalty"}, "extend_within"),
        ({"pairs_lay_off": 3, "game": "101"}, "pairs_lay_off"),
        ({"lay_pairs": "all", "game": "101"}, "lay_pairs"),
    ],
)
def test_what_is_no_switch_or_no_value_is_refused(switches: dict[str, object], named: str) -> None:
    with pytest.raises(Unreadable) as refused:
        rules_from(switches)
    assert (refused.value.code, refused.value.parameters["switch"]) == ("bad_rules", named)


def test_a_number_out_of_its_range_is_refused_with_the_range() -> None:
    for switches, range in (({"players": 9}, (2, 4)), ({"start_points": 0}, (1, 1000)), ({"show": 3}, None)):
        with pytest.raises(Unreadable) as refused:
            rules_from(switches)
        told = refused.value.parameters
        assert (told.get("least"), told.get("most")) == (range or (None, None))


@pytest.mark.parametrize(
    ("switches", "first", "second"),
    [
        ({"teams": True, "players": 3}, "teams", "players"),
        ({"preset": "okey101-partners", "players": 2}, "teams", "players"),
        ({"pot": True}, "pot", "scoring"),
        ({"preset": "turkish-rummy", "pot": True}, "pot", "rounds"),
        ({"preset": "turkish-rummy", "end": "zero"}, "scoring", "end"),
        ({"preset": "okey-rounds", "end": "elimination"}, "scoring", "end"),
        ({"game": "101", "end": "zero"}, "game", "end"),
        ({"game": "101", "scoring": "penalty"}, "game", "scoring"),
        ({"game": "101", "discard_sources": "any"}, "game", "discard_sources"),
        ({"raising": True}, "game", "raising"),
        ({"strict": True}, "game", "strict"),
        ({"preset": "okey101", "bowl": 100}, "game", "bowl"),
        ({"preset": "okey101", "show_spares": 3}, "game", "show_spares"),
        ({"declare_pairs": True}, "game", "declare_pairs"),
        ({"playable_called": True}, "game", "playable_called"),
        ({"preset": "turkish-rummy-fast-1", "bowl": 100}, "bowl", "pot"),
        ({"preset": "turkish-rummy", "show_spares": 3}, "show_spares", "scoring"),
        ({"show": "off", "show_spares": 3}, "show_spares", "show"),
        ({"false_joker_indicator": "false_jokers_wild", "riziko": True}, "riziko", "false_joker_indicator"),
        ({"last_factor": 2}, "last_factor", "end"),
        ({"preset": "okey-elimination", "extend_within": 10}, "extend_within", "end"),
        ({"preset": "turkish-rummy-fast-3", "extend_within": 10}, "extend_within", "pot"),
        ({"preset": "okey101", "playable_called": True, "penalties": []}, "playable_called", "penalties"),
        ({"preset": "okey101", "partner_penalties": "wiped"}, "partner_penalties", "teams"),
        ({"preset": "okey101-tournament", "teams": False}, "partner_penalties", "teams"),
    ],
)
def test_a_clash_names_both_switches(switches: dict[str, object], first: str, second: str) -> None:
    with pytest.raises(Unreadable) as refused:
        rules_from(switches)
    assert (refused.value.code, refused.value.parameters) == (
        "rules_clash",
        {"first": first, "second": second},
    )


@pytest.mark.parametrize(
    "shortest",
    [
        *({"preset": name} for name in PRESETS_IN_RULES),
        {"preset": "okey", "players": 2},
        {"preset": "okey", "players": 3, "deal": "quick"},
        {"preset": "okey", "scoring": "penalty"},
        {"preset": "okey", "end": "rounds", "rounds": 9},
        {"preset": "okey101-raise", "penalties": ["joker_left"]},
        {"preset": "turkish-rummy", "scoring": "countdown", "end": "rounds"},
        {"preset": "okey", "factors": [1, 2, 3, 4]},
        {"preset": "okey101-tournament", "pairs_lay_off": "any"},
    ],
)
def test_rules_are_said_in_the_shortest_way(shortest: dict[str, object]) -> None:
    assert switches_of(rules_from(shortest)) == shortest


@pytest.mark.parametrize(
    "shortest",
    [
        {"preset": "of-three"},
        {"preset": "okey101", "rounds": 3},
        {"preset": "okey", "end": "rounds", "rounds": 9},
        {"preset": "okey-elimination", "rounds": 3},
    ],
)
def test_a_preset_names_no_other_game_and_no_match_of_another_length(
    shortest: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here with one that is nearest to much by its switches alone."""
    presets = {"of-three": {"end": "rounds", "rounds": 3}, **PRESETS}
    monkeypatch.setattr(engine.rules, "PRESETS", presets)
    monkeypatch.setattr(engine.rules, "LENGTH_TOLD", ("of-three",))
    assert switches_of(rules_from(shortest), presets) == shortest


@pytest.mark.parametrize(
    ("switches", "score"),
    [({}, 20), ({"start_points": 7}, 7), ({"scoring": "penalty"}, 0), ({"scoring": "rounds"}, 0),
     ({"game": "101"}, 0), ({"end": "rounds"}, 20)],
)  # fmt: skip
def test_every_match_starts_with_its_points(switches: dict[str, object], score: int) -> None:
    assert new_match(rules_from(switches)).scores[0] == score
