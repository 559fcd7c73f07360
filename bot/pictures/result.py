"""A result: the winning arrangement, and what it did to the scores."""

from typing import Final

from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Canvas
from bot.pictures.tiles import tile_height
from bot.screens.model import ResultPicture, ResultRow, TileFace

_TITLE: Final = 84
_ROW: Final = 58
_WIDTHS: Final = (84, 76, 68, 60, 52, 44)
_ROOM: Final = theme.WIDTH - 2 * theme.MARGIN
Meld = tuple[TileFace, ...]


def _lines(melds: tuple[Meld, ...], width: int) -> list[list[Meld]]:
    """The melds in lines that fit, in order."""
    lines: list[list[Meld]] = [[]]
    used = 0
    for meld in melds:
        wide = len(meld) * (width + 2) + width // 2
        if lines[-1] and used + wide > _ROOM:
            lines.append([])
            used = 0
        lines[-1].append(meld)
        used += wide
    return lines


def _tile_width(melds: tuple[Meld, ...]) -> int:
    fits = (w for w in _WIDTHS if len(_lines(melds, w)) <= 2 and all(len(m) * (w + 2) <= _ROOM for m in melds))
    return next(fits, _WIDTHS[-1])


def _row(canvas: Canvas, row: ResultRow, top: int) -> None:
    middle = top + _ROW / 2
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if row.winner else (theme.PLATE, theme.WORDS)
    canvas.lay(sprites.plate(_ROOM, _ROW - 6, fill, fill), theme.MARGIN, top)
    if row.winner:
        canvas.lay(sprites.sign(marks.crown, 36, fill, ink), theme.MARGIN + 14, middle - 21)
    middle -= 3
    canvas.write(row.name, (theme.MARGIN + 64, middle), theme.TEXT, 480, ink, fill)
    change = f"{row.change:+d}".replace("-", "−") if row.change else "0"
    canvas.write(change, (theme.WIDTH - 190, middle), theme.TEXT, 150, ink, fill, "right")
    canvas.write(str(row.score), (theme.WIDTH - 40, middle), theme.TEXT_LARGE, 140, ink, fill, "right")


def draw_result(picture: ResultPicture) -> bytes:
    """The result as PNG."""
    melds = (*picture.melds, *([(picture.finishing,)] if picture.finishing else []))
    width = _tile_width(melds)
    lines = _lines(melds, width) if melds else []
    high = tile_height(width) + 16
    height = _TITLE + len(lines) * high + len(picture.rows) * _ROW + theme.MARGIN
    canvas = Canvas.plain(theme.WIDTH, height, theme.FELT)
    canvas.write(picture.title, (theme.WIDTH / 2, _TITLE / 2), theme.TEXT_LARGE, _ROOM, theme.WORDS, theme.FELT, "middle")
    top = _TITLE
    for line in lines:
        left = theme.MARGIN
        for meld in line:
            for face in meld:
                canvas.lay(sprites.tile(face, width, theme.FELT, picture.letters), left, top)
                left += width + 2
            left += width // 2
        top += high
    for row in picture.rows:
        _row(canvas, row, top)
        top += _ROW
    return canvas.png()
