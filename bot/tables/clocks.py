"""Turn clocks: how long a turn may take, when its player is warned, and how long a result stands."""

import re
from typing import Final, Literal

from bot.errors import Refused
from bot.tables.table import Table

CHOICES: Final = (30, 60, 120, 300, 900, 3600, 6 * 3600, 12 * 3600, 24 * 3600)
"""Seconds a turn that the lobby offers."""

SHORTEST: Final = 30
LONGEST: Final = 24 * 3600

SLOW: Final = 900
"""From so many seconds a turn on people play while they do other things: nothing hurries them."""

_WARNING_LEAST: Final = 10.0
_WARNING_MOST: Final = 3600.0

Unit = Literal["seconds", "minutes", "hours"]
_SECONDS: Final[dict[str, int]] = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 24 * 3600}


def read_clock(text: str) -> int:
    """The seconds a turn that `90`, `30s`, `5m`, `2h` or `1d` means. Raises Refused `bad_clock`."""
    found = re.fullmatch(r"([0-9]{1,5})(s|m|h|d|)", text.strip().lower())
    seconds = 0 if found is None else int(found[1]) * _SECONDS[found[2]]
    if not SHORTEST <= seconds <= LONGEST:
        raise Refused("bad_clock")
    return seconds


def named_clock(argument: str) -> tuple[int | None, str]:
    """The clock that a command's words name as `clock=5m`, and its other words. Raises as `read_clock`."""
    words = argument.split()
    clocks = [word for word in words if word.lower().startswith("clock=")]
    others = " ".join(word for word in words if word not in clocks)
    return (read_clock(clocks[-1].partition("=")[2]) if clocks else None), others


def in_units(seconds: int) -> tuple[Unit, int]:
    """A clock in the largest unit that tells it exactly."""
    if seconds % 3600 == 0:
        return "hours", seconds // 3600
    return ("minutes", seconds // 60) if seconds % 60 == 0 else ("seconds", seconds)


def clock_word(seconds: int) -> str:
    """A clock as a command names it: `5m`."""
    unit, n = in_units(seconds)
    return f"{n}{unit[0]}"


def warning_seconds(turn_seconds: int) -> float:
    """So long before a clock ends its player is warned: a quarter of it, from 10 seconds to an hour.

    A clock shorter than people may choose has no warning: 0.
    """
    if turn_seconds < SHORTEST:
        return 0.0
    return min(max(turn_seconds / 4, _WARNING_LEAST), _WARNING_MOST)


def withheld(table: Table) -> float:
    """The seconds of this turn that come after its warning, while that is still to be given; else 0.

    The table's deadline is then the warning's moment.
    """
    if table.practice or table.turn is None or table.seats[table.turn].computer is not None:
        return 0.0
    if table.warned == table.turn_number:
        return 0.0
    return warning_seconds(table.turn_seconds)


def first_deadline(table: Table) -> float:
    """Seconds from now until the clock has something to do for the person on turn: warn them, or play."""
    return table.turn_seconds - withheld(table)


def ends_at(table: Table, deadline: float | None) -> float | None:
    """When the clock that people see ends, for a table with this deadline; seconds since the epoch."""
    return None if deadline is None else deadline + withheld(table)


def stands_still(table: Table) -> bool:
    """Whether no clock runs at a table: its night is paused, whatever happens there meanwhile."""
    paused = table.night is not None and table.night.paused
    return paused and table.stage in ("playing", "between")


def result_seconds(table: Table, otherwise: float) -> float:
    """How long a result stands before the next deal: at a slow table as long as a turn may take."""
    slow = table.turn_seconds >= SLOW and table.attended
    return float(table.turn_seconds) if slow else otherwise
