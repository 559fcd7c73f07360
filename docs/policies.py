"""Writes the policies into the docs, from the catalogues, which are their only home: `make policies`.

`privacy.md` has the part for people between two marks; `terms.md` is written whole.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import bot.handlers.router  # noqa: E402, F401 - it has the commands declare themselves, which the texts name
from bot.i18n import LANGUAGES, own_name, words_for  # noqa: E402
from bot.markup import Name, Text, Typed  # noqa: E402
from bot.screens.policies import Operator, PolicyName, policy_document  # noqa: E402

BEGINS: Final = "<!-- make policies writes this -->\n"
ENDS: Final = "<!-- as far as here -->\n"

_OPERATOR: Final = Operator("OPERATOR_NAME", "OPERATOR_CONTACT")
_FIRST: Final = "en"

_TERMS: Final = """# Terms of use: a template

A public bot needs terms; Discord asks for their address. This is what the web port serves at `/terms`, with
your `OPERATOR_NAME` and `OPERATOR_CONTACT`. It is short and no legal advice. If you need other terms, write
your own and give the platforms their address.

"""


def told(policy: PolicyName) -> str:
    """A policy in every language, as Markdown; all but the first folded."""
    others = (language for language in LANGUAGES if language != _FIRST)
    parts = [_in(policy, _FIRST)]
    for language in others:
        summary = f"<details>\n<summary>{own_name(language)}</summary>\n\n"
        parts.append(f"{summary}{_in(policy, language)}\n</details>\n")
    return "\n".join(parts)


def _in(policy: PolicyName, language: str) -> str:
    document = policy_document(policy, _OPERATOR, words_for(language))
    told = ((each.title, "\n".join(_lines(each.lines[0])).rstrip()) for each in document.sections)
    return "\n".join(f"**{title}**\n\n{text}\n" for title, text in told)


def _lines(text: Text) -> Iterator[str]:
    """The lines of a text; a blank one between a list and what is none."""
    listed = False
    for line in "".join(map(_part, text)).split("\n"):
        item = line.startswith("• ")
        if listed and not item:
            yield ""
        yield f"- {line.removeprefix('• ')}" if item else f"{line}  "
        listed = item


def _part(part: object) -> str:
    match part:
        case Typed(line):
            return f"`{line}`"
        case Name(text):
            return f"`{text}`"
    return str(part)


def pages() -> dict[Path, str]:
    """The pages as they should be."""
    privacy, terms = ROOT / "docs" / "privacy.md", ROOT / "docs" / "terms.md"
    before, _, rest = privacy.read_text(encoding="utf-8").partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    return {
        privacy: f"{before}{BEGINS}\n{told('privacy')}\n{ENDS}{after}",
        terms: _TERMS + told("terms"),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
