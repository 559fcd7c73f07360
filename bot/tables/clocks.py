"""Turn clocks: how long a turn may take, when its player is warned, and how long a result stands."""

import re
from typing import Final, Literal

from bot.errors import Refused
from bot.tables.table import Table

CHOICES: Final = (30, 60, 120, 300, 900, 3600, 6 * 3600, 12 * 3600, 24 * 3600)
"""The choices of the lobby, in seconds a turn."""

SHORTEST: Final = 30
LONGEST: Final = 24 * 3600

SLOW: Final = 900
"""Seconds a turn from which a table is slow: people play beside other things, and nothing hurries them."""

_WARNING_LEAST: Final = 10.0
_WARNING_MOST: Final = 3600.0

Unit = Literal["seconds", "minutes", "hours"]
_SECONDS: Final[dict[str, int]] = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 24 * 3600}


def read_clock(text: str) -> int:
    """Return the seconds a turn that `90`, `30s`, `5m`, `2h` or `1d` means. Raises Refused `bad_clock`."""
    found = re.fullmatch(r"([0-9]{1,5})(s|m|h|d|)", text.strip().lower())
    seconds = 0 if found is None else int(found[1]) * _SECONDS[found[2]]
    if not SHORTEST <= seconds <= LONGEST:
        raise Refused("bad_clock")
    return seconds


def read_named_clock(argument: str) -> tuple[int | None, str]:
    """Split a command's words into the clock of `clock=5m` and the others. Raises as `read_clock`."""
    words = argument.split()
    clocks = [word for word in words if word.lower().startswith("clock=")]
    others = " ".join(word for word in words if word not in clocks)
    return (read_clock(clocks[-1].partition("=")[2]) if clocks else None), others


def in_units(seconds: int) -> tuple[Unit, int]:
    """Return a clock in the largest unit that expresses it in whole numbers."""
    if seconds % 3600 == 0:
        return "hours", seconds // 3600
    return ("minutes", seconds // 60) if seconds % 60 == 0 else ("seconds", seconds)


def clock_word(seconds: int) -> str:
    """Return a clock as a command names it: `5m`."""
    unit, n = in_units(seconds)
    return f"{n}{unit[0]}"


def warning_seconds(turn_seconds: int) -> float:
    """Return seconds before the clock's end at which its player is warned: a quarter of it, from 10 seconds
    to an hour.

    0 for a clock shorter than people may choose: it has no warning.
    """
    if turn_seconds < SHORTEST:
        return 0.0
    return min(max(turn_seconds / 4, _WARNING_LEAST), _WARNING_MOST)


def withheld(table: Table) -> float:
    """Return the seconds of this turn that come after its warning, as long as the warning is still to be
    given; else 0.

    Until then the table's deadline is the moment of the warning.
    """
    if table.practice or table.turn is None or table.seats[table.turn].computer is not None:
        return 0.0
    if table.clock.warned == table.turn_number:
        return 0.0
    return warning_seconds(table.clock.turn_seconds)


def first_deadline(table: Table) -> float:
    """Return seconds until the clock first acts for the person on turn: it warns them, or plays for them."""
    return table.clock.turn_seconds - withheld(table)


def ends_at(table: Table, deadline: float | None) -> float | None:
    """Return the end of the clock that people see, for a table with this deadline; seconds since the
    epoch."""
    return None if deadline is None else deadline + withheld(table)


def stands_still(table: Table) -> bool:
    """Return whether no clock runs at a table, since its league night is paused."""
    paused = table.night is not None and table.night.paused
    return paused and table.stage in ("playing", "between")


def result_seconds(table: Table, otherwise: float) -> float:
    """Return seconds that a result stands before the next deal: at a slow table as long as a turn may
    take."""
    slow = table.clock.turn_seconds >= SLOW and table.attended
    return float(table.clock.turn_seconds) if slow else otherwise
