"""docs/promises.md: every promise stands in its document, and a test that exists keeps it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "promises.md").read_text("utf-8")

DOCUMENTS = {
    "Privacy": "docs/privacy.md",
    "Deals": "docs/verify.md",
    "Security": "SECURITY.md",
    "The app": "docs/app.md",
    "What a crash loses": "docs/running.md",
}


class Promise(NamedTuple):
    """A row: the document, the sentence, and the tests."""

    document: str
    sentence: str
    tests: tuple[str, ...]


def rows() -> Iterator[Promise]:
    for title, document in DOCUMENTS.items():
        part = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
        for row in re.findall(r"^\| (.+) \| (`.+) \|$", part, re.MULTILINE):
            yield Promise(document, row[0], tuple(re.findall(r"`([^`]+)`", row[1])))


@cache
def words_of(document: str) -> str:
    """A document without line breaks and marks of emphasis or links."""
    text = (ROOT / document).read_text("utf-8")
    return " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)|[*]+", r"\1", text).split())


@pytest.mark.parametrize("promise", list(rows()), ids=lambda promise: promise.sentence[:40])
def test_each_promise_stands_in_its_document_and_is_kept_by_a_test(promise: Promise) -> None:
    assert promise.sentence in words_of(promise.document)
    assert promise.tests
    for test in promise.tests:
        file, _, name = test.partition("::")
        assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), test


def test_every_document_has_promises() -> None:
    assert {each.document for each in rows()} == set(DOCUMENTS.values())
