"""Laws that hold for every preset, seed and course of play."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import NotAllowed
from engine.events import Drew
from engine.match import Match, play
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.round import legal_moves, step
from engine.rules import PRESETS, Rules
from engine.state import Round
from engine.tiles import FACES, FULL_SET
from tests.engine.laid_out import (
    HOPELESS,
    WINS_IN_MELDS,
    WINS_IN_PAIRS,
    played_for_a_while,
    round_in,
    rules_of,
    turn_of,
)

CLASSIC = [name for name in PRESETS if "101" not in name]
EVERY_CLASSIC_MOVE: tuple[Move, ...] = (
    Show(),
    Draw(),
    Take(),
    *(Take(source) for source in range(-1, 5)),
    *(Discard(tile) for tile in FACES),
    *(Finish(tile) for tile in FACES),
)


@st.composite
def classic_rules(draw: st.DrawFn) -> Rules:
    preset = draw(st.sampled_from(CLASSIC))
    switches: dict[str, object] = {
        "indicator_last_draw": draw(st.booleans()),
        "rethrow": draw(st.booleans()),
        "false_joker_indicator": draw(st.sampled_from(["reroll", "false_jokers_wild"])),
        "discard_sources": draw(st.sampled_from(["left", "any"])),
        "deal": draw(st.sampled_from(["stacks", "quick"])),
    }
    if not PRESETS[preset].get("teams"):
        switches["players"] = draw(st.integers(2, 4))
    return rules_of(preset=preset, **switches)


@st.composite
def matches(draw: st.DrawFn, moves: int = 150) -> Match:
    return played_for_a_while(draw(classic_rules()), draw(st.integers(0, 2**32)), draw(st.integers(0, moves)))


def all_tiles(round: Round, *, with_indicator: bool) -> Counter[int]:
    return Counter(
        [
            *([round.indicator] if with_indicator else []),
            *round.stock,
            *(tile for rack in round.racks for tile in rack),
            *(tile for pile in round.piles for tile in pile),
        ]
    )


@given(matches())
def test_the_106_tiles_are_conserved(match: Match) -> None:
    in_stock = match.rules.indicator_last_draw
    assert all_tiles(round_in(match), with_indicator=not in_stock) == Counter(FULL_SET)


@given(matches())
def test_racks_have_fourteen_tiles_and_one_more_in_a_turn(match: Match) -> None:
    round = round_in(match)
    for seat in round.seats:
        more = seat == round.turn and round.phase == "discard"
        assert len(round.racks[seat]) == 14 + more


def meant(round: Round, move: Move) -> Move:
    """`Take()` with the seat it means."""
    if move != Take():
        return move
    return Take(round.seats[round.seats.index(round.turn) - 1])


def accepted(rules: Rules, round: Round, seat: int) -> set[Move]:
    moves = set()
    for move in EVERY_CLASSIC_MOVE:
        try:
            step(rules, round, seat, move)
        except NotAllowed:
            continue
        moves.add(meant(round, move))
    return moves


def assert_legal_moves_are_those_accepted(match: Match) -> None:
    round = round_in(match)
    for seat in range(match.rules.players):
        legal = [meant(round, move) for move in legal_moves(match.rules, round, seat)]
        assert len(legal) == len(set(legal))
        assert set(legal) == accepted(match.rules, round, seat)


@given(matches())
def test_every_legal_move_is_accepted_and_no_other(match: Match) -> None:
    assert_legal_moves_are_those_accepted(match)


@pytest.mark.parametrize("rack", [WINS_IN_MELDS, WINS_IN_PAIRS, HOPELESS])
@pytest.mark.parametrize("extra", ["K1", "K2", "R1", "F"])
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
    assert len(packed) <= 2500
    assert msgspec.msgpack.decode(packed, type=Match) == match


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_rounds_of_chance_end(number: int) -> None:
    match = played_for_a_while(rules_of(end="rounds", rounds=1), number, 1000)
    assert match.finished
    assert round_in(match).turns <= 400
