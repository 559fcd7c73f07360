"""Rack layout: which button lies on which tile of a seat's rack, and the buttons that are no tiles.

A chat shows a picture of the rack and the tiles again as buttons. On a page the tiles on the rack
can be the buttons themselves: a button whose whole label is one tile belongs on that tile.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
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
    """Put the buttons of single tiles onto the rack. Without a rack all buttons stay in rows."""
    if not isinstance(screen.picture, RackPicture):
        return RackLayout((), screen.buttons)
    tiles = [tile for shelf in screen.picture.shelves for tile in shelf if tile]
    buttons = _dealt(tiles, _tile_buttons(screen.buttons))
    least = _SHELF if len(screen.picture.shelves) == _USUAL else 1
    length = max(least, *(len(shelf) for shelf in screen.picture.shelves))
    shelves = tuple(
        tuple(RackPlace(tile, next(buttons)) if tile else RackPlace(None) for tile in _padded(shelf, length))
        for shelf in screen.picture.shelves
    )
    pressed = {place.button.press for shelf in shelves for place in shelf if place.button}
    return RackLayout(shelves, _without(screen.buttons, pressed))


def _tile_buttons(rows: tuple[Row, ...]) -> dict[str, list[Button]]:
    """The buttons whose label is one tile, by its face, in their order."""
    found: dict[str, list[Button]] = defaultdict(list)
    for row in rows:
        for button in row:
            match button.label:
                case (TileMark(code),):
                    found[code].append(button)
    return found


def _dealt(tiles: list[TileFace], buttons: dict[str, list[Button]]) -> Iterator[Button | None]:
    """Each tile's button. Those of a face are dealt to its tiles in order (arranging, every place has
    its own); a single one serves both tiles, which are the same to the rules.
    """
    copies = Counter[str]()
    for tile in tiles:
        of_face = buttons.get(tile.code)
        yield of_face[min(copies[tile.code], len(of_face) - 1)] if of_face else None
        copies[tile.code] += 1


def _padded(shelf: tuple[TileFace | None, ...], length: int) -> tuple[TileFace | None, ...]:
    return (*shelf, *[None] * (length - len(shelf)))


def _without(rows: tuple[Row, ...], presses: set[str]) -> tuple[Row, ...]:
    left = (tuple(button for button in row if button.press not in presses) for row in rows)
    return tuple(row for row in left if row)
