"""Parser: reads a command's words and the files that they name, and shows examples at the end of its help."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class WrongUsage(Exception):
    """Raised for words that can't be carried out. Its text is a sentence for the person who typed them."""


class Parser(ArgumentParser):
    """An argument parser whose help ends with examples. So do those of its subcommands."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        shown = "\n  ".join(("examples:", *examples)) if examples else None
        super().__init__(epilog=shown, formatter_class=RawDescriptionHelpFormatter, **options)


def content_of(file: str) -> bytes:
    """The content of a file, or of standard input for `-`. Raises WrongUsage."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise WrongUsage(f"{file} can't be read: {error.strerror}.") from None
