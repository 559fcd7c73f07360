"""Rows of buttons on a phone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram_chat.rendering import keyboard
from bot.daily import DailyBoard
from bot.i18n import LANGUAGES, words_for
from bot.markup import Button, Row, Style, TileMark
from bot.people.notifications import Notifying
from bot.screens.community import clocks_page, hours_page
from bot.screens.preferences import notifications_page, preferences_page, zone_page
from bot.tables.table import COMPUTER_LEVELS, Display
from tests.adapters.telegram_chat.scene import buttons, tile_row
from tests.servers.telegram_api import keyboards

_CODES = [f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)]


def _widths(*rows: Row) -> list[int]:
    folded = keyboard(rows)
    return [] if folded is None else [len(row) for row in folded.inline_keyboard]


@pytest.mark.parametrize(
    ("tiles", "widths"),
    [(1, [1]), (5, [5]), (6, [3, 3]), (14, [5, 5, 4]), (15, [5, 5, 5]), (22, [5, 5, 4, 4, 4])],
)
def test_tiles_stand_in_even_rows_of_at_most_five(tiles: int, widths: list[int]) -> None:
    assert _widths(tile_row(*_CODES[:tiles])) == widths


def test_words_stand_side_by_side_as_far_as_a_phone_shows_them() -> None:
    assert _widths(*buttons("Draw", "Take")) == [2]
    assert _widths(*buttons("Add a computer player", "Change the rules", "Start")) == [1, 2]
    assert _widths(*buttons(*(f"longer word {n}" for n in range(7)))) == [3, 2, 2], "none stands alone"


def test_times_and_hours_stand_in_whole_rows_in_every_language() -> None:
    """A choice ticked, or in long words, must not break the grid: no button stands alone."""
    for language in LANGUAGES:
        words = words_for(language)
        assert _widths(*clocks_page("tg:-1", 30, words).buttons) == [3, 3, 3, 1]
        board = DailyBoard(community="tg:-1", place="tg:-1", hour=9)
        assert _widths(*hours_page("tg:-1", board, words).buttons) == [4, 4, 4, 4, 1]
        assert set(_widths(*zone_page(Notifying(), 0.0, words).buttons)) == {4}
        for level in COMPUTER_LEVELS:
            page = preferences_page(Display(words=True), level, words, turns=False)
            assert _widths(*page.buttons) == [2, 2, 2, 3]
        quiet = notifications_page(Notifying(quiet=(23, 8)), 0.0, words, turns=False)
        assert _widths(*quiet.buttons) == [2, 2, 1, 2, 2, 2]


def test_one_long_label_takes_the_room_of_its_equals() -> None:
    """A row's buttons are equally wide on a phone: beside a short name a long one would be cut."""
    assert _widths(*buttons("Ada", "Mehmet Öztürkoğlu-Yılmaz")) == [1, 1]
    assert _widths(*buttons("⏮", "◀", "▶", "Nächster Fehler")) == [2, 2]


def test_korean_words_have_the_room_that_they_take() -> None:
    assert _widths(*buttons("규칙…", "플레이어 내보내기…", "🔒 공정한가요?")) == [2, 1]
    assert _widths(*buttons("먼저 하는 사람: 나누는 사람", "첫 나누는 사람: 추첨")) == [1, 1]
    assert _widths(*buttons("가장 좋게", "이어지는 숫자로", "짝끼리")) == [3]


def test_numbers_stand_in_even_rows_too() -> None:
    assert _widths(*buttons(*(str(n) for n in range(1, 16)))) == [5, 5, 5]


def test_rows_are_not_mixed() -> None:
    assert _widths(*buttons("Draw"), tile_row("R1", "R2"), (), *buttons("Show")) == [1, 2, 1]


def test_no_buttons_are_no_keyboard() -> None:
    assert keyboard(()) is None
    assert keyboard(((),)) is None


@pytest.mark.parametrize(
    ("style", "shown"), [("plain", None), ("primary", "primary"), ("good", "success"), ("danger", "danger")]
)
def test_a_buttons_style_is_telegrams(style: Style, shown: str | None) -> None:
    folded = keyboard(((Button(("Draw",), "draw", style),),))
    assert folded is not None
    assert folded.to_dict()["inline_keyboard"][0][0].get("style") == shown


_LABELS = st.one_of(
    st.text(st.characters(categories=("L", "N")), min_size=1, max_size=30).map(lambda words: (words,)),
    st.sampled_from(_CODES).map(lambda code: (TileMark(code),)),
)
_BUTTONS = st.builds(Button, _LABELS, st.text("abc.123", min_size=1, max_size=64))


@given(st.lists(st.lists(_BUTTONS, max_size=30).map(tuple), max_size=6))
def test_every_screen_fits_and_keeps_its_order(rows: list[Row]) -> None:
    folded = keyboard(rows)
    shown = [] if folded is None else folded.to_dict()["inline_keyboard"]
    assert keyboards.faults(shown, "okey_bot") == []
    assert all(shown)
    presses = [button.press for row in rows for button in row]
    assert [button["callback_data"] for row in shown for button in row] == presses[:100]
