"""A round that nobody plays: what the guide shows of a table and of a win, by the drawings of real ones."""

from dataclasses import replace
from typing import Final

from bot.screens.facts import SeatFacts, TableFacts
from engine.rules import Rules
from engine.tiles import Tile, okey_of
from engine.view import Outcome, PublicView

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
        id="",
        stamp=0,
        moves=0,
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
