"""The picture and the page of the architecture tell the truth."""

import ast
import re
import runpy
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tests.sources import PROGRAM, ROOT, files_in, nodes_of

DRAWING = runpy.run_path(str(ROOT / "docs" / "pictures" / "architecture.py"))
ROOMS: list[str] = DRAWING["rooms"]()


Arrows = Mapping[str, set[str]]


@pytest.fixture(scope="module")
def arrows() -> Arrows:
    """The rooms that each room imports."""
    return DRAWING["imports"](ROOMS)  # type: ignore[no-any-return]


def test_the_picture_is_drawn_from_todays_imports(arrows: Arrows) -> None:
    drawn = (ROOT / "docs" / "pictures" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == DRAWING["picture"](arrows), "make pictures"


def test_nothing_leads_upwards(arrows: Arrows) -> None:
    assert [(room, to) for room in ROOMS for to in arrows[room] if ROOMS.index(to) < ROOMS.index(room)] == []


def test_what_follows_from_other_arcs_is_left_out() -> None:
    straight = {"a": {"b", "c", "d"}, "b": {"c"}, "c": set(), "d": set()}
    assert DRAWING["reduced"](straight) == {"a": {"b", "d"}, "b": {"c"}, "c": set(), "d": set()}


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_it_is_for(room: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert DRAWING["purpose"](room)
    assert f"`{room.removeprefix('bot.')}" in page


@pytest.mark.parametrize("page", ["architecture.md", "discard.md"])
def test_every_name_of_the_program_exists(page: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / "docs" / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    named = set(re.findall(r"`([\w./]+)`", text))
    paths = {each for each in named if re.search(r"/\w+\.\w+$", each)}
    assert [each for each in paths if not (ROOT / each).exists()] == []
    names = names_of_the_program()
    words = {
        each for each in named - paths if re.search(r"_|[a-z][A-Z]|^[A-Z][a-z]", each) and "/" not in each
    }
    assert {each for each in words if each.rpartition("bot.")[2] not in names} == set()


def test_delivery_says_why_each_of_its_modules_exists() -> None:
    room = ROOT / "bot" / "delivery"
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    modules = {file.stem for file in room.glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", said)) == modules


@cache
def names_of_the_program() -> frozenset[str]:
    """Return every name that a module has or defines, and those of classes also behind their class."""
    return frozenset(_list_names())


def _list_names() -> Iterator[str]:
    for file in (file for folder in PROGRAM for file in files_in(folder)):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        yield from (module, file.stem, file.parent.name)
        for node in nodes_of(file):
            for name in _defined(node):
                yield name
                yield f"{file.stem}.{name}"
                yield f"{module}.{name}".removeprefix("bot.")
            if isinstance(node, ast.ClassDef):
                yield from (f"{node.name}.{name}" for each in node.body for name in _defined(each))


def _defined(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []
