"""Parser: reads a command's words, and shows examples at the end of its help."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import Any


class Parser(ArgumentParser):
    """An argument parser whose help ends with examples. So do those of its subcommands."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        shown = "\n  ".join(("examples:", *examples)) if examples else None
        super().__init__(epilog=shown, formatter_class=RawDescriptionHelpFormatter, **options)
