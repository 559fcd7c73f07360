"""The error codes, as the source code raises them and as docs/errors.md lists them."""

import ast
import re
from collections.abc import Iterator

from tests.sources import ROOT, nodes_in

ENGINE_SECTIONS = ("What can't be read", "What the rules don't allow")
"""The sections of docs/errors.md with what the engine raises."""


def raised_in(folder: str, *names: str) -> set[str]:
    """Every code that is written as an argument where one of these is called."""
    return {
        code
        for call in _calls(folder)
        if isinstance(call.func, ast.Name) and call.func.id in names
        for given in call.args[:2]
        for code in _choices(given)
    }


def engine_codes() -> set[str]:
    """What the engine raises, or builds and raises."""
    return raised_in("engine", "Unreadable", "NotAllowed") | listed(*ENGINE_SECTIONS)


def application_codes() -> set[str]:
    """What the application refuses on its own account."""
    return raised_in("bot", "Refused", "CannotSeat", "refusal") - engine_codes()


def chat_codes() -> set[str]:
    """Why a chat can't run."""
    return raised_in("adapters", "ChatRefused")


def listed(*sections: str) -> set[str]:
    """The codes in the tables of these sections of docs/errors.md."""
    parts = (ROOT / "docs" / "errors.md").read_text("utf-8").split("\n## ")
    text = "".join(part for part in parts if part.startswith(sections))
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`([a-z_]+)`", row)}


def _calls(folder: str) -> Iterator[ast.Call]:
    return (node for _, node in nodes_in(folder) if isinstance(node, ast.Call))


def _choices(given: ast.expr) -> list[str]:
    """A constant text, or the two of `one if … else other`."""
    parts = [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]
    return [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
