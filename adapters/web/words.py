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
_DE: Final = PageWords(
    language="de",
    your_name="Dein Name",
    enter="Eintreten",
    name_first="Sag zuerst, wie du heißt.",
    open_table="Tisch öffnen",
    help="Hilfe",
    rules="Regeln",
    leaflet="Zum Lesen",
    tables="Tische",
    table="Der Tisch",
    rack="Deine Bank",
    nothing="Hier ist noch kein Tisch offen. Öffne einen; andere können aus ihren eigenen Tabs mitspielen.",
    away="Die Verbindung ist weg. Neuer Versuch…",
    failed="Das hat nicht geklappt. Bitte versuch es noch einmal.",
    command="Befehl",
    close="Schließen",
    needs_script="Diese Seite braucht JavaScript.",
)
_KO: Final = PageWords(
    language="ko",
    your_name="이름",
    enter="들어가기",
    name_first="먼저 이름을 적어 주세요.",
    open_table="테이블 열기",
    help="도움말",
    rules="규칙",
    leaflet="읽을거리",
    tables="테이블 목록",
    table="테이블",
    rack="내 패",
    nothing="아직 열린 테이블이 없습니다. 하나 열면 다른 사람이 자기 탭에서 참가할 수 있습니다.",
    away="연결이 끊겼습니다. 다시 시도하는 중…",
    failed="되지 않았습니다. 다시 해 주세요.",
    command="명령",
    close="닫기",
    needs_script="이 페이지에는 JavaScript가 필요합니다.",
)
_BY_LANGUAGE: Final = {words.language: words for words in (_EN, _TR, _DE, _KO)}


def page_words(language: str) -> PageWords:
    """The frame's words for a language tag; English when there are none."""
    return _BY_LANGUAGE.get(language.split("-")[0].lower(), _EN)
