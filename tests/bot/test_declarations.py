"""Each button that a screen makes is declared by a handler, and each declared one is made by some screen; a
command is declared once, with a place of its own in menus and help."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from bot.handlers import declarations
from bot.handlers.declarations import PLAYED, TABLE, button, command
from bot.handlers.who import ANYBODY
from tests.offered import BUTTONS, COMMANDS, EVERYBODYS, ORGANISERS
from tests.sources import ROOT, nodes_in

SCRIPTS = sorted((ROOT / "adapters" / "web" / "static").glob("*.js"))
SCREENS, HANDLERS = "bot/screens", "bot/handlers"

BUTTON_MAKERS = ("callback_text", "button", "own_button", "make_offer")
"""Functions that make buttons. The verb is their `verb`, or their first argument that is a string, of two."""

PUT_TOGETHER = ("{}", "league_{}", "night_{}", "{}_here", "ask_{}")
"""What screens make of a word."""


def made() -> Iterator[str]:
    """The verbs in the screens' calls, in those of handlers that make a page themselves, and in what the app
    presses by itself. Others are put together, and found by what is pressed."""
    for script in SCRIPTS:
        yield from re.findall(r"data: `([a-z_]+)\.", script.read_text("utf-8"))
    yield from _called(SCREENS, *BUTTON_MAKERS)
    yield from _called(HANDLERS, "callback_text", "own_button")


def _called(folder: str, *names: str) -> Iterator[str]:
    for _, node in nodes_in(folder):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            named = [each.value for each in node.keywords if each.arg == "verb"] or node.args[:2]
            texts = [each.value for each in named if isinstance(each, ast.Constant)]
            yield from (text for text in texts[:1] if isinstance(text, str))


def written() -> set[str]:
    """Every string in the screens, and what may be made of it."""
    strings = {
        node.value
        for _, node in nodes_in(SCREENS)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {form.format(text) for form in PUT_TOGETHER for text in strings}


def test_every_button_that_a_screen_makes_is_declared() -> None:
    found = {*made()}
    assert {"join", "draw", "league_hub", "night_yes", "replay_step"} <= found
    assert found - {*BUTTONS} == set()


def test_every_declared_button_is_made_by_a_screen() -> None:
    assert {*BUTTONS} - written() - {*made()} == set()


def test_a_button_about_a_table_names_it() -> None:
    """One about whoever presses it names no table, so that none would be found."""
    about_tables = {verb for verb, each in BUTTONS.items() if each.on in (TABLE, PLAYED)}
    own = {*_called(SCREENS, "own_button"), *_called(HANDLERS, "own_button")}
    assert "practice" in own
    assert own & about_tables == set()


def test_a_button_and_a_command_are_declared_once() -> None:
    with pytest.raises(ValueError, match="declared twice: draw"):
        button("draw", who=ANYBODY)(COMMANDS["help"].run)
    with pytest.raises(ValueError, match="declared twice: help"):
        command("help", who=ANYBODY)(COMMANDS["help"].run)


def test_a_declaration_that_does_not_say_who_may_use_it_does_not_import() -> None:
    for declare in (button, command):
        with pytest.raises(TypeError, match="who"):
            declare("coin")  # type: ignore[call-overload, call-arg]


@pytest.mark.parametrize("offered", [EVERYBODYS, ORGANISERS])
def test_each_command_has_a_place_of_its_own(offered: tuple[str, ...]) -> None:
    orders = {verb: COMMANDS[verb].command.order for verb in offered}
    assert sorted(orders.values()) == [*orders.values()]
    assert [two for two in pairwise(offered) if orders[two[0]] == orders[two[1]]] == []


def test_what_is_offered_to_nobody_is_in_no_menu() -> None:
    hidden = {verb for verb, each in declarations.COMMANDS.items() if each.command.audience is None}
    assert hidden == {"start", "anonymous", "talk", "mention"}
    assert not hidden & {*EVERYBODYS, *ORGANISERS}
