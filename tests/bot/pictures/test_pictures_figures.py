"""The picture of figures: every line where it belongs, however long its words."""

from dataclasses import replace

import pytest
from tile_reader import amount, changed, opened

from bot.markup import FiguresPicture, FiguresSection
from bot.pictures import draw, theme

SECTIONS = (
    FiguresSection("One", (("Ada", "12 of 30"), ("Can", "9 of 31"))),
    FiguresSection("Two", (("Ece", "1"),)),
)


def figures(*sections: FiguresSection) -> FiguresPicture:
    return FiguresPicture(sections=sections or SECTIONS)


def with_row(number: int, name: str, figure: str) -> FiguresPicture:
    rows = list(SECTIONS[0].rows)
    rows[number] = (name, figure)
    return figures(replace(SECTIONS[0], rows=tuple(rows)), SECTIONS[1])


def test_names_stand_on_the_left_and_figures_on_the_right_line_by_line() -> None:
    whole = figures()
    names = [changed(whole, with_row(n, "", SECTIONS[0].rows[n][1])) for n in (0, 1)]
    numbers = [changed(whole, with_row(n, SECTIONS[0].rows[n][0], "")) for n in (0, 1)]
    for name, number in zip(names, numbers, strict=True):
        assert name[2] < theme.WIDTH / 2 < number[0]
        assert abs((name[1] + name[3]) - (number[1] + number[3])) < 16
    assert names[0][3] < names[1][1]
    two = changed(whole, figures(SECTIONS[0], replace(SECTIONS[1], title="")))
    assert names[1][3] < two[1]


@pytest.mark.parametrize("name", ["W" * 60, "Ağaoğlu " * 9, "김" * 60, "🦆" * 60])
def test_no_name_runs_into_its_figure(name: str) -> None:
    box = changed(with_row(0, "", "W" * 40), with_row(0, name, "W" * 40))
    number = changed(with_row(0, "", ""), with_row(0, "", "W" * 40))
    assert box[2] < number[0]
    assert number[2] < theme.WIDTH - theme.MARGIN


def test_it_is_as_high_as_its_lines_need() -> None:
    one, more = opened(draw(figures(SECTIONS[1]))), opened(draw(figures()))
    assert one.width == more.width == theme.WIDTH
    assert more.height > one.height
    foot = more.crop((0, more.height - 10, more.width, more.height))
    assert amount(foot, theme.FELT) == foot.width * foot.height


def test_equal_figures_give_equal_bytes_and_contrast_other_colours() -> None:
    assert draw(figures()) == draw(figures())
    strong = opened(draw(replace(figures(), contrast=True)))
    assert amount(strong, theme.IN_CONTRAST[theme.FELT]) > strong.width * strong.height / 2
