"""Parser: reads a command's words and the files that they name, and shows examples at the end of its help."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class WrongUsage(Exception):
    """What was typed can't be done. Its text is a sentence for whoever typed it."""


class Parser(ArgumentParser):
    """An argument parser whose help ends with examples. So do those of its subcommands."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        shown = "\n  ".join(("examples:", *examples)) if examples else None
        super().__init__(epilog=shown, formatter_class=RawDescriptionHelpFormatter, **options)


def content_of(file: str) -> bytes:
    """What is in a file, or comes on standard input for `-`. Raises WrongUsage."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise WrongUsage(f"{file} can't be read: {error.strerror}.") from None
