"""Computer players of the classic game: their decisions from their views."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.arrange import distance, finishing_discards, useful_tiles, without
from engine.match import Match, new_match, next_round, play
from engine.melds import MeldRules, empty_board
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.players import LEVELS, PlayerLevel, choose
from engine.players.outlook import discards_of
from engine.round import legal_moves
from engine.shuffle import Seed
from engine.tiles import FULL_SET, Tile, tiles_from_text
from engine.view import PublicView, SeatView, seat_view
from tests.engine.laid_out import round_in, rules_of

NEAR = "R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K12"

RULES = rules_of()


def view(rack: str, *, left: str = "", own: str = "") -> SeatView:
    """Seat 1 of four on turn, the indicator R4 and the okey R5."""
    left_pile, own_pile = tiles_from_text(left), tiles_from_text(own)
    tiles = tuple(sorted(tiles_from_text(rack)))
    public = PublicView(
        indicator=Tile.R4,
        okey=Tile.R5,
        dealer=0,
        turn=1,
        phase="discard" if len(tiles) == 15 else "draw",
        discard_tops=(left_pile[-1] if left_pile else None, own_pile[-1] if own_pile else None, None, None),
        rack_sizes=(14, len(tiles), 14, 14),
        stock_left=20,
        shown_by=None,
        turns=20,
        outcome=None,
        board=empty_board(4),
        sources=(0,) if left_pile else (),
    )
    return SeatView(public=public, seat=1, rack=tiles, own_pile=own_pile, left_pile=left_pile, drawn=None)


def discards(seen: SeatView) -> tuple[Move, ...]:
    return tuple(Discard(tile) for tile in sorted(set(seen.rack)))


@pytest.mark.parametrize("level", ["easy", "greedy", "steady"])
def test_who_can_finish_finishes_and_with_an_okey_if_they_can(level: PlayerLevel) -> None:
    seen = view("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11 R5")
    legal = (*discards(seen), Finish(Tile.K7), Finish(Tile.R5), Finish(Tile.K11))
    assert choose(level, RULES, seen, legal, b"1") == Finish(Tile.R5)
    assert choose(level, RULES, seen, (*discards(seen), Finish(Tile.K7)), b"1") == Finish(Tile.K7)


@pytest.mark.parametrize("level", ["easy", "greedy", "steady", "sharp"])
def test_the_finish_that_pays_most_is_made(level: PlayerLevel) -> None:
    """Without the yellow four all tiles are red; without the last red one it is in a set of fours."""
    seen = view("R1 R2 R3 R4 R6 R7 R8 R9 R10 R11 R12 R13 F R5 Y4")
    finishing = [Finish(tile) for tile in sorted(finishing_discards(MeldRules(Tile.R5), seen.rack))]
    assert Finish(Tile.Y4) in finishing
    chosen = {
        colour: {
            choose(level, rules_of(one_color_double=colour), seen, finishing, bytes([seed]))
            for seed in range(32)
        }
        for colour in ("any", "red_black", "off")
    }
    assert chosen["any"] == chosen["red_black"] == {Finish(Tile.Y4)}
    assert chosen["off"] == set(finishing) != {Finish(Tile.Y4)}


@pytest.mark.parametrize("level", ["easy", "greedy", "steady", "sharp"])
def test_who_may_show_the_indicator_shows_it(level: PlayerLevel) -> None:
    seen = view("R4 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K12")
    assert choose(level, RULES, seen, (Show(), Draw()), b"1") == Show()


@pytest.mark.parametrize("level", ["greedy", "steady", "sharp"])
@pytest.mark.parametrize(("left", "move"), [("Y13 K11", Take()), ("K11 Y13", Draw())])
def test_a_discard_is_taken_only_where_it_helps(level: PlayerLevel, left: str, move: Move) -> None:
    assert choose(level, RULES, view(NEAR, left=left), (Draw(), Take()), b"1") == move


def test_sharp_takes_a_discard_that_only_improves_its_chances() -> None:
    """At distance one, with two twelves that wait for two unseen twelves and the okeys: a black seven beside
    the six waits for the fives and the eights instead."""
    seen = view("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 B4 B5 Y12 B12 K6", left="K7", own="R12 K12")
    assert choose("steady", RULES, seen, (Draw(), Take()), b"1") == Draw()
    assert choose("sharp", RULES, seen, (Draw(), Take()), b"1") == Take()


def test_sharp_waits_for_an_okey_finish_only_where_it_pays() -> None:
    """All is in melds without the okey, but for one place that many tiles would fill: 4 points, not 2."""
    seen = view("R1 R2 R3 Y2 Y3 Y4 B6 B7 B8 K7 K8 K9 K10 R5 Y13")
    legal = (*discards(seen), Finish(Tile.Y13))
    assert choose("sharp", RULES, seen, legal, b"1") == Discard(Tile.Y13)
    for rules in (rules_of(preset="okey-rounds"), rules_of(stack_doublings=True, scoring="rounds")):
        assert choose("sharp", rules, seen, legal, b"1") == Finish(Tile.Y13)


@pytest.mark.parametrize(("stock_left", "waits"), [(4, True), (3, False), (0, False)])
def test_sharp_waits_for_no_draw_that_may_never_come(stock_left: int, waits: bool) -> None:
    seen = view("R1 R2 R3 Y2 Y3 Y4 B6 B7 B8 K7 K8 K9 K10 R5 Y13")
    seen = replace(seen, public=replace(seen.public, stock_left=stock_left))
    move = choose("sharp", RULES, seen, (*discards(seen), Finish(Tile.Y13)), b"1")
    assert move == (Discard(Tile.Y13) if waits else Finish(Tile.Y13))


def test_of_several_piles_the_best_discard_is_taken() -> None:
    seen = view(NEAR, left="Y13")
    tops = (Tile.Y13, None, Tile.B13, Tile.K11)
    seen = replace(seen, public=replace(seen.public, discard_tops=tops))
    legal = (Draw(), Take(0), Take(2), Take(3))
    assert choose("steady", RULES, seen, legal, b"1") == Take(3)


def test_with_an_empty_stock_a_discard_is_taken_even_where_it_does_not_help() -> None:
    assert choose("steady", RULES, view(NEAR, left="Y13"), (Take(),), b"1") == Take()


@pytest.mark.parametrize("level", ["greedy", "steady", "sharp"])
def test_the_smallest_distance_is_kept(level: PlayerLevel) -> None:
    chance = Random(4)
    for number in range(20):
        seen = _dealt_view(chance)
        move = choose(level, RULES, seen, discards(seen), number.to_bytes(4))
        assert isinstance(move, Discard)
        okey = seen.public.okey
        after = [distance(MeldRules(okey), without(seen.rack, tile)) for tile in set(seen.rack)]
        assert distance(MeldRules(okey), without(seen.rack, move.tile)) == min(after)


def test_steady_keeps_what_most_unseen_tiles_improve() -> None:
    rack = "R1 R2 R3 Y11 B11 K11 K2 K3 K4 Y4 Y5 B8 B9 R9 K7"
    seen = view(rack, left="B7 B7 R13", own="B10 B10 R12")
    unseen = Counter(FULL_SET) - Counter(tiles_from_text(f"{rack} B7 B7 R13 B10 B10 R12 R4"))
    after = {tile: without(seen.rack, tile) for tile in set(seen.rack)}
    nearest = min(distance(MeldRules(Tile.R5), rest) for rest in after.values())
    hopes = {
        tile: sum(unseen[useful] for useful in useful_tiles(MeldRules(Tile.R5), rest))
        for tile, rest in after.items()
        if distance(MeldRules(Tile.R5), rest) == nearest
    }
    best = {Discard(tile) for tile, hope in hopes.items() if hope == max(hopes.values())}
    assert len(best) < len(hopes)
    assert {choose("steady", RULES, seen, discards(seen), bytes([n])) for n in range(20)} <= best


def test_the_outlook_after_every_discard() -> None:
    """The figures of a hint: the distance, the tiles that help, and how many of them are still unseen."""
    seen = view(f"{NEAR} Y13", left="K11", own="K6")
    after = discards_of(RULES, seen, sorted(set(seen.rack)))
    assert set(after) == set(seen.rack)
    best = after[Tile.Y13]  # three runs and 7-8-9-10 stay, and the 12 that waits for an 11
    assert (best.distance, after[Tile.R1].distance) == (1, 2)
    assert {Tile.K6, Tile.K11, Tile.R5} <= best.useful
    unseen = Counter(FULL_SET) - Counter([*seen.rack, *tiles_from_text("K11 K6 R4")])
    assert best.live == sum(unseen[tile] for tile in best.useful)
    assert best.unseen == 106 - 15 - 3
    assert best.chance(0.5) < best.chance(1) == pytest.approx(1)


def _dealt_view(chance: Random) -> SeatView:
    match, _ = next_round(new_match(RULES), Seed(chance.randbytes(64), (), "t", 1))
    return seat_view(match, round_in(match).turn)


def test_not_even_a_beginner_throws_an_okey_away() -> None:
    seen = view("R5 R5 R2 R6 R11 Y1 Y5 Y9 Y12 B3 B8 B13 K2 K7 K10")
    thrown = {choose("easy", RULES, seen, discards(seen), n.to_bytes(2)) for n in range(300)}
    assert thrown == set(discards(seen)) - {Discard(Tile.R5)}


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "preset",
    ["okey", "okey-partners", "okey-elimination", "turkish-rummy", "turkish-rummy-fast-1", "okey-rounds"],
)
def test_every_move_is_legal_and_every_round_ends(level: PlayerLevel, preset: str) -> None:
    match, _ = next_round(new_match(rules_of(preset=preset)), Seed(bytes(64), (), preset, 1))
    moves = 0
    while round_in(match).phase != "over":
        match = _moved(match, level, moves)
        moves += 1
    assert round_in(match).ending is not None


def _moved(match: Match, level: PlayerLevel, moves: int) -> Match:
    seat = round_in(match).turn
    legal = legal_moves(match.rules, round_in(match), seat)
    move = choose(level, match.rules, seat_view(match, seat), legal, moves.to_bytes(4))
    assert move in legal
    return play(match, seat, move)[0]


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_seed_give_the_same_move(level: PlayerLevel) -> None:
    seen = _dealt_view(Random(9))
    assert len({choose(level, RULES, seen, discards(seen), b"seed") for _ in range(3)}) == 1
