"""Text as markdown, and buttons in rows: pure functions, so laws hold for any text and any buttons."""

import re

from hypothesis import given
from hypothesis import strategies as st

from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import ROWS, Rendered, markdown, rows
from bot.i18n import words_for
from bot.markup import Button, Clock, Moment, Name, Row, Strong, TileMark
from bot.screens.community import Tagged, people_page, tables_page
from tests.adapters.discord_chat.scene import rack_screen
from tests.servers.discord_api.bodies import message_problems, walk
from tests.servers.discord_api.world import COMPONENTS_V2

MARKS = TileEmojis()

buttons = st.lists(st.integers(0, 15), max_size=9).map(
    lambda lengths: tuple(
        tuple(Button((f"{row}/{n}",), f"press.{row}.{n}") for n in range(length))
        for row, length in enumerate(lengths)
    )
)


def unescaped(text: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def lengths(folded: list[Row] | None) -> list[int]:
    return [len(row) for row in folded or ()]


def presses(source: tuple[Row, ...] | list[Row]) -> list[str]:
    return [button.press for row in source for button in row]


@given(st.text())
def test_every_sign_of_a_name_is_escaped_and_the_line_keeps_its_direction(name: str) -> None:
    shown = markdown((Name(name),), MARKS, 4000)
    assert (shown[0], shown[-1]) == ("\u2068", "\u2069")
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_~`|<>\[\]@#:/]", shown)
    assert not re.search("[\n\r\u202a-\u202e\u2066\u2067]", shown)
    assert "\u2069" not in shown[1:-1]


@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=60))
def test_the_application_s_words_read_as_they_were(words: str) -> None:
    assert unescaped(markdown((words,), MARKS, 4000)) == words


@given(st.lists(st.text(max_size=30) | st.text(max_size=30).map(Name)), st.integers(1, 100))
def test_text_is_cut_to_what_fits(parts: list[str | Name], longest: int) -> None:
    assert len(markdown(tuple(parts), MARKS, longest)) <= longest


def test_marks_clock_and_strong_words() -> None:
    text = (Strong("Ada"), " ", TileMark("R4"), TileMark("B9", wild=True), "\n- until ", Clock(1795215272.6))
    assert markdown(text, MARKS, 4000) == "**Ada** 🔴4👑🔷9\n\\- until <t:1795215273:R>"


def test_what_stands_out_is_bold_from_its_beginning_to_its_end() -> None:
    text = (Strong("Round 1"), Name("Ada", strong=True), " ", Moment(60.0, "then", strong=True))
    assert markdown(text, MARKS, 4000) == "**Round 1\u2068Ada\u2069** **<t:60:F>**"
    assert markdown(text, MARKS, 16) == "**Round 1**…"
    assert markdown(("a ", Strong(""), Strong("b")), MARKS, 100) == "a **b**"


def test_a_date_is_told_in_each_readers_own_time() -> None:
    assert markdown((Moment(1_772_730_000.0, "Thu 20:00"),), MARKS, 100) == "<t:1772730000:F>"


def test_letters_stand_beside_the_signs() -> None:
    text = (TileMark("K3", letter=True), TileMark("Y12", wild=True, letter=True), TileMark("F", letter=True))
    assert markdown(text, MARKS, 4000) == "⬛K3👑⭐Y12🃏"
    assert MARKS.on_button(("Take ", text[0])) == (None, "Take ⬛K3")


def test_a_long_text_is_not_cut_where_a_message_of_components_takes_it() -> None:
    words = "red 4, " * 400
    page = Rendered(rack_screen(text=(words,)), None, MARKS)
    (shown,) = (each for each in walk(page.as_new()["view"].to_components()) if each["type"] == 10)
    assert shown["content"] == words


def test_rows_are_folded_evenly() -> None:
    row = tuple(Button((str(n),), str(n)) for n in range(6))
    assert lengths(rows((row, row[:0]), ROWS)) == [3, 3]


def test_source_rows_run_together_only_when_they_must() -> None:
    source = tuple(tuple(Button((str(n),), f"{row}.{n}") for n in range(3)) for row in range(6))
    assert lengths(rows(source[:5], ROWS)) == [3, 3, 3, 3, 3]
    assert lengths(rows(source, ROWS)) == [5, 5, 4, 4]
    assert rows(source, 3) is None


def test_as_few_rows_run_together_as_possible() -> None:
    pairs = tuple(tuple(Button((str(n),), f"{row}.{n}") for n in range(2)) for row in range(5))
    back = (Button(("Back",), "back"),)
    assert lengths(rows((*pairs, back), ROWS)) == [4, 2, 2, 2, 1]
    assert lengths(rows((*pairs, back), 3)) == [4, 4, 3]


def test_tiles_share_no_row_with_anything_else() -> None:
    tiles = tuple(Button((TileMark(f"R{n}"),), f"discard.{n}") for n in range(1, 14))
    draw, sort, look = (Button((words,), words) for words in ("Draw", "Sort", "Look"))
    assert lengths(rows(((draw,), (*tiles, sort), (look,)), ROWS)) == [1, 5, 4, 4, 2]
    assert rows(((draw,), (*tiles, sort), (look,)), 4) is None


@given(buttons)
async def test_any_buttons_fit_and_none_is_lost(source: tuple[Row, ...]) -> None:
    page = Rendered(rack_screen(buttons=source), b"\x89PNG", MARKS)
    fields = page.as_new()
    components = fields["view"].to_components() if "view" in fields else []
    body = {"content": fields.get("content"), "components": components}
    flags = COMPONENTS_V2 if page.needs_v2 else 0
    assert message_problems(body, [file.filename for file in fields["files"]], flags, new=True) == []

    offered = [c["custom_id"] for c in walk(components) if c["type"] == 2]
    chosen = [option["value"] for c in walk(components) for option in c.get("options", [])]
    assert sorted(offered + chosen) == sorted(presses(source))


def test_the_lists_of_a_large_community_fit_and_say_how_to_reach_the_others() -> None:
    words, many = words_for("en"), [Tagged("W" * 32, f"{n:08x}") for n in range(200)]
    for count in (0, 3, 200):
        for page, command in (
            (people_page("dc:1/2", many[:count], many[count:], words), "/organise block"),
            (tables_page("dc:1/2", many[:count], many[count:], 3, words), "/organise close"),
        ):
            told = markdown(page.text, MARKS, 4000)
            assert "176" in told
            assert command in told
            assert len(presses(page.buttons)) == 25
            assert rows(page.buttons, ROWS) is not None
    page = people_page("dc:1/2", many, many, words)
    for what in (".block.", ".free."):
        assert len([press for press in presses(page.buttons) if what in press]) == 12


def test_a_press_stands_once_in_a_message() -> None:
    button = Button(("Draw",), "draw")
    assert presses(rows(((button, button), (button,)), ROWS) or []) == ["draw"]
