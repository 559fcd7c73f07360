"""Screens as HTML: escaped, isolated, labelled."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from io import BytesIO

import pytest
from PIL import Image

import bot.handlers.router  # noqa: F401 - declares the commands
from adapters.web.markup import GROUND, lines_of, renderer_for
from bot.i18n import LANGUAGES, words_for
from bot.markup import Button, Clock, Link, Moment, Name, Page, Series, Strong, TileMark, Typed
from bot.pictures import draw
from tests.adapters.web.scripted import ScriptedRouter

HOSTILE = "<img src=x onerror=alert(1)>\"'&"
ESCAPED = "&lt;img src=x onerror=alert(1)&gt;&#34;&#39;&amp;"
ENGLISH = renderer_for("en")


@pytest.mark.parametrize(
    ("part", "html"),
    [
        (HOSTILE, ESCAPED),
        (Strong(HOSTILE), f"<strong>{ESCAPED}</strong>"),
        (Name(HOSTILE), f"<bdi>{ESCAPED}</bdi>"),
        (Name(HOSTILE, strong=True), f"<strong><bdi>{ESCAPED}</bdi></strong>"),
        ("one\ntwo", "one<br>two"),
        (Link("here", "javascript:alert(1)"), "here"),
        (Link(HOSTILE, "data:text/html,x"), ESCAPED),
    ],
)
def test_parts_are_escaped(part: str | Strong | Name | Link, html: str) -> None:
    assert str(ENGLISH.text((part,))) == html


def test_a_right_to_left_name_stays_between_its_marks() -> None:
    assert str(ENGLISH.text((Name("\u202eabc"), " 20"))) == "<bdi>\u202eabc</bdi> 20"


def test_a_screen_is_split_into_its_lines() -> None:
    assert lines_of(("one ", Name("Ada"), "\n\ntwo\n", Strong("three"))) == [
        ("one ", Name("Ada"), ""),
        ("",),
        ("two",),
        ("", Strong("three")),
    ]


def test_a_link_leads_out_without_telling_from_where() -> None:
    html = str(ENGLISH.text((Link("the group", "https://t.me/c/1?a=1&b=2"),)))
    assert 'href="https://t.me/c/1?a=1&amp;b=2"' in html
    assert 'rel="noopener noreferrer"' in html


def test_a_clock_says_the_moment_for_the_page_to_count_down_to() -> None:
    at = datetime(2026, 5, 1, 20, 15, 30, tzinfo=UTC).timestamp()
    html = str(ENGLISH.text((Clock(at),)))
    assert 'datetime="2026-05-01T20:15:30+00:00"' in html
    assert f'data-at="{at}"' in html
    assert ">20:15:30 UTC</time>" in html


def test_a_date_can_be_read_without_a_script_and_be_put_into_the_readers_time_by_one() -> None:
    html = str(ENGLISH.text((Moment(1_772_730_000.0, "Thu, Mar 5, 2026, 20:00 (UTC+3)"),)))
    assert '<time class="moment" datetime="2026-03-05T17:00:00+00:00"' in html
    assert ">Thu, Mar 5, 2026, 20:00 (UTC+3)</time>" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_asks_for_a_typed_command_on_the_page(language: str) -> None:
    renderer, words = renderer_for(language), words_for(language)
    typed = [key for key, template in words.templates("").items() if re.search(r"\{/|/okey", template)]
    assert typed
    assert not {*typed} & {*renderer.page_words}, "the page's own words are no markup"
    for key in {each.removesuffix(".one") for each in typed}:
        named = set(re.findall(r"[{$ ](\w+)\b", words.templates(key)[key]))
        text = words.say(key, **{**dict.fromkeys(named, "7"), "n": 2})
        html, spoken = str(renderer.pressable(text)), renderer.spoken(text)
        assert 'data-do="verb"' in html
        assert "/okey" not in html + spoken


def test_a_command_on_the_page_is_a_button_that_asks_for_what_it_needs() -> None:
    html = str(ENGLISH.pressable(words_for("en").say("refused.no_stats")))
    assert re.search(r'<button [^>]*data-verb="review" data-argument="" data-fields="">review</button>', html)
    html = str(ENGLISH.pressable((Typed("/okey word tulip", "word", (("word", HOSTILE),), "en"),)))
    assert "Any word: it changes the next shuffle&lt;input value=&#34;" in html
    assert html.endswith("word tulip</button>")
    assert "<img" not in html
    assert "<img" not in unescape(html), "what a browser makes of the attribute is markup again"


@pytest.mark.parametrize(
    ("language", "mark", "label", "style"),
    [
        ("en", TileMark("R4"), "red 4", "red"),
        ("en", TileMark("K13", wild=True), "black 13 (okey)", "black wild"),
        ("tr", TileMark("Y1"), "sarı 1", "yellow"),
        ("en", TileMark("F"), "false joker", "joker"),
        ("en", TileMark("B10"), "blue 10", "blue"),
    ],
)
def test_a_tile_in_text_is_drawn_and_read_aloud(
    language: str, mark: TileMark, label: str, style: str
) -> None:
    html = str(renderer_for(language).text((mark,)))
    assert f'aria-label="{label}"' in html
    assert f'class="face {style}"' in html
    number = re.search(r"<b>(\d+)</b>", html)
    assert (number.group(1) if number else "") == mark.code[1:]


def test_melds_are_spoken_in_words_whatever_signs_they_are_written_in() -> None:
    opened = ("Ada opened: #1: 🔷\u00a09\u00a010\u00a0👑11 · #2: 👑🔴13\u00a0⭐13\u00a0🃏\n", TileMark("K4"))
    assert ENGLISH.spoken(opened) == (
        "Ada opened: #1: blue 9 10 okey 11 · #2: okey red 13 yellow 13 false joker \nblack 4"
    )


def test_a_nights_board_holds_its_picture_with_its_size_and_its_words() -> None:
    screen = ScriptedRouter().board()
    assert screen.picture
    png = draw(screen.picture)
    html = ENGLISH.board(screen, png)
    assert 'alt="Standing: Ada 3"' in html
    assert re.search(r'src="data:image/png;base64,[A-Za-z0-9+/=]+" alt', html)
    width, height = Image.open(BytesIO(png)).size
    assert f'width="{width}" height="{height}"' in html
    assert "<bdi>&lt;b&gt;Ada&lt;/b&gt;</bdi>" in html


def test_a_button_carries_its_press_and_nothing_can_break_out_of_it() -> None:
    button = Button((HOSTILE, TileMark("R4")), '"><script>', "danger")
    screen = replace(ScriptedRouter().board(), picture=None, buttons=((button,),))
    html = ENGLISH.board(screen, None)
    assert 'data-press="&#34;&gt;&lt;script&gt;"' in html
    assert "<script>" not in html
    assert 'class="press danger"' in html
    assert 'data-surface="public"' in html


@pytest.mark.parametrize(
    ("label", "html"),
    [
        (("📣 Show my accuracy",), "Show my accuracy"),
        (("✏️ Another number…",), "Another number…"),
        (("✓ Classic",), "✓ Classic"),
        (("✓ 💡 Hints for everyone",), "✓ Hints for everyone"),
        (("➕ 2",), "+ 2"),
        (("⏮",), "⏮"),
        ((" (+101)",), " (+101)"),
        (("Next ▶",), "Next"),
        ((f"▶ {HOSTILE}",), ESCAPED),
    ],
)
def test_a_button_needs_no_font_for_its_sign(label: tuple[str, ...], html: str) -> None:
    assert str(ENGLISH.label(label)) == html


async def test_a_title_needs_no_font_for_its_sign() -> None:
    html = await ENGLISH.reading(Page(text=("👤 ", Name("Ada"), "\n\nHere: 🏆 1")))
    assert "👤" not in html
    assert "<bdi>Ada</bdi>" in html
    assert "🏆 1" in html


def test_the_frame_speaks_the_readers_language() -> None:
    assert "Hemen oyna" in renderer_for("tr-TR").page()
    assert 'lang="tr"' in renderer_for("tr-TR").page()


def test_a_language_has_one_renderer_whatever_tags_ask_for_it() -> None:
    assert renderer_for("tr-TR") is renderer_for("tr")
    assert renderer_for("no-language-of-ours") is renderer_for("en")
    assert "Play now" in renderer_for("xx").page()


def test_nothing_in_the_frame_needs_inline_script_or_a_style_but_that_of_the_first_paint() -> None:
    html = ENGLISH.page() + ENGLISH.board(ScriptedRouter().board(), None)
    assert html.count("<style") == html.count(f"<style>{GROUND}</style>") == 1
    assert not re.search(r"<script>| style=| on[a-z]+=", html)


async def test_the_page_turns_a_series_by_its_own_ways_and_keeps_every_other_button() -> None:
    series = Series("review_step.t1.0.1", 0, 3)
    step, star = Button(("⏮",), "review_step.t1.0.1.0", step=True), Button(("★",), "review_step.t1.0.1.3")
    page = Page(text=("Accuracy",), buttons=((step,), (step, star)), series=series)
    html = await ENGLISH.reading(page)
    assert star.press in html
    assert step.press + '"' not in html
