"""RULES 5: a round of Okey 101, move by move."""

from dataclasses import replace

import pytest

from engine.errors import NotAllowed
from engine.events import (
    Cancelled,
    Discarded,
    Drew,
    Event,
    Exhausted,
    Fined,
    Finished,
    LaidOff,
    MeldLaid,
    Opened,
    Reclaimed,
    Returned,
    Took,
    TookBack,
)
from engine.match import Match, next_dealer, play
from engine.melds import Placed, Way, words_of
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
from engine.round import legal_moves
from engine.tiles import Tile, tiles_from_text
from engine.view import public_view
from tests.engine.laid_out import match_of, on_table, placed, round_in, rules_of, turn_of

# The indicator is R4: R5 is the okey, and a false joker is played as R5. The dealer, seat 0, starts.


def table(**switches: object) -> Match:
    return match_of(rules_of(preset="okey101", **switches), {}, indicator="R4")


def on_turn(rack: str, **switches: object) -> Match:
    """Seat 1 holds these tiles and is to discard; nobody has opened."""
    return turn_of(table(**switches), 1, rack=rack)


def after_take(rack: str, tile: str, **switches: object) -> Match:
    """Seat 1 has just taken `tile` from seat 0's pile."""
    match = turn_of(table(**switches), 1, rack=rack, phase="draw", piles={0: f"K2 {tile}"})
    return play(match, 1, Take())[0]


def played(match: Match, *moves: tuple[int, Move]) -> tuple[Match, tuple[Event, ...]]:
    events: tuple[Event, ...] = ()
    for seat, move in moves:
        match, events = play(match, seat, move)
    return match, events


def refusal(match: Match, move: Move, seat: int = 1) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(NotAllowed) as refused:
        play(match, seat, move)
    return refused.value.code, refused.value.parameters


def code(match: Match, move: Move, seat: int = 1) -> str:
    return refusal(match, move, seat)[0]


def opening(*melds: str) -> Open:
    return Open(tuple(placed(meld) for meld in melds))


def pairs(*named: str) -> OpenPairs:
    return OpenPairs(tuple(placed(pair) for pair in named))


def on_rack(melds: tuple[str, ...]) -> str:
    """The tiles with which these melds are laid: R5 where an okey stands for a tile."""
    return " ".join("R5" if word.startswith("*") else word for word in " ".join(melds).split())


def words(match: Match) -> list[str]:
    board = round_in(match).board
    return [" ".join(words_of(laid.meld, round_in(match).okey)) for laid in board.melds]


def rack(match: Match, seat: int = 1) -> list[Tile]:
    return list(round_in(match).racks[seat])


def fines(match: Match) -> tuple[int, ...]:
    board = round_in(match).board
    return board.fines


# ------------------------------------------------------------------ turns


def test_the_starter_has_22_tiles_and_discards_without_drawing() -> None:
    match = table()
    assert [len(each) for each in round_in(match).racks] == [22, 21, 21, 21]
    assert code(match, Draw(), 0) == "already_drawn"
    match, events = played(match, (0, Discard(rack(match, 0)[0])))
    assert isinstance(events[0], Discarded)
    assert (round_in(match).turn, round_in(match).phase) == (1, "draw")


def test_a_turn_is_a_draw_or_a_taken_discard_and_a_discard() -> None:
    match = turn_of(table(), 1, rack="R1 R9", phase="draw", stock="B3 B4")
    for move in (Discard(Tile.R1), Return(), opening("R1 R2 R3"), TakeBack(1), Finish(Tile.R1)):
        assert code(match, move) == "draw_first"
    match, events = played(match, (1, Draw()))
    assert events == (Drew(1),)
    assert code(match, Draw()) == "already_drawn"
    assert code(match, Take()) == "already_drawn"
    assert code(match, Draw(), 2) == "not_your_turn"
    assert code(match, Show()) == "no_showing"


def test_only_the_previous_players_discard_can_be_taken() -> None:
    match = turn_of(table(), 1, rack="R1 R9", phase="draw", piles={2: "B3"})
    assert code(match, Take()) == "nothing_to_take"
    assert code(match, Take(2)) == "nothing_to_take"
    match = turn_of(table(), 1, rack="R1 R9", phase="draw", piles={0: "B3"})
    assert played(match, (1, Take()))[1] == (Took(1, 0, Tile.B3),)
    assert played(match, (1, Take(0)))[1] == (Took(1, 0, Tile.B3),)


# ------------------------------------------------------------------ opening


@pytest.mark.parametrize(
    ("melds", "points"),
    [
        # 36 + 36 + 10 + 15 + 3 = 100
        (("R11 R12 R13", "B11 B12 B13", "Y1 Y2 Y3 Y4", "K4 K5 K6", "B1 K1 R1"), 100),
        # 46 + 42 + 12 = 100
        (("R10 R11 R12 R13", "B9 B10 B11 B12", "K4 B4 Y4"), 100),
        # an okey counts what it stands for: 36 + 36 + 24 + 3
        (("R11 R12 R13", "B11 B12 *B13", "K8 Y8 B8", "K1 Y1 B1"), 99),
        # a false joker counts 5
        (("R10 R11 R12 R13", "B11 B12 B13", "R4 F R6"), 97),
    ],
)
def test_a_hundred_points_are_too_little(melds: tuple[str, ...], points: int) -> None:
    held = on_rack(melds)
    match = on_turn(f"{held} K13 Y13")
    assert refusal(match, opening(*melds)) == (
        "opening_too_low",
        {"points": points, "needed": 101, "missing": 101 - points},
    )
    assert rack(match) == sorted(tiles_from_text(f"{held} K13 Y13"))


@pytest.mark.parametrize(
    ("melds", "points"),
    [
        # 91 + 10 = 101
        (("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "B1 B2 B3 B4"), 101),
        (("R1 R2 R3 R4 F R6 R7 R8 R9 R10 R11 R12 *R13", "B1 B2 B3 B4"), 101),
        # 36 + 33 + 32 = 101
        (("R11 R12 R13", "B11 K11 *Y11", "Y8 B8 K8 R8"), 101),
        (("R10 R11 R12 R13", "B11 B12 B13", "R4 F R6 R7"), 104),
    ],
)
def test_a_hundred_and_one_open(melds: tuple[str, ...], points: int) -> None:
    match = on_turn(f"{on_rack(melds)} K13 Y13")
    match, events = played(match, (1, opening(*melds)))
    (opened,) = events
    assert isinstance(opened, Opened)
    assert (opened.seat, opened.way, opened.worth) == (1, "melds", points)
    assert words(match) == [meld.replace(" R5 ", " *R5 ") for meld in melds]
    assert rack(match) == sorted(tiles_from_text("K13 Y13"))


def test_four_pairs_are_too_few_and_five_are_enough() -> None:
    five = ("K9 K9", "Y2 Y2", "B7 B7", "F F", "R1 *R1")
    match = on_turn(" ".join(five).replace("*R1", "R5") + " K13 Y13")
    assert refusal(match, pairs(*five[:4])) == ("too_few_pairs", {"pairs": 4, "needed": 5, "missing": 1})
    match, events = played(match, (1, pairs(*five)))
    assert isinstance(events[0], Opened)
    assert (events[0].way, events[0].worth) == ("pairs", 5)
    assert words(match) == list(five)


def test_pairs_and_melds_do_not_mix() -> None:
    match = on_turn("K9 K9 Y2 Y2 B7 B7 F F R1 R1 R11 R12 R13 K13 Y13")
    assert code(match, pairs("K9 K9", "Y2 Y2", "B7 B7", "F F", "R11 R12 R13")) == "wrong_kind"
    assert code(match, opening("R11 R12 R13", "K9 K9")) == "wrong_kind"


def test_an_opening_uses_tiles_of_the_rack_once() -> None:
    match = on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K13")
    assert code(match, opening("R11 R12 R13", "B11 B12 B13", "Y10 Y11 Y12")) == "not_on_rack"
    assert code(match, opening("R11 R12 R13", "R11 R12 R13", "B11 B12 B13")) == "not_on_rack"
    assert code(match, opening("R11 R12 R13", "B11 B12 B13", "Y9 *Y10 Y11")) == "not_on_rack"


def test_the_last_tile_is_not_laid() -> None:
    match = on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11")
    assert code(match, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")) == "last_tile"
    match = on_table(on_turn("R11 R12 R13"), "B1 B2 B3", opened={1: "melds"})
    assert code(match, LayMeld(placed("R11 R12 R13"))) == "last_tile"
    match = on_table(on_turn("B4"), "B1 B2 B3", opened={1: "melds"})
    assert code(match, LayOff(Placed(Tile.B4), 0)) == "last_tile"


def test_one_opens_once() -> None:
    match = on_table(on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K13"), opened={1: "melds"})
    assert code(match, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")) == "already_opened"


@pytest.mark.parametrize(("switches", "opens"), [
    ({"opening_points": 102}, True), ({"opening_points": 103}, False), ({"opening_points": 51}, True),
])  # fmt: skip
def test_how_much_it_takes_is_a_switch(switches: dict[str, object], opens: bool) -> None:
    match = on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K13", **switches)
    move = opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")
    if opens:
        played(match, (1, move))
    else:
        assert refusal(match, move)[1] == {"points": 102, "needed": 103, "missing": 1}


def test_raising_asks_for_one_point_or_one_pair_more_each_in_its_own_kind() -> None:
    first = on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K12 K13", raising=True)
    match, _ = played(first, (1, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")), (1, Discard(Tile.K12)))
    same = turn_of(match, 2, rack="R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K2 K2 Y1 Y1 Y3 Y3 F F B1 B1 K3")
    assert refusal(same, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11"), 2) == (
        "opening_too_low",
        {"points": 102, "needed": 103, "missing": 1},
    )
    match, _ = played(same, (2, pairs("K2 K2", "Y1 Y1", "Y3 Y3", "F F", "B1 B1")), (2, Discard(Tile.K3)))
    more = turn_of(
        match, 3, rack="R11 R12 R13 B11 B12 B13 Y10 Y11 Y12 K4 K4 Y2 Y2 Y6 Y6 B2 B2 B4 B4 B7 B7 K3"
    )
    assert refusal(more, pairs("K4 K4", "Y2 Y2", "Y6 Y6", "B2 B2", "B4 B4"), 3) == (
        "too_few_pairs",
        {"pairs": 5, "needed": 6, "missing": 1},
    )
    _, events = played(more, (3, pairs("K4 K4", "Y2 Y2", "Y6 Y6", "B2 B2", "B4 B4", "B7 B7")))
    assert isinstance(events[0], Opened)
    _, events = played(more, (3, opening("R11 R12 R13", "B11 B12 B13", "Y10 Y11 Y12")))
    assert isinstance(events[0], Opened)
    assert events[0].worth == 105


def test_without_raising_101_are_always_enough() -> None:
    first = on_turn("R11 R12 R13 B11 B12 B13 Y10 Y11 Y12 K12 K13")
    match, _ = played(
        first, (1, opening("R11 R12 R13", "B11 B12 B13", "Y10 Y11 Y12")), (1, Discard(Tile.K12))
    )
    match = turn_of(match, 2, rack="R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K3")
    played(match, (2, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")))


@pytest.mark.parametrize("move", [
    opening("R1 R2 R3"), pairs("K9 K9", "Y2 Y2"),
])  # fmt: skip
def test_a_failed_opening_is_refused_or_fined_at_a_strict_table(move: Move) -> None:
    held = "R1 R2 R3 K9 K9 Y2 Y2 K13"
    assert code(on_turn(held), move) in ("opening_too_low", "too_few_pairs")
    assert code(on_turn(held, strict=True, penalties=["takeback"]), move) in (
        "opening_too_low",
        "too_few_pairs",
    )
    match, events = played(on_turn(held, strict=True), (1, move))
    assert events == (Fined(1, "failed_opening"),)
    assert fines(match) == (0, 1, 0, 0)
    assert rack(match) == sorted(tiles_from_text(held))
    assert words(match) == []
    match, _ = played(match, (1, move))
    assert fines(match) == (0, 2, 0, 0)
    assert code(match, opening("R1 R2 *R3")) == "not_on_rack"
    assert code(match, opening("R1 R2 K9")) == "no_meld"


def test_when_all_open_with_pairs_the_round_is_cancelled_and_dealt_again() -> None:
    five = ("K9 K9", "Y2 Y2", "B7 B7", "F F", "R1 R1")
    match = on_turn(" ".join(five) + " K13", penalties=["joker_discard"])
    match = on_table(match, opened={0: "pairs", 2: "pairs", 3: "pairs"})
    board = round_in(match).board
    match = replace(match, round=replace(round_in(match), board=replace(board, fines=(0, 0, 1, 0))))
    match, events = played(match, (1, pairs(*five)))
    assert events[1:] == (Cancelled(),)
    assert round_in(match).phase == "over"
    assert match.scores == match.changes == (0, 0, 0, 0)
    outcome = public_view(match).outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winner, outcome.fines) == ("cancelled", None, (0, 0, 0, 0))
    assert match.rounds_scored == 0
    assert next_dealer(match) == match.dealer == 0


def test_not_cancelled_while_one_has_not_opened_or_opened_with_melds() -> None:
    five = ("K9 K9", "Y2 Y2", "B7 B7", "F F", "R1 R1")
    for third in (None, "melds"):
        ways = {0: "pairs", 2: "pairs", **({3: third} if third else {})}
        match = on_table(on_turn(" ".join(five) + " K13"), opened=ways)  # type: ignore[arg-type]
        assert len(played(match, (1, pairs(*five)))[1]) == 1
    match = on_table(on_turn(" ".join(five) + " K13", players=2), opened={0: "pairs"})
    assert played(match, (1, pairs(*five)))[1][-1] == Cancelled()


# ------------------------------------------------------------------ further melds and laying off


def test_after_opening_with_melds_further_melds_but_no_pairs() -> None:
    match = on_table(on_turn("R1 R2 R3 K9 K9 K13"), opened={1: "melds"})
    assert code(match, LayMeld(placed("K9 K9"))) == "wrong_kind"
    assert code(match, LayMeld(placed("R1 R2"))) == "no_meld"
    match, events = played(match, (1, LayMeld(placed("R1 R2 R3"))))
    assert isinstance(events[0], MeldLaid)
    assert words(match) == ["R1 R2 R3"]


def test_after_opening_with_pairs_further_pairs_but_no_melds() -> None:
    match = on_table(on_turn("R1 R2 R3 K9 K9 K13 B4"), "B1 B2 B3", opened={1: "pairs"})
    assert code(match, LayMeld(placed("R1 R2 R3"))) == "wrong_kind"
    match, _ = played(match, (1, LayMeld(placed("K9 K9"))), (1, LayOff(Placed(Tile.B4), 0)))
    assert words(match) == ["B1 B2 B3 B4", "K9 K9"]


def test_before_opening_nothing_is_laid() -> None:
    match = on_table(on_turn("R1 R2 R3 B4 K13", reclaim_joker=True), "B1 B2 *B3", opened={2: "melds"})
    assert code(match, LayMeld(placed("R1 R2 R3"))) == "not_opened"
    assert code(match, LayOff(Placed(Tile.B4), 0)) == "not_opened"
    assert code(match, Reclaim(Tile.B3, 0)) == "not_opened"


@pytest.mark.parametrize(
    ("tile", "on", "becomes"),
    [
        ("B4", 0, "B4 B5 *B6 B7"),
        ("B8", 0, "B5 *B6 B7 B8"),
        ("*B8", 0, "B5 *B6 B7 *B8"),
        ("K9", 1, "R9 Y9 B9 K9"),
        ("*K9", 1, "R9 Y9 B9 *K9"),
        ("R4", 2, "R4 F R6 R7"),
        ("F", 3, "Y5 B5 K5 F"),
        ("*R5", 3, "Y5 B5 K5 *R5"),
        ("R5", 3, "Y5 B5 K5 *R5"),
    ],
)
def test_laying_off(tile: str, on: int, becomes: str) -> None:
    match = on_table(on_turn("B4 B8 K9 R4 R5 F K13"), "B5 *B6 B7", "R9 Y9 B9", "F R6 R7", "Y5 B5 K5",
                     opened={1: "melds"})  # fmt: skip
    (named,) = placed(tile)
    match, events = played(match, (1, LayOff(named, on)))
    assert isinstance(events[0], LaidOff)
    assert words(match)[on] == becomes
    assert len(rack(match)) == 6


@pytest.mark.parametrize(
    ("tile", "on", "why"),
    [
        ("B9", 0, "does_not_fit"),
        ("K8", 0, "does_not_fit"),
        ("B6", 0, "does_not_fit"),  # laying off never changes what a laid okey stands for
        ("B9", 1, "does_not_fit"),
        ("K9", 2, "does_not_fit"),  # a pair cannot be extended
        ("F", 0, "does_not_fit"),
        ("*K8", 0, "does_not_fit"),
        ("B8", 0, "not_on_rack"),
        ("B8", 3, "no_such_meld"),
        ("B8", -1, "no_such_meld"),
    ],
)
def test_what_does_not_fit_says_so(tile: str, on: int, why: str) -> None:
    match = on_table(on_turn("B9 K8 B6 K9 F R5 K13"), "B5 *B6 B7", "R9 Y9 B9", "K9 K9", opened={1: "melds"})
    (named,) = placed(tile)
    assert code(match, LayOff(named, on)) == why


def test_laying_goes_on_in_the_turn_of_the_opening_and_later() -> None:
    match = on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 R10 K1 K2 K3 K12 K13 B10")
    match, _ = played(
        match,
        (1, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")),
        (1, LayOff(Placed(Tile.R10), 0)),
        (1, LayMeld(placed("K1 K2 K3"))),
        (1, Discard(Tile.K12)),
    )
    match = turn_of(match, 1, rack="B10 K13")
    match, _ = played(match, (1, LayOff(Placed(Tile.B10), 1)))
    assert words(match) == ["R10 R11 R12 R13", "B10 B11 B12 B13", "Y9 Y10 Y11", "K1 K2 K3"]


# ------------------------------------------------------------------ the taken discard


def test_who_has_not_opened_must_open_with_the_taken_tile() -> None:
    match = after_take("R11 R12 R13 B11 B12 B13 Y9 Y10 K12 K13 Y12", "Y11")
    assert code(match, Discard(Tile.K13)) == "taken_unused"
    assert code(match, Discard(Tile.Y11)) == "taken_unused"
    match = after_take("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K12 K13", "B1")
    assert code(match, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")) == "open_with_taken"
    match = after_take("R11 R12 R13 B11 B12 B13 Y9 Y10 K12 K13", "Y11")
    match, _ = played(match, (1, opening("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11")), (1, Discard(Tile.K13)))
    assert round_in(match).turn == 2


def test_who_has_opened_must_lay_it() -> None:
    match = turn_of(table(), 1, rack="K12 K13 B6", phase="draw", piles={0: "B4"})
    match = on_table(match, "B1 B2 B3", opened={1: "melds"})
    match, _ = played(match, (1, Take()))
    assert code(match, Discard(Tile.K13)) == "taken_unused"
    laid, _ = played(match, (1, LayOff(Placed(Tile.B4), 0)))
    played(laid, (1, Discard(Tile.K13)))
    back, _ = played(laid, (1, TakeBack(1)))
    assert code(back, Discard(Tile.K13)) == "taken_unused"


def test_a_taken_tile_can_be_given_back_and_one_is_drawn_instead() -> None:
    match = after_take("R1 R9", "B3")
    match, events = played(match, (1, Return()))
    assert events == (Returned(1, 0, Tile.B3),)
    assert round_in(match).piles[0] == (Tile.K2, Tile.B3)
    assert code(match, Take()) == "already_returned"
    assert code(match, Return()) == "draw_first"
    assert legal_moves(match.rules, round_in(match), 1) == (Draw(),)
    match, _ = played(match, (1, Draw()), (1, Discard(Tile.R1)))
    assert fines(match) == (0, 0, 0, 0)
    assert Take() in legal_moves(match.rules, round_in(match), 2)


def test_giving_back_costs_101_where_the_switch_says_so() -> None:
    match, events = played(after_take("R1 R9", "B3", return_taken="penalty"), (1, Return()))
    assert events[1:] == (Fined(1, "return_taken"),)
    assert fines(match) == (0, 1, 0, 0)


def test_a_drawn_or_used_tile_is_not_given_back() -> None:
    assert code(on_turn("R1 R9"), Return()) == "nothing_to_return"
    match = turn_of(table(), 1, rack="K12 K13 B6", phase="draw", piles={0: "B4"})
    match = on_table(match, "B1 B2 B3", opened={1: "melds"})
    match, _ = played(match, (1, Take()), (1, LayOff(Placed(Tile.B4), 0)))
    assert code(match, Return()) == "nothing_to_return"


# ------------------------------------------------------------------ taking back


def laid_three(**switches: object) -> Match:
    match = on_table(on_turn("B4 B5 R10 K12 K13", **switches), "B1 B2 B3", "R11 R12 R13", opened={1: "melds"})
    return played(
        match,
        (1, LayOff(Placed(Tile.B4), 0)),
        (1, LayOff(Placed(Tile.R10), 1)),
        (1, LayOff(Placed(Tile.B5), 0)),
    )[0]


def test_the_tile_laid_last_is_taken_back_for_nothing() -> None:
    match, events = played(laid_three(), (1, TakeBack(1)))
    assert events == (TookBack(1, (Tile.B5,)),)
    assert words(match) == ["B1 B2 B3 B4", "R10 R11 R12 R13"]
    assert rack(match) == sorted(tiles_from_text("B5 K12 K13"))
    assert fines(match) == (0, 0, 0, 0)


@pytest.mark.parametrize(("counts", "fined", "left"), [
    ((2,), 1, ["B1 B2 B3 B4", "R11 R12 R13"]),
    ((3,), 1, ["B1 B2 B3", "R11 R12 R13"]),
    ((1, 1), 1, ["B1 B2 B3 B4", "R11 R12 R13"]),
    ((1, 1, 1), 2, ["B1 B2 B3", "R11 R12 R13"]),
])  # fmt: skip
def test_taking_back_more_costs_101(counts: tuple[int, ...], fined: int, left: list[str]) -> None:
    match = laid_three()
    for count in counts:
        match, events = played(match, (1, TakeBack(count)))
    assert words(match) == left
    assert fines(match) == (0, fined, 0, 0)
    assert events[-1] == Fined(1, "takeback")


def test_another_tile_laid_can_again_be_taken_back_for_nothing() -> None:
    match, _ = played(laid_three(), (1, TakeBack(1)), (1, LayOff(Placed(Tile.B5), 0)), (1, TakeBack(1)))
    assert fines(match) == (0, 0, 0, 0)


def test_taking_back_is_free_where_the_penalty_is_off() -> None:
    match, events = played(laid_three(penalties=[]), (1, TakeBack(3)))
    assert events == (TookBack(1, (Tile.B5, Tile.R10, Tile.B4)),)
    assert fines(match) == (0, 0, 0, 0)


def test_only_this_turns_tiles_are_taken_back() -> None:
    assert code(laid_three(), TakeBack(4)) == "nothing_to_take_back"
    assert code(laid_three(), TakeBack(0)) == "nothing_to_take_back"
    assert code(laid_three(), TakeBack(-1)) == "nothing_to_take_back"
    match, _ = played(laid_three(), (1, Discard(Tile.K12)))
    match = turn_of(match, 2, rack="K1 K2")
    assert code(match, TakeBack(1), 2) == "nothing_to_take_back"


# ------------------------------------------------------------------ reclaiming


def test_a_laid_okey_is_reclaimed_by_the_tile_it_stands_for() -> None:
    match = on_table(
        on_turn("B3 K9 K12 K13", reclaim_joker=True), "B1 B2 *B3", "R9 Y9 *K9", opened={1: "melds"}
    )
    match, events = played(match, (1, Reclaim(Tile.B3, 0)))
    assert events == (Reclaimed(1, Tile.B3, 0),)
    assert words(match) == ["B1 B2 B3", "R9 Y9 *K9"]
    assert rack(match) == sorted(tiles_from_text("R5 K9 K12 K13"))
    match, _ = played(match, (1, LayOff(Placed(Tile.B4, wild=True), 0)))
    assert words(match)[0] == "B1 B2 B3 *B4"


@pytest.mark.parametrize(("tile", "on", "why"), [
    (Tile.K12, 0, "nothing_to_reclaim"), (Tile.B2, 0, "nothing_to_reclaim"),
    (Tile.B3, 1, "nothing_to_reclaim"), (Tile.R5, 2, "nothing_to_reclaim"),
    (Tile.K9, 1, "not_on_rack"), (Tile.B3, 9, "no_such_meld"),
])  # fmt: skip
def test_what_cannot_be_reclaimed(tile: Tile, on: int, why: str) -> None:
    match = on_table(on_turn("B3 B2 R5 K12 K13", reclaim_joker=True), "B1 B2 *B3", "R9 Y9 *K9", "R4 *R5 R6",
                     opened={1: "melds"})  # fmt: skip
    assert code(match, Reclaim(tile, on)) == why


def test_a_false_joker_reclaims_an_okey_that_stands_for_its_own_face() -> None:
    match = on_table(on_turn("F K12 K13", reclaim_joker=True), "R4 *R5 R6", opened={1: "pairs"})
    match, _ = played(match, (1, Reclaim(Tile.F, 0)))
    assert words(match) == ["R4 F R6"]


def test_without_the_switch_a_laid_okey_stays() -> None:
    match = on_table(on_turn("B3 K12 K13"), "B1 B2 *B3", opened={1: "melds"})
    assert code(match, Reclaim(Tile.B3, 0)) == "no_reclaiming"


def test_a_taken_tile_may_be_used_to_reclaim() -> None:
    match = turn_of(table(reclaim_joker=True), 1, rack="K12 K13", phase="draw", piles={0: "B3"})
    match = on_table(match, "B1 B2 *B3", opened={1: "melds"})
    match, _ = played(match, (1, Take()), (1, Reclaim(Tile.B3, 0)), (1, Discard(Tile.K13)))
    assert round_in(match).turn == 2


def test_what_was_laid_before_an_okey_was_reclaimed_stays() -> None:
    match = on_table(on_turn("B4 B3 K12 K13", reclaim_joker=True), "B1 B2 *B3", opened={1: "melds"})
    match, _ = played(match, (1, LayOff(Placed(Tile.B4), 0)), (1, Reclaim(Tile.B3, 0)))
    assert code(match, TakeBack(1)) == "nothing_to_take_back"


# ------------------------------------------------------------------ the discard


@pytest.mark.parametrize(
    ("tile", "fine"),
    [
        (Tile.R5, "joker_discard"),  # an okey, not as the finishing discard
        (Tile.B4, "playable_discard"),
        (Tile.K9, "playable_discard"),
        (Tile.F, "playable_discard"),  # R5 fits before R6
        (Tile.B5, None),
        (Tile.R4, None),
    ],
)
@pytest.mark.parametrize("opened", [True, False])
def test_what_a_discard_costs(tile: Tile, fine: str | None, opened: bool) -> None:
    ways = {1: "melds"} if opened else {0: "melds"}
    melds = ("B1 B2 B3", "R9 Y9 B9", "R6 R7 R8")
    held = "R5 B4 K9 F B5 R4"
    match = on_table(on_turn(held), *melds, opened=ways)  # type: ignore[arg-type]
    match, events = played(match, (1, Discard(tile)))
    assert events == ((Discarded(1, tile), Fined(1, fine)) if fine else (Discarded(1, tile),))  # type: ignore[arg-type]
    assert fines(match) == (0, 1 if fine else 0, 0, 0)
    match = on_table(on_turn(held, penalties=["joker_left"]), *melds, opened=ways)  # type: ignore[arg-type]
    assert played(match, (1, Discard(tile)))[1] == (Discarded(1, tile),)


def test_the_last_tile_is_the_finish_and_no_other() -> None:
    match = on_table(on_turn("K13"), opened={1: "melds"})
    assert code(match, Discard(Tile.K13)) == "last_tile_finishes"
    assert code(match, Finish(Tile.K12)) == "not_on_rack"
    assert legal_moves(match.rules, round_in(match), 1) == (Finish(Tile.K13),)
    match, events = played(match, (1, Finish(Tile.K13)))
    assert events[0] == Finished(1, Tile.K13)
    match = on_table(on_turn("K13 K12"), opened={1: "melds"})
    assert code(match, Finish(Tile.K13)) == "not_last_tile"


def test_the_round_ends_with_the_turn_that_emptied_the_stock() -> None:
    match = turn_of(table(), 1, rack="R1 R9", phase="draw", stock="B3 B4")
    match, _ = played(match, (1, Draw()), (1, Discard(Tile.R1)))
    assert round_in(match).phase == "draw"
    match, events = played(match, (2, Draw()), (2, Discard(Tile.B4)))
    assert events == (Discarded(2, Tile.B4), Exhausted())
    assert round_in(match).phase == "over"


def test_an_empty_stock_does_not_take_a_finish_away() -> None:
    match = on_table(turn_of(table(), 1, rack="K13", stock=""), opened={1: "melds"})
    _, events = played(match, (1, Finish(Tile.K13)))
    assert events[0] == Finished(1, Tile.K13)


# ------------------------------------------------------------------ what is offered


def offered(match: Match) -> list[Move]:
    return [
        move
        for move in legal_moves(match.rules, round_in(match), 1)
        if isinstance(move, Open | OpenPairs | LayMeld)
    ]


def test_the_best_opening_is_offered_when_it_is_enough() -> None:
    match = on_turn("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K12 K2")
    (move,) = offered(match)
    _, events = played(match, (1, move))
    assert isinstance(events[0], Opened)
    assert events[0].worth == 102
    assert offered(on_turn("R11 R12 R13 B11 B12 B13 Y8 Y9 Y10 K2", opening_points=102)) == []


def test_the_most_pairs_are_offered_when_they_are_enough() -> None:
    match = on_turn("K9 K9 Y2 Y2 B7 B7 F F R1 R5 K13")
    (move,) = offered(match)
    assert isinstance(move, OpenPairs)
    assert len(move.pairs) == 5
    assert offered(on_turn("K9 K9 Y2 Y2 B7 B7 F F R1 K13")) == []


def test_an_offered_opening_holds_the_taken_tile() -> None:
    """The best opening would leave K4 out; the best one with it has 36 + 36 + 30 + 12 points."""
    match = after_take("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 B4 Y4 K13", "K4")
    (move,) = offered(match)
    _, events = played(match, (1, move))
    assert isinstance(events[0], Opened)
    assert events[0].worth == 114
    assert offered(after_take("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 B3 Y4 K13", "K4")) == []


def test_an_offered_opening_leaves_a_tile_to_discard() -> None:
    match = on_turn("R10 R11 R12 R13 B11 B12 B13 Y9 Y10 Y11")
    (move,) = offered(match)
    _, events = played(match, (1, move))
    assert isinstance(events[0], Opened)
    assert events[0].worth == 102


def test_further_melds_are_offered_in_the_way_of_the_opening() -> None:
    match = on_table(on_turn("K9 K9 Y2 Y3 Y4 K13"), opened={1: "melds"})
    assert offered(match) == [LayMeld(placed("Y2 Y3 Y4"))]
    match = on_table(on_turn("K9 K9 Y2 Y3 Y4 K13"), opened={1: "pairs"})
    assert offered(match) == [LayMeld(placed("K9 K9"))]


@pytest.mark.parametrize("indicator", ["R4", "F"])
@pytest.mark.parametrize("way", ["melds", "pairs", None])
def test_a_taken_okey_is_offered_where_it_can_be_laid(indicator: str, way: Way | None) -> None:
    rules = rules_of(preset="okey101", false_joker_indicator="false_jokers_wild")
    okey = "R5" if indicator == "R4" else "F"
    match = turn_of(match_of(rules, {}, indicator=indicator), 1, rack="K9 K9", phase="draw", piles={0: okey})
    match = on_table(match, "B1 B2 B3", opened={1: way} if way else {})
    match, _ = played(match, (1, Take()))
    assert offered(match) == []
    moves = legal_moves(rules, round_in(match), 1)
    assert Return() in moves
    assert (LayOff(Placed(Tile.B4, wild=True), 0) in moves) == (way is not None)


def test_a_taken_tile_alone_is_offered_as_a_pair_with_an_okey() -> None:
    match = turn_of(table(), 1, rack="K9 K9 Y3 R5", phase="draw", piles={0: "B7"})
    match, _ = played(on_table(match, opened={1: "pairs"}), (1, Take()))
    assert LayMeld(placed("B7 *B7")) in offered(match)


@pytest.mark.parametrize(
    ("rack", "taken", "pair"), [("K9", "K9", None), ("K9 Y3 Y3", "K9", "K9 K9"), ("F K9 K9", "F", "F F")]
)
def test_an_offered_pair_leaves_a_tile_to_discard(rack: str, taken: str, pair: str | None) -> None:
    """With one pair on the rack nothing can be laid; with two, only the pair with the taken tile."""
    match = turn_of(table(), 1, rack=rack, phase="draw", piles={0: taken})
    match, _ = played(on_table(match, opened={1: "pairs"}), (1, Take()))
    assert offered(match) == ([LayMeld(placed(pair))] if pair else [])
    assert Return() in legal_moves(match.rules, round_in(match), 1)
