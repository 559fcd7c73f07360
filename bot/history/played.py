"""Played matches, as the history keeps them."""

from dataclasses import dataclass

from bot.ids import TableId
from bot.tables.table import RoundResult


@dataclass(frozen=True, slots=True)
class Player:
    """The owner of a seat. No person: a computer player, or a person who was forgotten."""

    person: str | None
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match in the history, finished or not. Tuples by seat have one entry a seat."""

    table: TableId
    game: str
    """`classic` or `101`."""
    players: tuple[Player, ...]
    rounds: tuple[RoundResult, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """Seats; empty while the match goes on, and when it was given up."""
    places: tuple[int, ...] = ()
    """The place of each seat, from 1; empty while there are no winners."""
    over: bool
    teams: bool = False
    """Whether seats 0 and 2 played against 1 and 3."""
    league: bool = False
    """Whether it was a table of a league's night."""
    owners: tuple[str, ...]
    """The persons and communities in whose history it may be listed."""
    communities: tuple[str, ...] = ()
    """Those of them that are communities."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A match, and the end of its last round: seconds since the epoch."""

    at: float
    match: PlayedMatch
