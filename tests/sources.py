"""The program's own source, read once for all tests of a process that look into it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = ("engine", "bot", "adapters")
"""The folders of the program."""


@cache
def files_in(folder: str) -> tuple[Path, ...]:
    """Every Python file of a folder of the checkout, sorted."""
    return tuple(sorted((ROOT / folder).rglob("*.py")))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Everything that is written in a file."""
    return tuple(ast.walk(ast.parse(file.read_bytes())))


def nodes_in(*folders: str) -> Iterator[tuple[Path, ast.AST]]:
    """Everything that is written in folders of the checkout, each with its file."""
    return ((file, node) for folder in folders for file in files_in(folder) for node in nodes_of(file))
