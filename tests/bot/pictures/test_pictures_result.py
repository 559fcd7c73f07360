"""The picture of a result: the winning rack laid open, the finishing discard apart, the scores."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import ImageChops
from tile_reader import amount, changed, opened, spots, tiles_in

from bot.markup import ResultPicture, ResultRow, TileFace
from bot.pictures import draw, theme
from bot.pictures.canvas import figure

Meld = tuple[TileFace, ...]


def meld(codes: str) -> Meld:
    """`*` before a code is an okey."""
    return tuple(TileFace(word.lstrip("*"), wild="*" in word) for word in codes.split())


RUNS = (meld("B6 *R5 B8 B9"), meld("R1 Y1 K1"), meld("K11 K12 K13"), meld("Y2 Y3 F Y5"))
PAIRS = tuple(meld(f"{code} {code}") for code in ("R1", "Y13", "B7", "K10", "F", "Y2", "K3"))
LONG = (meld(" ".join(f"B{number}" for number in range(1, 14))), meld("K9"))
FINISHING = TileFace("K9")
ROWS = (
    ResultRow(name="Ada", change=-4, score=16, winner=False),
    ResultRow(name="Can", change=0, score=20, winner=True),
    ResultRow(name="Ece", change=-4, score=8, winner=False),
    ResultRow(name="Ali", change=-4, score=12, winner=False),
)


def result(
    melds: tuple[Meld, ...] = RUNS,
    finishing: TileFace | None = FINISHING,
    rows: tuple[ResultRow, ...] = ROWS,
    title: str = "Can wins",
) -> ResultPicture:
    return ResultPicture(title=title, melds=melds, finishing=finishing, rows=rows)


@pytest.mark.parametrize("melds", [RUNS, PAIRS, LONG], ids=["runs and sets", "pairs", "a run of thirteen"])
def test_melds_lie_in_order_with_the_finishing_discard_beside_them(melds: tuple[Meld, ...]) -> None:
    seen = tiles_in(draw(result(melds)))
    discard = max(seen, key=lambda tile: tile.box[2])
    laid = sorted((tile for tile in seen if tile is not discard), key=lambda tile: (tile.box[1], tile.box[0]))
    assert discard.face == FINISHING
    assert [tile.face for tile in laid] == [face for group in melds for face in group]
    assert discard.box[0] - max(tile.box[2] for tile in laid) > 30


def test_a_meld_is_never_torn_and_melds_lie_apart() -> None:
    seen = sorted(tiles_in(draw(result(PAIRS, finishing=None))), key=lambda tile: (tile.box[1], tile.box[0]))
    for number, (one, other) in enumerate(pairwise(seen)):
        same_line = one.box[1] == other.box[1]
        if number % 2 == 0:
            assert same_line
            assert other.box[0] - one.box[2] < 8
        elif same_line:
            assert other.box[0] - one.box[2] > 16


def test_the_winner_alone_has_a_light_row_and_a_crown() -> None:
    image = opened(draw(result()))
    lit = spots(image, theme.PLATE_LIGHT).getbbox()
    assert lit
    crown = image.crop((lit[0], lit[1], lit[0] + 64, lit[3]))
    assert amount(crown, theme.WORDS_DARK) > 200
    loser = image.crop((lit[0], lit[3] + 8, lit[0] + 64, lit[3] + 48))
    assert amount(loser, theme.PLATE) > loser.width * loser.height * 0.9


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 10])
def test_every_row_is_there_in_order(rows: int) -> None:
    many = tuple(ResultRow(name=f"N{n}", change=n, score=-n, winner=False) for n in range(rows))
    whole = opened(draw(result(rows=many)))
    tops = []
    for number in range(rows):
        blank = tuple(replace(row, name="") if n == number else row for n, row in enumerate(many))
        box = ImageChops.difference(whole, opened(draw(result(rows=blank)))).getbbox()
        assert box
        assert box[3] < whole.height
        tops.append(box[1])
    assert tops == sorted(tops)
    assert len(set(tops)) == rows


def test_gains_and_losses_carry_their_sign_and_scores_only_a_minus() -> None:
    assert [figure(number, signed=True) for number in (4, -4, 0)] == ["+4", "−4", "0"]
    assert [figure(number) for number in (4, -4, 0)] == ["4", "−4", "0"]


def one_row(**changes: object) -> ResultPicture:
    plain = ResultRow(name="", change=0, score=0, winner=False)
    return result(rows=(replace(plain, **changes),))  # type: ignore[arg-type]


def test_a_gain_and_a_loss_are_as_long_as_each_other() -> None:
    """Both begin with a sign, at the same place."""
    gain, loss = (changed(one_row(change=0), one_row(change=change)) for change in (4, -4))
    assert gain[0] == pytest.approx(loss[0], abs=4)


def test_without_a_winner_there_are_words_and_scores_alone() -> None:
    picture = draw(result((), None, tuple(replace(row, winner=False) for row in ROWS)))
    assert tiles_in(picture) == []
    assert amount(opened(picture), theme.PLATE_LIGHT) == 0
    assert opened(picture).height < opened(draw(result())).height


HOSTILE = ["W" * 400, "Z" + "\u0334\u0349" * 40, "\u202eشهرزاد" * 9, "🀄👩‍👩‍👧‍👦" * 9, "漢\x00\n字"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_ends_before_the_figures_and_these_before_each_other(name: str) -> None:
    named = changed(one_row(), one_row(name=name))
    change = changed(one_row(), one_row(change=-1808))
    score = changed(one_row(), one_row(score=-1808))
    assert named[2] < change[0] < change[2] < score[0]
    assert max(box[3] for box in (named, change, score)) < opened(draw(one_row())).height - 10


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_stays_above_the_tiles_and_on_the_picture(title: str) -> None:
    left, top, right, bottom = changed(result(title=""), result(title=title))
    assert 0 < left < right < 900
    assert 0 < top < bottom < min(tile.box[1] for tile in tiles_in(draw(result())))


def test_ten_rows_and_seven_pairs_are_small_enough_to_send() -> None:
    rows = tuple(ResultRow(name=f"Öztürkoğlu {n}", change=-404, score=-1808, winner=n < 2) for n in range(10))
    assert len(draw(result(PAIRS, rows=rows))) <= 40_000
