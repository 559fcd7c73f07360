"""Parser: reads a command's words, and shows examples at the end of its help."""

from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import Any


class Parser(ArgumentParser):
    """An argument parser whose help ends with examples. So do those of its subcommands."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        shown = "\n  ".join(("examples:", *examples)) if examples else None
        super().__init__(epilog=shown, formatter_class=RawDescriptionHelpFormatter, **options)


def at_least_1(text: str) -> int:
    """Reads a whole number, 1 or more."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text} is not a whole number from 1 up")
    return int(text)
