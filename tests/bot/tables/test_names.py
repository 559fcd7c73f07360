"""Names: a name of which nothing would be seen is shown as nobody's."""

import pytest

from bot.tables.names import NOBODY, clean_name


@pytest.mark.parametrize(
    "blank",
    ["\u3164", "\uffa0\u3164", "\u115f\u1160", "\u2800 \u2800", "\ufe0f", "\u034f\ufe0e", "\u200d"],
)
def test_a_name_of_blank_letters_and_marks_is_nobodys(blank: str) -> None:
    assert clean_name(blank) == NOBODY


@pytest.mark.parametrize("name", ["Ada", "하나", "❤️", "👩‍🚀 Ada", "Ağrı", "अदा", "⠁⠙⠁"])
def test_a_name_that_is_seen_stays(name: str) -> None:
    assert clean_name(name) == name


def test_two_names_that_look_alike_are_alike() -> None:
    assert clean_name("Ada\u3164") == clean_name("\u2800Ada") == "Ada"
