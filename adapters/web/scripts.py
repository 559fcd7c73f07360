"""The page's scripts: each is sent as one file with the modules that it imports.

Fifty modules asked for one by one took a phone nine round trips, and a second visit as many looks into its
store. Joined they share one scope, so a name at the top of a module is that module's alone.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import (?:\{[^}]*\} from )?"\./(?P<file>[a-z]+\.js)";\n', re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""A comment on lines of its own. They are a quarter of what the scripts weigh over the wire."""


@cache
def join_scripts(path: Path) -> str:
    """Return a script with all that it imports, in the order in which browsers carry modules out."""
    joined: dict[Path, str] = {}
    _join(path, joined)
    return "".join(joined.values())


def _join(path: Path, joined: dict[Path, str]) -> None:
    joined[path] = ""  # modules may import each other
    text = path.read_text("utf-8")
    for found in _IMPORT.finditer(text):
        if (imported := path.parent / found["file"]) not in joined:
            _join(imported, joined)
    del joined[path]
    joined[path] = _COMMENT.sub("", _IMPORT.sub("", text))
