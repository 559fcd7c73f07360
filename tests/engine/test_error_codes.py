"""The engine's sections of docs/errors.md list every code that it raises, and none that it does not know."""

import ast

from tests.codes import ENGINE_SECTIONS, listed, raised_in
from tests.sources import nodes_in


def test_every_raised_code_is_listed() -> None:
    raised = raised_in("engine", "Unreadable", "NotAllowed")
    assert raised - listed(*ENGINE_SECTIONS) == set()
    assert "not_your_turn" in raised


def test_every_listed_code_is_known_to_the_engine() -> None:
    texts = {node.value for _, node in nodes_in("engine") if isinstance(node, ast.Constant)}
    assert listed(*ENGINE_SECTIONS) - texts == set()
