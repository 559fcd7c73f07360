"""RULES 3: a classic round, turn by turn."""

import pytest

from engine.errors import NotAllowed
from engine.events import Discarded, Drew, Event, Exhausted, Finished, MatchEnded, Shown, Took
from engine.match import Match, play
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.round import legal_moves
from engine.tiles import Tile, tile_from_text
from tests.engine.laid_out import (
    HOPELESS,
    WINS_IN_MELDS,
    WINS_IN_PAIRS,
    match_of,
    round_in,
    rules_of,
    turn_of,
)

# The indicator is K13 unless a test says otherwise, so K1 is the okey and F is played as K1.


def played(match: Match, *moves: tuple[int, Move]) -> tuple[Match, tuple[Event, ...]]:
    """The match after these moves, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for seat, move in moves:
        match, events = play(match, seat, move)
    return match, events


def refusal(match: Match, seat: int, move: Move) -> str:
    with pytest.raises(NotAllowed) as refused:
        play(match, seat, move)
    return refused.value.code


def fresh(**switches: object) -> Match:
    """Seat 1 starts with a hopeless rack; the stock begins R7 R8 R10 Y3."""
    return match_of(rules_of(**switches), {1: HOPELESS + " K9"}, stock="R7 R8 R10 Y3")


def test_the_starter_discards_without_drawing_and_the_next_is_on_turn() -> None:
    match = fresh()
    assert refusal(match, 1, Draw()) == "already_drawn"
    assert refusal(match, 1, Take()) == "already_drawn"
    match, events = played(match, (1, Discard(Tile.R1)))
    assert events == (Discarded(1, Tile.R1),)
    assert (round_in(match).turn, round_in(match).phase) == (2, "draw")


def test_a_turn_is_a_draw_and_a_discard() -> None:
    match, _ = played(fresh(), (1, Discard(Tile.R1)))
    assert refusal(match, 2, Discard(round_in(match).racks[2][0])) == "draw_first"
    assert refusal(match, 2, Finish(round_in(match).racks[2][0])) == "draw_first"
    match, events = played(match, (2, Draw()))
    assert events == (Drew(2),)
    assert Tile.R7 in round_in(match).racks[2]
    assert refusal(match, 2, Draw()) == "already_drawn"
    assert refusal(match, 2, Take()) == "already_drawn"
    match, events = played(match, (2, Discard(Tile.R7)))
    assert events == (Discarded(2, Tile.R7),)
    assert len(round_in(match).racks[2]) == 14


def test_the_turn_goes_round_in_order_of_the_seats() -> None:
    match, _ = played(fresh(), (1, Discard(Tile.R1)))
    for seat in (2, 3, 0, 1):
        assert round_in(match).turn == seat
        match, _ = played(match, (seat, Draw()), (seat, Discard(round_in(match).stock[0])))


def test_only_the_seat_on_turn_moves() -> None:
    match = fresh()
    for seat in (0, 2, 3):
        for move in (Draw(), Take(), Discard(Tile.R1), Finish(Tile.R1)):
            assert refusal(match, seat, move) == "not_your_turn"
    assert refusal(match, 4, Draw()) == "not_playing"
    assert refusal(match, -1, Draw()) == "not_playing"


def test_what_is_not_on_the_rack_is_not_discarded() -> None:
    assert refusal(fresh(), 1, Discard(Tile.R2)) == "not_on_rack"
    assert refusal(fresh(), 1, Finish(Tile.R2)) == "not_on_rack"


def test_the_previous_players_last_discard_can_be_taken() -> None:
    match, _ = played(fresh(), (1, Discard(Tile.K9)))
    taken, events = played(match, (2, Take()))
    assert events == (Took(2, 1, Tile.K9),)
    assert round_in(taken).piles[1] == ()
    assert Tile.K9 in round_in(taken).racks[2]
    assert round_in(taken).stock == round_in(match).stock
    assert played(match, (2, Take(1))) == (taken, events)


def test_from_the_left_only() -> None:
    match, _ = played(fresh(), (1, Discard(Tile.K9)), (2, Draw()), (2, Discard(Tile.R7)))
    assert refusal(match, 3, Take(1)) == "nothing_to_take"
    assert refusal(match, 3, Take(3)) == "nothing_to_take"
    assert refusal(match, 3, Take(0)) == "nothing_to_take"
    assert refusal(match, 3, Take(9)) == "nothing_to_take"
    assert legal_moves(match.rules, round_in(match), 3) == (Draw(), Take())


def test_any_pile_but_ones_own() -> None:
    match, _ = played(
        fresh(discard_sources="any", show="off"),
        (1, Discard(Tile.K9)),
        (2, Draw()),
        (2, Discard(Tile.R7)),
        (3, Draw()),
        (3, Discard(Tile.R8)),
    )
    assert legal_moves(match.rules, round_in(match), 0) == (Draw(), Take(1), Take(2), Take(3))
    _, events = played(match, (0, Take()))
    assert events == (Took(0, 3, Tile.R8),)
    match, events = played(match, (0, Take(1)))
    assert events == (Took(0, 1, Tile.K9),)
    assert refusal(match, 0, Discard(Tile.K9)) == "rethrow"
    match, _ = played(match, (0, Discard(round_in(match).racks[0][0])))
    assert refusal(match, 1, Take(1)) == "nothing_to_take"
    assert legal_moves(match.rules, round_in(match), 1) == (Draw(), Take(0), Take(2), Take(3))


@pytest.mark.parametrize("twin", [True, False])
def test_a_taken_tile_is_not_thrown_back_in_the_same_turn(twin: bool) -> None:
    """Nor is its twin: they are indistinguishable, and the round would not have progressed."""
    match = turn_of(fresh(), 2, rack=HOPELESS.replace("K6", "K9" if twin else "K6"), phase="draw",
                    piles={1: "K9"})  # fmt: skip
    match, _ = played(match, (2, Take()))
    assert refusal(match, 2, Discard(Tile.K9)) == "rethrow"
    assert refusal(match, 2, Finish(Tile.K9)) == "rethrow"
    assert Discard(Tile.K9) not in legal_moves(match.rules, round_in(match), 2)
    match, _ = played(match, (2, Discard(Tile.R1)), (3, Draw()), (3, Discard(Tile.R7)))


def test_a_taken_tile_may_be_thrown_back_where_the_switch_says_so() -> None:
    match = turn_of(fresh(rethrow=True), 2, rack=HOPELESS, phase="draw", piles={1: "K9"})
    match, events = played(match, (2, Take()), (2, Discard(Tile.K9)))
    assert events == (Discarded(2, Tile.K9),)


def test_a_drawn_tile_may_be_discarded_at_once() -> None:
    _, events = played(fresh(), (1, Discard(Tile.R1)), (2, Draw()), (2, Discard(Tile.R7)))
    assert events == (Discarded(2, Tile.R7),)


def test_a_taken_tile_may_be_thrown_in_the_next_turn() -> None:
    match = turn_of(fresh(players=2), 0, rack=HOPELESS, phase="draw", piles={1: "K9"}, stock="Y2 Y3 Y4 Y7")
    match, _ = played(match, (0, Take()), (0, Discard(Tile.R1)), (1, Draw()), (1, Discard(Tile.Y2)),
                      (0, Draw()), (0, Discard(Tile.K9)))  # fmt: skip
    assert round_in(match).piles[0][-1] == Tile.K9


# ------------------------------------------------------------------ finishing


@pytest.mark.parametrize(
    ("rack", "discard", "how"),
    [
        (WINS_IN_MELDS, "Y13", ()),
        (WINS_IN_PAIRS, "Y13", ("pairs",)),
        (WINS_IN_MELDS, "K1", ("joker",)),
        (WINS_IN_PAIRS, "K1", ("joker", "pairs")),
        # 12-13-1 is a run, 1 after 13
        ("R12 R13 R1 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", "Y13", ()),
        # K1 is the okey: it stands for R2, or for its own face
        ("R1 K1 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", "Y13", ()),
        ("R5 R6 R7 Y1 Y2 Y3 B1 B2 B3 B4 B5 K1 K2 K3", "Y13", ()),
        # a false joker is K1
        ("R5 R6 R7 Y1 Y2 Y3 B1 B2 B3 B4 B5 F K2 K3", "Y13", ()),
        ("R1 Y1 B1 F R5 R6 R7 B2 B3 B4 K9 K10 K11 K12", "Y13", ()),
        # two false jokers are a pair; an okey pairs with anything; two okeys are a pair
        ("F F R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12", "Y13", ("pairs",)),
        ("R1 K1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12", "Y13", ("pairs",)),
        ("K1 K1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12", "Y13", ("pairs",)),
    ],
)
def test_fourteen_that_win(rack: str, discard: str, how: tuple[str, ...]) -> None:
    match = turn_of(fresh(), 2, rack=f"{rack} {discard}")
    tile = tile_from_text(discard)
    assert Finish(tile) in legal_moves(match.rules, round_in(match), 2)
    match, events = played(match, (2, Finish(tile)))
    assert events == (Finished(2, tile),)
    ending = round_in(match).ending
    assert ending is not None
    assert (ending.kind, ending.winner, ending.how, ending.tile) == ("win", 2, how, tile)
    assert sorted(tile for meld in ending.melds for tile in meld) == list(round_in(match).racks[2])


@pytest.mark.parametrize(
    ("rack", "switches"),
    [
        # 13-1-2 is no run
        ("R13 R1 R2 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", {}),
        ("R12 R13 R1 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", {"one_after_thirteen": False}),
        # a set has no colour twice
        ("R7 Y7 B7 B7 R1 R2 R3 K2 K3 K4 B10 B11 B12 B13", {}),
        # a false joker is the okey's face and nothing else
        ("R1 F R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11", {}),
        ("R1 F R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12", {}),
        # one tile is left over; two melds of two
        ("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 Y13", {}),
        ("R1 R2 Y1 Y2 Y3 B1 B2 B3 K5 K6 K7 K8 K9 K10", {}),
        # six pairs
        ("R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K11", {}),
        (WINS_IN_PAIRS, {"pairs_win": False}),
    ],
)
def test_a_wrong_claim_is_refused_and_changes_nothing(rack: str, switches: dict[str, object]) -> None:
    match = turn_of(fresh(**switches), 2, rack=f"{rack} Y13")
    before = round_in(match)
    assert refusal(match, 2, Finish(Tile.Y13)) == "no_win"
    assert round_in(match) is before
    assert not [move for move in legal_moves(match.rules, before, 2) if isinstance(move, Finish)]


def test_nobody_must_finish() -> None:
    match = turn_of(fresh(), 2, rack=f"{WINS_IN_MELDS} Y13")
    match, events = played(match, (2, Discard(Tile.Y13)))
    assert events == (Discarded(2, Tile.Y13),)
    assert round_in(match).turn == 3


def test_the_starter_may_finish_on_their_first_discard() -> None:
    match = match_of(rules_of(), {1: f"{WINS_IN_MELDS} Y13"})
    match, events = played(match, (1, Finish(Tile.Y13)))
    assert events == (Finished(1, Tile.Y13),)
    assert match.scores == (18, 20, 18, 18)


def test_a_taken_tile_can_win_the_round() -> None:
    match = turn_of(fresh(), 2, rack=WINS_IN_MELDS.replace("Y2", "Y13"), phase="draw", piles={1: "Y2"})
    match, _ = played(match, (2, Take()), (2, Finish(Tile.Y13)))
    assert match.scores == (18, 18, 20, 18)


def test_false_jokers_are_wild_when_one_lies_open() -> None:
    rules = rules_of(false_joker_indicator="false_jokers_wild")
    match = turn_of(match_of(rules, {}, indicator="F"), 2,
                    rack="R1 F R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11 K1")  # fmt: skip
    assert played(match, (2, Finish(Tile.K1)))[0].scores == (18, 18, 20, 18)
    match = turn_of(match, 2, rack=WINS_IN_MELDS + " F")
    assert played(match, (2, Finish(Tile.F)))[0].scores == (16, 16, 20, 16)


def test_after_the_round_nobody_moves() -> None:
    match = match_of(rules_of(), {1: f"{WINS_IN_MELDS} Y13"})
    match, _ = played(match, (1, Finish(Tile.Y13)))
    for seat in range(4):
        assert legal_moves(match.rules, round_in(match), seat) == ()
        assert refusal(match, seat, Draw()) == "round_over"
        assert refusal(match, seat, Show()) == "round_over"


# ------------------------------------------------------------------ showing


def with_twin(seat: int, **switches: object) -> Match:
    """Seat 1 starts; `seat` holds K13, the indicator's twin."""
    racks = {1: HOPELESS + " K9", seat: HOPELESS.replace("K6", "K13") + (" K9" if seat == 1 else "")}
    return match_of(rules_of(**switches), racks, stock="R7 R8 R10 Y3 Y4")


def test_the_twin_is_shown_once_and_costs_the_others_a_point_at_once() -> None:
    match, events = played(with_twin(1), (1, Show()))
    assert events == (Shown(1),)
    assert match.scores == (19, 20, 19, 19)
    assert round_in(match).shown_by == 1
    assert refusal(match, 1, Show()) == "already_shown"
    assert round_in(match).turn == 1


def test_the_starter_shows_before_their_first_discard() -> None:
    match, _ = played(with_twin(1), (1, Discard(Tile.R1)))
    assert refusal(match, 1, Show()) == "too_late_to_show"


def test_the_others_show_before_their_first_draw() -> None:
    start = with_twin(2)
    match, _ = played(start, (1, Discard(Tile.R1)))
    assert Show() in legal_moves(match.rules, round_in(match), 2)
    assert played(match, (2, Show()))[0].scores == (19, 19, 20, 19)
    for drawn in (Draw(), Take()):
        late, _ = played(match, (2, drawn))
        assert refusal(late, 2, Show()) == "too_late_to_show"
        assert Show() not in legal_moves(match.rules, round_in(late), 2)


def test_he_need_not_be_on_turn() -> None:
    match = with_twin(0)
    assert legal_moves(match.rules, round_in(match), 0) == (Show(),)
    match, _ = played(match, (1, Discard(Tile.R1)), (2, Draw()), (0, Show()))
    assert match.scores == (20, 19, 19, 19)
    assert round_in(match).turn == 2


def test_who_does_not_hold_the_twin_cannot_show() -> None:
    match = with_twin(2)
    for seat in (0, 1, 3):
        assert refusal(match, seat, Show()) == "not_twin"


def test_an_okey_or_a_false_joker_is_no_twin() -> None:
    match = match_of(rules_of(), {1: HOPELESS.replace("K6", "K1") + " F"}, stock="K13")
    assert refusal(match, 1, Show()) == "not_twin"
    wild = rules_of(false_joker_indicator="false_jokers_wild")
    match = match_of(wild, {1: HOPELESS + " F"}, indicator="F")
    for seat in range(4):
        assert refusal(match, seat, Show()) == "not_twin"


@pytest.mark.parametrize("show", ["automatic", "off"])
def test_nothing_is_shown_by_hand_where_the_switch_says_so(show: str) -> None:
    match = with_twin(1, show=show)
    assert refusal(match, 1, Show()) == "no_showing"
    assert Show() not in legal_moves(match.rules, round_in(match), 1)


@pytest.mark.parametrize(("twin", "changes"), [
    (1, (30, 0, 30, 30)), (2, (30, 10, 20, 30)), (None, (20, 0, 20, 20)),
])  # fmt: skip
def test_who_was_dealt_the_twin_scores_it_at_the_end_whoever_wins(
    twin: int | None, changes: tuple[int, ...]
) -> None:
    """RULES 4, `penalty`: a win costs the others 20, a shown indicator 10."""
    rules = rules_of(preset="turkish-rummy")
    racks = {1: f"{WINS_IN_MELDS} Y13"}
    if twin == 1:
        racks = {1: f"{WINS_IN_MELDS} K13"}
    elif twin == 2:
        racks[2] = "K13 " + " ".join(HOPELESS.split()[:13]).replace("R1 ", "R5 ").replace("Y1 ", "Y4 ")
        racks[2] = racks[2].replace("B2", "B6")
    stock = "K13" if twin is None else ""
    match = match_of(rules, racks, stock=stock)
    assert match.scores == (0, 0, 0, 0)
    match, events = played(match, (1, Finish(Tile.K13 if twin == 1 else Tile.Y13)))
    assert match.scores == changes == match.changes
    assert [event for event in events if isinstance(event, Shown)] == ([] if twin is None else [Shown(twin)])


# ------------------------------------------------------------------ exhausted


def last_discard(rack_of_next: str, discard: str, **switches: object) -> tuple[Match, tuple[Event, ...]]:
    """Seat 1 draws the last tile and discards; the result."""
    match = turn_of(fresh(**switches), 2, rack=rack_of_next, phase="draw", stock="")
    match = turn_of(match, 1, rack=f"{HOPELESS} {discard}", stock="", piles={0: "R8", 2: "R10", 3: "Y3"})
    return played(match, (1, Discard(tile_from_text(discard))))


def test_the_round_is_exhausted_when_the_stock_is_empty() -> None:
    match, events = last_discard(HOPELESS, "K9")
    assert events == (Discarded(1, Tile.K9), Exhausted())
    assert match.scores == (20, 20, 20, 20)
    ending = round_in(match).ending
    assert ending is not None
    assert (ending.kind, ending.winner) == ("exhausted", None)


def test_the_next_player_may_still_finish_with_the_last_discard() -> None:
    match, events = last_discard(WINS_IN_MELDS.replace("Y2", "Y13"), "Y2")
    assert events == (Discarded(1, Tile.Y2),)
    assert legal_moves(match.rules, round_in(match), 2) == (Take(),)
    assert refusal(match, 2, Draw()) == "stock_empty"
    match, _ = played(match, (2, Take()), (2, Finish(Tile.Y13)))
    assert match.scores == (18, 18, 20, 18)


def test_without_a_last_take_the_round_ends_with_the_stock() -> None:
    """RULES 8, `last_take`: the next player could finish with the discard, and may not take it."""
    match, events = last_discard(WINS_IN_MELDS.replace("Y2", "Y13"), "Y2", last_take=False)
    assert events == (Discarded(1, Tile.Y2), Exhausted())
    assert match.scores == (20, 20, 20, 20)


def test_without_a_last_take_discards_are_taken_while_there_is_a_stock() -> None:
    match = turn_of(fresh(last_take=False), 2, rack=HOPELESS, phase="draw", stock="K1")
    match = turn_of(match, 1, rack=f"{HOPELESS} K9", stock="K1")
    match, events = played(match, (1, Discard(Tile.K9)))
    assert events == (Discarded(1, Tile.K9),)
    assert legal_moves(match.rules, round_in(match), 2) == (Draw(), Take())


def test_he_may_not_finish_by_throwing_it_back() -> None:
    """They already hold fourteen that win, and only the taken tile would be left over."""
    _, events = last_discard(WINS_IN_MELDS, "K9")
    assert events[-1] == Exhausted()
    _, events = last_discard(WINS_IN_MELDS, "K9", rethrow=True)
    assert events == (Discarded(1, Tile.K9),)


def test_only_discards_that_they_may_take_count() -> None:
    rack = WINS_IN_MELDS.replace("Y3", "Y13")  # Y3 lies on seat 3's pile
    assert last_discard(rack, "K9")[1][-1] == Exhausted()
    match, events = last_discard(rack, "K9", discard_sources="any")
    assert events == (Discarded(1, Tile.K9),)
    match, _ = played(match, (2, Take(3)), (2, Finish(Tile.Y13)))
    assert match.scores == (18, 18, 20, 18)


def test_who_could_finish_and_does_not_exhausts_the_round() -> None:
    match, _ = last_discard(WINS_IN_MELDS.replace("Y2", "Y13"), "Y2")
    match, events = played(match, (2, Take()), (2, Discard(Tile.K11)))
    assert events[-1] == Exhausted()


def test_a_round_has_at_most_400_turns() -> None:
    match = turn_of(fresh(), 2, rack=HOPELESS + " K9", turns=398)
    match, events = played(match, (2, Discard(Tile.K9)))
    assert events == (Discarded(2, Tile.K9),)
    match = turn_of(match, 3, rack=HOPELESS + " K9", turns=399)
    match, events = played(match, (3, Discard(Tile.K9)))
    assert events == (Discarded(3, Tile.K9), Exhausted())
    match = turn_of(fresh(), 2, rack=WINS_IN_MELDS + " K2", turns=399)
    assert played(match, (2, Finish(Tile.K2)))[0].scores == (18, 18, 20, 18)


def test_the_indicator_is_the_very_last_tile_where_the_switch_says_so() -> None:
    plain, last = (
        round_in(match_of(rules_of(), {})),
        round_in(match_of(rules_of(indicator_last_draw=True), {})),
    )
    assert last.stock == (*plain.stock, Tile.K13)
    assert len(last.stock) == 49


def test_a_match_that_is_over_takes_no_move() -> None:
    match = match_of(rules_of(), {1: f"{WINS_IN_MELDS} Y13"}, scores=(2, 5, 5, 5))
    match, events = played(match, (1, Finish(Tile.Y13)))
    assert events[-1] == MatchEnded((1, 2, 3))
    assert refusal(match, 1, Draw()) == "match_over"
