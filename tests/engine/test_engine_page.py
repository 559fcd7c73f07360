"""`docs/engine.md`: what it shows runs as it stands."""

import re
from pathlib import Path

import pytest

import engine

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"


def test_its_examples_run_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(compile(example, str(PAGE), "exec"), names)
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith("won by seat") for line in said)
    assert any(line.startswith("Ending(") for line in said)
    assert said[-1] == "not_your_turn {'turn': 0, 'round': 0, 'action': 0}"


def test_everything_it_imports_from_the_engine_is_offered_there() -> None:
    for names in re.findall(r"from engine import (.+)", PAGE.read_text()):
        assert set(names.split(", ")) <= set(engine.__all__)
