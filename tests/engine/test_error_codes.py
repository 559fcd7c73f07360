"""The engine's sections of docs/errors.md list every code that it raises, and none that it does not know."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWN_SECTIONS = ("What can't be read", "What the rules don't allow")


def nodes() -> Iterator[ast.AST]:
    for path in (ROOT / "engine").rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def raised() -> set[str]:
    """The codes written where an error is made."""
    return {
        str(node.args[0].value)
        for node in nodes()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("Unreadable", "NotAllowed")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def listed() -> set[str]:
    sections = (ROOT / "docs" / "errors.md").read_text("utf-8").split("\n## ")
    own = "".join(part for part in sections if part.startswith(OWN_SECTIONS))
    rows = re.findall(r"^\| (`[^|]*) \|", own, re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`([a-z_]+)`", row)}


def test_every_raised_code_is_listed() -> None:
    assert raised() - listed() == set()
    assert "not_your_turn" in raised()


def test_every_listed_code_is_known_to_the_engine() -> None:
    texts = {node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert listed() - texts == set()
