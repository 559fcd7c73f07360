"""The same pictures in strong contrast: same shapes, other colours, and readable by measure (WCAG 2)."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.markup import RackPicture, TileFace
from bot.pictures import draw, theme
from bot.pictures.theme import Rgb

RACK = RackPicture(
    shelves=((TileFace("R9"), TileFace("Y10", marked=True), TileFace("B11"), TileFace("F")),),
    indicator=TileFace("K4"),
    okey=TileFace("K5", wild=True),
    captions=("indicator", "okey"),
)


def luminance(colour: Rgb) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def indices(picture: RackPicture) -> bytes:
    with Image.open(BytesIO(draw(picture))) as image:
        return image.tobytes()


def colours(picture: RackPicture) -> set[Rgb]:
    with Image.open(BytesIO(draw(picture))) as image:
        found = image.convert("RGB").getcolors(1 << 16)
        assert found is not None
        return {colour for _, colour in found}  # type: ignore[misc]


def test_what_is_drawn_is_the_same() -> None:
    assert indices(RACK) == indices(replace(RACK, contrast=True))


def test_the_colours_are_the_strong_ones() -> None:
    strong = colours(replace(RACK, contrast=True))
    assert {theme.IN_CONTRAST[each] for each in (theme.IVORY, theme.FELT, theme.MARK)} <= strong
    assert theme.FELT not in strong
    assert theme.FELT in colours(RACK)


def test_every_number_reads_as_text_on_its_tile() -> None:
    """4.5 to 1, the demand on text of any size (WCAG 2, 1.4.3)."""
    for ink in (*(theme.INKS[letter] for letter in "RBKF"), theme.DARK):  # the outline of yellow
        assert contrast(ink, theme.IVORY) >= 4.5
    assert contrast(theme.INKS["Y"], theme.DARK) >= 4.5


@pytest.mark.parametrize("strong", [False, True])
def test_the_mark_of_a_drawn_tile_stands_out_from_the_tile_and_from_the_shelf(strong: bool) -> None:
    """3 to 1, the demand on what is no text (WCAG 2, 1.4.11)."""
    mark, *grounds = (
        theme.IN_CONTRAST[each] if strong else each for each in (theme.MARK, theme.IVORY, theme.SHELF)
    )
    assert all(contrast(mark, ground) >= 3 for ground in grounds)


@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        (theme.WORDS, theme.FELT, 4.5),
        (theme.WORDS, theme.PLATE, 4.5),
        (theme.WORDS_DIM, theme.FELT, 4.5),
        (theme.WORDS_DARK, theme.PLATE_LIGHT, 4.5),
        (theme.SIGNAL, theme.FELT, 3),
        (theme.YELLOW, theme.DARK, 3),
    ],
)
def test_words_and_signs_stand_out(ink: Rgb, ground: Rgb, least: float) -> None:
    assert contrast(ink, ground) >= least


def test_words_and_numbers_stand_out_as_strongly_as_is_asked_for() -> None:
    """7 to 1 is the strictest demand on text, 4.5 to 1 on large numbers."""
    white = theme.IN_CONTRAST[theme.IVORY]
    inks = [*(theme.INKS[letter] for letter in "RBK"), theme.DARK]
    assert all(contrast(theme.IN_CONTRAST[ink], white) >= 4.5 for ink in inks)
    for words, ground in (
        (theme.WORDS, theme.FELT),
        (theme.WORDS, theme.PLATE),
        (theme.WORDS_DIM, theme.FELT),
        (theme.WORDS_DARK, theme.PLATE_LIGHT),
        (theme.SIGNAL, theme.FELT),
        (theme.YELLOW, theme.DARK),
    ):
        assert contrast(theme.IN_CONTRAST[words], theme.IN_CONTRAST[ground]) >= 7
    assert contrast(theme.IN_CONTRAST[theme.IVORY], theme.IN_CONTRAST[theme.SHELF]) >= 7
