"""Draws the pictures of the README from the program's own screens: `make pictures`.

Needs Chromium and the fonts Inter and Noto Color Emoji. On Debian:
apt install chromium fonts-inter fonts-noto-color-emoji
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import chats
import hand
from PIL import Image

from bot import pictures
from bot.tables.table import Table

FOLDER: Final = Path(__file__).parent

CLASSIC_SEED: Final = 53
"""Ada finishes after a few turns of her own."""
OPENED_SEED: Final = 11
"""Everybody opens."""

WIDTH: Final = 540
QUALITY: Final = 72
OTHERS, DRAWN, DISCARDED, RESULT = 550, 1300, 900, 4000
"""How long a frame stays, in milliseconds."""


def moving() -> bytes:
    """Ada's hand as an animated WebP: table and rack after every move, and the result."""
    *playing, ended = list(hand.states("okey", CLASSIC_SEED))[1:]
    drawn = [(_table_and_rack(table), _stays(table)) for table in _sorted(playing)]
    size = (WIDTH, max(image.height for image, _ in drawn))
    frames = [(_amid(image, size), stays) for image, stays in drawn]
    frames.append((_amid(_image(hand.shown(ended).picture), size), RESULT))
    images, durations = zip(*frames, strict=True)
    out = io.BytesIO()
    images[0].save(
        out,
        "WEBP",
        save_all=True,
        append_images=images[1:],
        duration=durations,
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )
    return out.getvalue()


def _sorted(playing: list[Table]) -> Iterator[Table]:
    """The states as Ada sorts her rack: a tile that she has just drawn stays where it came."""
    for table in playing:
        yield table if hand.has_drawn(table) else hand.sorted_by_runs(table)


def _stays(table: Table) -> int:
    if hand.has_drawn(table):
        return DRAWN
    return DISCARDED if hand.on_turn(table) else OTHERS


def _table_and_rack(table: Table) -> Image.Image:
    above, below = _image(hand.shown(table).picture), _image(hand.rack(table).picture)
    both = Image.new("RGB", (WIDTH, above.height + below.height))
    both.paste(above, (0, 0))
    both.paste(below, (0, above.height))
    return both


def _amid(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture in the middle of a frame."""
    frame = Image.new("RGB", size, image.getpixel((0, 0)))
    frame.paste(image, (0, (size[1] - image.height) // 2))
    return frame


def _image(picture: pictures.Picture | None) -> Image.Image:
    assert picture is not None
    image = Image.open(io.BytesIO(pictures.draw(picture))).convert("RGB")
    return image.resize((WIDTH, image.height * WIDTH // image.width), Image.Resampling.LANCZOS)


def drawn(preset: str, seed: int, turn: int) -> Table:
    """The table when Ada has drawn a tile for the `turn`-th time, from 0; negative from the end."""
    turns = [table for table in hand.states(preset, seed) if hand.has_drawn(table)]
    return hand.sorted_by_runs(turns[turn])


def pages() -> Iterator[tuple[str, str]]:
    """The chats as pages, by the names of their pictures."""
    classic, opened = drawn("okey", CLASSIC_SEED, -2), drawn("okey101", OPENED_SEED, 1)
    for language, ending in (("en", ""), ("tr", "-tr")):
        group, private = hand.shown(classic, language), hand.rack(classic, language)
        yield f"telegram{ending}.png", chats.telegram(group, private, language)
        channel, private = hand.shown(opened, language), hand.rack(opened, language)
        yield f"discord{ending}.png", chats.discord_channel(channel, private, language)


if __name__ == "__main__":
    for name, page in pages():
        (FOLDER / name).write_bytes(chats.photograph(page))
    (FOLDER / "hand.webp").write_bytes(moving())
