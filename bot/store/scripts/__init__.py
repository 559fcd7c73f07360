"""The Lua scripts, one file each; `common.lua` is put in front of every one of them."""

from dataclasses import dataclass, field
from hashlib import sha1
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """A script's text and the hash by which the server caches it."""

    text: str = field(repr=False)
    sha: str


def script(name: str) -> Script:
    """Read `scripts/<name>.lua`."""
    folder = files(__name__)
    text = "\n".join(folder.joinpath(f"{part}.lua").read_text("utf-8") for part in ("common", name))
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())
