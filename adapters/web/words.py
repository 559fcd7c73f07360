"""The page's own words. What the game says comes from the application, with its screens."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PageWords:
    """The frame's labels and sentences in one language."""

    language: str
    your_name: str
    enter: str
    name_first: str
    open_table: str
    help: str
    rules: str
    leaflet: str
    tables: str
    table: str
    rack: str
    nothing: str
    away: str
    failed: str
    command: str
    close: str
    needs_script: str


_EN: Final = PageWords(
    language="en",
    your_name="Your name",
    enter="Come in",
    name_first="Say first what to call you.",
    open_table="Open a table",
    help="Help",
    rules="Rules",
    leaflet="To read",
    tables="Tables",
    table="The table",
    rack="Your rack",
    nothing="No table is open here yet. Open one, and others can join it from their own tabs.",
    away="The connection is gone. Trying again…",
    failed="That did not work. Please try again.",
    command="Command",
    close="Close",
    needs_script="This page needs JavaScript.",
)
_TR: Final = PageWords(
    language="tr",
    your_name="Adın",
    enter="Gir",
    name_first="Önce adını yaz.",
    open_table="Masa aç",
    help="Yardım",
    rules="Kurallar",
    leaflet="Okunacak",
    tables="Masalar",
    table="Masa",
    rack="Istakan",
    nothing="Henüz açık masa yok. Bir masa aç; başkaları kendi sekmelerinden katılabilir.",
    away="Bağlantı koptu. Yeniden deneniyor…",
    failed="Olmadı. Lütfen yeniden dene.",
    command="Komut",
    close="Kapat",
    needs_script="Bu sayfa için JavaScript gerekir.",
)
_BY_LANGUAGE: Final = {words.language: words for words in (_EN, _TR)}


def page_words(language: str) -> PageWords:
    """The frame's words for a language tag; English when there are none."""
    return _BY_LANGUAGE.get(language.split("-")[0].lower(), _EN)
