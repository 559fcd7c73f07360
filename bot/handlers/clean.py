"""Texts as platforms hand them over may hold half a character (a lone surrogate): no store keeps it, and
no chat shows it."""

from dataclasses import fields, replace
from typing import Any, TypeVar

from bot.ports import Person, Press, TypedCommand

A = TypeVar("A", Person, Press, TypedCommand)


def mended(asked: A) -> A:
    """What came in, with a question mark for each half of a character."""
    held = ((field.name, getattr(asked, field.name)) for field in fields(asked))
    return replace(asked, **{name: _whole(value) for name, value in held})


def _whole(value: Any) -> Any:
    match value:
        case str():
            return value.encode(errors="replace").decode()
        case Person():
            return mended(value)
    return value
