"""RULES 3, "what a player may see": their rack, every top discard, the two piles beside them, no more."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NotAllowed
from engine.match import new_match, play
from engine.melds import Board, tiles_in
from engine.moves import Discard, Draw, Finish, Show
from engine.rules import PRESETS
from engine.tiles import Tile, tiles_from_text
from engine.view import Outcome, public_view, seat_view
from tests.engine.laid_out import (
    HOPELESS,
    WINS_IN_MELDS,
    match_of,
    played_for_a_while,
    round_in,
    rules_of,
    turn_of,
)
from tests.engine.laws import assert_what_is_hidden_changes_nothing


def test_before_the_first_round_there_is_nothing_to_see() -> None:
    for look in (public_view, lambda match: seat_view(match, 0)):
        with pytest.raises(NotAllowed) as refused:
            look(new_match(rules_of()))
        assert refused.value.code == "no_round"


def test_what_everybody_sees() -> None:
    match = match_of(rules_of(), {1: f"{HOPELESS.replace('K6', 'K13')} K9"})
    match, _ = play(match, 1, Show())
    match, _ = play(match, 1, Discard(Tile.K9))
    view = public_view(match)
    assert (view.indicator, view.okey, view.dealer, view.turn, view.phase) == (
        Tile.K13, Tile.K1, 0, 2, "draw")  # fmt: skip
    assert view.discard_tops == (None, Tile.K9, None, None)
    assert view.rack_sizes == (14, 14, 14, 14)
    assert (view.stock_left, view.shown_by, view.turns, view.outcome) == (48, 1, 1, None)
    assert (view.board, view.dice) == (Board(opened=(None,) * 4, fines=(0,) * 4), ())


def test_a_deal_from_stacks_shows_its_dice_and_101_its_table() -> None:
    match = played_for_a_while(rules_of(preset="okey101"), 1, 0)
    view = public_view(match)
    assert view.dice == round_in(match).dice
    assert len(view.dice) >= 2
    assert (view.board.melds, view.board.opened) == ((), (None,) * 4)


def test_what_a_seat_sees() -> None:
    match = turn_of(match_of(rules_of(), {}), 2, rack=HOPELESS, phase="draw", stock="Y9 Y10",
                    piles={0: "R5 R6", 1: "B3 B4", 2: "K7 K8", 3: "Y2 Y3"})  # fmt: skip
    match, _ = play(match, 2, Draw())
    view = seat_view(match, 2)
    assert view.public == public_view(match)
    assert (view.seat, view.drawn) == (2, Tile.Y9)
    assert sorted(view.rack) == sorted(tiles_from_text(HOPELESS + " Y9"))
    assert view.own_pile == (Tile.K7, Tile.K8)
    assert view.left_pile == (Tile.B3, Tile.B4)
    assert seat_view(match, 0).left_pile == (Tile.Y2, Tile.Y3)
    assert seat_view(match, 3).drawn is None


def test_after_the_round_the_winning_rack_lies_open_and_no_other() -> None:
    match = match_of(rules_of(), {1: f"{WINS_IN_MELDS} Y13"})
    match, _ = play(match, 1, Finish(Tile.Y13))
    view = public_view(match)
    assert (view.turn, view.phase) == (None, "over")
    outcome = view.outcome
    assert outcome == Outcome(
        kind="win",
        winner=1,
        how=(),
        changes=(-2, 0, -2, -2),
        winning_melds=outcome.winning_melds if outcome else (),
        finishing_tile=Tile.Y13,
    )
    assert sorted(tiles_in(outcome.winning_melds)) == sorted(tiles_from_text(WINS_IN_MELDS))


def test_no_state_prints_what_is_hidden() -> None:
    match = match_of(rules_of(), {1: f"{WINS_IN_MELDS} Y13"}, stock="R7 R8")
    match, _ = play(match, 1, Discard(Tile.Y13))
    match, _ = play(match, 2, Draw())
    assert "Tile.K13" in repr(match)  # the indicator
    for shown in (repr(match), repr(seat_view(match, 1)), repr(seat_view(match, 2))):
        for hidden in ("R7", "R8", "B2", "K7"):
            assert f"Tile.{hidden}:" not in shown


# ------------------------------------------------------------------ secrecy as a law


@given(st.sampled_from(list(PRESETS)), st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 60))
def test_what_a_viewer_cannot_see_changes_nothing_that_they_see(
    preset: str, players: int, number: int, moves: int
) -> None:
    switches: dict[str, object] = {} if PRESETS[preset].get("teams") else {"players": players}
    if preset == "okey101":
        switches |= {"opening_points": 51}  # so that there is a table to look at
    match = played_for_a_while(rules_of(preset=preset, **switches), number, moves)
    assert_what_is_hidden_changes_nothing(match, random.Random(number))
