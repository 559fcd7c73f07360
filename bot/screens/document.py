"""A page for everybody to read, free of any platform: headings, lines, tables and a picture.

It is made in one language, holds nothing that not everybody may know, and asks for nothing but to be read.
"""

from dataclasses import dataclass

from bot.screens.model import ReplayPicture, Text


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a table."""

    text: Text
    way: str = ""
    """Where it leads, as of the page's root: `night/k7xq3-202603052000`; empty: nowhere."""
    dropped: bool = False
    """Whether it is shown though it does not count."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a table's column is about."""

    title: str
    figures: bool = False
    """Whether it holds numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table. Each row has a cell for each column; its second one says whom or what it is about."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Something under a heading. Lines first, then the table."""

    title: str
    lines: tuple[Text, ...] = ()
    grid: Grid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page."""

    title: str
    lines: tuple[Text, ...] = ()
    """Under the title."""
    picture: ReplayPicture | None = None
    alt: str = ""
    sections: tuple[Section, ...] = ()
    ways: tuple[Cell, ...] = ()
    """To other pages and files; one without a way is where one is."""
