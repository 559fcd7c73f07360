"""Lettering: words as coverage masks, in any script, never wider than asked.

Every character is drawn in the first font of the chain that has it; a character of none becomes a visible
replacement sign. Names come from strangers: control and direction characters are dropped, piled-up accents
are thinned, and long names end in an ellipsis.
"""

import struct
import threading
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont, features

from bot.pictures.once import draw_once

_FOLDER: Final = Path(__file__).parent / "fonts"
_CHAIN: Final = (
    "OkeyText-ExtraBold", "OkeyMore-Bold", "OkeyHangul-ExtraBold", "OkeyEmoji-Bold", "OkeySymbols-Regular",
    "OkeyArabic-Bold", "OkeyHebrew-Bold", "OkeyDevanagari-Bold", "OkeyThai-Bold", "OkeyArmenian-Bold",
    "OkeyGeorgian-Bold",
)  # fmt: skip
_SHAPED: Final = frozenset({"OkeyArabic-Bold", "OkeyHebrew-Bold", "OkeyDevanagari-Bold", "OkeyThai-Bold"})
_FROM_RIGHT: Final = frozenset({"OkeyArabic-Bold", "OkeyHebrew-Bold"})
_LETTERS: Final = frozenset({"L", "R", "AL"})
_NEUTRAL: Final = frozenset({"WS", "ON", "CS", "ES", "ET", "BN", "NSM", ""})
"""The directions of letters, and those of signs and spaces (Unicode's bidirectional categories)."""
_MIRRORED: Final = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
_SIGNS: Final = "OkeyMore-Bold"
_UNKNOWN: Final = "\ufffd"
_ELLIPSIS: Final = "…"
_ACCENTS: Final = 2
"""Combining marks kept on one letter."""
_FLAGS: Final = {0x1F1E6 + number: chr(ord("A") + number) for number in range(26)}
"""The letters of which flags are made, each with its plain letter."""
_KEYCAP: Final = 0x20E3
_UNDRAWN: Final = dict.fromkeys((*_FLAGS, _KEYCAP))
"""Parts of emojis whose whole no font of ours draws: a flag is left out, a keycap leaves its digit."""
_JOINERS: Final = "\u200c\u200d"
_EMOJI_TONES: Final = range(0x1F3FB, 0x1F400)

_Run = tuple[str, str]
"""A font's name and the characters it draws."""

# Two threads must not use one font face at once.
_pen: Final = threading.Lock()


def _format_12(table: bytes) -> Iterator[int]:
    """Yield the characters of a cmap subtable of format 12, the only one our fonts carry."""
    (groups,) = struct.unpack_from(">I", table, 12)
    for number in range(groups):
        first, last, _ = struct.unpack_from(">III", table, 16 + 12 * number)
        yield from range(first, last + 1)


@cache
def _characters(font: str) -> frozenset[str]:
    """Return the characters that a font of ours can draw, read from its cmap (OpenType: table directory, then
    subtables)."""
    data = (_FOLDER / f"{font}.ttf").read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    directory = {data[at : at + 4]: at for at in range(12, 12 + 16 * tables, 16)}
    (cmap,) = struct.unpack_from(">I", data, directory[b"cmap"] + 8)
    (subtable,) = struct.unpack_from(">I", data, cmap + 8)
    return frozenset(map(chr, _format_12(data[cmap + subtable :])))


@cache  # there are only so many sizes; without it a picture takes a fifth longer
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    shaped = name in _SHAPED and features.check("fribidi")
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(_FOLDER / f"{name}.ttf", size, layout_engine=engine)


def clean(text: str) -> str:
    """Return one line of visible characters, with accents composed and thinned. Flags are left out where
    anything else is written, and else become letters."""
    return _clean(text.translate(_UNDRAWN)) or _clean(text.translate(_FLAGS | {_KEYCAP: ""}))


def _clean(text: str) -> str:
    kept: list[str] = []
    accents = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        accents = accents + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\n\t":
            kept.append(" ")
        elif (kind[0] == "C" and kind != "Co" and char not in _JOINERS) or accents > _ACCENTS:
            continue
        elif not 0xFE00 <= ord(char) <= 0xFE0F and ord(char) not in _EMOJI_TONES:
            kept.append(char)
    return " ".join("".join(kept).split())


def _font_of(char: str, before: str) -> str | None:
    """Return the font for a character. A character that is no letter keeps the font `before`. None when no
    font has it."""
    if before and not char.isalnum() and char in _characters(before):
        return before
    return next((name for name in _CHAIN if char in _characters(name)), None)


def _plainer(text: str) -> str:
    """Replace stylised letters that no font has (mathematical, circled, ligatures) by plain ones."""
    return "".join(char if _font_of(char, "") else unicodedata.normalize("NFKC", char) for char in text)


def _runs(text: str) -> list[_Run]:
    """Return the text cut at spaces and where the font changes, in reading order."""
    placed: list[_Run] = []
    before = ""
    for char in text:
        font = _font_of(char, before)
        if font is None and char in _JOINERS:
            continue
        placed.append((font or _SIGNS, char if font else _UNKNOWN))
        before = placed[-1][0]
    parts = groupby(placed, key=lambda item: (item[0], item[1] == " "))
    return [(font, "".join(char for _, char in part)) for (font, _), part in parts]


def _begins_right(runs: list[_Run]) -> bool:
    """Return whether a line's first letter is from a right-to-left script."""
    return next((font in _FROM_RIGHT for font, chars in runs if _directions(chars) & _LETTERS), False)


def _sides(runs: list[_Run]) -> list[bool]:
    """Return whether each run is written from right to left. Signs and spaces between two of one direction
    take it, others that of the line."""
    line = _begins_right(runs)
    known = [None if _directions(chars) <= _NEUTRAL else font in _FROM_RIGHT for font, chars in runs]
    sides: list[bool] = []
    for at, side in enumerate(known):
        before = sides[-1] if sides else line
        after = next((each for each in known[at:] if each is not None), line)
        sides.append(side if side is not None else before if before == after else line)
    return sides


def _directions(chars: str) -> set[str]:
    return set(map(unicodedata.bidirectional, chars))


def _visual(runs: list[_Run]) -> list[_Run]:
    """Return the runs from left to right. A line whose first letter is from a right-to-left script begins on
    the right."""
    sides = _sides(runs)
    if not any(sides):
        return runs
    turned = [_turn(run) if side else run for side, run in zip(sides, runs, strict=True)]
    blocks = [list(block) for _, block in groupby(zip(sides, turned, strict=True), key=lambda pair: pair[0])]
    ordered = blocks[::-1] if _begins_right(runs) else blocks
    return [run for block in ordered for run in _block(block)]


def _turn(run: _Run) -> _Run:
    """Return a run from right to left as it must be given to its font to be drawn."""
    font, chars = run
    if font in _FROM_RIGHT and features.check("fribidi"):
        return run  # that library turns it
    return font, chars[::-1].translate(_MIRRORED)


def _block(block: list[tuple[bool, _Run]]) -> list[_Run]:
    runs = [run for _, run in block]
    return runs[::-1] if block[0][0] else runs


def _length(runs: list[_Run], size: int) -> float:
    return sum(_font(font, size).getlength(chars) for font, chars in runs)


def _cut(text: str, size: int, width: int) -> list[_Run]:
    """Return as much of the text as fits with an ellipsis. No letter loses its accents."""
    low, high = 0, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _length(_runs(text[:middle].rstrip() + _ELLIPSIS), size) <= width:
            low = middle
        else:
            high = middle - 1
    while low and unicodedata.combining(text[low]):
        low -= 1
    return _runs(text[:low].rstrip() + _ELLIPSIS)


def _fit(text: str, size: int, width: int) -> tuple[list[_Run], int]:
    """Return the runs of a line and the size they fit in: the given one, a sixth less, or that with the text
    cut."""
    runs = _runs(text)
    for tried in (size, size * 5 // 6):
        if _length(runs, tried) <= width:
            return runs, tried
    return _cut(text, size * 5 // 6, width), size * 5 // 6


@draw_once
def fits(text: str, size: int, width: int) -> bool:
    """Return whether `line` need not cut the text."""
    with _pen:
        return _length(_runs(_plainer(clean(text))), size * 5 // 6) <= width


def line(text: str, size: int, width: int, outline: int = 0) -> Image.Image:
    """Return a line of words as a mask (mode L), at most `width` pixels wide and about 1.6 `size` high, or
    with an outline so many pixels wide that much wider and higher at each side.

    A line that is too long is set a sixth smaller, and cut when that is not enough. The middle of the
    capitals lies at half the height. Scripts that reach deeper make it higher, up to 2.2 `size`; what goes
    beyond is cut.
    """
    with _pen:
        runs, fit = _fit(_plainer(clean(text)), size, width)
        base = fit * 0.355
        reach = max((_reach(run, fit, base) for run in runs), default=0.0)
        height = 2 * (round(min(max(size * 0.8, reach), size * 1.1)) + outline)
        length = min(width, ceil(_length(runs, fit))) + 2 * outline
        mask = Image.new("L", (max(1, length), height))
        draw = ImageDraw.Draw(mask)
        x = float(outline)
        for font, chars in _visual(runs):
            face = _font(font, fit)
            draw.text((x, height / 2 + base), chars, 255, face, anchor="ls", stroke_width=outline)
            x += face.getlength(chars)
    return mask


def _reach(run: _Run, size: int, base: float) -> float:
    """Return how far a run's ink reaches from the middle of the capitals, up or down. `base` is the
    baseline's depth below it."""
    font, chars = run
    _, top, _, bottom = _font(font, size).getbbox(chars, anchor="ls")
    return max(-top - base, bottom + base)
