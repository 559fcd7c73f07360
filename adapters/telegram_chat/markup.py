"""Markup as Telegram's HTML or as plain words, never longer than Telegram takes."""

import html
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from bot.markup import (
    Button,
    Clock,
    Link,
    Moment,
    Name,
    Part,
    Strong,
    Text,
    TileMark,
    Typed,
    isolated,
    stands_out,
)

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
NOTICE_LIMIT = 200
"""Limits in UTF-16 code units, with markup removed. Telegram speaks of characters; units are never fewer."""

_LEAST_DESCRIBED = 24
"""The fewest units of a useful description. A shorter one is left out."""

_DIRECTIONS = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_CUT = "…"


def as_html(text: Text, limit: int) -> str:
    """The text as HTML whose visible part has at most `limit` units, cut with an ellipsis if need be."""
    return "".join(_marked(part, words) for part, words in _fitted(text, limit))


def as_caption(text: Text, alt: str) -> str:
    """The text under a picture, followed by the picture in words: Telegram has no other place for them.

    They are folded away after the text, and cut before it when not everything fits. What the text says as
    well, such as the lines of a table, is not told twice.
    """
    told, described = (_DIRECTIONS.sub("", words) for words in ("".join(map(_words, text)), alt))
    if set(described.splitlines()) <= set(told.splitlines()):
        return as_html(text, CAPTION_LIMIT)
    left = CAPTION_LIMIT - sum(_units(words) for _, words in _fitted(text, CAPTION_LIMIT)) - 1
    described = _cut((alt,), left) if left >= min(_units(alt), _LEAST_DESCRIBED) else ""
    said = as_html(text, CAPTION_LIMIT)
    return f"{said}\n<blockquote expandable>{_escaped(described)}</blockquote>" if described else said


def as_mentions(people: Sequence[tuple[int, str]]) -> str:
    """People's ids and names as HTML mentions at the beginning of a line; empty for nobody."""
    called = ", ".join(
        f'<a href="tg://user?id={user}">{_escaped(_words(Name(name)))}</a>' for user, name in people
    )
    return called and f"{called}: "


def fits_caption(text: Text) -> bool:
    """Whether the text can stand under a picture."""
    return sum(_units(_words(part)) for part in text) <= CAPTION_LIMIT


def as_plain(text: Text, limit: int, now: float) -> str:
    """The text without markup, at most `limit` units. A moment is told in seconds from `now`."""
    return _cut(tuple(_countdown(part, now) if isinstance(part, Clock) else part for part in text), limit)


def _cut(text: Text, limit: int) -> str:
    return "".join(words for _, words in _fitted(text, limit))


def label(button: Button) -> str:
    """A button's words."""
    return "".join(part.signs if isinstance(part, TileMark) else part for part in button.label)


def _fitted(text: Text, limit: int) -> Iterator[tuple[Part, str]]:
    """Every part with its visible words, as far as they fit."""
    spoken = [(part, _words(part)) for part in text]
    if sum(_units(words) for _, words in spoken) <= limit:
        yield from spoken
        return
    left = limit - _units(_CUT)
    for part, words in spoken:
        if _units(words) > left:
            yield "", _first(words, left) + _CUT if isinstance(part, str) else _CUT
            return
        left -= _units(words)
        yield part, words


def _words(part: Part) -> str:
    match part:
        case str():
            return part
        case Strong(words) | Link(words, _) | Moment(_, words) | Typed(words):
            return words
        case Name(words):
            return isolated(_DIRECTIONS.sub("", words))
        case TileMark():
            return part.signs
        case Clock(at):
            return f"{datetime.fromtimestamp(at, UTC):%H:%M:%S} UTC"


def _countdown(clock: Clock, now: float) -> str:
    return f"{max(0, round(clock.at - now))} s"


def _marked(part: Part, words: str) -> str:
    marked = _linked(part, _escaped(words))
    return f"<b>{marked}</b>" if stands_out(part) else marked


def _linked(part: Part, escaped: str) -> str:
    match part:
        # A tap on `/okey join` would send `/okey` alone; a tap on code copies it.
        case Typed() if " " in escaped:
            return f"<code>{escaped}</code>"
        case Link(_, url):
            return f'<a href="{html.escape(url)}">{escaped}</a>'
        # The app shows the time left and keeps it current; an old app shows the words.
        case Clock(at):
            return f'<tg-time unix="{int(at)}" format="r">{escaped}</tg-time>'
        case Moment(at):
            return f'<tg-time unix="{int(at)}" format="wDt">{escaped}</tg-time>'
        case _:
            return escaped


def _escaped(words: str) -> str:
    return html.escape(words, quote=False)


def _units(words: str) -> int:
    return len(words.encode("utf-16-le")) // 2


def _first(words: str, units: int) -> str:
    return words.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")
