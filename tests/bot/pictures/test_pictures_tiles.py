"""A single tile: every face can be told from every other, also without its hue."""

import math
import re
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageColor
from tile_reader import opened, spots, tiles_in

import adapters.web
from bot.markup import TileFace
from bot.pictures import emoji_png, theme, tile_png
from bot.pictures.theme import Rgb

CODES = [f"{letter}{number}" for letter in "RYBK" for number in range(1, 14)] + ["F"]

# Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency,
# IEEE TVCG 15 (2009): the matrices for severity 1.0, on linear RGB.
BLINDNESS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
CLEARLY_DIFFERENT = 30
"""In CIE 1976 colour differences; 2.3 is just noticeable side by side."""


def seen_with(blindness: str, colour: Rgb) -> tuple[float, float, float]:
    """What is left of a colour, as CIELAB (D65)."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(part * value for part, value in zip(row, linear, strict=True))))
        for row in BLINDNESS[blindness]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_inks_stay_apart_from_each_other_and_from_the_ivory(blindness: str) -> None:
    """Yellow from the ivory by its outline."""
    colours = [theme.INKS[letter] for letter in "RYBK"]
    seen = [seen_with(blindness, colour) for colour in colours]
    assert min(math.dist(one, other) for one, other in combinations(seen, 2)) > CLEARLY_DIFFERENT
    ivory = seen_with(blindness, theme.IVORY)
    bounds = [theme.INKS["R"], theme.DARK, theme.INKS["B"], theme.INKS["K"]]
    assert min(math.dist(seen_with(blindness, colour), ivory) for colour in bounds) > CLEARLY_DIFFERENT


def test_red_is_no_black_to_who_sees_no_red() -> None:
    """Their lightness alone parts them: red is dark to them, but not as dark as black."""
    red, black = (seen_with("protanopia", theme.INKS[letter])[0] for letter in "RK")
    assert red - black > 20


def test_the_page_draws_its_tiles_in_the_same_inks() -> None:
    styles = (Path(adapters.web.__file__).parent / "static" / "tiles.css").read_text()
    scope = r"^(:is\(\.contrast, \[data-tiles=contrast\]\) )?"
    inks = re.findall(
        scope + r"\.(red|yellow|blue|black) \{ --ink: (#\w+);(?: --line: (#\w+);)? \}", styles, re.MULTILINE
    )
    plain = {"red": "R", "yellow": "Y", "blue": "B", "black": "K"}
    assert len(inks) == 8
    for contrast, name, ink, line in inks:
        drawn = theme.INKS[plain[name]]
        assert ImageColor.getrgb(ink) == (theme.IN_CONTRAST[drawn] if contrast else drawn)
        assert bool(line) == (name == "yellow")
        if line:
            assert ImageColor.getrgb(line) == (theme.IN_CONTRAST[theme.DARK] if contrast else theme.DARK)


def on_felt(png: bytes) -> bytes:
    """The tile laid on felt, as PNG."""
    image = Image.open(BytesIO(png))
    ground = Image.new("RGB", image.size, theme.FELT)
    ground.paste(image, (0, 0), image)
    out = BytesIO()
    ground.save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("code", CODES)
def test_a_tile_shows_its_face(code: str) -> None:
    assert [seen.face for seen in tiles_in(on_felt(tile_png(code, 120)))] == [TileFace(code)]


@pytest.mark.parametrize("code", CODES)
def test_an_emoji_shows_its_face_in_what_discord_takes(code: str) -> None:
    png = emoji_png(code)
    image = Image.open(BytesIO(png))
    assert (image.format, image.size, len(png) <= 256_000) == ("PNG", (128, 128), True)
    assert image.getchannel("A").crop((0, 0, 4, 4)).getbbox() is None, "the corners must be transparent"
    assert [seen.face for seen in tiles_in(on_felt(png))] == [TileFace(code)]


def test_a_tile_has_the_height_asked_for() -> None:
    assert [opened(tile_png("B12", height)).height for height in (40, 97, 300)] == [40, 97, 300]


def mark_of(code: str) -> Image.Image:
    """The ink of the shape under the number."""
    image = Image.open(BytesIO(on_felt(tile_png(code, 600)))).convert("RGB")
    ink = spots(image, theme.INKS[code[0]])
    rows = [bool(ink.crop((0, y, ink.width, y + 1)).getbbox()) for y in range(ink.height)]
    below = rows.index(True, rows.index(False, rows.index(True)))
    mark = ink.crop((0, below, *ink.size))
    return mark.crop(mark.getbbox())


@pytest.mark.parametrize(
    ("letter", "filled"),
    [("R", math.pi / 4), ("B", 1 / 2), ("K", 1.0), ("Y", 0.37)],
    ids=["red is a circle", "blue is a diamond", "black is a square", "yellow is a star"],
)
def test_the_shape_alone_tells_the_colour(letter: str, filled: float) -> None:
    """By the share of its box that a shape fills: 0.37 of it a star whose notches lie 0.43 of the way out."""
    mark = mark_of(f"{letter}7")
    assert mark.width == pytest.approx(mark.height, rel=0.1)
    assert mark.histogram()[255] / (mark.width * mark.height) == pytest.approx(filled, abs=0.05)


def foot_of(code: str) -> Image.Image:
    """The lowest twentieth of a mark, 0 where there is no ink."""
    mark = mark_of(code)
    return mark.crop((0, mark.height - max(2, mark.height // 20), mark.width, mark.height))


@pytest.mark.parametrize(
    ("code", "feet"),
    [("B7", [False, True, False]), ("Y7", [True, False, True])],
    ids=["the diamond stands on its tip", "the star stands on two feet"],
)
def test_a_mark_stands_the_right_way_up(code: str, feet: list[bool]) -> None:
    foot = foot_of(code)
    assert [ink_between(foot, *part) for part in ((0, 0.4), (0.4, 0.6), (0.6, 1))] == feet


def ink_between(mask: Image.Image, left: float, right: float) -> bool:
    """Return whether there is ink between two shares of the width."""
    return mask.crop((int(mask.width * left), 0, int(mask.width * right), mask.height)).getbbox() is not None
