"""Game: what sets the screens of one game apart from another's, as one object."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.i18n import Words
from bot.live import Act
from bot.markup import Row, Text, TileFace
from bot.screens.rack import Mode
from bot.tables.facts import RackFacts, TableFacts
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import PublicView, SeatView


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameScreens:
    """The screens of one game. What only Okey 101 has on its table says nothing by default."""

    name: str
    """As `engine.rules` has it."""
    suffix: str = ""
    """What follows the keys of messages for which the game has words of its own."""
    explained: Callable[[Rules, Words], Iterable[Text]]
    """The points of its rules that no other game has."""

    task: Callable[[RackFacts, SeatView, Words, Mode], list[Text]]
    """What a player is to do now, and what helps them to decide."""
    pointed: Callable[[RackFacts, SeatView, Mode], tuple[Tile, ...]]
    """The tiles of a rack to point out."""
    brief: Callable[[RackFacts, SeatView, Words], str]
    """A rack by its numbers, for an alert: the numbered buttons at the table mean these."""
    buttons: Callable[[RackFacts, SeatView, Words, Mode], tuple[Row, ...]]
    """Everything that a player may do now."""
    acts: Callable[[RackFacts, SeatView], Iterable[Act]]
    """The same for an app, for whoever is on turn."""

    blind_buttons: Callable[[TableFacts, PublicView, Words], tuple[Row, ...]]
    """Numbered buttons for a player whom only alerts reach, good for their whole turn.

    They say nothing about the rack but how many tiles are on it, which everybody sees.
    """
    level: Callable[[TableFacts, PublicView, Words], Text] = lambda facts, view, words: ()
    """What opening takes now, where that rises."""
    laid_lines: Callable[[TableFacts, PublicView, Words], list[Text]] = lambda facts, view, words: []
    """Who opened with what, every laid meld, penalties so far."""
    opening: Callable[[int, TableFacts, PublicView, Words], str] = lambda seat, facts, view, words: ""
    """With what a seat opened, for its plate."""
    laid_faces: Callable[[PublicView], tuple[tuple[TileFace, ...], ...] | None] = lambda view: None
    """Every meld on the table for its picture; None where melds are not laid on it."""
    laid_names: Callable[[PublicView, Words], list[str]] = lambda view, words: []
    """The laid melds read aloud."""

    ways: Sequence[str] = ()
    """The kinds of a win that a person's figures tell even when there was none."""
    figures: Sequence[str] = ()
    """What a person's figures count besides, by the names of `bot.history.statistics.Figures`."""
