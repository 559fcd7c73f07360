"""Computer players of Okey 101 (RULES 5): they open, lay off, avoid penalties, and finish."""

from dataclasses import replace

import pytest

from engine.arrange import ARRANGER, best_opening, without
from engine.events import Event, Fined
from engine.match import Match, new_match, next_round, play
from engine.melds import Placed
from engine.moves import Discard, Draw, Finish, LayOff, Move, Open, OpenPairs, Return, Take
from engine.players import PlayerLevel, calls, choose
from engine.players.outlook import unseen_by
from engine.round import legal_moves
from engine.shuffle import Seed
from engine.simulate import simulate
from engine.tiles import Tile, tile_from_text
from engine.view import seat_view
from tests.engine.laid_out import match_of, on_table, round_in, rules_of, turn_of

# The indicator is R4: R5 is the okey.

LEVELS: tuple[PlayerLevel, ...] = ("random", "easy", "steady", "sharp")
NO_MELDS = "R1 R3 R7 R12 Y2 Y4 Y9 Y11 B1 B6 B8 B13 K3 K7 K10"
ALMOST_101 = "R10 R11 R12 R13 Y12 B12 K12 R4 Y4 B4 K4 R1 Y1 K2 K6 K8 Y6 Y8 B7 B9 R7"
"""46 + 36 + 16 points, and two ones."""


def chosen(match: Match, level: PlayerLevel = "steady") -> Move:
    round = round_in(match)
    legal = legal_moves(match.rules, round, round.turn)
    move = choose(level, match.rules, seat_view(match, round.turn), legal, b"seed")
    assert move in legal
    return move


def on_turn(rack: str, *, left: str = "", **switches: object) -> Match:
    """Seat 1 with these tiles, before drawing if a tile lies on their left."""
    match = match_of(rules_of(preset="okey101", **switches), {}, indicator="R4")
    return turn_of(match, 1, rack=rack, phase="draw" if left else "discard", piles={0: left})


def opened(match: Match, *melds: str, by: int = 1) -> Match:
    """The match with melds on the table with which a seat opened."""
    return on_table(match, *melds, opened={by: "melds"})


def test_they_open_as_soon_as_they_can() -> None:
    assert isinstance(chosen(on_turn(ALMOST_101 + " B1")), Open)
    assert isinstance(chosen(on_turn(ALMOST_101 + " B2")), Discard)


def test_they_open_with_pairs_where_that_is_all_they_have() -> None:
    rack = "R1 R1 Y4 Y4 B7 B7 K10 K10 R12 R12 R3 R6 R9 Y1 Y7 Y9 B2 B11 K3 K6 K8 K13"
    assert isinstance(chosen(on_turn(rack)), OpenPairs)


@pytest.mark.parametrize(("level", "of_three"), [("easy", 1), ("steady", 2), ("sharp", 3)])
def test_each_level_notices_its_share_of_playable_discards_and_never_calls_another(
    level: PlayerLevel, of_three: int
) -> None:
    for discard, share in (("Y6", of_three), ("R6", 0)):
        match = opened(on_turn(NO_MELDS, left=discard, playable_called=True), "Y3 Y4 *Y5", by=2)
        round = round_in(match)
        match = replace(match, round=replace(round, board=replace(round.board, call_open=True)))
        seeds = [number.to_bytes(2) for number in range(600)]
        called = sum(calls(level, match.rules, seat_view(match, 1), seed) for seed in seeds)
        assert called == pytest.approx(200 * share, abs=60 if share else 0)
        assert not calls(level, match.rules, seat_view(match, 0), seeds[0]), "their own discard"


def test_tiles_on_the_table_are_seen() -> None:
    """106 tiles, less 22 on the rack, the indicator, and the three of a meld."""
    unseen = unseen_by(seat_view(opened(on_turn(ALMOST_101 + " B2"), "Y3 Y4 *Y5", by=0), 1))
    assert unseen.total() == 106 - 22 - 1 - 3
    assert unseen[Tile.Y3] == 1
    assert unseen[Tile.R5] == 1


@pytest.mark.skipif(ARRANGER != "c", reason="without the part in C sharp plays steadily")
def test_the_sharp_one_lets_go_what_leaves_most_tiles_to_open_with() -> None:
    """98 points are there. A third one opens, so the ones stay; with two yellow sevens no draw needs both."""
    rack = "R10 R11 R12 R13 Y12 B12 K12 R4 Y4 B4 K4 R1 Y1 R3 Y7 Y7 Y9 B8 B8 B9 B13 K10"
    match = on_turn(rack, raising=True)  # which rollouts don't know
    round = round_in(match)
    match = replace(match, round=replace(round, stock=round.stock[:3]))  # one draw is left
    view, meld_rules = seat_view(match, 1), match.rules.meld_rules(Tile.R5)
    unseen = unseen_by(view)

    def opening(move: Move) -> int:
        assert isinstance(move, Discard)
        left = without(view.rack, move.tile)
        return sum(unseen[tile] for tile in unseen if best_opening(meld_rules, (*left, tile))[0] >= 101)

    assert chosen(match, "sharp") == Discard(Tile.Y7)
    every = [opening(Discard(tile)) for tile in set(view.rack)]
    assert opening(chosen(match, "sharp")) == max(every) > opening(chosen(match, "steady"))


def test_he_takes_the_discard_that_opens_and_no_other() -> None:
    assert chosen(on_turn(ALMOST_101, left="B1")) == Take()
    assert chosen(on_turn(ALMOST_101, left="B2")) == Draw()
    assert chosen(on_turn(ALMOST_101.replace("R7", "B1"), left="R7")) == Draw()


def test_they_open_with_the_discard_that_they_took() -> None:
    match, _ = play(on_turn(ALMOST_101, left="B1"), 1, Take())
    move = chosen(match)
    assert isinstance(move, Open)
    assert Placed(Tile.B1) in [tile for meld in move.melds for tile in meld]


def test_they_give_back_what_they_cannot_use() -> None:
    match, _ = play(on_turn(ALMOST_101, left="B2"), 1, Take())
    assert chosen(match) == Return()


def test_who_has_opened_takes_what_they_can_lay_at_once() -> None:
    assert chosen(opened(on_turn("R1 R3 Y9 K7", left="B8"), "B5 B6 B7")) == Take()
    assert chosen(opened(on_turn("R1 R3 Y9 K7", left="R2"), "B5 B6 B7")) == Take()
    assert chosen(opened(on_turn("R1 R3 Y9 K7", left="K2"), "B5 B6 B7")) == Draw()


def test_he_lays_off_what_fits() -> None:
    assert chosen(opened(on_turn("R1 R7 Y9 B8"), "B5 B6 B7", by=1)) == LayOff(Placed(Tile.B8), 0)


def test_he_discards_nothing_that_could_be_laid_off() -> None:
    """Before opening they cannot lay B8; discarding it would cost 101, and so would the okey."""
    match = opened(on_turn("B8 B4 R5 K1"), "B5 B6 B7", by=0)
    assert chosen(match) == Discard(Tile.K1)


def test_an_okey_is_the_last_that_they_let_go() -> None:
    assert chosen(opened(on_turn("B8 R5"), "B5 B6 B7", by=0)) == Discard(Tile.B8)


def test_the_okey_is_kept_until_it_lets_them_finish() -> None:
    assert isinstance(chosen(opened(on_turn("R1 K9 R5"), "B5 B6 B7")), Discard)
    finishing = opened(on_turn("K9 R5"), "B5 B6 B7")
    laid = chosen(finishing)
    assert isinstance(laid, LayOff)
    assert laid.tile.wild
    assert chosen(play(finishing, 1, laid)[0]) == Finish(Tile.K9)


def test_he_lays_the_okey_off_before_another_may_finish() -> None:
    match = opened(on_turn("R1 K9 R5"), "B5 B6 B7")
    assert isinstance(chosen(_with_rack(match, 2, "K1 K2 K13")), LayOff)


def _with_rack(match: Match, seat: int, rack: str) -> Match:
    mine = round_in(match).turn
    held = " ".join(tile.name for tile in round_in(match).racks[mine])
    return turn_of(turn_of(match, seat, rack=rack), mine, rack=held)


def test_the_last_tile_ends_the_round() -> None:
    assert chosen(opened(on_turn("R5"), "B5 B6 B7")) == Finish(Tile.R5)


@pytest.mark.long
@pytest.mark.parametrize("preset", ["okey101", "okey101-raise", "okey101-partners"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_move_is_legal_and_every_round_ends(preset: str, level: PlayerLevel) -> None:
    match, _ = next_round(new_match(rules_of(preset=preset)), Seed(bytes(64), (), preset, 1))
    fined: list[Event] = []
    moves = 0
    while round_in(match).phase != "over":
        seat = round_in(match).turn
        legal = legal_moves(match.rules, round_in(match), seat)
        move = choose(level, match.rules, seat_view(match, seat), legal, moves.to_bytes(4))
        assert move in legal
        match, events = play(match, seat, move)
        fined += [event for event in events if isinstance(event, Fined)]
        moves += 1
    assert level == "random" or not fined


def test_most_players_open_and_hardly_anybody_is_fined() -> None:
    figures = simulate(rules_of(preset="okey101"), ["steady"] * 4, 20, b"figures")
    assert figures.opened > 2
    assert figures.fines < 0.2
    assert 0 < figures.exhausted < 1


@pytest.mark.parametrize(
    ("rack", "last"),
    [
        ("R6 R7 R8 R9", "R6"),
        ("B7 K7 R7 Y7", "R7"),
        ("R6 R7 R8 Y1 Y2 Y3 Y4", "Y1"),
        ("K10 K11 K12 K13 R1 R2 R3", "K10"),
        ("R5 R6 R7 R8", "R5"),  # the okey
        ("R5 R7 R8", None),
    ],
)
def test_a_rack_that_is_all_melds_gives_one_tile_to_finish_with(rack: str, last: str | None) -> None:
    """A turn ends with a discard (RULES 5), so that the last tile cannot be laid."""
    match = opened(opened(on_turn(rack), "Y9 Y10 Y11", by=0), "B1 B2 B3")
    while round_in(match).turn == 1 and round_in(match).phase != "over":
        match, _ = play(match, 1, chosen(match))
    ending = round_in(match).ending
    assert (ending.tile if ending else None) == (tile_from_text(last) if last else None)


@pytest.mark.skipif(ARRANGER != "c", reason="without the part in C sharp plays steadily")
def test_the_sharp_one_keeps_no_neighbours_after_opening_with_pairs() -> None:
    """No run can be laid any more: the thirteen costs twice its number, whatever lies beside it."""
    tiles = on_turn("R12 R13 Y9 B2", raising=True)  # which rollouts don't know
    match = on_table(tiles, "R5 R6 R7", opened={1: "pairs", 2: "melds"})
    assert chosen(match, "sharp") == Discard(Tile.R13)
    assert chosen(match, "steady") == Discard(Tile.Y9)


FIVE_PAIRS = "R1 R1 Y4 Y4 B7 B7 K9 K9 R12 R12"
NEARLY_MELDS = f"{FIVE_PAIRS} Y12 Y13 B12 B13 K12 K13 R13 K1 Y7 B2 B5 K3"
"""Five pairs, and beside them four twelves and four thirteens, 100 points: any three more open."""


def with_stock(match: Match, size: int) -> Match:
    round = round_in(match)
    return replace(match, round=replace(round, stock=round.stock[:size]))


@pytest.mark.skipif(ARRANGER != "c", reason="without the part in C sharp plays steadily")
def test_the_sharp_one_waits_with_pairs_while_two_okeys_may_make_sets_and_runs() -> None:
    rack = "R1 R6 R7 R10 R11 R12 Y1 Y2 Y4 Y8 Y10 Y10 Y12 B1 B3 B6 B8 B8 K1 K1 K9 K9"
    match = match_of(rules_of(preset="okey101"), {}, indicator="B7")
    match = turn_of(match, 1, rack=rack, phase="discard", piles={})
    near = with_stock(match, 11)
    assert isinstance(chosen(near, "steady"), OpenPairs)
    assert isinstance(chosen(near, "sharp"), Discard)
    assert isinstance(chosen(with_stock(match, 2), "sharp"), OpenPairs)  # no turn may come


@pytest.mark.skipif(ARRANGER != "c", reason="without the part in C sharp plays steadily")
def test_the_sharp_one_takes_the_discard_for_which_they_waited_with_pairs() -> None:
    rack = NEARLY_MELDS.removesuffix(" K3")
    assert chosen(on_turn(rack, left="B11"), "sharp") == Take()
    assert chosen(on_turn(rack, left="B11"), "steady") == Draw()
    assert chosen(on_turn(rack, left="R8"), "sharp") == Draw()
    match, _ = play(on_turn(rack, left="B11"), 1, Take())
    assert isinstance(chosen(match, "sharp"), Open)


@pytest.mark.skipif(ARRANGER != "c", reason="without the part in C sharp plays steadily")
def test_the_sharp_one_keeps_the_tile_with_which_they_can_finish_next() -> None:
    """Opened, they hold two sevens and a thirteen, and the table lies open for none of them: any other seven
    finishes with the two, the thirteen discarded or not; so the thirteen goes in the last turn too."""
    match = opened(on_turn("B7 K7 R13 Y1"), "B1 B2 B3")
    assert chosen(with_stock(match, 0), "sharp") == Discard(Tile.R13)


@pytest.mark.parametrize("stock", [0, 3, 20])
def test_the_sharp_one_decides_alike_for_the_same_seed(stock: int) -> None:
    match = with_stock(on_turn(ALMOST_101 + " B2"), stock)
    assert chosen(match, "sharp") == chosen(match, "sharp")
