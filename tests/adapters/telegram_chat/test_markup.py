"""Text as Telegram's HTML and as plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram_chat.rendering import as_html, as_plain, label
from bot.markup import Button, Clock, Folded, Link, Moment, Name, Part, Strong, Text, TileMark
from tests.servers.telegram_api.markup import parse, units

_WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)
_TILES = st.builds(TileMark, st.sampled_from(["R1", "Y13", "B7", "K10", "F"]), wild=st.booleans())
_PARTS: st.SearchStrategy[Part] = st.one_of(
    _WORDS,
    st.builds(Strong, _WORDS),
    st.builds(Name, _WORDS),
    _TILES,
    st.builds(Clock, st.floats(1_000_000_000, 2_000_000_000)),
    st.builds(Link, _WORDS, st.just("https://example.org/?a=1&b=<2>")),
    st.builds(Folded, _WORDS),
)
_TEXTS: st.SearchStrategy[Text] = st.lists(_PARTS, max_size=12).map(tuple)


@pytest.mark.parametrize(
    ("mark", "shown"),
    [
        (TileMark("R4"), "🔴4"),
        (TileMark("Y11"), "⭐11"),
        (TileMark("B13"), "🔷13"),
        (TileMark("K1"), "⬛1"),
        (TileMark("F"), "🃏"),
        (TileMark("R5", wild=True), "👑🔴5"),
        (TileMark("F", wild=True), "👑🃏"),
        (TileMark("K12", letter=True), "⬛K12"),
        (TileMark("B3", wild=True, letter=True), "👑🔷B3"),
        (TileMark("F", letter=True), "🃏"),
    ],
)
def test_a_tile_is_a_coloured_shape_and_its_number(mark: TileMark, shown: str) -> None:
    assert as_html((mark,), 100) == shown
    assert label(Button(("Take ", mark), "take")) == f"Take {shown}"


def test_markup_says_what_stands_out() -> None:
    text = (Strong("1 < 2"), " & ", Link("here", 'https://example.org/?a=1&b="2"'))
    assert as_html(text, 100) == (
        '<b>1 &lt; 2</b> &amp; <a href="https://example.org/?a=1&amp;b=&quot;2&quot;">here</a>'
    )


def test_names_and_moments_may_stand_out() -> None:
    shown = as_html((Name("A<b", strong=True), Moment(60.0, "then", strong=True)), 100)
    assert shown == '<b>\u2068A&lt;b\u2069</b><b><tg-time unix="60" format="wDt">then</tg-time></b>'


def test_a_moment_is_live_where_the_app_can_and_words_where_not() -> None:
    assert as_html((Clock(1_900_000_000.7),), 100) == (
        '<tg-time unix="1900000000" format="r">17:46:40 UTC</tg-time>'
    )


def test_a_date_is_told_in_each_readers_own_time_and_in_words_by_old_apps() -> None:
    moment = Moment(1_772_730_000.0, "Thu, Mar 5, 2026, 20:00 (UTC+3)")
    assert as_html((moment,), 100) == (
        '<tg-time unix="1772730000" format="wDt">Thu, Mar 5, 2026, 20:00 (UTC+3)</tg-time>'
    )
    assert parse(as_html((moment,), 100), "HTML").text == moment.words


def test_a_name_cannot_turn_its_neighbours_round() -> None:
    assert as_html((Name("\u202eevil\u2069"),), 100) == "\u2068evil\u2069"


def test_a_cut_falls_between_whole_parts_and_whole_signs() -> None:
    assert as_plain(("abcdef",), 6, 0.0) == "abcdef"
    assert as_plain(("abcdefg",), 6, 0.0) == "abcde…"
    assert as_plain(("a🔴🔴🔴",), 5, 0.0) == "a🔴…"
    assert as_plain(("abc", Name("Somebody")), 6, 0.0) == "abc…"


def test_words_below_a_picture_are_folded_away() -> None:
    shown = parse(as_html((Strong("Your turn"), "\n", Folded("Shelf 1: red 4 & black 7")), 100), "HTML")
    assert shown.text == "Your turn\nShelf 1: red 4 & black 7"
    assert [(entity["type"], entity["offset"]) for entity in shown.entities] == [
        ("bold", 0),
        ("expandable_blockquote", 10),
    ]


def test_what_does_not_fit_is_cut_from_the_folded_words_first() -> None:
    shown = parse(as_html(("a" * 90, "\n", Folded("b" * 1000)), 100), "HTML")
    assert shown.text == "a" * 90 + "\n" + "b" * 8 + "…"
    assert [entity["type"] for entity in shown.entities] == ["expandable_blockquote"]


@given(_TEXTS, st.integers(1, 200))
def test_whatever_is_said_is_read_as_meant_and_fits(text: Text, limit: int) -> None:
    for shown in (parse(as_html(text, limit), "HTML"), parse(as_plain(text, limit, 0.0), None)):
        assert units(shown.text) <= limit
        assert shown.faults == []
    whole = parse(as_html(text, 10_000), "HTML").text
    for part in text:
        if isinstance(part, str | Strong | Link):
            words = part if isinstance(part, str) else part.text
            assert words.strip() in whole
