"""Statistics: a person's figures, trophies and luck, and the leaders of a community, read from tallies."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from bot.history.tally import DAY, MatchTally, PersonTally
from bot.league.ratings import UNRATED
from engine.games import GAMES
from engine.luck import MEAN_STARTS, expect_okeys

OPPONENTS_MOST: Final = 3

PERIODS: Final[Mapping[str, int | None]] = MappingProxyType({"week": 7, "month": 30, "ever": None})
"""The periods of leaderboards by their names, in days; None: as long as matches are kept."""


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
class Luck:
    """What a person was dealt in one game, beside what chance brings. The start is the tiles that a rack
    misses to win, in Okey 101 the points with which it could open."""

    game: str
    racks: int
    okeys: int
    okeys_expected: float
    start: float
    """The mean of these racks."""
    start_expected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonStandings:
    """The figures of a person."""

    games: Mapping[str, Figures]
    """By game; only games that they played."""
    matches: int
    """Matches that were played to their end."""
    matches_won: int
    streak: int
    """The matches that they have won in a row until now."""
    longest: int
    """The most matches that they ever won in a row."""
    places: Mapping[int, int]
    """How often they came in at each place, from 1."""
    rating: int | None
    """Their rating in the community; None while too few matches are rated."""
    rated: int
    """The number of rated matches."""
    trophies: tuple[str, ...]
    luck: tuple[Luck, ...]
    opponents: tuple[tuple[str, int], ...]
    """The names of their most frequent opponents with the numbers of matches; most frequent first."""


@dataclass(frozen=True, slots=True)
class Leader:
    """A person's line on a leaderboard."""

    person: str
    name: str
    wins: int
    rounds: int


TROPHIES: Final[Mapping[str, Callable[[PersonTally], bool]]] = MappingProxyType(
    {
        "first_win": lambda person: _count_won(person) >= 1,
        "ten_wins": lambda person: _count_won(person) >= 10,
        "hundred_wins": lambda person: _count_won(person) >= 100,
        "three_in_a_row": lambda person: person.longest >= 3,
        "hundred_matches": lambda person: person.counts.get("matches", 0) >= 100,
        "joker": lambda person: _has_won_by(person, "joker"),
        "pairs": lambda person: _has_won_by(person, "pairs"),
        "color": lambda person: _has_won_by(person, "color"),
        "elden": lambda person: _has_won_by(person, "elden"),
    }
)
"""The trophies and what earns each. All follow from sums that never fall: whoever has one keeps it."""


def describe_person(person: PersonTally, names: Mapping[str, str]) -> PersonStandings:
    """Return the figures of a person. `names` are those of their opponents."""
    games, counts = _read_games(person.counts), person.counts
    strength = max(person.strengths.values(), key=lambda each: each.tables, default=UNRATED)
    met = Counter({key.removeprefix("met."): n for key, n in counts.items() if key.startswith("met.")})
    places = {int(key.split(".")[1]): n for key, n in counts.items() if key.startswith("place.")}
    return PersonStandings(
        games=games,
        matches=counts.get("matches", 0),
        matches_won=_count_won(person),
        streak=person.streak,
        longest=person.longest,
        places=dict(sorted(places.items())),
        rating=strength.shown,
        rated=strength.tables,
        trophies=tuple(name for name, earned in TROPHIES.items() if earned(person)),
        luck=tuple(luck for game in games if (luck := _read_luck(game, counts)).racks),
        opponents=tuple((names[key], n) for key, n in met.most_common(OPPONENTS_MOST) if key in names),
    )


def rank_leaders(tally: MatchTally, now: float, days: int | None = None) -> list[Leader]:
    """Return the people of a community by the rounds that they won in the last days, or ever; of equals who
    needed fewer comes first."""
    today = int(now // DAY)
    added = [*GAMES] if days is None else [f"day.{day}" for day in range(today - days + 1, today + 1)]
    wins, rounds = ([f"{name}.{what}" for name in added] for what in ("wins", "rounds"))
    board = [
        Leader(key, person.name, _add_up(person.counts, wins), played)
        for key, person in tally.persons.items()
        if (played := _add_up(person.counts, rounds))
    ]
    return sorted(board, key=lambda each: (-each.wins, each.rounds, each.name.casefold(), each.person))


def _add_up(counts: Mapping[str, int], names: Sequence[str]) -> int:
    return sum([counts[name] for name in names if name in counts])


def _games_of(counts: Mapping[str, int]) -> Sequence[str]:
    return [game for game in GAMES if f"{game}.rounds" in counts]


def _read_games(counts: Mapping[str, int]) -> dict[str, Figures]:
    games = {}
    for game in _games_of(counts):
        how = {key.rpartition(".")[2]: n for key, n in counts.items() if key.startswith(f"{game}.how.")}
        sums = {each: counts.get(f"{game}.{each}", 0) for each in ("rounds", "wins", "opened", "fines")}
        games[game] = Figures(how=Counter(how), **sums)
    return games


def _read_luck(game: str, counts: Mapping[str, int]) -> Luck:
    racks = {
        key.removeprefix("dealt."): n
        for key, n in counts.items()
        if key.startswith(f"dealt.{game}-") and key.removeprefix("dealt.") in MEAN_STARTS
    }
    number = sum(racks.values())
    return Luck(
        game=game,
        racks=number,
        okeys=counts.get(f"okeys.{game}", 0),
        okeys_expected=sum(n * expect_okeys(kind) for kind, n in racks.items()),
        start=counts.get(f"start.{game}", 0) / max(1, number),
        start_expected=sum(n * MEAN_STARTS[kind] for kind, n in racks.items()) / max(1, number),
    )


def _count_won(person: PersonTally) -> int:
    return person.counts.get("won", 0)


def _has_won_by(person: PersonTally, how: str) -> bool:
    return any(f"{game}.how.{how}" in person.counts for game in GAMES)
