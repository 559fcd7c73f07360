"""What only some platforms have is a protocol of its own: each chat has all of one, as the protocol says, or
nothing of it."""

import ast
from inspect import getsource, signature
from typing import Any

import pytest

from bot.ports import (
    Calendar,
    Chat,
    DirectChannels,
    EphemeralRacks,
    Limits,
    Links,
    Pins,
    Places,
    Reactions,
    Roles,
    Rooms,
    Timeline,
)
from tests.adapters.contract.chats import CHATS, methods
from tests.bot.house import MemoryChat

CAPABILITIES: tuple[Any, ...] = (
    Timeline,
    DirectChannels,
    EphemeralRacks,
    Rooms,
    Pins,
    Reactions,
    Calendar,
    Roles,
)


@pytest.mark.parametrize("chat", [each.chat for each in CHATS])
def test_a_chat_has_a_whole_capability_or_nothing_of_it(chat: type) -> None:
    for capability in CAPABILITIES:
        has = issubclass(chat, capability)
        for name in methods(capability):
            assert hasattr(chat, name) == has
            if has:
                theirs, ours = signature(getattr(chat, name)), signature(getattr(capability, name))
                assert list(theirs.parameters) == list(ours.parameters), name


def test_the_chat_in_memory_has_every_capability() -> None:
    assert all(issubclass(MemoryChat, each) for each in CAPABILITIES)


def test_no_chat_has_a_silent_default_for_what_it_lacks() -> None:
    assert not {name for each in CAPABILITIES for name in methods(each)} & methods(Chat)
    for port in (Chat, Limits, Links, Places, *CAPABILITIES):
        for function in ast.walk(ast.parse(getsource(port))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                assert ast.unparse(function.body[-1]) == "...", f"{port.__name__}.{function.name}"
