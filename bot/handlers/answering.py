"""Answering: what is said to a refused request, and what may have to be mended in one before."""

from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from bot.errors import Refused, sentence_key
from bot.i18n import Words
from bot.markup import Page, Text, TileMark
from bot.ports import Answer, Person, Press, TypedCommand
from bot.screens.parts import button, say_on
from bot.screens.switches import switch_name
from engine.tiles import Tile

A = TypeVar("A", Person, Press, TypedCommand)

_SWITCHES: Final = ("switch", "first", "second")
"""Values of refusals that are names of switches."""


def mend(asked: A) -> A:
    """Replace each half of a character (a lone surrogate) by a question mark. Platforms may send such halves,
    but no store keeps them and no chat shows them."""
    held = ((each.name, getattr(asked, each.name)) for each in fields(asked))
    broken = {name: whole for name, value in held if (whole := _whole(value)) != value}
    return replace(asked, **broken) if broken else asked


def _whole(value: Any) -> Any:
    match value:
        case str() if not value.isascii():
            return value.encode(errors="replace").decode()
        case Person():
            return mend(value)
    return value


def refusal(words: Words, refused: Refused) -> Answer:
    """Return the sentence for a refusal, for the person who asked."""
    told = {key: _in_words(words, key, value) for key, value in refused.values.items()}
    sentence = say_on(
        str(told.get("platform", "")), sentence_key(refused.code, refused.values), words, **told
    )
    ways = tuple(button(words, verb, table, says=says) for verb, table, says in refused.way_out)
    page = Page(text=(), buttons=(ways,)) if ways else None
    return Answer(notice=sentence, urgent=True, code=refused.code, page=page)


def _in_words(words: Words, key: str, value: str | int | Text) -> str | int | TileMark | Text:
    """Return the names of switches and commands, the tiles, and the places of a chat in a refusal; any other
    value unchanged."""
    if key in _SWITCHES and isinstance(value, str):
        return switch_name(words, value)
    if key == "where" and isinstance(value, str):
        return say_on(value, "where.public", words)
    if key == "command" and isinstance(value, str):
        return (words.type_command(value),)
    if key == "tile" and isinstance(value, str) and (code := value.removeprefix("*")) in Tile.__members__:
        return TileMark(code)
    return value
