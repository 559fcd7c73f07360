"""Game screens: everything that differs between the screens of two games, as one object."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.i18n import Words
from bot.live import Sure
from bot.markup import Row, Text, TileFace
from bot.screens.offer import Offer
from bot.screens.rack import Mode
from bot.tables.facts import RackFacts, TableFacts
from engine.moves import Move
from engine.review.decision import Decision
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import PublicView, SeatView


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameScreens:
    """The screens of one game. The fields that only Okey 101 needs are empty by default."""

    name: str
    """The game's name, as in `engine.rules`."""
    suffix: str = ""
    """The suffix of the keys of messages that have their own words for this game."""
    explained: Callable[[Rules, Words], Iterable[Text]]
    """The points of its rules that differ from the other games'."""

    task: Callable[[RackFacts, SeatView, Words, Mode], list[Text]]
    """The player's current task, and help to decide."""
    pointed: Callable[[RackFacts, SeatView, Mode], tuple[Tile, ...]]
    """The tiles of a rack to point out."""
    brief: Callable[[RackFacts, SeatView, Words], str]
    """A rack by its numbers, for an alert. The numbered buttons at the table mean these."""
    offers: Callable[[RackFacts, SeatView], Iterable[Offer]]
    """The moves that a player may make now."""
    question: Callable[[Rules, PublicView, Move], Sure]
    """The reason to ask the player on turn before a move; empty: none."""
    numbers: Callable[[TableFacts, PublicView], Iterable[Offer]]
    """What a player on turn who gets alerts only may try in their whole turn: numbers stand for tiles."""
    calls: Callable[[TableFacts, PublicView], Iterable[Offer]] = lambda facts, view: ()
    """The call of the last discard, while anybody may make it."""
    buttons: Callable[[RackFacts, SeatView, Sequence[Offer], Words, Mode], tuple[Row, ...]]
    """A player's offers as buttons, in rows, and those between the dialogues of this mode."""

    level: Callable[[TableFacts, PublicView, Words], Text] = lambda facts, view, words: ()
    """The points or pairs that open now, under rules where that number rises."""
    fine_lines: Callable[[TableFacts, PublicView, Words], list[Text]] = lambda facts, view, words: []
    """The penalties so far, which no picture shows."""
    opening: Callable[[int, TableFacts, PublicView, Words], str] = lambda seat, facts, view, words: ""
    """The opening of a seat, for its plate."""
    laid_faces: Callable[[PublicView], tuple[tuple[TileFace, ...], ...] | None] = lambda view: None
    """Every meld on the table for its picture; None in a game that lays no melds."""
    laid_names: Callable[[PublicView, Words], list[str]] = lambda view, words: []
    """The laid melds read aloud."""

    fine: Callable[[Tile, Rules, SeatView, Words], list[Text]] = lambda tile, rules, view, words: []
    """The penalty for a discard, in a review."""
    cost: Callable[[Decision, SeatView, Words], list[Text]]
    """The cost of a decision beside the best one, in a review."""

    ways: Sequence[str] = ()
    """The kinds of a win that a person's statistics list even when they have none."""
    figures: Sequence[str] = ()
    """Further figures in a person's statistics, by their names in `bot.history.statistics.Figures`."""
