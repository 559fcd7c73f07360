"""Check page: a page of plain code that deals a record's rounds again, with WebCrypto and nothing else.

It is served on the web, where it fetches the record, or it is one file that has the record in it and needs no
internet. Both run the same scripts.
"""

import base64
import hashlib
import html
import json
from functools import cache
from importlib.resources import files
from typing import Final

from bot.i18n import Words

FILES: Final = {"check.js": "text/javascript", "page.js": "text/javascript", "page.css": "text/css"}
"""The files of the served page, with their types."""

_IMPORT: Final = 'import { check } from "./check.js";\n'
_REFUSALS: Final = (
    *(
        "no_seed",
        "no_commitment",
        "no_context",
        "bad_seed",
        "bad_context",
        "deal_mismatch",
        "wrong_commitment",
    ),
    *("wrong_context", "wrong_dealer", "wrong_names", "wrong_previous", "wrong_rules", "wrong_seats"),
    "wrong_word",
)
_FAMILIES: Final = ("check.", "fair.limits", "fair.none", *(f"refused.{code}" for code in _REFUSALS))
"""The families of messages that the scripts say."""


def check_page(words: Words) -> str:
    """Return the page that is served at `/fair`. It fetches the record of the secret after its `#`."""
    head = (
        '<link rel="stylesheet" href="/fair/page.css">\n<script type="module" src="/fair/page.js"></script>'
    )
    return _page(words, head, "")


def check_file(words: Words, record: bytes) -> bytes:
    """Return the page as one file, with a record (JSON) in it."""
    script = file_of("check.js").decode().replace("export ", "")
    script = "\n" + script + file_of("page.js").decode().replace(_IMPORT, "")
    style = file_of("page.css").decode()
    policy = f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}"
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<style>{style}</style>\n<script type="module">{script}</script>'
    )
    told = record.decode().replace("<", "\\u003c")  # no name in it ends the element
    body = f'\n<script type="application/json" id="record">{told}</script>'
    return _page(words, head, body).encode()


@cache
def file_of(name: str) -> bytes:
    """Return the content of one of FILES."""
    return (files(__name__) / name).read_bytes()


def _page(words: Words, head: str, body: str) -> str:
    said = html.escape(json.dumps(words.templates(*_FAMILIES), ensure_ascii=False))
    title = html.escape(words.plain("check.title"))
    return f"""<!doctype html>
<html lang="{words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="icon" href="data:,">
{head}
</head>
<body data-words="{said}">
<header><h1>{title}</h1></header>
<main aria-live="polite"></main>{body}
</body>
</html>
"""


def _source(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"
