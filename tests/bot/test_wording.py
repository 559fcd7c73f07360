"""Wording: one term for one thing in each language, no stumbling blocks, each chat's own words."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from bot.callback_data import callback_text
from bot.i18n import LANGUAGES, plain, words_for
from bot.ports import Person
from bot.screens.parts import OWN
from bot.store import Store
from tests.bot.house import page_of
from tests.bot.test_words import catalogue, family, texts_of
from tests.bot.two_chats import CHANNEL, GROUP, chat, two_chats

STUMBLED_OVER: Final = {
    "en": (
        r"\b([Hh]e|[Hh]is|[Hh]im|[Ss]omebody|[Ww]hom)\b",
        r"(^|[.:] )Who [^?]*\.$",
        r"\bby itself\b",
        r"Come in\b",
        r"Say first",
        r"Single rules",
        r"missing to finish",
        r"you got\b",
        r"button is old",
        r"Look at it again",
        r"Fetch more",
        r"sealed as",
        r"at once\. Please press",
        r"\b[Ww]hoever\b|counts? nowhere|(is|was) not held",
        r"gone, only|Words closed",
        r"📖 Three",
    ),
    "tr": (
        r"\b[Dd]este(de|den|si)?\b",
        r"[Öö]teki|[Öö]bür",
        r"[Ss]özcü[kğ]",
        r"Karşıtlık",
        r"\bSıkı\b",
        r"[Tt]akımda",
        r"eskimiş",
        r"\braf(ın|ı)?\b",
        r"Taş taş",
        r"bahsetme",
        r"Ortaya fiş",
        r"Gösterge göster",
        r"(^|\W)(Al|İndir): ",
        r"[Dd]üzenleyici|[Dd]üzenleyen",
        r"\bmaç",
        r"(^|\s)\. masa|numaralı mas|duvar",
        r"\b[Bb]it(ebilirdi|mene)",
        r"(aynı|[Bb]u) turda (at|kullan|yerden|geri)|puan durumu",
        r"📖 Üç",
        r"[Çç]ift bitir|Açma (puanı|çifti)|yetmeyen açış|Açılan taş",
        r"· el\b",
    ),
    "de": (
        r"Schluss (gemacht|machen)|zum Schluss|🏁 Schluss",
        r"\bBank\b|\bBänke",
        r"Anzeigers?\b",
        r"Schein-Okey",
        r"umstecken|Aufstehen|Eintreten",
        r"Auslage|Rückblick",
        r"\b(Topf|Töpfe)",
        r"Kn[oö]pf",
        r"Zwilling|Siegel|Neu ist",
        r"niemand trifft sich",
        r"Organisator|Verwaltung",
        r"Champion-Rolle|ohne Grenze| %",
        r"📖 Drei",
        r"Tippe d|Hier setzen|Verteilung \W*, gezogen",
    ),
    "ko": (
        r"둡니다|(?<!거)(?<!만)두었|둔 |두는|님의 수를",
        r"섞기|되가져|손으로|들어가기|판돈|읽을거리",
        r"연속(?!패)",
        r"봉인(?!값)",
        r"타일(?! 게임)",
        r"당신",
        r"번 테이블|테이블 승|장 중|밤의",
        r"📖 세",
        r"내려놓|셈$|셉니다|라운드 ( |$|\*)",
        r"시작은 방장이|오케이를 시작|없어요|해요\\. .*니다",
    ),
}
"""What no message of a language says: word-by-word translations, riddles, and second names of a thing."""

SPEAK_OF: Final = {
    "stock": (
        "word.stock",
        "table.open_tiles",
        "refused.stock_empty",
        "outcome.exhausted",
        "explain.turn.left",
    ),
    "rack": ("button.rack", "page.rack", "command.rack", "help.rack", "refused.not_on_rack", "guide.1"),
    "set": (
        "word.set",
        "refused.no_win",
        "refused.no_meld",
        "explain.goal.pairs",
        "help.aim",
        "guide.1",
        "live.teach_goal_about",
        "live.teach_set",
        "live.teach_set_about",
        "live.teach_turn_wrong",
        "live.teach_finish_about",
    ),
    "run": (
        "word.run",
        "refused.no_win",
        "refused.no_meld",
        "explain.goal.pairs",
        "help.aim",
        "guide.1",
        "live.teach_goal_about",
        "live.teach_run",
        "live.teach_run_about",
        "live.teach_turn_wrong",
        "live.teach_finish_about",
    ),
    "indicator": ("word.indicator", "button.show", "rack.open_tiles", "recent.shown", "guide.1"),
    "okey": ("word.okey", "tile.okey", "rack.open_tiles", "explain.okey.reroll", "guide.1"),
    "false joker": ("word.false_joker", "tile.false_joker", "meld.joker", "explain.okey.reroll", "guide.1"),
}
"""Messages that speak of the game's things."""

TERMS: Final = {
    "stock": {"en": "stock", "tr": "orta", "de": "Stapel", "ko": "더미"},
    "rack": {"en": "rack", "tr": "[Iı]staka", "de": "Brett", "ko": "받침대"},
    "set": {"en": r"\bsets?\b", "tr": "grup|grub", "de": "S[aä]tz", "ko": "그룹"},
    "run": {"en": r"\bruns?\b", "tr": "seri", "de": "Folge", "ko": "연속패"},
    "indicator": {"en": "indicator", "tr": "gösterge", "de": "Anzeigestein", "ko": "표시패"},
    "okey": {"en": "okey", "tr": "okey", "de": "Okey", "ko": "오케이"},
    "false joker": {"en": "false joker", "tr": "sahte okey", "de": "falscher Okey", "ko": "가짜 오케이"},
}

VALUE: Final = re.compile(r"\{[^}]*\}|\*okey \w+\*")


def said(language: str) -> Iterator[tuple[str, str]]:
    """Each form of each message, without its values, what is typed at a command line, and old names."""
    for key, message in catalogue(language).items():
        for text in texts_of(message):
            yield key, VALUE.sub("", text.split("|")[0] if key.startswith("verb.") else text)


@pytest.mark.parametrize("language", STUMBLED_OVER)
def test_nothing_is_said_that_players_stumble_over(language: str) -> None:
    wrong = re.compile("|".join(STUMBLED_OVER[language]), re.MULTILINE)
    assert [(key, found[0]) for key, text in said(language) if (found := wrong.search(text))] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("thing", SPEAK_OF)
def test_a_thing_of_the_game_has_one_name(language: str, thing: str) -> None:
    assert language in TERMS[thing], "TERMS lacks what this language calls it"
    term = re.compile(TERMS[thing][language], re.IGNORECASE)
    assert [
        key
        for key in SPEAK_OF[thing]
        if not all(term.search(text) for text in texts_of(catalogue(language)[key]))
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tip_names_the_button_that_discards_and_tells_of_no_gesture_that_is_off(language: str) -> None:
    tip, label = (texts_of(catalogue(language)[key])[0] for key in ("live.hint_discard", "live.discard"))
    assert label in tip
    assert not re.search("twice|iki kez|zweimal|두 번", tip)


def test_korean_tells_what_happened_in_sentences() -> None:
    told = [(key, text) for key, text in said("ko") if key.startswith(("recent.", "begin.drew", "outcome."))]
    assert [key for key, text in told if "니다" not in text] == []


def test_korean_hints_name_commands_in_korean() -> None:
    """But Telegram's menu, which takes Latin letters alone, and its `/okey`."""
    latin = {(key, word) for key, text in said("ko") for word in re.findall(r"(?<!/)\b[a-z]+\b", text)}
    assert {key for key, word in latin if word in family("verb.")} == set()


OTHER_CHAT: Final = {
    "dc": {"en": "group|topic", "tr": r"\bgrup|\bkonu", "de": "Gruppe|Them(a|en)", "ko": "그룹|주제"},
    "tg": {
        "en": "channel|thread|server",
        "tr": "kanal|sunucu",
        "de": "Kan[aä]l|Thread|Server",
        "ko": "채널|스레드|서버",
    },
}
"""What a chat's places are called in the other chat."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "place"), [("dc", CHANNEL), ("tg", GROUP)])
async def test_each_chat_is_spoken_to_in_its_own_words(
    store: Store, language: str, name: str, place: str
) -> None:
    assert language in OTHER_CHAT[name], "OTHER_CHAT lacks what this language calls the other chat's places"
    words = words_for(language)
    async with two_chats(store) as house:
        person = Person(f"{name}:5", "Ada", language)
        stranger = await house.type(person, "rooms", "on", place=place)
        done = await house.organise(person, "rooms", "on", place=place)
        chat(house, name).lacks = ("Pin",)
        lacking = await house.organise(person, "rooms", "on", place=place)
        chat(house, name).lacks = None
        never = await house.organise(person, "rooms", "on", place=place)
        notices = [answer.notice for answer in (stranger, done, lacking, never)]
        organisers = callback_text("help", OWN, 0, "organisers")
        settings = await house.organise(person, "organise", place=place)
        pages = [page_of(answer).text for answer in (settings, await house.press(person, organisers))]
        for text in (*notices, *pages):
            assert not re.search(OTHER_CHAT[name][language], plain(text, words), re.IGNORECASE)
