"""A result: the winning arrangement, and what it did to the scores."""

from typing import Final

from bot.markup import ResultPicture, ResultRow, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Canvas, Hand, figure
from bot.pictures.lettering import fits
from bot.pictures.tiles import tile_height

_TITLE: Final = 102
"""High enough for two lines."""
_TITLE_MIDDLE: Final = 48
_TITLE_HAND: Final = Hand(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_HALF: Final = 34
_HALF_HAND: Final = Hand(theme.TEXT, theme.WORDS, theme.FELT)
"""For each of the two lines of a title that one would not hold, and how far one is below the other."""
_ROW: Final = 58
_ROW_GAP: Final = 6
_ROOM: Final = theme.WIDTH - 2 * theme.MARGIN
_TILE_WIDTHS: Final = (84, 76, 68, 60, 52, 44)
_LINES: Final = 2
"""Tiles are drawn as large as lets the melds fit in so many lines."""
_BETWEEN: Final = 16
"""From one line of melds to the next."""
_CROWN: Final = 36
_CHEVRON: Final = 34
_APART: Final = 64
"""From the melds to the finishing discard."""

Meld = tuple[TileFace, ...]


def _span(tiles: int, width: int) -> int:
    return tiles * (width + 2)


def _lines(melds: tuple[Meld, ...], width: int, room: int) -> list[list[Meld]]:
    """The melds, in order, in lines of `room` pixels."""
    lines: list[list[Meld]] = []
    left = 0
    for meld in melds:
        if not lines or _span(len(meld), width) > left:
            lines.append([])
            left = room
        lines[-1].append(meld)
        left -= _span(len(meld), width) + width // 2
    return lines


def _room(picture: ResultPicture, width: int) -> int:
    return _ROOM - (width + _APART + theme.MARGIN if picture.finishing else 0)


def _tile_width(picture: ResultPicture) -> int:
    """The largest width at which the melds fit in the lines, else the smallest."""
    for width in _TILE_WIDTHS:
        room = _room(picture, width)
        narrow = all(_span(len(meld), width) <= room for meld in picture.melds)
        if narrow and len(_lines(picture.melds, width, room)) <= _LINES:
            return width
    return _TILE_WIDTHS[-1]


def _draw_melds(canvas: Canvas, lines: list[list[Meld]], width: int, letters: bool) -> None:
    for number, line in enumerate(lines):
        left = theme.MARGIN
        for meld in line:
            for face in meld:
                tile = sprites.tile(face, width, theme.FELT, letters)
                canvas.lay(tile, left, _TITLE + number * (tile.height + _BETWEEN))
                left += _span(1, width)
            left += width // 2


def _draw_finishing(canvas: Canvas, face: TileFace, width: int, middle: float, letters: bool) -> None:
    """The discard that ended the round: in a frame at the side, under a chevron's way."""
    tile = sprites.tile(face, width, theme.FELT, letters)
    frame = sprites.plate(width + 36, tile.height + 34, theme.FELT, theme.FELT_LINE)
    left = theme.WIDTH - theme.MARGIN - frame.width
    canvas.lay(frame, left, middle - frame.height / 2)
    canvas.lay(tile, left + 18, middle - tile.height / 2)
    chevron = sprites.sign(marks.chevron, _CHEVRON, theme.FELT, theme.FELT_LINE, "right")
    canvas.lay(chevron, left - _CHEVRON, middle - _CHEVRON / 2)


def _draw_title(canvas: Canvas, title: str) -> None:
    lines = (title,) if fits(title, _TITLE_HAND.size, _ROOM) else _halves(title)
    hand = _TITLE_HAND if len(lines) == 1 else _HALF_HAND
    top = _TITLE_MIDDLE - (len(lines) - 1) * _HALF / 2
    for number, line in enumerate(lines):
        canvas.write(line, (theme.WIDTH / 2, top + number * _HALF), hand, _ROOM, "middle")


def _halves(text: str) -> tuple[str, ...]:
    """A text cut at the space nearest to its middle, if it has one."""
    spaces = [at for at, char in enumerate(text) if char == " "]
    cut = min(spaces, key=lambda at: abs(at - len(text) / 2), default=None)
    return (text,) if cut is None else (text[:cut], text[cut + 1 :])


def _draw_row(canvas: Canvas, row: ResultRow, top: int) -> None:
    high = _ROW - _ROW_GAP
    middle = top + high / 2
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if row.winner else (theme.PLATE, theme.WORDS)
    canvas.lay(sprites.plate(_ROOM, high, fill, fill), theme.MARGIN, top)
    if row.winner:
        crown = sprites.sign(marks.crown, _CROWN, fill, ink)
        canvas.lay(crown, theme.MARGIN + 16, middle - _CROWN / 2)
    right = theme.WIDTH - theme.MARGIN - 22
    canvas.write(row.name, (theme.MARGIN + 68, middle), Hand(theme.TEXT, ink, fill), 450)
    canvas.write(
        figure(row.change, signed=True), (right - 150, middle), Hand(theme.TEXT, ink, fill), 140, "right"
    )
    canvas.write(figure(row.score), (right, middle), Hand(theme.TEXT_LARGE, ink, fill), 140, "right")


def draw_result(picture: ResultPicture) -> bytes:
    """The result as PNG; its height grows with melds and rows."""
    width = _tile_width(picture)
    lines = _lines(picture.melds, width, _room(picture, width))
    shown = max(len(lines), 1 if picture.finishing else 0)
    laid = shown * (tile_height(width) + _BETWEEN)
    above = _TITLE + laid + (_BETWEEN if shown == 1 else 0)
    canvas = Canvas.plain(theme.WIDTH, above + len(picture.rows) * _ROW + theme.MARGIN, theme.FELT)
    _draw_title(canvas, picture.title)
    _draw_melds(canvas, lines, width, picture.letters)
    if picture.finishing:
        _draw_finishing(canvas, picture.finishing, width, _TITLE + (laid - _BETWEEN) / 2, picture.letters)
    for number, row in enumerate(picture.rows):
        _draw_row(canvas, row, above + number * _ROW)
    return canvas.png(contrast=picture.contrast)
