"""The three steps for who sits down for the first time: a leaflet that turns pages, each with a picture."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words
from bot.ids import TableId
from bot.markup import Button, Page, ResultPicture, Row, RulesPicture, Style, TablePicture
from bot.screens.help import help_button, practice_button
from bot.screens.preferences import OWN
from bot.screens.result import result_alt, result_picture
from bot.screens.rules import rules_alt, rules_picture
from bot.screens.table import table_alt, table_picture
from bot.tables.facts import SeatFacts, TableFacts
from engine.melds import empty_board
from engine.rules import Rules
from engine.tiles import Tile, okey_of
from engine.view import Outcome, PublicView

Picture = RulesPicture | TablePicture | ResultPicture
Drawn = tuple[Picture, str]
"""A picture, and the same in words."""


def guide_page(number: int, words: Words, *, turns: bool) -> Page:
    """A step, counted from 1; `turns`: it takes the place of the one before."""
    picture, alt = _PICTURES[number - 1](words)
    return Page(
        text=words.say(f"guide.{number}"),
        picture=picture,
        alt=alt,
        buttons=_buttons(number, words),
        turns=turns,
    )


def _buttons(number: int, words: Words) -> tuple[Row, ...]:
    back = (_step(number - 1, "replay_step", words, "plain"),) if number > 1 else ()
    if number < STEPS:
        return ((*back, _step(number + 1, "guide_next", words, "primary")),)
    return ((*back, practice_button(words)), (help_button(words),))


def _step(number: int, label: str, words: Words, style: Style) -> Button:
    return Button((words.plain(f"button.{label}"),), callback_text("guide", OWN, 0, number), style)


def _what_wins(words: Words) -> Drawn:
    picture = rules_picture(Rules(), words, INDICATOR)
    return picture, rules_alt(picture, words)


def _a_turn(words: Words) -> Drawn:
    facts, view = played()
    return table_picture(facts, view, words), table_alt(facts, view, words)


def _finishing(words: Words) -> Drawn:
    facts, view, outcome = won()
    return result_picture(outcome, facts, view, words), result_alt(outcome, facts, view, words)


_PICTURES: Final[tuple[Callable[[Words], Drawn], ...]] = (_what_wins, _a_turn, _finishing)
STEPS: Final = len(_PICTURES)


INDICATOR: Final = Tile.R4
_NAMES: Final = ("Ayşe", "Can", "Elif", "Deniz")
_LAST_DISCARDS: Final = (Tile.Y2, Tile.K11, Tile.B6, Tile.R9)

_WON: Final = Outcome(
    kind="win",
    winner=0,
    how=(),
    changes=(0, -2, -2, -2),
    winning_melds=(
        (Tile.B5, Tile.B6, Tile.B7, Tile.B8),
        (Tile.R11, Tile.R12, Tile.R13),
        (Tile.Y9, Tile.B9, Tile.K9),
        (Tile.K1, Tile.K2, Tile.R5, Tile.K4),
    ),
    finishing_tile=Tile.Y1,
)
"""The okey stands for a black 3."""

_PLAYED: Final = PublicView(
    indicator=INDICATOR,
    okey=okey_of(INDICATOR),
    dealer=3,
    turn=0,
    phase="draw",
    discard_tops=_LAST_DISCARDS,
    rack_sizes=(14,) * len(_NAMES),
    stock_left=36,
    shown_by=None,
    turns=12,
    outcome=None,
    board=empty_board(len(_NAMES)),
)


def played() -> tuple[TableFacts, PublicView]:
    """The table while the first seat is on turn, and its view."""
    return _facts(_PLAYED, scores=(20, 20, 20, 20)), _PLAYED


def won() -> tuple[TableFacts, PublicView, Outcome]:
    """The table after the first seat has won, its view, and how it won."""
    view = replace(_PLAYED, turn=None, phase="over", outcome=_WON)
    return _facts(view, scores=(20, 18, 18, 18)), view, _WON


def _facts(view: PublicView, scores: tuple[int, ...]) -> TableFacts:
    return TableFacts(
        id=TableId(""),
        revision=0,
        game_revision=0,
        turn_number=0,
        stage="playing",
        rules=Rules(),
        seats=tuple(_seat(name, score) for name, score in zip(_NAMES, scores, strict=True)),
        round_number=1,
        view=view,
        recent=(),
        deadline=None,
        commitment="",
        opened=None,
        winners=(),
        blind=False,
    )


def _seat(name: str, score: int) -> SeatFacts:
    return SeatFacts(
        name=name, score=score, computer=False, stand_in=False, host=False, private_closed=False, word=False
    )
