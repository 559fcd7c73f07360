"""Hints at Okey 101: the best move and its reason, by RULES 5 and by the review. K1 is the okey; seat 1 is
advised."""

import random
from dataclasses import replace

import pytest

from engine.hints import hint
from engine.hints.okey101 import Okey101Hint
from engine.match import Match, new_match, next_round, play
from engine.moves import Discard, Draw, Finish, LayMeld, LayOff, Move, Open, OpenPairs, Reclaim, Return, Take
from engine.players import choose
from engine.replay import Position
from engine.review import review
from engine.round import legal_moves
from engine.shuffle import Seed
from engine.tiles import Tile, tiles_from_text
from engine.view import seat_view
from tests.engine.laid_out import placed, round_in, rules_of
from tests.engine.test_review_okey101 import FAR, LONELY, OPENS, discard, in_turn

NEEDS_R9 = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 R1 R3 R6 Y2 Y5 Y7 B1 B8 B11 K4 K7 K9 B4"
"""46 + 46 points; with R9 they are 101."""
LATE = "Y1 Y3 Y7 Y9 B2"


def advised(match: Match, seat: int = 1) -> Okey101Hint:
    told = hint(match.rules, seat_view(match, seat), legal_moves(match.rules, round_in(match), seat))
    assert isinstance(told, Okey101Hint)
    return told


def after(match: Match, *moves: Move) -> Match:
    for move in moves:
        match, _ = play(match, 1, move)
    return match


def resampled(match: Match, seat: int, chance: random.Random) -> Match:
    """The match with everything that the seat does not see in other places."""
    round = round_in(match)
    others = [other for other in round.seats if other != seat]
    piles = [other for other in others if other != (seat - 1) % len(round.seats)]
    hidden = [
        *round.stock,
        *(tile for other in others for tile in round.racks[other]),
        *(tile for other in piles for tile in round.piles[other][:-1]),
    ]
    chance.shuffle(hidden)
    deck = iter(hidden)
    racks = tuple(
        rack if other == seat else tuple(sorted(next(deck) for _ in rack))
        for other, rack in enumerate(round.racks)
    )
    heaps = tuple(
        (*(next(deck) for _ in pile[:-1]), *pile[-1:]) if other in piles else pile
        for other, pile in enumerate(round.piles)
    )
    return replace(match, round=replace(round, racks=racks, piles=heaps, stock=tuple(deck)))


def test_before_opening_the_stock_is_better_than_a_discard_that_does_not_open() -> None:
    told = advised(in_turn(NEEDS_R9, stock=LATE, left="B6"))
    assert told == Okey101Hint(Draw(), "too_low", 92, 101)


def test_with_higher_openings_the_points_needed_rise() -> None:
    match = in_turn(NEEDS_R9, stock=LATE, left="R9", raising=True)
    board = replace(round_in(match).board, points=110)
    match = replace(match, round=replace(round_in(match), board=board))
    assert advised(match) == Okey101Hint(Draw(), "too_low", 92, 111)


def test_a_discard_that_opens_is_taken_and_used() -> None:
    match = in_turn(NEEDS_R9, stock=LATE, left="R9")
    assert advised(match) == Okey101Hint(Take(), "opens")
    told = advised(after(match, Take()))
    assert isinstance(told.move, Open)
    assert told.why == "unopened_pays"


def test_a_discard_taken_in_vain_goes_back() -> None:
    match = after(in_turn(FAR.removesuffix(" K9"), stock=LATE, left="Y10"), Take())
    assert advised(match) == Okey101Hint(Return(), "useless")
    assert advised(after(match, Return())).move == Draw()


def test_whoever_can_open_is_told_so_with_pairs_too() -> None:
    told = advised(in_turn(f"{OPENS} {LONELY}", stock=LATE))
    assert isinstance(told.move, Open)
    assert told.why == "unopened_pays"
    pairs = "R1 R1 Y4 Y4 B7 B7 K10 K10 R13 R13 R3 R6 R9 Y2 Y5 Y8 Y11 K7 B12 B13 K4 K2"
    told = advised(in_turn(pairs, stock=LATE))
    assert isinstance(told.move, OpenPairs)
    assert len(told.move.pairs) == 5


def test_before_opening_the_tile_that_the_chances_need_least_goes() -> None:
    """99 points, and K2 K3 wait for a third: neither those nor the runs are given away."""
    rack = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 K2 K3 R1 R4 R7 Y2 Y4 Y6 B1 B5 B8 B11 K6 K9"
    told = advised(in_turn(rack, stock="Y1 Y3 Y6 B6 B9 K5 K9 R8"))
    assert isinstance(told.move, Discard)
    assert told.move.tile not in tiles_from_text("R10 R11 R12 R13 Y10 Y11 Y12 Y13")
    assert told.why == "chance"
    assert told.rather is not None
    assert 0 <= told.rather_chance < told.chance <= 1


def test_the_okey_stays_for_the_end_and_what_goes_fits_no_meld() -> None:
    match = in_turn("K1 B3 B8 Y11 K6", "R4 R5 R6", stock="Y1 Y3 Y6 B6 B9 K5 K6 R2", way="melds")
    told = advised(match)
    assert isinstance(told.move, Discard)
    assert told.move.tile in tiles_from_text("B3 B8 Y11 K6")
    assert told.why == "no_penalty"


def test_without_melds_on_the_table_no_penalty_is_spoken_of() -> None:
    told = advised(in_turn("B3 B8 K12", stock="Y1 Y3 Y6 B6 B9 K5", way="melds"))
    assert told.why == "least_needed"


@pytest.mark.parametrize(("stock", "why"), [("Y1 Y3 Y6 B6 B9", "counts"), ("", "last_turn")])
def test_what_can_be_laid_is_laid_first(stock: str, why: str) -> None:
    match = in_turn("R6 B8 Y9 K12", "R3 R4 R5", stock=stock, way="melds")
    assert advised(match) == Okey101Hint(LayOff(placed("R6")[0], 0), why)  # type: ignore[arg-type]
    told = advised(in_turn("R6 R7 R8 B8 Y9 K12", stock=stock, way="melds"))
    assert isinstance(told.move, LayMeld)


def test_an_okey_is_reclaimed_if_it_can_be_used_at_once() -> None:
    match = in_turn("R6 B8 Y9", "R5 *R6 R7", stock="", way="melds", reclaim_joker=True)
    assert advised(match) == Okey101Hint(Reclaim(Tile.R6, 0), "last_turn")


@pytest.mark.parametrize("tile", ["R6", "F"])
def test_a_discard_that_reclaims_an_okey_is_taken_and_put_in_its_place(tile: str) -> None:
    stands_for = "R5 *R6 R7" if tile == "R6" else "Y1 *K1 B1"
    rack = "B8 Y9 K12"
    match = in_turn(rack, stands_for, stock=LATE, left=tile, way="melds", reclaim_joker=True)
    assert advised(match) == Okey101Hint(Take(), "lays")
    match = after(match, Take())
    assert advised(match) == Okey101Hint(Reclaim(tiles_from_text(tile)[0], 0), "counts")
    refused = in_turn(rack, stands_for, stock=LATE, left=tile, way="melds")
    assert advised(refused) == Okey101Hint(Draw(), "useless")


def test_whoever_can_finish_is_led_there_move_by_move() -> None:
    match = in_turn("R6 R7 K9", "R3 R4 R5", stock=LATE, way="melds")
    for tile in ("R6", "R7"):
        assert advised(match) == Okey101Hint(LayOff(placed(tile)[0], 0), "finishes")
        match = after(match, LayOff(placed(tile)[0], 0))
    assert advised(match).move == Finish(Tile.K9)


def test_a_last_tile_that_reclaims_an_okey_finishes_with_the_okey() -> None:
    match = in_turn("R6", "R5 *R6 R7", stock=LATE, way="melds", reclaim_joker=True)
    assert advised(match) == Okey101Hint(Reclaim(Tile.R6, 0), "finishes")
    match = after(match, Reclaim(Tile.R6, 0))
    assert advised(match) == Okey101Hint(Finish(Tile.K1))
    assert after(match, Finish(Tile.K1)).changes[1] == -202


def test_after_opening_a_discard_is_taken_if_it_can_be_laid() -> None:
    rack = "B8 Y9 K12"
    assert advised(in_turn(rack, "R3 R4 R5", stock=LATE, left="R6", way="melds")) == Okey101Hint(
        Take(), "lays"
    )
    told = advised(in_turn(rack, "R3 R4 R5", stock=LATE, left="Y2", way="melds"))
    assert told == Okey101Hint(Draw(), "useless")
    told = advised(in_turn("K9", "R3 R4 R5", stock=LATE, left="R6", way="melds"))
    assert told == Okey101Hint(Take(), "finishes")


def test_in_the_last_turn_an_opening_that_costs_more_than_none_is_not_advised() -> None:
    """Five pairs would leave eleven tiles of 113 points, which count twice: 226, not 202."""
    rack = "R1 R1 Y2 Y2 B3 B3 R4 R4 Y5 Y5 R13 Y13 B12 K12 R11 Y11 B10 K10 R9 Y9 B8 K8"
    assert isinstance(advised(in_turn(rack, stock=LATE)).move, OpenPairs)
    last = in_turn(rack, stock="")
    assert isinstance(advised(last).move, Discard)
    assert advised(last).why == "last_turn"
    cheaper = in_turn(rack.replace("R13 Y13", "R1 Y1").replace("R1 R1", "Y7 Y7"), stock="")
    assert isinstance(advised(cheaper).move, OpenPairs)


def test_of_a_discard_that_could_be_laid_in_place_of_its_twin_nobody_says_that_it_cannot() -> None:
    match = in_turn("R5 R6 R7 K12", "B3 B4 B5", stock=LATE, left="R6", way="melds")
    assert advised(match) == Okey101Hint(Draw())


def test_in_the_last_turn_the_dearest_tile_goes() -> None:
    told = advised(in_turn("B8 Y9 K12", "R3 R4 R5", stock="", way="melds"))
    assert told == Okey101Hint(discard("K12"), "last_turn")


PLAYED = {
    "okey101": {},
    "okey101-raise": {"strict": True},
    "okey101-partners": {},
    "two": {"players": 2, "openers_pay": "uncombined", "return_taken": "penalty"},
}


@pytest.mark.long
@pytest.mark.parametrize("form", PLAYED)
def test_the_review_finds_no_fault_with_whoever_follows_the_hints(form: str) -> None:
    """In every form of the game; and each hint is the same wherever the hidden tiles lie."""
    rules = rules_of(**{"preset": form if form in PLAYED and form != "two" else "okey101", **PLAYED[form]})
    match, _ = next_round(new_match(rules), Seed(bytes(64), (), "hints", 1))
    whole = [Position(0, None, match, ())]
    chance = random.Random(1)
    while (round := round_in(match)).phase != "over":
        seat, legal = round.turn, legal_moves(rules, round, round.turn)
        if seat == 0:
            told = advised(match, 0)
            assert advised(resampled(match, 0, chance), 0) == told
            move = told.move
            assert move in legal
        else:
            move = choose("steady", rules, seat_view(match, seat), legal, len(whole).to_bytes(8))
        match, events = play(match, seat, move)
        whole.append(Position(0, len(whole) - 1, match, events, (seat, move)))
    assert review(whole, 0).accuracy == 1.0
    assert review(whole, 0).costliest is None
