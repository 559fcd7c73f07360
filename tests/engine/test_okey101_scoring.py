"""RULES 5, the scoring table row by row. Every number is from RULES or is a sum of a rack written here."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.match import Match, play
from engine.melds import Way
from engine.moves import Discard, Finish, Open, OpenPairs
from engine.tiles import Tile, tile_from_text
from engine.view import public_view
from tests.engine.laid_out import match_of, on_table, placed, round_in, rules_of, turn_of

# The indicator is R4: R5 is the okey. Seat 1 finishes. What the others hold:
ELEVEN = "R1 Y10"  # 11
THIRTY = "R10 Y10 B10"  # 30


def left(
    discard: str,
    opened: Mapping[int, Way],
    racks: Mapping[int, str],
    *,
    stock: str | None = None,
    fines: tuple[int, ...] = (0, 0, 0, 0),
    opened_now: bool = False,
    **switches: object,
) -> Match:
    """Seat 1 is on turn with what it holds (`discard`); nothing lies on the table that fits."""
    match = match_of(rules_of(preset="okey101", **switches), {}, indicator="R4")
    for seat, rack in racks.items():
        match = turn_of(match, seat, rack=rack)
    match = turn_of(match, 1, rack=discard, stock=stock)
    match = on_table(match, opened=opened)
    board = round_in(match).board
    board = replace(board, fines=fines[: match.rules.players], opened_now=opened_now)
    return replace(match, round=replace(round_in(match), board=board))


def finished(discard: str, opened: Mapping[int, Way], racks: Mapping[int, str], **more: object) -> Match:
    match = left(discard, opened, racks, **more)  # type: ignore[arg-type]
    return play(match, 1, Finish(tile_from_text(discard)))[0]


def ran_out(opened: Mapping[int, Way], racks: Mapping[int, str], **more: object) -> Match:
    """Seat 1 holds B2 B3 and discards B3; the stock is empty."""
    match = left("B2 B3", opened, racks, stock="", **more)  # type: ignore[arg-type]
    return play(match, 1, Discard(Tile.B3))[0]


@pytest.mark.parametrize(
    ("discard", "ways", "changes", "how"),
    [
        # a normal finish
        ("K13", {1: "melds", 2: "melds", 3: "melds"}, (202, -101, 11, 30), ()),
        ("K13", {1: "melds"}, (202, -101, 202, 202), ()),
        ("K13", {0: "melds", 1: "melds", 2: "melds", 3: "melds"}, (11, -101, 11, 30), ()),
        # the finishing discard is an okey: ×2 for everybody
        ("R5", {1: "melds", 2: "melds", 3: "melds"}, (404, -202, 22, 60), ("joker",)),
        # the finisher opened with pairs: ×2 for everybody
        ("K13", {1: "pairs", 2: "melds", 3: "melds"}, (404, -202, 22, 60), ("pairs",)),
        # both: −404 / +808
        ("R5", {1: "pairs", 2: "melds", 3: "melds"}, (808, -404, 44, 120), ("joker", "pairs")),
        # a loser who opened with pairs: their own sum ×2
        ("K13", {1: "melds", 2: "pairs", 3: "melds"}, (202, -101, 22, 30), ()),
        # a pairs opener with 11 left against an okey finish: 44
        ("R5", {1: "melds", 2: "pairs", 3: "melds"}, (404, -202, 44, 60), ("joker",)),
        ("R5", {1: "pairs", 2: "pairs", 3: "melds"}, (808, -404, 88, 120), ("joker", "pairs")),
    ],
)
def test_a_finish(
    discard: str, ways: Mapping[int, Way], changes: tuple[int, ...], how: tuple[str, ...]
) -> None:
    match = finished(discard, ways, {0: ELEVEN, 2: ELEVEN, 3: THIRTY})
    assert match.changes == changes
    ending = round_in(match).ending
    assert ending is not None
    assert (ending.winner, ending.how) == (1, how)


@pytest.mark.parametrize(
    ("discard", "way", "others", "changes", "how"),
    [
        ("K13", "melds", {}, (404, -202, 404, 404), ("elden",)),
        ("R5", "melds", {}, (808, -404, 808, 808), ("elden", "joker")),  # elden with an okey: −404 / +808
        ("K13", "pairs", {}, (808, -404, 808, 808), ("elden", "pairs")),
        ("R5", "pairs", {}, (1616, -808, 1616, 1616), ("elden", "joker", "pairs")),
        # somebody else had opened: no elden
        ("K13", "melds", {2: "melds"}, (202, -101, 11, 202), ()),
    ],
)
def test_elden(
    discard: str, way: Way, others: dict[int, Way], changes: tuple[int, ...], how: tuple[str, ...]
) -> None:
    match = finished(discard, {1: way, **others}, {2: ELEVEN}, opened_now=True)
    assert match.changes == changes
    ending = round_in(match).ending
    assert ending is not None
    assert ending.how == how


@pytest.mark.parametrize(
    ("way", "rack", "pays"),
    [
        ("melds", "R10 Y10 B10 K3", 3),
        ("melds", "R9 R10 R11 K9 B9 Y2", 20),  # the run leaves 9 and 9 and 2, the set of 9 would leave 23
        ("melds", "Y10 B10 K1 K2", 23),
        ("pairs", "R10 Y10 B10 K3", 33),  # a player who opened with pairs lays no sets
        ("pairs", "K7 K7 B2", 2),
        # the false joker is R5
        ("melds", "R4 F R6 K1", 1),
        ("pairs", "F F K1", 1),
        # an okey on the rack costs its 101, and is no burden in a meld of the rest: 1, not 24
        ("melds", "R5 Y10 B10 K1", 101 + 1),
        ("melds", "R5 R12 R13 K6 B6 Y1", 101 + 13),
        ("pairs", "R5 K13 K2", 101 + 2),
    ],
)
def test_openers_pay_only_uncombined_tiles_where_the_switch_says_so(way: Way, rack: str, pays: int) -> None:
    """RULES 8, `openers_pay`; a pairs opener's own sum is doubled as always, a fine is not."""
    ways: dict[int, Way] = {1: "melds", 2: way}
    match = finished("K13", ways, {2: rack}, openers_pay="uncombined")
    fine = 101 if pays > 101 else 0
    assert match.changes == (202, -101, fine + (pays - fine) * (2 if way == "pairs" else 1), 202)
    exhausted = ran_out({2: way}, {2: rack}, openers_pay="uncombined")
    assert exhausted.changes[2] == match.changes[2]


@pytest.mark.parametrize(("rack", "pays"), [("R5 Y10 B10 K1", 1), ("R5 Y10 K1", 16), ("R5 Y9 Y8 Y7 K1", 1)])
def test_an_okey_without_a_fine_counts_its_number_where_no_meld_holds_it(rack: str, pays: int) -> None:
    match = finished("K13", {1: "melds", 2: "melds"}, {2: rack}, openers_pay="uncombined", penalties=[])
    assert match.changes == (202, -101, pays, 202)


def test_elden_is_opening_and_finishing_in_one_turn() -> None:
    """A whole turn: an opening with all tiles but one, and the finish."""
    match = left("R11 R12 R13 B11 B12 B13 Y9 Y10 Y11 K1", {}, {})
    match, _ = play(match, 1, Open(tuple(placed(m) for m in ("R11 R12 R13", "B11 B12 B13", "Y9 Y10 Y11"))))
    match, _ = play(match, 1, Finish(Tile.K1))
    assert match.changes == (404, -202, 404, 404)
    match = left("K2 K2 K3 K3 Y7 Y7 B9 B9 F F K1", {}, {})
    match, _ = play(
        match, 1, OpenPairs(tuple(placed(p) for p in ("K2 K2", "K3 K3", "Y7 Y7", "B9 B9", "F F")))
    )
    match, _ = play(match, 1, Finish(Tile.K1))
    assert match.changes == (808, -404, 808, 808)


def test_opened_in_an_earlier_turn_is_not_elden() -> None:
    assert finished("K13", {1: "melds"}, {}).changes == (202, -101, 202, 202)


def test_without_stacking_only_the_largest_doubling_counts() -> None:
    ways: dict[int, Way] = {1: "pairs", 2: "pairs", 3: "melds"}
    racks = {0: ELEVEN, 2: ELEVEN, 3: THIRTY}
    assert finished("R5", ways, racks, stack_doublings=False).changes == (404, -202, 22, 60)
    assert finished("K13", {1: "melds", 2: "pairs"}, racks, stack_doublings=False).changes == (
        202,
        -101,
        22,
        202,
    )


@pytest.mark.parametrize(("ways", "changes"), [
    ({1: "melds", 2: "melds", 3: "melds"}, (202, 2, 11, 30)),
    ({}, (202, 202, 202, 202)),
    ({0: "melds", 1: "melds"}, (11, 2, 202, 202)),
    ({1: "pairs", 2: "pairs"}, (202, 4, 22, 202)),  # ours: a pairs opener's own sum counts twice here too
])  # fmt: skip
def test_the_stock_runs_out(ways: Mapping[int, Way], changes: tuple[int, ...]) -> None:
    match = ran_out(ways, {0: ELEVEN, 2: ELEVEN, 3: THIRTY})
    assert match.changes == changes
    ending = round_in(match).ending
    assert ending is not None
    assert (ending.kind, ending.winner, ending.how) == ("exhausted", None, ())


# ------------------------------------------------------------------ what is on the rack


@pytest.mark.parametrize(
    ("rack", "penalties", "points"),
    [
        ("R1 Y10", ["joker_left"], 11),
        ("F Y10", ["joker_left"], 15),  # a false joker counts the okey's face
        ("F F", ["joker_left"], 10),
        ("R5 Y10", ["joker_left"], 111),  # 101, and the okey's face is then not counted
        ("R5 R5 Y10", ["joker_left"], 111),  # once, however many
        ("R5 Y10", [], 15),  # not penalised: its face counts
        ("K13 K12 K11", ["joker_left"], 36),
    ],
)
def test_the_sum_of_a_rack(rack: str, penalties: list[str], points: int) -> None:
    match = finished("K13", {1: "melds", 2: "melds"}, {2: rack}, penalties=penalties)
    assert match.changes == (202, -101, points, 202)


def test_an_okey_left_is_never_doubled_but_the_sum_is() -> None:
    match = finished("R5", {1: "melds", 2: "pairs"}, {2: "R5 Y10"})
    assert match.changes == (404, -202, 10 * 2 * 2 + 101, 404)


def test_the_unopened_pay_202_and_no_more_for_an_okey_left() -> None:
    assert finished("K13", {1: "melds"}, {2: "R5 Y10"}).changes == (202, -101, 202, 202)


def test_an_okey_left_counts_when_the_stock_runs_out() -> None:
    assert ran_out({2: "melds"}, {2: "R5 Y10"}).changes == (202, 202, 111, 202)


def test_fines_are_added_after_all_doublings_for_everybody() -> None:
    match = finished("R5", {1: "melds", 2: "melds"}, {2: ELEVEN}, fines=(1, 2, 1, 0))
    assert match.changes == (404 + 101, -202 + 202, 22 + 101, 404)


def test_the_outcome_tells_every_seats_fines() -> None:
    match = finished("R5", {1: "melds", 2: "melds"}, {2: "R5 Y10", 3: "R5"}, fines=(1, 2, 1, 0))
    outcome = public_view(match).outcome
    assert outcome is not None
    assert outcome.fines == (1, 2, 2, 0)


def test_fines_are_scored_at_the_end_of_the_round() -> None:
    match = left("R5 K13 K1", {1: "melds"}, {})
    match, _ = play(match, 1, Discard(Tile.R5))
    assert match.scores == (0, 0, 0, 0)
    match = turn_of(match, 2, rack="K1 K2", stock="")
    match, _ = play(match, 2, Discard(Tile.K1))
    assert match.changes == (202, 14 + 101, 202, 202)


def test_the_finishing_discard_costs_no_penalty() -> None:
    match = left("B4", {1: "melds"}, {})
    match = on_table(match, "B1 B2 B3", opened={1: "melds"})
    match, _ = play(match, 1, Finish(Tile.B4))
    assert match.changes == (202, -101, 202, 202)


# ------------------------------------------------------------------ teams


@pytest.mark.parametrize(
    ("discard", "ways", "racks", "fines", "changes"),
    [
        # 0+2 against 1+3: the partner's rack (30) is not counted
        (
            "K13",
            {1: "melds", 2: "melds", 3: "melds"},
            {2: ELEVEN, 3: THIRTY},
            (0,) * 4,
            (213, -101, 213, -101),
        ),
        ("K13", {1: "melds"}, {}, (0,) * 4, (404, -101, 404, -101)),
        ("R5", {1: "melds", 0: "pairs"}, {0: ELEVEN}, (0,) * 4, (448, -202, 448, -202)),
        # their penalties are
        ("K13", {1: "melds"}, {}, (0, 0, 1, 2), (505, 101, 505, 101)),
        ("K13", {1: "melds", 3: "melds"}, {3: "R5 Y10"}, (0,) * 4, (404, 0, 404, 0)),
    ],
)
def test_partners_carry_their_teams_sum(
    discard: str,
    ways: Mapping[int, Way],
    racks: Mapping[int, str],
    fines: tuple[int, ...],
    changes: tuple[int, ...],
) -> None:
    assert finished(discard, ways, racks, fines=fines, teams=True).changes == changes


def test_all_racks_of_a_team_count_when_the_stock_runs_out() -> None:
    match = ran_out({0: "melds", 1: "melds", 2: "melds"}, {0: ELEVEN, 2: THIRTY}, teams=True)
    assert match.changes == (41, 204, 41, 204)


# ------------------------------------------------------------------ matches


@pytest.mark.parametrize(("players", "changes"), [(2, (11, -101)), (3, (11, -101, 202))])
def test_fewer_players(players: int, changes: tuple[int, ...]) -> None:
    assert finished("K13", {0: "melds", 1: "melds"}, {0: ELEVEN}, players=players).changes == changes


@pytest.mark.parametrize(("scores", "winners"), [
    ((0, 0, 0, 0), (1,)), ((-400, 0, 0, 0), (0,)), ((-303, 0, 0, 0), (0, 1)),
])  # fmt: skip
def test_the_lowest_total_wins_and_ties_share(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """The round costs 202, −101, 202, 202."""
    match = replace(left("K13", {1: "melds"}, {}, rounds=1), scores=scores)
    match, _ = play(match, 1, Finish(Tile.K13))
    assert (match.finished, match.winners) == (True, winners)
