"""How somebody wants his screens, or a table's people their table, to look."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """Four switches, all off at first."""

    words: bool = False
    """No pictures: everything in words."""
    letters: bool = False
    """The colour's letter on every tile, in pictures and in words."""
    contrast: bool = False
    """Pictures in black, white and few strong colours."""
    large: bool = False
    """A rack in three shelves, for larger tiles. A table's picture knows no other size."""


PLAIN = Display()
ON_RACKS = tuple(field.name for field in fields(Display))
ON_TABLES = tuple(name for name in ON_RACKS if name != "large")
