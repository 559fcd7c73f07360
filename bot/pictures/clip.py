"""Clip: the film of a round that is over, as one file that plays by itself in every chat.

It is a GIF: chats play nothing else without a word of their own. A small one is forwarded more easily, so its
frames become smaller, and then fewer, until it is small enough.
"""

import io
import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from PIL import Image

from bot.pictures.canvas import Canvas
from bot.pictures.theme import IN_CONTRAST, INKS, PALETTE, PALETTE_IN_CONTRAST, Rgb

BYTES_MOST: Final = 300_000

_COLOURS: Final = 32
_USUAL_MS: Final = 800
_LAST_MS: Final = 5000
_SIZES: Final = ((480, 1), (400, 1), (480, 2), (400, 2), (320, 2), (320, 3), (320, 5), (240, 8))
"""Widths in pixels, and of how many frames one is shown, in the order in which they are tried."""


def make_clip(frames: Sequence[Canvas], *, contrast: bool) -> bytes:
    """Return the frames as a film in at most BYTES_MOST bytes. The last one stays for a while."""
    drawn = [_in_colours(frame.image, contrast=contrast) for frame in frames]
    inks = [IN_CONTRAST[ink] if contrast else ink for ink in dict.fromkeys(INKS.values())]
    film = b""
    for width, step in _SIZES:
        film = _write([*drawn[:-1][::step], drawn[-1]], width, inks)
        if len(film) <= BYTES_MOST:
            break
    return film


def _in_colours(indices: Image.Image, *, contrast: bool) -> Image.Image:
    image = Image.frombytes("P", indices.size, indices.tobytes())
    image.putpalette(PALETTE_IN_CONTRAST if contrast else PALETTE)
    return image.convert("RGB")


def _write(drawn: Sequence[Image.Image], width: int, inks: Sequence[Rgb]) -> bytes:
    images = list(_fit(drawn, width))
    palette = _palette_of(images, inks)
    shown = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    out = io.BytesIO()
    shown[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=shown[1:],
        duration=[_USUAL_MS] * (len(shown) - 1) + [_LAST_MS],
        loop=0,
    )
    return out.getvalue()


def _fit(drawn: Sequence[Image.Image], width: int) -> Iterator[Image.Image]:
    """Yield the images in one size, each in the middle."""
    heights = [image.height * width // image.width for image in drawn]
    for image, height in zip(drawn, heights, strict=True):
        frame = Image.new("RGB", (width, max(heights)), image.getpixel((0, 0)))
        small = image.resize((width, height), Image.Resampling.LANCZOS)
        frame.paste(small, (0, (frame.height - height) // 2))
        yield frame


def _palette_of(images: Sequence[Image.Image], inks: Sequence[Rgb]) -> Image.Image:
    """Return few colours: the tiles' own, which cover little and count most, and those that suit a frame from
    the middle and the last one."""
    middle, last = images[len(images) // 2], images[-1]
    both = Image.new("RGB", (middle.width, middle.height + last.height))
    both.paste(middle, (0, 0))
    both.paste(last, (0, middle.height))
    suiting = both.quantize(_COLOURS - len(inks)).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*itertools.chain(*inks), *suiting[: 3 * (_COLOURS - len(inks))]])
    return palette
