"""Played matches: the seats' players, and what the rounds came to."""

from dataclasses import dataclass

from bot.ids import TableId
from bot.tables.table import RoundResult


@dataclass(frozen=True, slots=True)
class Player:
    """Whose seat it was. No person: a computer player's, or that of somebody who was forgotten."""

    person: str | None
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match as the history has it, however far it has got. Tuples by seat hold one entry a seat."""

    table: TableId
    game: str
    """`classic` or `101`."""
    players: tuple[Player, ...]
    rounds: tuple[RoundResult, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """Seats; empty while it goes on, and when it was given up."""
    over: bool
    owners: tuple[str, ...]
    """The persons and communities in whose history it may stand."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A match, and when its last round ended: seconds since the epoch."""

    at: float
    match: PlayedMatch
