"""Telegram's HTML: the visible text, the entities, and refusals."""

import html
import re
from dataclasses import dataclass, field
from typing import Any

from tests.servers.telegram_api.errors import bad_request

_TAG = re.compile(r"<(/?)([a-zA-Z-]+)((?:\s+[a-zA-Z-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+))?)*)\s*>")
_ATTRIBUTE = re.compile(r"([a-zA-Z-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
_REFERENCE = re.compile(r"&(?:#[0-9]+|#x[0-9a-fA-F]+|lt|gt|amp|quot);")
_TIME_FORMAT = re.compile(r"(?:r|w?[dD]?[tT]?)\Z")
_KINDS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "span": "spoiler", "a": "text_link", "code": "code", "pre": "pre", "blockquote": "blockquote",
    "tg-emoji": "custom_emoji", "tg-time": "date_time",
}  # fmt: skip


def units(text: str) -> int:
    """The length in UTF-16 code units, Telegram's measure."""
    return len(text.encode("utf-16-le")) // 2


@dataclass(slots=True)
class Parsed:
    """Visible text with its entities, and the forbidden markup that the real server tolerates."""

    text: str
    entities: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def parse(source: str, mode: str | None) -> Parsed:
    """Parse a message's text. Raises the API's 400 when it is invalid."""
    if mode is None:
        return Parsed(source.strip())
    if mode != "HTML":
        raise bad_request("unsupported parse_mode")
    return _trimmed(_Reader(source).read())


def _trimmed(parsed: Parsed) -> Parsed:
    lead = len(parsed.text) - len(parsed.text.lstrip())
    shift = units(parsed.text[:lead])
    text = parsed.text.strip()
    whole = units(text)
    kept = []
    for entity in parsed.entities:
        start = max(0, entity["offset"] - shift)
        end = min(whole, entity["offset"] - shift + entity["length"])
        if end > start:
            kept.append(entity | {"offset": start, "length": end - start})
    return Parsed(text, kept, parsed.faults)


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._out = Parsed("")
        self._open: list[tuple[str, dict[str, Any]]] = []

    def read(self) -> Parsed:
        at = 0
        while at < len(self._source):
            at = self._tag(at) if self._source[at] == "<" else self._plain(at)
        if self._open:
            raise bad_request(
                f"can't parse entities: Can't find end tag corresponding to start tag \"{self._open[-1][0]}\""
            )
        self._out.entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
        return self._out

    def _plain(self, at: int) -> int:
        end = self._source.find("<", at)
        end = len(self._source) if end < 0 else end
        chunk = self._source[at:end]
        if "&" in _REFERENCE.sub("", chunk):
            self._out.faults.append("an & that is not escaped")
        if ">" in chunk:
            self._out.faults.append("a > that is not escaped")
        self._out.text += html.unescape(chunk)
        return end

    def _tag(self, at: int) -> int:
        found = _TAG.match(self._source, at)
        name = found[2].lower() if found else ""
        if found is None or name not in _KINDS:
            offset = len(self._source[:at].encode())
            raise bad_request(
                f'can\'t parse entities: Unsupported start tag "{name}" at byte offset {offset}'
            )
        if found[1]:
            self._close(name, at)
        else:
            self._open.append((name, self._entity(name, found[3])))
        return found.end()

    def _entity(self, name: str, attributes: str) -> dict[str, Any]:
        values = {
            m[1].lower(): html.unescape(m[2] or m[3] or m[4] or "") for m in _ATTRIBUTE.finditer(attributes)
        }
        entity: dict[str, Any] = {"type": _KINDS[name], "offset": units(self._out.text)}
        if name == "a":
            entity["url"] = values.get("href", "")
        if name == "blockquote" and "expandable" in values:
            entity["type"] = "expandable_blockquote"
        if name == "tg-time":
            entity |= _time(values)
        return entity

    def _close(self, name: str, at: int) -> None:
        if not self._open or self._open[-1][0] != name:
            offset = len(self._source[:at].encode())
            raise bad_request(f"can't parse entities: Unmatched end tag at byte offset {offset}")
        entity = self._open.pop()[1]
        entity["length"] = units(self._out.text) - entity["offset"]
        if entity["length"]:
            self._out.entities.append(entity)


def _time(values: dict[str, str]) -> dict[str, Any]:
    unix, shape = values.get("unix", ""), values.get("format", "")
    if not unix.isdigit():
        raise bad_request("can't parse entities: Invalid date-time specified")
    if not _TIME_FORMAT.match(shape):
        raise bad_request("can't parse entities: Invalid date-time format specified")
    return {"unix_time": int(unix), "date_time_format": shape}
