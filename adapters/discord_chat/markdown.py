"""Marked-up text as Discord's markdown. Nothing that a person called himself can become markup."""

import re
from typing import Final

from adapters.discord_chat.tiles import Tiles
from bot.markup import Clock, Link, Moment, Name, Part, Strong, Text, TileMark

ISOLATE: Final = "\u2068"
ISOLATE_END: Final = "\u2069"
"""Around a name, so that one written from right to left cannot turn the line."""

_ANYWHERE: Final = re.compile(r"[\\*_~`|<>\[\]@]")
_LINE_START: Final = re.compile(r"^(\s*)([-+#]|\d+(?=[.)]\s))", re.MULTILINE)
_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


def markdown(text: Text, tiles: Tiles, longest: int) -> str:
    """The text in at most `longest` characters; what does not fit gives way to an ellipsis."""
    done = ""
    for part in text:
        piece = _piece(part, tiles)
        if len(done) + len(piece) > longest - 1:
            return f"{done}{_cut(part, longest - 1 - len(done))}…"
        done += piece
    return done


def _piece(part: Part, tiles: Tiles) -> str:
    match part:
        case str():
            return escaped(part)
        case Strong(text):
            return f"**{escaped(text)}**" if text else ""
        case Name(text):
            return escaped_name(text)
        case TileMark():
            return tiles.in_text(part)
        case Clock(at):
            return f"<t:{round(at)}:R>"
        case Moment(at):
            return f"<t:{round(at)}:F>"
        case Link(text, url):
            return f"[{escaped(text)}](<{url.replace('>', '%3E').replace(' ', '%20')}>)"


def escaped(text: str) -> str:
    """The application's words, without anything that Discord would take for markup."""
    text = _ANYWHERE.sub(r"\\\g<0>", text)
    return _LINE_START.sub(_escaped_start, text)


def _escaped_start(found: re.Match[str]) -> str:
    space, mark = found[1], found[2]
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


def escaped_name(text: str) -> str:
    """A name with every sign escaped: no markup, no mention, no link, no line of its own."""
    plain = _UNSEEN.sub(" ", text)
    return ISOLATE + _PUNCTUATION.sub(r"\\\g<0>", plain) + ISOLATE_END


def _cut(part: Part, room: int) -> str:
    """The beginning of a plain string, not ending within an escape; nothing of any other part."""
    return escaped(part)[: max(room, 0)].rstrip("\\") if isinstance(part, str) else ""
