"""Pictures of leagues: every line of a standing where it belongs, and a curve that goes as its figures do."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image
from tile_reader import changed, opened

from bot.markup import BracketHeat, BracketPicture, BracketRow, CurvePicture, StandingRow, StandingsPicture
from bot.pictures import draw, theme
from bot.pictures.lettering import line

ROWS = (
    StandingRow("1", "Ada", "5 nights (+2)", "13.5", first=True),
    StandingRow("2", "Can", "4 nights", "9"),
)


def standing(*rows: StandingRow, more: str = "") -> StandingsPicture:
    return StandingsPicture(title="Thursday", subtitle="The best 5 of 8", rows=rows or ROWS, more=more)


def with_row(number: int, **changes: object) -> StandingsPicture:
    rows = list(ROWS)
    rows[number] = replace(rows[number], **changes)  # type: ignore[arg-type]
    return standing(*rows)


@pytest.mark.parametrize("number", [0, 1])
def test_rank_name_detail_and_points_stand_side_by_side(number: int) -> None:
    whole = standing()
    parts = [changed(whole, with_row(number, **{part: ""})) for part in ("rank", "name", "detail", "points")]
    for left, right in pairwise(parts):
        assert left[2] < right[0]
    assert parts[-1][2] < theme.WIDTH - theme.MARGIN


def test_lines_stand_below_each_other_and_the_leader_is_marked() -> None:
    names = [changed(standing(), with_row(number, name="")) for number in (0, 1)]
    assert names[0][3] < names[1][1]
    marked = changed(standing(), with_row(0, first=False))
    assert marked[0] == theme.MARGIN
    assert marked[3] < names[1][1]


@pytest.mark.parametrize("name", ["W" * 32, "Ağaoğlu " * 4, "김" * 32, "أحمد " * 6])
def test_no_name_runs_into_what_stands_beside_it(name: str) -> None:
    long = changed(with_row(1, name=""), with_row(1, name=name))
    detail = changed(with_row(1, name=name, detail=""), with_row(1, name=name, detail="12 nights (+10)"))
    points = changed(with_row(1, name=name, points=""), with_row(1, name=name, points="1,234.75"))
    assert long[2] < detail[0]
    assert detail[2] < points[0]


@pytest.mark.parametrize("text", ["حجج چى", "محمد يحيى", "فريق", "ที่ปรึกษาผู้ใหญ่", "Ģģ Ąę Çş gjpqy", "한국어"])
@pytest.mark.parametrize("size", [22, 34, 44])
def test_no_letter_is_cut_at_its_foot(text: str, size: int) -> None:
    mask = line(text, size, 900)
    box = mask.getbbox()
    assert box is not None
    assert box[1] > 0
    assert box[3] < mask.height


def test_a_standing_is_as_high_as_it_needs_and_no_higher_than_a_phone_shows() -> None:
    one, two = (opened(draw(standing(*ROWS[:count]))) for count in (1, 2))
    assert one.height < two.height < opened(draw(standing(more="and 3 more"))).height
    full = opened(draw(standing(*[ROWS[1]] * 20, more="and 300 more")))
    assert full.width == theme.WIDTH
    assert full.height < 1.6 * full.width


def line_at(picture: Image.Image, x: int) -> float:
    """How high the curve is at a column: the middle of its orange pixels."""
    column = [y for y in range(picture.height) if picture.getpixel((x, y)) == theme.SIGNAL]
    assert column, x
    return sum(column) / len(column)


def curve(*values: float) -> CurvePicture:
    marks = tuple((f"{level:.0f}", level) for level in sorted({min(values), max(values)}))
    return CurvePicture(title="Rating", values=values, marks=marks, captions=("Mar 5", "Mar 19"))


def test_a_curve_rises_and_falls_with_its_figures() -> None:
    picture = opened(draw(curve(1500, 1600, 1550)))
    first, middle, last = (line_at(picture, x) for x in (152, 503, 854))
    assert middle < last < first


def test_a_figure_that_stays_is_a_level_line() -> None:
    picture = opened(draw(curve(1500, 1500)))
    assert abs(line_at(picture, 152) - line_at(picture, 854)) <= 1


@pytest.mark.parametrize("picture", [standing(), curve(1, 2, 3)])
def test_strong_contrast_is_drawn_in_other_colours(picture: StandingsPicture | CurvePicture) -> None:
    plain, strong = opened(draw(picture)), opened(draw(replace(picture, contrast=True)))
    assert plain.size == strong.size
    assert strong.getpixel((2, 2)) == (0, 0, 0)
    assert draw(picture) == draw(picture)


@pytest.mark.parametrize("people", [1, 2, 3, 5])
def test_a_podium_has_as_many_steps_as_there_are_people(people: int) -> None:
    rows = (*ROWS, StandingRow("2", "Eve", "", "9", tie="equal in everything"), ROWS[1], ROWS[1])[:people]
    whole = opened(draw(replace(standing(*rows), podium=True)))
    light, plate = theme.PLATE_LIGHT, theme.PLATE
    foot = 76 + 46 + 270 - 20
    seen = [whole.getpixel((x, foot)) for x in (450, 160, 740)]
    assert seen == [light, *[plate] * (min(people, 3) - 1), *[theme.FELT] * (3 - min(people, 3))]


def test_what_decided_the_third_rank_stands_within_its_step() -> None:
    podium = replace(standing(*[ROWS[1]] * 3), podium=True)
    tied = replace(podium, rows=(*podium.rows[:2], replace(podium.rows[2], tie="Ğ, ğ, g, y")))
    foot = 76 + 46 + 270 - 20
    assert changed(podium, tied)[3] <= foot - 6


def test_the_name_of_the_first_division_stands_above_its_podium() -> None:
    rows = [ROWS[1]] * 4
    without = replace(standing(*rows), podium=True)
    named = replace(without, lines=((0, "Division 1"),))
    plain, titled = (opened(draw(each)) for each in (without, named))
    high = titled.height - plain.height
    assert high > 0
    assert (
        titled.crop((0, 76 + 46 + high, *titled.size)).tobytes()
        == plain.crop((0, 76 + 46, *plain.size)).tobytes()
    )
    assert theme.SIGNAL in [titled.getpixel((40, y)) for y in range(76 + 46, 76 + 46 + high)]


def test_a_line_parts_those_who_play_the_final_from_the_others() -> None:
    plain = opened(draw(standing(*ROWS)))
    cut = opened(draw(replace(standing(*ROWS), lines=((1, "final"),))))
    assert cut.size[1] > plain.size[1]
    below = changed(standing(*ROWS), with_row(0, first=False))[3]
    middle = [cut.getpixel((40, y)) for y in range(below, below + 60)]
    assert theme.SIGNAL in middle
    last = replace(standing(*ROWS), lines=((len(ROWS), "final"),))
    assert draw(last) == draw(standing(*ROWS)), "below the last row it would part nobody"


def bracket(*, through: bool = True) -> BracketPicture:
    final = (BracketRow("Ada", "9", through=through), BracketRow("Can", "7", through=False))
    others = (BracketRow("Eve", "3", through=False), BracketRow("W" * 32, "1,234", through=False))
    heats = (
        BracketHeat(title="Final", matches=(final,)),
        BracketHeat(title="Before", matches=(final, others)),
    )
    return BracketPicture(title="Night 8", heats=heats)


def test_a_bracket_marks_who_plays_on() -> None:
    plain, marked = opened(draw(bracket(through=False))), opened(draw(bracket()))
    assert plain.size == marked.size
    light = theme.PLATE_LIGHT
    assert light in {marked.getpixel((450, y)) for y in range(76, 300)}
    assert light not in {plain.getpixel((450, y)) for y in range(76, 300)}
