"""Words: every sentence and label in every language. The catalogues are `locale/*.po`.

A message is requested by its key, such as `refused.not_your_turn`. Its values are strings, numbers or parts
of a screen (a `Name`, a `TileMark`), so that the result is marked-up `Text` and no value can inject markup.
`n` selects the plural form.

A message names a command, with values of its arguments, as `{/notify; quiet=23-8}`; `{/join; code}` has the
message's own value `code`, `{/league new; cap=$needed}` its value `needed`.
"""

import gettext
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from string import Formatter
from types import MappingProxyType
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import parse_pattern

from bot.commands import DECLARED_COMMANDS
from bot.markup import Clock, Folded, Link, Moment, Name, Part, Strong, Text, TileMark, Typed

LANGUAGES: Final = ("tr", "en", "de", "ko")
DEFAULT_LANGUAGE: Final = "en"

Value = Part | int | Text

_LEFT_OUT: Final = "\0"
"""Stands for a clock until its sign is found."""
_CLOCK_LEFT_OUT: Final = re.compile(r"[ ·⏱⏰:]*\0")
_VALUE: Final = re.compile(r"\$(\w+)")
_NUMBER: Final = parse_pattern("#,##0.##")


class _Piece(NamedTuple):
    """A stretch of a message's words, or a field to be filled in."""

    text: str
    is_field: bool
    strong: bool


class Words:
    """One language's words."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._locale = Locale(language)
        self._catalogue = _catalogue(language)

    def say(self, key: str, /, **values: Value) -> Text:
        """Return the message as text. Raises KeyError when the key or a value it names is missing."""
        if not values:
            return _constant(self, key)
        return self._fill(_parse(self._template(key, values.get("n"))), values)

    def plain(self, key: str, /, **values: Value) -> str:
        """Return the message as a plain string, for labels, alerts and pictures."""
        return plain(self.say(key, **values), self) if values else _constant_plain(self, key)

    def type_command(self, name: str, arguments: Mapping[str, str] = MappingProxyType({})) -> Typed:
        """Return a command, with values of its arguments, for people to type."""
        verb, _, word = name.partition(" ")
        # `/okey` alone opens a table
        keys = [] if verb == "play" else [f"verb.{verb}"]
        keys += [f"league.word.{word}"] if word else []
        called = [self._template(key, None).split("|")[0] for key in keys]
        pieces = ["/okey", *called, DECLARED_COMMANDS[name].line(arguments).removeprefix(word).lstrip()]
        return Typed(" ".join(pieces).rstrip(), name, tuple(arguments.items()), self.language)

    def has(self, key: str) -> bool:
        """Return whether the catalogue has a message."""
        return self._catalogue.gettext(key) != key

    def templates(self, *families: str) -> dict[str, str]:
        """Return the unfilled messages of whole families (`tile.`), by key, for code that fills them in
        itself. The form for one thing, where it differs, has `.one` behind its key."""
        meant = [key for key in sorted(keys(DEFAULT_LANGUAGE)) if key.startswith(families)]
        many = {key: self._template(key, 2) for key in meant}
        one = {key: self._template(key, 1) for key in meant}
        return many | {f"{key}.one": words for key, words in one.items() if words != many[key]}

    def tile_name(self, mark: TileMark) -> str:
        """Return a tile in words: `red 4`, `false joker`; a wild one is named as an okey."""
        return _tile_name(self, mark)

    def date(self, at: float, zone: str = "UTC") -> str:
        """Return the date of a moment (seconds since the epoch) in an IANA zone, in this language's
        format."""
        return format_date(datetime.fromtimestamp(at, ZoneInfo(zone)), "medium", locale=self.language)

    def moment(self, at: float, zone: str) -> Moment:
        """Return a moment (seconds since the epoch) with its words for an IANA zone."""
        local = datetime.fromtimestamp(at, ZoneInfo(zone))
        return Moment(at, f"{self.day(local)}, {local:%H:%M} ({_offset(local)})")

    def day(self, day: datetime) -> str:
        """Return a date with its weekday, in this language's format."""
        return format_skeleton("yMMMEd", day, locale=self.language)

    def month(self, year: int, month: int) -> str:
        """Return a month with its year, in this language's format."""
        return format_skeleton("yMMMM", date(year, month, 1), locale=self.language)

    def weekday(self, number: int) -> str:
        """Return the name of a weekday, from 0 for Monday."""
        return str(get_day_names("wide", locale=self.language)[number])

    def number(self, number: float) -> str:
        """Return a number in this language's format, with at most two decimals."""
        return str(_NUMBER.apply(number, self._locale)).replace("-", "−")

    def _fill(self, pieces: tuple[_Piece, ...], values: dict[str, Value]) -> Text:
        """Return the pieces with the values. `*words*` in a catalogue are strong, and so are names, moments
        and figures between the stars."""
        parts: list[Part] = []
        for words, is_field, strong in pieces:
            if not is_field:
                said: Text = (words,)
            elif words.startswith("/"):
                said = (self._hint(words, values),)
            else:
                value = values[words]
                said = (
                    value if isinstance(value, tuple) else (str(value) if isinstance(value, int) else value,)
                )
            if strong:
                _add_strong(parts, said)
            else:
                parts += said
        return tuple(parts)

    def _hint(self, field: str, values: Mapping[str, Value]) -> Typed:
        """Return the command that a message names."""

        def fill(text: str) -> str:
            return _VALUE.sub(lambda found: str(values[found[1]]), text)

        name, *arguments = field.removeprefix("/").split("; ")
        pairs = (each.partition("=") for each in arguments)
        return self.type_command(name, {option: fill(text or f"${option}") for option, _, text in pairs})

    def _template(self, key: str, n: object) -> str:
        """Return a message as a catalogue has it, in the plural form for `n`. Raises KeyError."""
        template = self._catalogue.ngettext(key, key, n) if isinstance(n, int) else key
        if template == key:  # a message without plural forms
            template = self._catalogue.gettext(key)
        if template == key:
            raise KeyError(f"{self.language}: {key}")
        return template


@cache
def _parse(template: str) -> tuple[_Piece, ...]:
    """Return a template of a catalogue in pieces."""
    pieces: list[_Piece] = []
    strong = False
    for literal, field, spec, _ in Formatter().parse(template):
        for index, words in enumerate(literal.split("*")):
            strong ^= index > 0
            if words:
                pieces.append(_Piece(words, is_field=False, strong=strong))
        if field is not None:
            pieces.append(_Piece(f"{field}:{spec}" if spec else field, is_field=True, strong=strong))
    return tuple(pieces)


def words_for(language: str) -> Words:
    """Return the words of a language tag such as `tr` or `en-US`; the default language when unknown."""
    base = language.replace("_", "-").split("-")[0].lower()
    return _words(base if base in LANGUAGES else DEFAULT_LANGUAGE)


@cache  # by language and not by tag: tags come from outside, and there is no end of them
def _words(language: str) -> Words:
    return Words(language)


def plain(text: Text, words: Words) -> str:
    """Text without markup: tiles by name, links by their words, clocks left out with the sign before them."""
    said = "".join([part if isinstance(part, str) else _spoken(part, words) for part in text])
    return _CLOCK_LEFT_OUT.sub("", said) if _LEFT_OUT in said else said


@cache  # there are only so many messages
def _constant(words: Words, key: str) -> Text:
    """Return a message without values."""
    return words._fill(_parse(words._template(key, None)), {})


@cache
def _constant_plain(words: Words, key: str) -> str:
    return plain(words.say(key), words)


@cache  # there are only so many tiles
def _tile_name(words: Words, mark: TileMark) -> str:
    if mark.code == "F":
        spoken = words.plain("tile.false_joker")
    else:
        spoken = f"{words.plain(f'tile.colour.{mark.code[0]}')} {mark.code[1:]}"
    return f"{spoken} ({words.plain('tile.okey')})" if mark.wild else spoken


def fold(text: str) -> str:
    """Typed text in a form for comparing: in small letters, with one i for Turkish's two.

    A Turkish keyboard makes İ of i and I of ı, and in Unicode neither has the other's small letter.
    """
    return text.casefold().replace("i\u0307", "i").replace("ı", "i")


def own_name(language: str) -> str:
    """Return a language's name in itself: Deutsch."""
    name = Locale(language).get_display_name() or language
    return name[0].upper() + name[1:]


def join(texts: Iterable[Text], separator: str = "\n") -> Text:
    """Texts with a separator between them."""
    parts: list[Part] = []
    for text in texts:
        if parts:
            parts.append(separator)
        parts.extend(text)
    return tuple(parts)


def keys(language: str) -> frozenset[str]:
    """Return all message keys of a language."""
    return frozenset(str(_key(message.id)) for message in _read(language) if message.id)


def _spoken(part: Part, words: Words) -> str:
    match part:
        case str():
            return part
        case Strong(text) | Name(text) | Link(text, _) | Moment(_, text) | Typed(text) | Folded(text):
            return text
        case TileMark():
            return words.tile_name(part)
        case Clock():
            return _LEFT_OUT


def _offset(local: datetime) -> str:
    """Return the offset of a time from UTC: `UTC+3`, `UTC-9:30`."""
    written = f"{local:%z}"
    minutes = "" if written.endswith("00") else f":{written[3:5]}"
    return "UTC" if written == "+0000" else f"UTC{written[0]}{int(written[1:3])}{minutes}"


def _add_strong(parts: list[Part], text: Text) -> None:
    """Append a text that stands out. Adjacent strong words become one part."""
    for part in text:
        match part:
            case str():
                match parts:
                    case [*_, Strong(before)]:
                        parts[-1] = Strong(before + part)
                    case _:
                        parts.append(Strong(part))
            case Name() | Moment():
                parts.append(replace(part, strong=True))
            case _:
                parts.append(part)


@cache
def _read(language: str):  # type: ignore[no-untyped-def]
    with (files(__name__) / "locale" / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def _key(identifier: str | list[str] | tuple[str, ...]) -> str:
    return identifier if isinstance(identifier, str) else identifier[0]


@cache
def _catalogue(language: str) -> gettext.GNUTranslations:
    """Return a language's messages. What a catalogue that is still being translated lacks is said in
    English."""
    compiled = io.BytesIO()
    write_mo(compiled, _read(language))
    compiled.seek(0)
    translations = gettext.GNUTranslations(compiled)
    if language != DEFAULT_LANGUAGE:
        translations.add_fallback(_catalogue(DEFAULT_LANGUAGE))
    return translations
