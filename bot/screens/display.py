"""Displayed screens: a screen in the form its reader chose: in words, described, with letters, strong colours
or large tiles."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, TypeVar

from msgspec import structs

from bot.i18n import Words, fold, plain
from bot.markup import (
    COLOUR_SIGNS,
    BracketPicture,
    Button,
    CurvePicture,
    FiguresPicture,
    Folded,
    Page,
    Picture,
    PublicScreen,
    PuzzlePicture,
    RackPicture,
    ReplayPicture,
    Row,
    SeatScreen,
    StandingsPicture,
    Text,
    TileFace,
    TileMark,
)
from bot.tables.table import PLAIN, Display

Screen = TypeVar("Screen", PublicScreen, SeatScreen, Page)
_Shelf = tuple[TileFace | None, ...]

LARGE_SHELVES: Final = 3
_SPARE: Final = 3
"""The extra places on each shelf that are acceptable to keep groups whole."""


def adapt_to_display(screen: Screen, display: Display, words: Words) -> Screen:
    """Return the screen in that display. Its buttons do the same."""
    if display == PLAIN:
        return screen
    if display.words:
        screen = _in_words(screen, words)
    else:
        if display.described:
            screen = _describe(screen, words)
        screen = replace(screen, picture=_redraw(screen.picture, display))
    if display.letters:
        screen = replace(screen, text=_letter(screen.text), buttons=_rows(screen.buttons, _letter_button))
    return screen


def _in_words(screen: Screen, words: Words) -> Screen:
    """Replace the picture by words, and name every button in words."""

    def name(button: Button) -> Button:
        label = (words.tile_name(part) if isinstance(part, TileMark) else part for part in button.label)
        return structs.replace(button, label=tuple(label))

    said: Text = tuple(words.tile_name(part) if isinstance(part, TileMark) else part for part in screen.text)
    text: Text = (*said, *(f"\n{line}" for line in _list_unsaid(screen, words)))
    return replace(screen, text=text, picture=None, buttons=_rows(screen.buttons, name), alt="")


def _describe(screen: Screen, words: Words) -> Screen:
    """Add the whole picture in words, folded away."""
    unsaid = "\n".join(_list_unsaid(screen, words))
    below: Text = (*screen.text, *("\n" for _ in screen.text[:1]), Folded(unsaid))
    return replace(screen, text=below) if unsaid else screen


def _list_unsaid(screen: PublicScreen | SeatScreen | Page, words: Words) -> list[str]:
    """Return the lines about the picture that its text does not say as well."""
    known = plain(screen.text, words)
    clauses = {fold(clause) for line in known.splitlines() for clause in line.split(" · ")}
    lines = [] if screen.picture is None else screen.alt.splitlines()
    return [line for line in lines if line not in known and fold(line) not in clauses]


def _redraw(picture: Picture | None, display: Display) -> Any:
    """Return the picture in that display, of the same kind, or None. The types cannot say which kind."""
    match picture:
        case None:
            return None
        case ReplayPicture(table=table):
            return replace(picture, table=_redraw(table, display))
        case PuzzlePicture(rack=rack):
            return replace(picture, rack=_redraw(rack, display))
        case FiguresPicture() | StandingsPicture() | BracketPicture() | CurvePicture():
            return replace(picture, contrast=display.contrast)
        case RackPicture(shelves=shelves) if display.large:
            picture = replace(picture, shelves=large_shelves(shelves))
    return replace(picture, letters=display.letters, contrast=display.contrast)


def large_shelves(shelves: Sequence[_Shelf]) -> tuple[_Shelf, ...]:
    """Arrange the same tiles, in the same order, on three shelves as short as possible.

    Tiles that stand together stay together where that does not cost too many places.
    """
    groups = [
        list(group)
        for shelf in shelves
        for empty, group in groupby(shelf, key=lambda face: face is None)
        if not empty
    ]
    least = max(-(-sum(map(len, groups)) // LARGE_SHELVES), 1)
    for most in range(least, least + _SPARE + 1):
        packed = _pack(groups, most)
        if len(packed) <= LARGE_SHELVES:
            break
    else:
        tiles = [face for group in groups for face in group]
        packed = [tiles[at : at + least] for at in range(0, len(tiles), least)]
    packed += [[] for _ in range(LARGE_SHELVES - len(packed))]
    longest = max(map(len, packed))
    return tuple((*shelf, *[None] * (longest - len(shelf))) for shelf in packed)


def _pack(groups: Sequence[list[TileFace | None]], most: int) -> list[list[TileFace | None]]:
    """Distribute groups over shelves of at most `most` places, with a gap between groups."""
    packed: list[list[TileFace | None]] = []
    for group in groups:
        if packed and len(packed[-1]) + 1 + len(group) <= most:
            packed[-1] += [None, *group]
        else:
            packed += [group[at : at + most] for at in range(0, len(group), most)]
    return packed


def _letter_button(button: Button) -> Button:
    return structs.replace(button, label=tuple(_letter_part(part) for part in button.label))


def _letter(text: Text) -> Text:
    return tuple(_letter_part(part) if isinstance(part, str | TileMark) else part for part in text)


def _letter_part(part: str | TileMark) -> str | TileMark:
    """Add the letter of its colour after every colour sign. No text of ours holds such a sign for anything
    else."""
    if isinstance(part, TileMark):
        return replace(part, letter=True)
    for letter, sign in COLOUR_SIGNS.items():
        part = part.replace(sign, sign + letter)
    return part


def _rows(rows: tuple[Row, ...], change: Callable[[Button], Button]) -> tuple[Row, ...]:
    return tuple(tuple(change(button) for button in row) for row in rows)
