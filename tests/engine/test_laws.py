"""Laws that hold for every preset, seed and course of play."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import Drew
from engine.match import Match, play
from engine.moves import (
    Draw,
)
from engine.round import legal_moves
from engine.rules import PRESETS, Rules
from tests.engine.laid_out import (
    HOPELESS,
    WINS_IN_MELDS,
    WINS_IN_PAIRS,
    played_for_a_while,
    round_in,
    rules_of,
    turn_of,
)
from tests.engine.laws import (
    assert_chips_are_conserved,
    assert_legal_moves_are_those_accepted,
    assert_tiles_are_conserved,
)

pytestmark = pytest.mark.long

CLASSIC = [name for name in PRESETS if "101" not in name]


@st.composite
def classic_rules(draw: st.DrawFn) -> Rules:
    preset = draw(st.sampled_from(CLASSIC))
    switches: dict[str, object] = {
        "indicator_last_draw": draw(st.booleans()),
        "rethrow": draw(st.booleans()),
        "last_take": draw(st.booleans()),
        "false_joker_indicator": draw(st.sampled_from(["reroll", "false_jokers_wild", "next_tile"])),
        "discard_sources": draw(st.sampled_from(["left", "any"])),
        "deal": draw(st.sampled_from(["stacks", "quick"])),
    }
    if not PRESETS[preset].get("teams"):
        switches["players"] = draw(st.integers(2, 4))
    if not PRESETS[preset].get("pot"):
        switches["bowl"] = draw(st.sampled_from([0, 7, 100]))
    return rules_of(preset=preset, **switches)


@st.composite
def okey101_rules(draw: st.DrawFn) -> Rules:
    return rules_of(
        preset=draw(st.sampled_from(["okey101", "okey101-raise"])),
        players=draw(st.integers(2, 4)),
        opening_points=draw(st.sampled_from([51, 101])),
        opening_pairs=draw(st.sampled_from([4, 5])),
        strict=draw(st.booleans()),
        one_after_thirteen=draw(st.booleans()),
        return_taken=draw(st.sampled_from(["free", "penalty"])),
        openers_pay=draw(st.sampled_from(["rack", "uncombined"])),
        false_joker_indicator=draw(st.sampled_from(["reroll", "false_jokers_wild", "next_tile"])),
        declare_pairs=draw(st.booleans()),
        pairs_lay_off=draw(st.sampled_from(["any", "2"])),
        lay_pairs=draw(st.sampled_from(["own", "once_opened"])),
        elden_below=draw(st.booleans()),
        playable_called=draw(st.booleans()),
        penalties=draw(
            st.sampled_from([["playable_discard"], ["playable_discard", "fed_opening", "takeback"]])
        ),
    )


def after_some_moves(rules: st.SearchStrategy[Rules]) -> st.SearchStrategy[Match]:
    return st.builds(played_for_a_while, rules, st.integers(0, 2**32), st.integers(0, 150))


def classic_matches() -> st.SearchStrategy[Match]:
    return after_some_moves(classic_rules())


def okey101_matches() -> st.SearchStrategy[Match]:
    return after_some_moves(okey101_rules())


def matches() -> st.SearchStrategy[Match]:
    return after_some_moves(classic_rules() | okey101_rules())


@given(matches())
def test_the_106_tiles_are_conserved(match: Match) -> None:
    assert_tiles_are_conserved(match)


@given(classic_matches())
def test_the_chips_are_conserved(match: Match) -> None:
    """RULES 9, `bowl`: what lies in it was paid in, and partners have one balance."""
    assert_chips_are_conserved(match)


@given(classic_matches())
def test_racks_have_fourteen_tiles_and_one_more_in_a_turn(match: Match) -> None:
    round = round_in(match)
    for seat in round.seats:
        more = seat == round.turn and round.phase == "discard"
        assert len(round.racks[seat]) == 14 + more


@given(classic_matches())
def test_every_legal_move_is_accepted_and_no_other(match: Match) -> None:
    assert_legal_moves_are_those_accepted(match)


@settings(max_examples=60)
@given(okey101_matches())
def test_every_legal_move_of_101_is_accepted_and_no_other(match: Match) -> None:
    assert_legal_moves_are_those_accepted(match)


@given(okey101_matches())
def test_in_101_everybody_keeps_a_tile_to_discard(match: Match) -> None:
    round = round_in(match)
    if round.phase != "over":
        assert all(len(round.racks[seat]) >= 1 for seat in round.seats if seat != round.turn)
        assert round.phase == "draw" or round.racks[round.turn]
        assert legal_moves(match.rules, round, round.turn)


@pytest.mark.parametrize("rack", [WINS_IN_MELDS, WINS_IN_PAIRS, HOPELESS])
@pytest.mark.parametrize("extra", ["K1", "K3", "R5", "F"])
@pytest.mark.parametrize("switches", [{}, {"pairs_win": False}, {"one_after_thirteen": False}])
def test_legal_finishes_are_those_accepted(rack: str, extra: str, switches: dict[str, object]) -> None:
    match = played_for_a_while(rules_of(**switches), 7, 20)
    assert_legal_moves_are_those_accepted(turn_of(match, 2, rack=f"{rack} {extra}"))


@given(matches(), st.integers(0, 2**32))
def test_a_drawn_tile_is_in_no_event(match: Match, number: int) -> None:
    round = round_in(match)
    if round.phase == "draw" and round.stock and not match.finished:
        _, events = play(match, round.turn, Draw())
        assert events == (Drew(round.turn),)


@given(matches())
def test_a_match_is_plain_data_and_small(match: Match) -> None:
    packed = msgspec.msgpack.encode(match)
    assert len(packed) <= 3000
    assert msgspec.msgpack.decode(packed, type=Match) == match


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["okey", "okey101", "okey101-raise"]))
def test_rounds_of_chance_end(number: int, preset: str) -> None:
    match = played_for_a_while(rules_of(preset=preset, end="rounds", rounds=1), number, 2000)
    assert match.finished
    assert round_in(match).turns <= 400
