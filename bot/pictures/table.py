"""Table: seats, discards, stock and okey, as seen from the seat at the bottom."""

from dataclasses import dataclass, replace
from typing import Final

from bot.markup import DrawnSeat, TablePicture, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Canvas, TextStyle, figure
from bot.pictures.sprites import RIM, Towards, felt, lay_middle, tile_height
from bot.pictures.table_101 import draw_table_101

_Spot = tuple[int, int]

_W: Final = theme.WIDTH
_H: Final = 680
_TILE: Final = 94
"""The width of discards, indicator and okey."""
_SHOWN_TILE: Final = 36
_PLATE_HEIGHT: Final = 122
_WIDE, _NARROW = 352, 250
_TITLE: Final = TextStyle(theme.TEXT, theme.WORDS, theme.FELT)
_CAPTION: Final = TextStyle(theme.TEXT_SMALL, theme.WORDS_DIM, theme.FELT)
_COUNT: Final = TextStyle(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_LAYERS: Final = 3
"""The tiles visible under the indicator while the stock lasts."""
_SIGN: Final = 34
_ARROW_APART: Final = 14
"""From the edge of a plate to the middle of its arrow, which all but touches it: beyond it are words."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A seat's plate (centre and width), its direction from the table's middle, and its discard pile.

    The pile lies towards the next seat. `passing` are the chevrons from the plate past the pile to that seat.
    """

    plate: _Spot
    width: int
    towards: Towards
    pile: _Spot
    passing: tuple[tuple[_Spot, Towards], ...]


_TOP, _BOTTOM = RIM + 12 + _PLATE_HEIGHT // 2, _H - RIM - 12 - _PLATE_HEIGHT // 2
_LEFT, _RIGHT = RIM + 12 + _NARROW // 2, _W - RIM - 12 - _NARROW // 2
_WEST, _EAST = 132, _W - 132
_NORTH, _SOUTH = RIM + 18 + tile_height(_TILE) // 2, _H - RIM - 18 - tile_height(_TILE) // 2
_X, _Y = _W // 2, _H // 2
_ASIDE, _BEYOND = 94, 117
"""From the middle of a pile to the chevrons at its side, and to those above or below it."""

_SEAT_SOUTH: Final = _Place(
    (_X, _BOTTOM), _WIDE, "down", (_EAST, _SOUTH),
    (((_EAST - _ASIDE, _BOTTOM), "right"), ((_EAST, _SOUTH - _BEYOND), "up")),
)  # fmt: skip
_SEAT_EAST: Final = _Place(
    (_RIGHT, _Y), _NARROW, "right", (_EAST, _NORTH),
    (((_EAST, _NORTH + _BEYOND), "up"), ((_EAST - _ASIDE, _TOP), "left")),
)  # fmt: skip
_SEAT_NORTH: Final = _Place(
    (_X, _TOP), _WIDE, "up", (_WEST, _NORTH),
    (((_WEST + _ASIDE, _TOP), "left"), ((_WEST, _NORTH + _BEYOND), "down")),
)  # fmt: skip
_SEAT_WEST: Final = _Place(
    (_LEFT, _Y), _NARROW, "left", (_WEST, _SOUTH),
    (((_WEST, _SOUTH - _BEYOND), "down"), ((_WEST + _ASIDE, _BOTTOM), "right")),
)  # fmt: skip
_SEAT_EAST_OF_THREE: Final = replace(
    _SEAT_EAST, pile=(_X, _NORTH), passing=(((_X + _ASIDE, _NORTH), "left"), ((_X - _ASIDE, _NORTH), "left"))
)
_PLACES: Final = {
    2: (_SEAT_SOUTH, _SEAT_NORTH),
    3: (_SEAT_SOUTH, _SEAT_EAST_OF_THREE, _SEAT_WEST),
    4: (_SEAT_SOUTH, _SEAT_EAST, _SEAT_NORTH, _SEAT_WEST),
}
"""The places by number of seats, counterclockwise from the bottom."""
_MIRROR: Final[dict[Towards, Towards]] = {"left": "right", "right": "left", "up": "up", "down": "down"}
_STEPS: Final[dict[Towards, _Spot]] = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


def draw_table(picture: TablePicture, height: int = 0) -> Canvas:
    """Return the table, 900 pixels wide and 680 high, or `height` if that is more; in Okey 101 it grows with
    the melds."""
    if picture.melds is not None:
        return draw_table_101(picture, height)
    canvas = Canvas(felt(max(_H, height)))
    _draw_middle(canvas, picture)
    places = _places(len(picture.seats), picture.clockwise)
    for seat, place in zip(picture.seats, places, strict=True):
        _draw_pile(canvas, seat.top, place, picture.letters)
        if seat.on_turn:  # before the plate, whose frame it would cut
            _draw_turn(canvas, place)
        _draw_plate(canvas, seat, place, picture.indicator)
    return canvas


def _mirror(place: _Place) -> _Place:
    def flip(spot: _Spot) -> _Spot:
        return _W - spot[0], spot[1]

    passing = tuple((flip(spot), _MIRROR[towards]) for spot, towards in place.passing)
    return _Place(flip(place.plate), place.width, _MIRROR[place.towards], flip(place.pile), passing)


def _places(seats: int, clockwise: bool) -> tuple[_Place, ...]:
    return tuple(map(_mirror, _PLACES[seats])) if clockwise else _PLACES[seats]


def _draw_plate(canvas: Canvas, seat: DrawnSeat, place: _Place, indicator: TileFace) -> None:
    """Draw a plate: the name above; score, the sign of a computer and the shown tile below."""
    fill, frame, ink = theme.plate_colours(on_turn=seat.on_turn)
    left, right = place.plate[0] - place.width // 2 + 18, place.plate[0] + place.width // 2 - 16
    low = place.plate[1] + 30
    lay_middle(canvas, sprites.plate(place.width, _PLATE_HEIGHT, fill, frame), place.plate)
    room = right - left - (_SHOWN_TILE + 8 if seat.shown else 0)
    canvas.write_name(seat.name, (left, place.plate[1] - 20), TextStyle(theme.TEXT, ink, fill), room)
    canvas.write(figure(seat.score), (left, low), TextStyle(theme.TEXT_LARGE, ink, fill), 130)
    if seat.shown:
        right -= _SHOWN_TILE
        canvas.lay(sprites.tile(indicator, _SHOWN_TILE, fill, False), right, low - 28)
        right -= 14
    if seat.computer:
        canvas.lay(sprites.robot(_SIGN, fill, ink), right - _SIGN, low - _SIGN / 2)


def _draw_turn(canvas: Canvas, place: _Place) -> None:
    """Draw a bright arrow from the table's middle to the plate of the player on turn."""
    across, down = _STEPS[place.towards]
    spot = (
        place.plate[0] - across * (place.width // 2 + _ARROW_APART),
        place.plate[1] - down * (_PLATE_HEIGHT // 2 + _ARROW_APART),
    )
    lay_middle(canvas, sprites.sign(marks.arrowhead, _SIGN, theme.FELT, theme.SIGNAL, place.towards), spot)


def _draw_pile(canvas: Canvas, top: TileFace | None, place: _Place, letters: bool) -> None:
    part = sprites.tile(top, _TILE, theme.FELT, letters) if top else sprites.slot(_TILE)
    lay_middle(canvas, part, place.pile)
    for spot, towards in place.passing:
        lay_middle(canvas, sprites.sign(marks.chevron, _SIGN, theme.FELT, theme.FELT_LINE, towards), spot)


def _draw_middle(canvas: Canvas, picture: TablePicture) -> None:
    """Draw the title, the indicator on the stock, the okey, and the number of tiles left to draw."""
    y = _Y - 25
    half = tile_height(_TILE) // 2
    left, right = _X - 72, _X + 72
    canvas.write(picture.title, (_X, y - half - 34), _TITLE, 340, "middle")
    canvas.lay(sprites.stock(_TILE, _LAYERS if picture.stock_left else 0), left - _TILE / 2, y - half)
    for x, face, caption in (
        (left, picture.indicator, picture.captions[0]),
        (right, picture.okey, picture.captions[1]),
    ):
        lay_middle(canvas, sprites.tile(face, _TILE, theme.FELT, picture.letters), (x, y))
        canvas.write(caption, (x, y + half + 44), _CAPTION, 142, "middle")
    canvas.write(picture.captions[2], (_X - 4, y + half + 88), _CAPTION, 160, "right")
    canvas.write(figure(picture.stock_left), (_X + 8, y + half + 88), _COUNT, 100)
