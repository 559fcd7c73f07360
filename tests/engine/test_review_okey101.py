"""Reviews of Okey 101: what a choice cost, from RULES 5 and counted by hand. The indicator is K13: K1 is the
okey. Seat 1 is judged."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb

import pytest

from engine.match import Match, new_match, next_round, play
from engine.melds import Way
from engine.moves import Discard, Draw, Finish, LayMeld, LayOff, Move, Open, OpenPairs, Take
from engine.players import choose
from engine.players.outlook import OpeningChances
from engine.replay import Position
from engine.review import Review, okey101, review
from engine.review.decision import Decision
from engine.round import legal_moves
from engine.shuffle import Seed
from engine.tiles import FULL_SET, Tile, tile_from_text, tiles_from_text
from engine.view import seat_view
from tests.engine.laid_out import match_of, on_table, placed, round_in, rules_of, turn_of
from tests.engine.slow_search import slow_opening, slow_pairs

OPENS = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 B3 B4 B5"
"""46 + 46 + 12 = 104 points."""
LONELY = "R1 R3 R6 Y2 Y5 Y8 B1 B8 B11 K4 K7"
"""Eleven tiles that make no set, run or pair, with each other or with those: 56 points."""
FAR = "R1 R3 R6 R9 Y2 Y5 Y8 Y11 B1 B4 B7 B10 K2 K5 K8 K11 R12 Y13 B13 K13 K3 K9"
"""Far from opening: neither a set nor a run, and no pair."""


def in_turn(
    rack: str,
    *melds: str,
    stock: str | None = None,
    left: str = "",
    way: Way | None = None,
    **switches: object,
) -> Match:
    """Seat 1 with these tiles, before drawing if a tile lies on its left, and with melds on the table."""
    match = match_of(rules_of(preset="okey101", **switches), {}, indicator="K13")
    match = turn_of(match, 1, rack=rack, phase="draw" if left else "discard", piles={0: left}, stock=stock)
    return on_table(match, *melds, opened={0: "melds"} | ({1: way} if way else {}))


def played(match: Match, *moves: tuple[int, Move]) -> tuple[Position, ...]:
    """The match from here on, with these moves of seats."""
    positions = [Position(0, None, match, ())]
    for number, (seat, move) in enumerate(moves):
        match, events = play(match, seat, move)
        positions.append(Position(0, number, match, events, (seat, move)))
    return tuple(positions)


def reviewed(match: Match, move: Move) -> Review:
    """The review of seat 1 after it has made this move."""
    return review(played(match, (1, move)), 1)


def only(done: Review) -> Decision:
    (decision,) = done.decisions
    return decision


def points(decision: Decision) -> float:
    return round(101 * decision.cost, 6)


def discard(tile: str) -> Discard:
    return Discard(tile_from_text(tile))


def test_an_opening_missed_in_the_last_turn_costs_what_opening_would_have_saved() -> None:
    """Unopened 202; opened, 56 points are left, 11 of them on the tile discarded last. The okeys' place on
    the table does not matter: nothing fits there."""
    done = reviewed(in_turn(f"{OPENS} {LONELY}", stock=""), discard("K4"))
    missed = only(done)
    assert isinstance(missed.best, Open)
    assert done.unopened == missed
    assert points(missed) == 202 - (56 - 11)


def test_an_opening_with_pairs_is_missed_too_and_its_rest_counts_twice() -> None:
    """Five pairs, and twelve other tiles, of which the dearest, B13, may go."""
    pairs = "R1 R1 Y4 Y4 B7 B7 K10 K10 R13 R13"
    done = reviewed(in_turn(f"{pairs} R3 R6 R9 Y2 Y5 Y8 Y11 K7 B12 B13 K4 K2", stock=""), discard("K4"))
    assert isinstance(only(done).best, OpenPairs)
    left = 3 + 6 + 9 + 2 + 5 + 8 + 11 + 7 + 12 + 4 + 2
    assert points(only(done)) == 202 - 2 * left


def test_an_opening_missed_early_costs_little_and_late_more() -> None:
    costs = []
    for stock in ("Y1 Y3 Y6 B6 B9 K5 K9 K12 R8 R5 Y7 Y9 B10 B12 K8 K11", "Y1 Y3"):
        done = reviewed(in_turn(f"{OPENS} {LONELY}", stock=stock), discard("K4"))
        assert isinstance(only(done).best, Open)
        costs.append(points(only(done)))
    assert 0 < costs[0] < costs[1] < 202


def test_a_missed_finish_costs_the_win_and_the_tiles_kept() -> None:
    """R6 and R7 fit on the table: K9 would have finished for −101; instead 13 points are left."""
    done = reviewed(in_turn("R6 R7 K9", "R3 R4 R5", stock="", way="melds"), discard("K9"))
    assert done.missed == only(done)
    assert only(done).best == Finish(Tile.K9)
    assert points(only(done)) == 101 + 13


def test_a_finish_that_an_okey_ends_counts_twice() -> None:
    """The okey K1 as last tile: −202. Left are R6 and R7, and 101 for the okey, which is then not counted."""
    done = reviewed(in_turn("R6 R7 K1 Y2", "R3 R4 R5", "Y3 Y4 Y5", stock="", way="melds"), discard("Y2"))
    assert only(done).best == Finish(Tile.K1)
    assert points(only(done)) == 202 + 13 + 101 + 101


def test_a_discard_that_fits_the_table_costs_a_penalty() -> None:
    """Any of the others is as useless in the last turn, so it is 101 points and no more."""
    done = reviewed(in_turn(FAR.replace("K9", "R7"), "R4 R5 R6", "Y3 Y4 Y5", stock=""), discard("R7"))
    assert points(only(done)) == 101
    assert only(done).best != discard("R7")
    assert not only(done).kept


def test_an_okey_let_go_costs_a_penalty() -> None:
    done = reviewed(in_turn(FAR.replace("K9", "K1"), stock=""), discard("K1"))
    assert points(only(done)) == 101


def test_without_the_penalty_it_costs_nothing() -> None:
    match = in_turn(FAR.replace("K9", "K1"), stock="", penalties=[])
    assert reviewed(match, discard("K1")).decisions == ()


@pytest.mark.parametrize(("way", "times"), [("melds", 1), ("pairs", 2)])
def test_a_tile_that_could_be_laid_off_costs_its_points_in_the_last_turn(way: Way, times: int) -> None:
    """K12 goes, and R6 stays on the rack; a pairs opener pays twice."""
    done = reviewed(in_turn("R6 B8 Y9 K12", "R3 R4 R5", stock="", way=way), discard("K12"))
    assert only(done).best == LayOff(placed("R6")[0], 0)
    assert points(only(done)) == 6 * times


def test_a_meld_that_could_be_laid_costs_its_points_in_the_last_turn() -> None:
    done = reviewed(in_turn("R6 R7 R8 B8 Y9 K12", stock="", way="melds"), discard("K12"))
    assert isinstance(only(done).best, LayMeld)
    assert points(only(done)) == 21


def test_a_tile_kept_is_a_small_risk_while_the_round_goes_on_and_a_great_one_near_its_end() -> None:
    """Never more than its points; nothing is said of which other tile to keep."""
    rack, tiles = "R6 B8 Y9 K12", "Y1 Y3 Y6 B6 B9 K5 K9 R8 R10"
    early, late = (
        only(reviewed(in_turn(rack, "R3 R4 R5", stock=stock, way="melds"), discard("B8")))
        for stock in (tiles, "Y1 Y3")
    )
    assert 0 < points(early) < points(late) < 6
    laid = in_turn("B8 Y9 K12", "R3 R4 R5", stock=tiles, way="melds")
    assert reviewed(laid, discard("B8")).decisions == ()


def test_the_last_turn_lets_the_dearest_tile_go() -> None:
    done = reviewed(in_turn("B8 Y9 K12", stock="", way="melds"), discard("B8"))
    assert only(done).best == discard("K12")
    assert points(only(done)) == 4


@pytest.mark.long
def test_the_chance_to_open_is_as_a_slow_count_of_all_draws_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """90 points are there: with two draws to come the rest must bring 11. All pairs of unseen tiles are
    tried; of a hundred tries the sample may miss a few. Without a compiler a review takes fewer."""
    monkeypatch.setattr(okey101, "_TRIES", 80)
    rack = "R11 R12 R13 B11 B12 B13 K5 K6 K7 R1 R4 R7 Y2 Y4 Y6 Y8 B2 B5 B8 K10 K12 Y13"
    match = in_turn(rack, stock="Y1 Y3 Y7 B6")
    judged = only(reviewed(match, discard("Y2")))
    rest = list(tiles_from_text(rack))
    rest.remove(Tile.Y2)
    unseen = Counter(FULL_SET) - Counter([*tiles_from_text(rack), Tile.K13])
    assert sum(unseen.values()) == 106 - 23

    def opens(*drawn: Tile) -> bool:
        tiles = [*rest, *drawn]
        return slow_opening(Tile.K1, tiles) >= 101 or slow_pairs(Tile.K1, tiles) >= 5

    alone = {tile for tile in unseen if opens(tile)}
    others = Counter({tile: count for tile, count in unseen.items() if tile not in alone})
    together = sum(
        others[one] * others[other] for one, other in combinations(others, 2) if opens(one, other)
    ) + sum(comb(count, 2) for tile, count in others.items() if opens(tile, tile))
    live = sum(unseen[tile] for tile in alone)
    every = comb(sum(unseen.values()), 2)
    exact = (every - comb(sum(unseen.values()) - live, 2) + together) / every
    assert isinstance(judged.outlook, OpeningChances)
    assert judged.outlook.melds + judged.outlook.pairs == pytest.approx(exact, abs=0.12)


def test_a_tile_that_the_opening_needs_is_missed() -> None:
    """99 points: without the R13 at most 86 are left."""
    rack = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 K2 K3 R1 R4 R7 Y2 Y4 Y6 B1 B5 B8 B11 K6 K9"
    tiles = "Y1 Y3 Y6 B6 B9 K5 K9 R8"
    match = in_turn(rack, stock=tiles)
    done = only(reviewed(match, discard("R13")))
    assert points(done) > 20
    assert isinstance(done.outlook, OpeningChances)
    assert isinstance(done.best_outlook, OpeningChances)
    assert done.best_outlook.melds > done.outlook.melds


def test_a_discard_with_which_one_could_open_is_to_be_taken() -> None:
    """92 points on the rack; with R9 they are 101."""
    rack = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 R1 R3 R6 Y2 Y5 Y7 B1 B8 B11 K4 K7 K9 B4"
    match = in_turn(rack, stock="Y3 Y6 B6 B9", left="R9")
    done = only(reviewed(match, Draw()))
    assert done.best == Take()
    assert isinstance(done.outlook, OpeningChances)
    assert points(done) == pytest.approx(202 * (1 - done.outlook.melds - 0.6 * done.outlook.pairs))
    assert only(reviewed(match, Take())).cost == 0


def test_a_discard_that_cannot_be_used_is_no_choice() -> None:
    assert reviewed(in_turn(FAR.removesuffix(" K9"), stock="Y3 Y6", left="Y10"), Draw()).decisions == ()


def test_a_take_that_finishes_is_to_be_made() -> None:
    """One tile left: the R6 is laid off, and K9 finishes."""
    done = reviewed(in_turn("K9", "R3 R4 R5", stock="Y1 Y3 Y7 Y9 B2", left="R6", way="melds"), Draw())
    assert only(done).best == Take()
    assert points(only(done)) > 50


@pytest.mark.parametrize("stock", ["Y1 Y3 Y7 Y9 B2 B10 K3 K6", ""])
@pytest.mark.parametrize("teams", [False, True])
def test_what_the_others_hold_changes_no_judgement(stock: str, teams: bool) -> None:
    """Only what the seat could see counts: the same with every hidden tile in another place, the partner's
    too."""
    match = in_turn(f"{OPENS} {LONELY}".replace("Y2", "K2"), stock=stock, teams=teams)
    round, chance = round_in(match), random.Random(1)
    hidden = [tile for seat in (0, 2, 3) for tile in round.racks[seat]] + list(round.stock)
    chance.shuffle(hidden)
    racks = list(round.racks)
    for seat in (0, 2, 3):
        racks[seat], hidden = tuple(sorted(hidden[: len(racks[seat])])), hidden[len(racks[seat]) :]
    other = replace(match, round=replace(round, racks=tuple(racks), stock=tuple(hidden)))
    made = discard("R13")
    assert reviewed(match, made).decisions == reviewed(other, made).decisions != ()


def test_a_win_is_fed_by_the_discard_that_the_winner_took_and_laid() -> None:
    match = in_turn("R6 Y2 Y9", "R3 R4 R5", stock="Y1 Y3 Y7 Y9", way="melds")
    round = round_in(match)
    racks = (*round.racks[:2], (Tile.K9,), round.racks[3])
    board = replace(round.board, opened=("melds", "melds", "melds", None))
    match = replace(match, round=replace(round, racks=racks, board=board))
    lays = LayOff(placed("R6")[0], 0)
    whole = played(match, (1, discard("R6")), (2, Take()), (2, lays), (2, Finish(Tile.K9)))
    fed = review(whole, 1).fed
    assert fed is not None
    assert fed.made == discard("R6")
    assert review(whole, 2).fed is None


def test_luck_is_counted_in_points_to_open_with() -> None:
    """Y4 makes B4 K4 Y4 of 12 points out of nothing; the draw's luck is that less the mean of all draws."""
    rack = "R1 R3 R6 R9 R12 Y1 Y7 Y10 Y13 B4 B7 B10 B13 B2 K4 K7 K2 K10 K12 K8 R11"
    match = in_turn(rack, left="Y5", stock="Y4 Y3")
    tiles = tiles_from_text(rack)
    unseen = Counter(FULL_SET) - Counter([*tiles, Tile.K13, Tile.Y5])
    expected = sum(count * slow_opening(Tile.K1, (*tiles, tile)) for tile, count in unseen.items())
    luck = reviewed(match, Draw()).luck_of_draws
    assert luck == pytest.approx(slow_opening(Tile.K1, (*tiles, Tile.Y4)) - expected / sum(unseen.values()))
    assert luck > 0


def test_random_play_gives_much_away_and_steady_play_little() -> None:
    accuracy = {}
    for level in ("steady", "random"):
        match, _ = next_round(new_match(rules_of(preset="okey101")), Seed(bytes(64), (), "review", 1))
        whole = [Position(0, None, match, ())]
        while (round := round_in(match)).phase != "over":
            seat, legal = round.turn, legal_moves(match.rules, round, round.turn)
            seed = len(whole).to_bytes(8)
            view = seat_view(match, seat)
            move = choose(level if seat == 0 else "steady", match.rules, view, legal, seed)  # type: ignore[arg-type]
            match, events = play(match, seat, move)
            whole.append(Position(0, len(whole) - 1, match, events, (seat, move)))
        accuracy[level] = review(whole, 0).accuracy
    assert accuracy["steady"] > 0.9 > accuracy["random"]
