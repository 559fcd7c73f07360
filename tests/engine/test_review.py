"""Reviews: the cost of a decision by what its seat could see; luck separated from play."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import pytest

from engine.hints import hint
from engine.hints.classic import ClassicHint
from engine.match import new_match, next_round, play
from engine.moves import Discard, Draw, Finish, Move, Take
from engine.players import PlayerLevel, choose
from engine.replay import Position
from engine.review import Review, review
from engine.round import legal_moves
from engine.rules import Rules, rules_from
from engine.shuffle import Seed
from engine.tiles import FULL_SET, Tile, tiles_from_text
from engine.view import SeatView, find_taken, seat_view
from tests.engine.laid_out import match_of, round_in, rules_of, turn_of
from tests.engine.slow_search import slow_distance

RULES = rules_from({"preset": "okey"})


def played(level: PlayerLevel | Literal["advised"], number: int, rules: Rules = RULES) -> list[Position]:
    """A round in which the first seat plays at a level, or what the hints say, and the others steadily."""
    secret = hashlib.sha512(b"review %d" % number).digest()
    match, events = next_round(new_match(rules), Seed(secret, (), "review", 1))
    positions = [Position(0, None, match, events)]
    while match.round is not None and match.round.phase != "over":
        seat = match.round.turn
        legal = legal_moves(rules, match.round, seat)
        seed = secret + len(positions).to_bytes(8)
        view = seat_view(match, seat)
        if seat == 0 and level == "advised":
            move = advised(rules, view, legal)
        else:
            move = choose("steady" if seat or level == "advised" else level, rules, view, legal, seed)
        match, events = play(match, seat, move)
        positions.append(Position(0, len(positions) - 1, match, events, (seat, move)))
    return positions


def advised(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Move:
    """The move that the hint tells."""
    told = hint(rules, view, legal)
    assert isinstance(told, ClassicHint)
    tiles: dict[Move, Tile] = {move: move.tile for move in legal if isinstance(move, Discard | Finish)}
    tiles |= {move: find_taken(view.public, move) for move in legal if isinstance(move, Take)}
    named = [move for move in legal if type(move).__name__.lower() == told.kind]
    return next(move for move in named if tiles.get(move, told.tile) == told.tile)


def reviews(level: PlayerLevel, count: int) -> list[Review]:
    return [review(played(level, number), 0) for number in range(count)]


def test_whoever_keeps_the_most_helpful_tiles_gives_nothing_away() -> None:
    """The steady player makes, of the discards with the smallest distance, the one with most useful tiles."""
    decisions = [each for done in reviews("steady", 4) for each in done.decisions]
    assert {each.cost for each in decisions if isinstance(each.made, Discard)} == {0.0}
    assert all(each.made == each.best for each in decisions if not each.cost)


@pytest.mark.long
@pytest.mark.parametrize(("preset", "number"), [("okey", 3), ("turkish-rummy", 17)])
def test_the_review_finds_no_fault_with_whoever_follows_the_hints(preset: str, number: int) -> None:
    """Rounds in which it pays to take a discard that only improves the chances."""
    done = review(played("advised", number, rules_of(preset=preset)), 0)
    assert done.costliest is None
    assert any(isinstance(each.made, Take) and 0 < each.edge < 1 for each in done.decisions)


def test_random_play_gives_much_away_and_easy_play_some() -> None:
    steady, easy, random = (
        sum(done.accuracy for done in reviews(level, 3)) / 3 for level in ("steady", "easy", "random")
    )
    assert steady > easy > random


@pytest.mark.long
def test_a_discard_is_judged_by_the_tiles_that_help_as_a_slow_count_finds_them() -> None:
    positions = played("random", 1)
    judged = next(each for each in review(positions, 0).decisions if each.outlook is not None)
    before = positions[judged.step - 1].match
    view = seat_view(before, 0)
    assert isinstance(judged.made, Discard)
    rest = list(view.rack)
    rest.remove(judged.made.tile)
    away = slow_distance(view.public.okey, rest)
    seen = [*view.rack, view.public.indicator, *view.own_pile, *view.left_pile]
    tops = [
        top for seat, top in enumerate(view.public.discard_tops) if top is not None and seat not in (0, 3)
    ]
    unseen = Counter(FULL_SET) - Counter([*seen, *tops])
    helping = 0
    for tile in unseen:
        racks = ([*rest[:i], *rest[i + 1 :], tile] for i in range(len(rest)))
        if any(slow_distance(view.public.okey, rack) < away for rack in racks):
            helping += unseen[tile]
    assert judged.outlook is not None
    assert (judged.outlook.distance, judged.outlook.live) == (away, helping)
    assert judged.outlook.unseen == sum(unseen.values())


def test_luck_is_what_draws_brought_beyond_what_was_to_be_expected() -> None:
    """Over many rounds luck evens out, and no single round has more luck than draws."""
    done = [(played("steady", number), number) for number in range(12)]
    lucks = []
    for positions, _ in done:
        draws = sum(
            each.by is not None and each.by[0] == 0 and isinstance(each.by[1], Draw) for each in positions
        )
        luck = review(positions, 0).luck_of_draws
        assert -draws <= luck <= draws
        lucks.append(luck)
    assert abs(sum(lucks) / len(lucks)) < 1.5


@pytest.mark.parametrize(("indicator", "helps"), [("K5", 1), ("R9", 0)])
def test_an_indicator_that_is_the_last_of_the_stock_is_sure_to_be_drawn(indicator: str, helps: int) -> None:
    """A black five would lengthen a run; the last tile is the indicator (RULES 2, `indicator_last_draw`)."""
    rules = rules_of(indicator_last_draw=True)
    rack = "R2 R3 R4 Y5 Y6 Y7 B8 B9 B10 B11 K2 K3 K4 Y13"
    dealt = match_of(rules, {}, indicator=indicator)
    match = turn_of(dealt, 1, rack=rack, phase="draw", stock=indicator)
    view = seat_view(match, 1)
    told = hint(rules, view, legal_moves(rules, round_in(match), 1))
    assert isinstance(told, ClassicHint)
    assert (told.kind, told.missing, told.live, told.unseen) == ("draw", 1, helps, 1)
    drawn, events = play(match, 1, Draw())
    before, after = Position(0, None, match, ()), Position(0, 0, drawn, events, (1, Draw()))
    assert review([before, after], 1).luck_of_draws == 0


def test_a_win_that_is_fed_is_told_to_whoever_fed_it() -> None:
    for number in range(60):
        positions = played("steady", number)
        (giver, given), (taker, took), (_, last) = (each.by for each in positions[-3:] if each.by)
        if isinstance(took, Take) and isinstance(last, Finish):
            fed = review(positions, giver).fed
            assert fed is None or fed.made == given
            assert review(positions, taker).fed is None
            if fed is not None:
                return
    pytest.fail("nobody was fed in sixty rounds")


def test_where_any_discard_can_be_taken_a_win_is_fed_by_whoever_discarded_it() -> None:
    rules = rules_from({"preset": "turkish-rummy"})
    for number in range(60):
        positions = played("steady", number, rules)
        (before, _), (_, took), (_, last) = (each.by for each in positions[-3:] if each.by)
        if isinstance(took, Take) and isinstance(last, Finish) and took.source != before:
            taken = positions[-3].match.round.piles[took.source][-1]  # type: ignore[union-attr,index]
            for seat in set(range(4)) - {took.source}:
                assert review(positions, seat).fed is None
            fed = review(positions, took.source).fed  # type: ignore[arg-type]
            if fed is not None:
                assert fed.made == Discard(taken)
                return
    pytest.fail("nobody was fed from a farther pile in sixty rounds")


@pytest.mark.parametrize(
    ("tile", "scoring", "cost"), [("Y13", "countdown", 0), ("K7", "countdown", 1), ("Y13", "rounds", 1)]
)
def test_playing_on_costs_nothing_where_it_pays_to_wait_for_a_finish_with_an_okey(
    tile: str, scoring: str, cost: int
) -> None:
    """All but the okey R5 is in melds, and many tiles would take its place: 4 points, not 2."""
    rules = rules_of(scoring=scoring)
    rack = "R1 R2 R3 Y2 Y3 Y4 B6 B7 B8 K7 K8 K9 K10 R5 Y13"
    before = turn_of(match_of(rules, {}, indicator="R4"), 1, rack=rack)
    made = Discard(tiles_from_text(tile)[0])
    after, events = play(before, 1, made)
    done = review([Position(0, None, before, ()), Position(0, 0, after, events, (1, made))], 1)
    (decision,) = done.decisions
    assert decision.cost == pytest.approx(cost, abs=0.9 * cost)
    assert (done.missed is None) == (not cost)
