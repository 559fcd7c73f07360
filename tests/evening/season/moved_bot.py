"""`okey run` with a leagues' clock that is read from a file: `python -m tests.evening.season.moved_bot`."""

import asyncio
import os
import sys
from pathlib import Path

from bot.logs import set_up_logging
from bot.main import parts_of
from bot.run import run
from bot.settings import read_settings

PROGRAM = "tests.evening.season.moved_bot"
CLOCK = "SEASON_CLOCK"
"""The environment variable with the path of the clock's file."""


class MovedClock:
    """A clock that shows the time set last, in every process."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> float:
        return float(self._file.read_text())

    def set(self, moment: float) -> None:
        """Set the time, in seconds since the epoch."""
        new = self._file.with_suffix(".new")
        new.write_text(repr(moment))
        new.replace(self._file)


def main() -> int:
    settings = read_settings()
    set_up_logging(settings.log_level, settings.secrets)
    return asyncio.run(run(settings, parts_of, clock=MovedClock(Path(os.environ[CLOCK]))))


if __name__ == "__main__":
    sys.exit(main())
