"""Names as people write them, made safe to show: one line, no controls, at most 32 characters."""

import unicodedata
from typing import Final

LONGEST: Final = 32
NOBODY: Final = "?"
"""Shown for a person without a visible name, and for one who wanted to be forgotten."""

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs, by their categories, that are drawn as nothing."""
_JOINER: Final = "\u200d"
_MOST_MARKS: Final = 2


def clean_name(name: str) -> str:
    """A name without control, direction and stacked combining characters, cut to 32 characters.

    A joiner between two visible characters stays, since emoji are built with it. A name without any visible
    character becomes `NOBODY`.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[: LONGEST * 8]):
        if unicodedata.combining(character):
            marks += 1
            if not kept or marks > _MOST_MARKS:
                continue
        elif character == _JOINER and kept and kept[-1] != " ":
            pass
        elif character in _BLANK or unicodedata.category(character) in _INVISIBLE:
            character = " "
        else:
            marks = 0
        kept.append(character)
    one_line = " ".join("".join(kept).split()).strip(_JOINER)
    is_seen = any(unicodedata.category(each) not in ("Mn", "Zs") for each in one_line)
    return _cut(one_line) if is_seen else NOBODY


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"
