"""Words in pictures: every script, nothing wider than asked, nothing lost without a sign of it."""

import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.pictures.lettering import clean, line

WIDE = 4000
SIZE = 30


def same(one: str, other: str, width: int = WIDE) -> bool:
    """Return whether two texts look alike."""
    first, second = line(one, SIZE, width), line(other, SIZE, width)
    return first.size == second.size and ImageChops.difference(first, second).getbbox() is None


def is_drawn(char: str) -> bool:
    """Return whether a character has ink, and not that of the replacement sign."""
    return line(char, SIZE, WIDE).getbbox() is not None and not same(char, "\ufffd")


@given(st.text(max_size=40), st.integers(1, 400), st.sampled_from([25, 30, 40]))
def test_no_text_is_wider_or_higher_than_its_line(text: str, width: int, size: int) -> None:
    mask = line(text, size, width)
    assert mask.width <= width
    assert mask.height == round(size * 1.6)


@pytest.mark.parametrize(
    "letters",
    [
        "ğşıiİIçöüĞŞÇÖÜâîû",
        "äöüßÄÖÜẞ",
        "ΑΩαωέή",
        "ЖюҐїЄ",
        "שלום",
        "محدي",
        "김철수최고",
        "ไทย",
        "नमस्ते"[:2],
        "ქართ",
        "Հայ",
        "かなカナ",
        "😀🎉🤖🎲★☆♥",
        "0123456789+−…–’“”",
    ],
)
def test_every_letter_has_a_look_of_its_own(letters: str) -> None:
    assert [char for char in letters if not is_drawn(char)] == []
    assert [pair for pair in combinations(letters, 2) if same(*pair)] == []


def test_all_korean_syllables_in_use_are_there() -> None:
    """The 2350 syllables of KS X 1001, which Python knows as euc_kr."""
    syllables = [
        bytes((lead, trail)).decode("euc_kr") for lead in range(0xB0, 0xC9) for trail in range(0xA1, 0xFF)
    ]
    assert len(syllables) == 2350
    assert [each for each in syllables if not is_drawn(each)] == []


def test_what_no_font_has_is_replaced_visibly() -> None:
    assert line("\ufffd", SIZE, WIDE).getbbox()
    assert same("漢字", "\ufffd\ufffd")
    assert same("Ali\U000f0000", "Ali\ufffd"), "a private character"


def test_letters_in_fancy_dress_are_read_as_plain_ones() -> None:
    assert same("𝕯𝖆𝖓 Ⓐⓑ", "Dan Ab")


@pytest.mark.parametrize(
    ("hostile", "plain"),
    [
        ("A\u202eB\u2066C\u200eD", "ABCD"),
        ("A\x00\x1b[0mB\x7f", "A[0mB"),
        ("A\n\t\u2028 \u00a0B ", "A B"),
        ("❤\ufe0f 👍\U0001f3fd", "❤ 👍"),
        ("e\u0301\u0302\u0303\u0304\u0305", "é\u0302\u0303"),
    ],
)
def test_what_has_no_look_is_dropped_and_accents_are_thinned(hostile: str, plain: str) -> None:
    assert clean(hostile) == unicodedata.normalize("NFC", plain)


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("Ali 🇹🇷", "Ali"),
        ("🇩🇪 Can 🇹🇷 Efe", "Can Efe"),
        ("🇹🇷", "TR"),
        ("Ece 1️⃣0️⃣", "Ece 10"),
        ("#️⃣", "#"),
    ],
)
def test_a_flag_is_left_out_and_a_keycap_leaves_its_sign(written: str, drawn: str) -> None:
    assert clean(written) == drawn


def ink(text: str, size: int, width: int = WIDE) -> Image.Image:
    """A text cropped to its ink."""
    mask = line(text, size, width)
    return mask.crop(mask.getbbox())


def test_a_long_text_is_set_a_sixth_smaller_before_it_is_cut() -> None:
    text = "Abdurrahman"
    whole = line(text, SIZE, WIDE).width
    full, small, cut = (ink(text, SIZE, width) for width in (whole, whole * 9 // 10, whole // 2))
    assert full.tobytes() == ink(text, SIZE).tobytes()
    assert small.tobytes() == ink(text, SIZE * 5 // 6).tobytes()
    assert cut.height == small.height


def test_a_cut_text_ends_in_an_ellipsis() -> None:
    cut = line("Abdurrahmanoğlu Abdurrahmanoğlu", SIZE, 200)
    assert 150 < cut.width <= 200
    tail = cut.crop((cut.width - 14, 0, cut.width, cut.height)).getbbox()
    assert tail
    assert tail[1] > cut.height // 2, "dots on the line, nothing above"


def test_words_read_from_the_right_begin_there() -> None:
    """A Hebrew word, then a Latin one: the first stands rightmost, as its readers expect."""
    both, latin = line("שלום Ali", SIZE, WIDE), line("Ali", SIZE, WIDE)
    inner = (0, 0, latin.width - 4, latin.height)
    assert ImageChops.difference(both.crop(inner), latin.crop(inner)).getbbox() is None


def test_brackets_among_words_read_from_the_right_embrace_their_word() -> None:
    """Signs have no direction of their own: between such words they too are read from the right."""
    both, bracket = line("שלום (דוד)", SIZE, WIDE), line("(", SIZE, WIDE)
    first = (0, 0, bracket.width, bracket.height)
    assert ImageChops.difference(both.crop(first), bracket).getbbox() is None


def test_a_sign_before_a_word_read_from_the_right_stands_at_its_right() -> None:
    both, word = line("!דוד", SIZE, WIDE), line("דוד", SIZE, WIDE)
    inner = (0, 0, word.width - 4, word.height)
    assert ImageChops.difference(both.crop(inner), word.crop(inner)).getbbox() is None
