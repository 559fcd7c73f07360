"""Standings and results as CSV, and a league as JSON: whatever is needed to count again elsewhere.

Members stand there by their ids and names, never by their accounts, and places by the names of their chats
alone. CSV is RFC 4180; a text that some spreadsheet would take for a formula has an apostrophe before it.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final

import msgspec

from bot.league.events import Recorded
from bot.league.model import League
from bot.league.results import NightResult, exact, points_at, tables_that_count
from bot.league.standings import SeasonStanding, season_table
from bot.ports import chat_name

FORMAT: Final = "okey-league/1"

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is a formula to some program."""

Cell = str | int | Fraction

_STANDINGS: Final = (
    *("rank", "member", "name", "points"),
    *("wins", "score", "opponents", "penalties", "qualified"),
)
_NIGHTS: Final = ("night", "season", "start", "over", "cancelled")
_RESULTS: Final = (
    *("night", "kind", "round", "table", "seat", "member", "name"),
    *("score", "tiles_won", "points", "state", "corrected"),
)


@dataclass(frozen=True, slots=True)
class LoggedNight:
    """A night's result and the events that it came of."""

    result: NightResult
    log: Sequence[Recorded]


def standings_csv(league: League, season: Sequence[SeasonStanding]) -> str:
    """A season's table: a line a member, and two columns a night: his points, and whether they count."""
    nights = sorted({night.night for standing in season for night in standing.nights})
    head = [cell for night in nights for cell in (night, f"{night} counted")]
    return _csv([*_STANDINGS, *head], (_standing(league, each, nights) for each in season))


def results_csv(league: League, nights: Iterable[NightResult]) -> str:
    """A line for each seat of each table, for each bye, each missed round and each penalty."""
    ordered = sorted(nights, key=lambda night: night.start)
    return _csv(_RESULTS, (line for night in ordered for line in _results(league, night)))


def nights_csv(league: League) -> str:
    """A line for each night that a league has had, and for the next one."""
    return _csv(
        _NIGHTS,
        (
            (ref.id, ref.season, _moment(ref.start), _yes(ref.over), _yes(ref.cancelled))
            for ref in league.nights
        ),
    )


def league_json(league: League, nights: Sequence[LoggedNight]) -> bytes:
    """A league with everything that has happened in its nights, in the format `okey-league/1`, as UTF-8."""
    results = [night.result for night in nights]
    whole = {
        "format": FORMAT,
        "league": {
            "places": [chat_name(place) for place in league.places],
            **_fields(league, "id", "name", "language", "schedule", "format", "season", "ended"),
        },
        "members": [_fields(each, "id", "name", "listed", "partner") for each in league.members.values()],
        "nights": [
            {**_fields(night.result, "id", "season", "number", "start", "over"), **_night(night, league)}
            for night in nights
        ],
        "standings": {
            season: season_table(results, league.format, season)
            for season in sorted({night.season for night in results})
        },
        "champions": league.champions,
    }
    return msgspec.json.format(msgspec.json.encode(whole, enc_hook=float), indent=1) + b"\n"


def name_of(league: League, member: str) -> str:
    """What a member is called; empty for a computer player."""
    return league.members[member].name if member in league.members else ""


def _csv(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([_cell(cell) for cell in line] for line in (head, *lines))
    return written.getvalue()


def _cell(cell: Cell) -> str:
    if isinstance(cell, Fraction):
        return f"{float(cell):.4f}".rstrip("0").rstrip(".")
    if isinstance(cell, int):
        return str(cell)
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _standing(league: League, standing: SeasonStanding, nights: Sequence[str]) -> list[Cell]:
    cells: list[Cell] = [standing.rank, standing.member, name_of(league, standing.member), standing.points]
    cells += [standing.wins, standing.score, standing.opponents, standing.penalties, _yes(standing.qualified)]
    own = {each.night: each for each in standing.nights}
    for night in nights:
        cells += [own[night].points, _yes(own[night].counted)] if night in own else ["", ""]
    return cells


def _results(league: League, night: NightResult) -> Iterator[Sequence[Cell]]:
    counting = tables_that_count(night)
    for table in night.tables:
        points: Sequence[Cell] = points_at(table) if table in counting else [""] * len(table.seats)
        for seat, (own, earned) in enumerate(zip(table.seats, points, strict=True)):
            where = (night.id, "table", table.round, table.number, seat)
            made = (own.score, own.wins, earned if own.member else "", table.state, _yes(table.corrected))
            yield (*where, own.member, name_of(league, own.member), *made)
    free = (("bye", night.byes, night.bye_points), ("missed", night.missed, night.missed_points))
    for kind, rounds, earns in free:
        for round, member in rounds:
            who = (member, name_of(league, member))
            yield (night.id, kind, round, "", "", *who, "", "", exact(earns), "", "")
    for member, penalty in night.penalties:
        who = (member, name_of(league, member))
        yield (night.id, "penalty", "", "", "", *who, "", "", -exact(penalty), "", "")


def _night(night: LoggedNight, league: League) -> Mapping[str, object]:
    """A night's events as recorded, and its result."""
    rest = ("tables", "byes", "missed", "penalties", "bye_points", "missed_points")
    return {
        "events": [_event(each, league) for each in night.log],
        "result": _fields(night.result, *rest),
    }


def _event(recorded: Recorded, league: League) -> Mapping[str, object]:
    written: dict[str, Any] = msgspec.to_builtins(recorded)
    for key in {"place", "old"} & written["event"].keys():
        written["event"][key] = chat_name(written["event"][key])
    return written | {"by": recorded.by if recorded.by in league.members else ""}


def _fields(value: object, *names: str) -> dict[str, object]:
    return {name: getattr(value, name) for name in names}


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _yes(value: bool) -> str:
    return "yes" if value else "no"
