"""Refusals: the sentence for a refusal, as an answer."""

from typing import Final

from bot.errors import Refused, sentence_key
from bot.i18n import Words
from bot.markup import Text, TileMark
from bot.ports import Answer
from bot.screens.parts import said_on
from bot.screens.switches import switch_name
from engine.tiles import Tile

_SWITCHES: Final = ("switch", "first", "second")
"""Values of refusals that are names of switches."""


def refusal(words: Words, refused: Refused) -> Answer:
    """The sentence for a refusal, for the person who asked."""
    told = {key: _in_words(words, key, value) for key, value in refused.values.items()}
    sentence = said_on(str(told.get("platform", "")), sentence_key(refused.code, told), words, **told)
    return Answer(notice=sentence, urgent=True, code=refused.code)


def _in_words(words: Words, key: str, value: str | int | Text) -> str | int | TileMark | Text:
    """The names of switches and commands, the tiles, and the places of a chat in a refusal; any other value
    unchanged."""
    if key in _SWITCHES and isinstance(value, str):
        return switch_name(words, value)
    if key == "where" and isinstance(value, str):
        return said_on(value, "where.public", words)
    if key == "command" and isinstance(value, str):
        return (words.typed(value),)
    if key == "tile" and isinstance(value, str) and (code := value.removeprefix("*")) in Tile.__members__:
        return TileMark(code)
    return value
