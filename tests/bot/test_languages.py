"""What a language must get right: counting, names, days, and which language a person gets."""

import re

import pytest
from babel.messages import Catalog

from bot import i18n
from bot.i18n import LANGUAGES, Words, words_for
from bot.markup import Name
from tests.bot.test_words import catalogue, texts_of

ENDING = re.compile(r"\{(who|host|tile|taken|indicator|okey|meld|what)\}['’]?\w")
"""A value with letters right behind it: a case ending or a particle."""


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("tr", "1 dakika", "5 dakika"),
        ("en", "1 minute", "5 minutes"),
        ("de", "1 Minute", "5 Minuten"),
        ("ko", "1분", "5분"),
    ],
)
def test_every_language_counts_in_its_own_way(language: str, one: str, many: str) -> None:
    words = words_for(language)
    assert [words.plain("clock.minutes", n=n) for n in (1, 5)] == [one, many]
    none = words.plain("clock.minutes", n=0)
    assert none == many.replace("5", "0")


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        *(("tr-TR", "tr"), ("en-US", "en"), ("de-AT", "de"), ("ko_KR", "ko"), ("KO", "ko")),
        *(("eo", "en"), ("", "en"), ("kok", "en")),
    ],
)
def test_a_language_tag_finds_its_words(tag: str, language: str) -> None:
    assert words_for(tag).language == language


def test_what_a_catalogue_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Catalog("eo")
    begun.add("button.join", "Partopreni")
    read = i18n._read
    monkeypatch.setattr(i18n, "_read", lambda language: begun if language == "eo" else read(language))
    words = Words("eo")
    assert words.plain("button.join") == "Partopreni"
    assert words.plain("button.leave") == words_for("en").plain("button.leave")
    assert [words.plain("clock.minutes", n=n) for n in (1, 5)] == ["1 minute", "5 minutes"]
    assert words.templates("tile.") == words_for("en").templates("tile.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["Işıl İnce", "IŞIL", "Straße", "김이슬"])
def test_no_language_changes_a_letter_of_a_name(language: str, name: str) -> None:
    said = words_for(language).plain("recent.drew", who=Name(name))
    assert name in said


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"en"}))
def test_no_name_and_no_tile_gets_an_ending(language: str) -> None:
    """They stand in the nominative, so that no name needs to be declined."""
    assert [
        key
        for key, message in catalogue(language).items()
        if any(ENDING.search(text) for text in texts_of(message))
    ] == []


@pytest.mark.parametrize(
    ("language", "day"),
    [("tr", "20 Kas 2026"), ("en", "Nov 20, 2026"), ("de", "20.11.2026"), ("ko", "2026. 11. 20.")],
)
def test_a_day_is_written_as_the_language_writes_it(language: str, day: str) -> None:
    assert words_for(language).date(1795132800.0) == day


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("notice.opened", ("button.join",)),
        ("refused.expired_link", ("button.join",)),
        ("private.closed", ("button.rack",)),
        ("rack.stand_in_brief", ("button.back_in",)),
        ("private.closed_link", ("button.rack",)),
    ],
)
def test_a_sentence_that_names_a_button_or_word_names_the_one_there_is(
    language: str, sentence: str, named: tuple[str, ...]
) -> None:
    words = words_for(language)
    said = words.plain(sentence, who=Name("Ada"), n=1)
    for key in named:
        assert words.plain(key).lstrip("🎴▶ ") in said
