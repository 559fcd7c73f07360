"""The pictures that come with what people read: what tiles make, and the steps of a replay."""

from dataclasses import replace
from itertools import pairwise

import pytest
from tile_reader import SeenTile, amount, opened, tiles_in

from bot.markup import DrawnSeat, ReplayPicture, RulesPicture, TablePicture, TileFace
from bot.pictures import draw, theme


def faces(codes: str) -> tuple[TileFace, ...]:
    """`*` before a code is an okey."""
    return tuple(TileFace(word.lstrip("*"), wild="*" in word) for word in codes.split())


EXAMPLES = (
    ("Set", faces("R7 Y7 B7 K7")),
    ("Run", faces("B9 B10 B11 B12 B13")),
    ("Pair", faces("Y5 Y5")),
    ("Indicator", faces("R4")),
    ("Okey", faces("*R5")),
    ("False joker", faces("F")),
)
RACKS = {
    "classic": (faces("R1 R2 R3 Y7 Y8 Y9 B11 *R5 K3 K4 K4 F B2 Y13"),) * 3 + (faces("K1 K2 K3"),),
    "101": (
        faces(" ".join(f"{colour}{number}" for colour in "RB" for number in range(1, 12))),
        (),
        faces("F"),
        (),
    ),
}


def table() -> TablePicture:
    names = ("Ada", "Can", "Ece", "Ali")
    return TablePicture(
        seats=tuple(
            DrawnSeat(name=name, score=20, on_turn=name == "Ece", computer=False, top=None, shown=False)
            for name in names
        ),
        clockwise=False,
        indicator=TileFace("R4"),
        okey=TileFace("R5", wild=True),
        stock_left=20,
        title="Round 1",
        captions=("Indicator", "Okey", "Stock"),
    )


def lines_of(seen: list[SeenTile]) -> list[list[SeenTile]]:
    """Tiles that stand on one line together, from top to bottom, each from left to right."""
    lines: dict[int, list[SeenTile]] = {}
    for tile in seen:
        lines.setdefault(tile.box[3], []).append(tile)
    return [sorted(lines[foot], key=lambda tile: tile.box[0]) for foot in sorted(lines)]


@pytest.mark.parametrize("count", range(1, 7))
def test_every_example_lies_whole_under_its_name(count: int) -> None:
    seen = tiles_in(draw(RulesPicture(examples=EXAMPLES[:count])))
    shown = [tile.face for line in lines_of(seen) for tile in line]
    assert shown == [face for _, example in EXAMPLES[:count] for face in example]


def test_two_examples_stand_side_by_side_and_apart() -> None:
    (line,) = lines_of(tiles_in(draw(RulesPicture(examples=EXAMPLES[:2]))))
    gaps = [right.box[0] - left.box[2] for left, right in pairwise(line)]
    assert max(gaps) == gaps[3] > 3 * min(gaps)
    assert line[-1].box[2] < theme.WIDTH - theme.MARGIN


def test_the_names_are_written() -> None:
    with_names = opened(draw(RulesPicture(examples=EXAMPLES)))
    without = opened(draw(RulesPicture(examples=tuple(("", example) for _, example in EXAMPLES))))
    assert amount(with_names, theme.WORDS) > amount(without, theme.WORDS)


@pytest.mark.parametrize("game", RACKS)
def test_under_the_table_stands_every_rack_on_a_line_of_its_own(game: str) -> None:
    alone, racks = table(), RACKS[game]
    height = opened(draw(alone)).height
    seen = tiles_in(draw(ReplayPicture(table=alone, racks=racks)))
    below = lines_of([tile for tile in seen if tile.box[1] > height])
    assert [[tile.face for tile in line] for line in below] == [list(rack) for rack in racks if rack]
    assert all(line[-1].box[2] < theme.WIDTH - theme.MARGIN for line in below)


def test_the_table_itself_is_drawn_as_it_was() -> None:
    plain = opened(draw(table()))
    shown = opened(draw(ReplayPicture(table=table(), racks=RACKS["classic"])))
    assert shown.crop((0, 0, plain.width, plain.height)).tobytes() == plain.tobytes()


def test_whose_turn_it_was_stands_out_below_too() -> None:
    nobody = replace(table(), seats=tuple(replace(seat, on_turn=False) for seat in table().seats))
    height = opened(draw(table())).height

    def signals(picture: TablePicture) -> int:
        shown = opened(draw(ReplayPicture(table=picture, racks=RACKS["classic"])))
        return amount(shown.crop((0, height, shown.width, shown.height)), theme.SIGNAL)

    assert signals(table()) > signals(nobody) == 0


def test_a_replay_is_small_enough_to_be_sent_at_every_tap() -> None:
    assert len(draw(ReplayPicture(table=table(), racks=RACKS["classic"]))) < 48_000
