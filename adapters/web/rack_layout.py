"""Rack layout: which button lies on which tile of a seat's rack, and the buttons that are no tiles.

A chat shows a picture of the rack and the tiles again as buttons. On a page the tiles on the rack
can be the buttons themselves: a button whose whole label is one tile belongs on that tile.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bot.markup import Button, RackPicture, Row, SeatScreen, TileFace, TileMark

_SHELF: Final = 12
"""Places that a shelf has at least, so that the tiles keep their size when one is drawn."""
_USUAL: Final = 2
"""More shelves than usual are there for larger tiles."""


@dataclass(frozen=True, slots=True)
class RackPlace:
    """A place on a shelf: a gap, a tile, or a tile that can be pressed."""

    tile: TileFace | None
    button: Button | None = None


@dataclass(frozen=True, slots=True)
class RackLayout:
    """The shelves, equally long, and the rows of all other buttons."""

    shelves: tuple[tuple[RackPlace, ...], ...]
    rows: tuple[Row, ...]

    @property
    def large(self) -> bool:
        """Whether there are more shelves than usual."""
        return len(self.shelves) > _USUAL


def lay_out(screen: SeatScreen) -> RackLayout:
    """Put the buttons of single tiles onto the rack. Without a rack all buttons stay in rows.

    A face's buttons are dealt to its tiles in order (arranging, every place has its own); a single one serves
    both tiles, which are the same to the rules.
    """
    if not isinstance(screen.picture, RackPicture):
        return RackLayout((), screen.buttons)
    buttons = _tile_buttons(screen.buttons)
    dealt = Counter[str]()

    def place(tile: TileFace | None) -> RackPlace:
        of_face = buttons.get(tile.code) if tile else None
        if tile is None or not of_face:
            return RackPlace(tile)
        dealt[tile.code] += 1
        return RackPlace(tile, of_face[min(dealt[tile.code], len(of_face)) - 1])

    shelves = screen.picture.shelves
    length = max(_SHELF if len(shelves) == _USUAL else 1, *map(len, shelves))
    padded = ((*shelf, *[None] * (length - len(shelf))) for shelf in shelves)
    places = tuple(tuple(map(place, shelf)) for shelf in padded)
    pressed = {each.button.press for shelf in places for each in shelf if each.button}
    return RackLayout(places, rows_without(screen.buttons, pressed))


def rows_without(rows: tuple[Row, ...], presses: set[str]) -> tuple[Row, ...]:
    """The rows without the buttons of these presses; none is empty."""
    left = (tuple(button for button in row if button.press not in presses) for row in rows)
    return tuple(row for row in left if row)


def _tile_buttons(rows: tuple[Row, ...]) -> dict[str, list[Button]]:
    """The buttons whose label is one tile, by its face, in their order."""
    found: dict[str, list[Button]] = defaultdict(list)
    for button in chain.from_iterable(rows):
        match button.label:
            case (TileMark(code),):
                found[code].append(button)
    return found
