"""Statistics: a person's figures, and the leaders of a community. Pure functions of played matches.

A round counts for people who played their own seat when it ended, if at least one other person did, too:
computer players never count, and neither does practice against them alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.history.matches import Dated, PlayedMatch
from bot.tables.table import RoundResult

DAY: Final = 24 * 3600.0
WEEK: Final = 7 * DAY
MONTH: Final = 30 * DAY

OPPONENTS_MOST: Final = 3


@dataclass(kw_only=True)
class Figures:
    """One person's rounds of one game."""

    rounds: int = 0
    wins: int = 0
    how: Counter[str] = field(default_factory=Counter)
    """Wins by kind: color, elden, joker, pairs, or `plain` when it was none of these."""
    opened: int = 0
    """Okey 101: rounds in which they opened."""
    fines: int = 0
    """Okey 101: the number of their penalties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonStandings:
    """The figures of a person."""

    games: dict[str, Figures]
    """By game; only games that they played."""
    matches: int
    """Matches that were played to their end."""
    matches_won: int
    streak: int
    """The most rounds that they won in a row."""
    opponents: tuple[tuple[str, int], ...]
    """The names of their most frequent opponents with the numbers of matches; most frequent first."""


@dataclass(frozen=True, slots=True)
class Leader:
    """A person's line on a leaderboard."""

    name: str
    wins: int
    rounds: int


def of_person(accounts: Iterable[str], matches: Sequence[Dated]) -> PersonStandings:
    """The figures of a person with these accounts, from their matches, the newest first."""
    own = frozenset(accounts)
    games: dict[str, Figures] = {}
    met: Counter[str] = Counter()
    names: dict[str, str] = {}
    streak = longest = ended = won = 0
    for dated in reversed(matches):
        match = dated.match
        seat = _seat_of(match, own)
        counted = [] if seat is None else [each for each in _count(match) if seat not in each.away]
        if seat is None or not counted:
            continue
        for result in counted:
            _add(games.setdefault(match.game, Figures()), result, seat)
            streak = streak + 1 if result.winner == seat else 0
            longest = max(longest, streak)
        for number, player in enumerate(match.players):
            if player.person and number != seat and any(number not in each.away for each in counted):
                met[player.person] += 1
                names[player.person] = player.name
        ended += match.over
        won += seat in match.winners
    opponents = tuple((names[person], times) for person, times in met.most_common(OPPONENTS_MOST))
    return PersonStandings(games=games, matches=ended, matches_won=won, streak=longest, opponents=opponents)


def leaders(matches: Iterable[Dated], since: float, most: int) -> list[Leader]:
    """The people who won most rounds of matches that last progressed at or after `since`; best first."""
    wins: Counter[str] = Counter()
    rounds: Counter[str] = Counter()
    names: dict[str, str] = {}
    for match in (dated.match for dated in matches if dated.at >= since):
        for result in _count(match):
            for seat, player in enumerate(match.players):
                if player.person and seat not in result.away:
                    names.setdefault(player.person, player.name)
                    rounds[player.person] += 1
                    wins[player.person] += result.winner == seat
    order = sorted(rounds, key=lambda person: (-wins[person], rounds[person], names[person].casefold()))
    return [Leader(names[person], wins[person], rounds[person]) for person in order[:most]]


def _seat_of(match: PlayedMatch, own: frozenset[str]) -> int | None:
    return next((seat for seat, player in enumerate(match.players) if player.person in own), None)


def _count(match: PlayedMatch) -> Iterator[RoundResult]:
    return (result for result in match.rounds if len(match.players) - len(result.away) > 1)


def _add(figures: Figures, result: RoundResult, seat: int) -> None:
    figures.rounds += 1
    figures.opened += seat in result.opened
    figures.fines += result.fines[seat] if result.fines else 0
    if result.winner == seat:
        figures.wins += 1
        figures.how.update(result.how or ("plain",))
