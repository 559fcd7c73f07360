"""Export: standings and results as CSV, and a league as JSON.

JSON has everything needed to recompute the standings elsewhere. Members appear by their ids and names, never
by their accounts; places only by the names of their chats. CSV follows RFC 4180; a text that some spreadsheet
would take for a formula gets an apostrophe in front.
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
from bot.ports import platform_of

FORMAT: Final = "okey-league/1"

FORMULA: Final = (*"=+-@", *"＝＋－＠", "\t", "\r", "\n")
"""Beginnings of a cell that some spreadsheet would take for a formula. East Asian ones read the full-width
signs like the others."""

_Cell = str | int | Fraction

_STANDINGS: Final = (
    *("rank", "tie_break", "member", "name", "points"),
    *("wins", "score", "opponents", "penalties", "qualified"),
)
_NIGHTS: Final = ("night", "season", "start", "over", "cancelled")
_RESULTS: Final = (
    *("night", "kind", "round", "table", "seat", "member", "name"),
    *("score", "tiles_won", "points", "state", "corrected"),
)

_RESULT: Final = ("tables", "byes", "missed", "penalties", "bye_points", "missed_points")
"""The fields of a night's result in JSON."""


@dataclass(frozen=True, slots=True)
class LoggedNight:
    """A night's result and the events that led to it."""

    result: NightResult
    log: Sequence[Recorded]


def standings_csv(league: League, season: Sequence[SeasonStanding]) -> str:
    """A season's table: a row a member, and two columns a night: their points, and whether these count."""
    nights = sorted({night.night for standing in season for night in standing.nights})
    head = [cell for night in nights for cell in (night, f"{night} counted")]
    return _csv([*_STANDINGS, *head], (_standing(league, each, nights) for each in season))


def results_csv(league: League, nights: Iterable[NightResult]) -> str:
    """A row for each seat of each table, each bye, each missed round and each penalty."""
    ordered = sorted(nights, key=lambda night: night.start)
    return _csv(_RESULTS, (line for night in ordered for line in _results(league, night)))


def nights_csv(league: League) -> str:
    """A row for each night that a league has had, and for the next one."""
    lines = ((ref.id, ref.season, _moment(ref.start), ref.over, ref.cancelled) for ref in league.nights)
    return _csv(_NIGHTS, lines)


def league_json(league: League, nights: Sequence[LoggedNight]) -> bytes:
    """A league with all events and results of its nights, in the format `okey-league/1`, as UTF-8."""
    results = [night.result for night in nights]
    whole = {
        "format": FORMAT,
        "league": {
            "places": [platform_of(place) for place in league.places],
            **_fields(league, "id", "name", "language", "schedule", "format", "season", "ended"),
        },
        "members": [_fields(each, "id", "name", "listed", "partner") for each in league.members.values()],
        "nights": [
            {
                **_fields(night.result, "id", "season", "number", "start", "over"),
                "events": [_event(each, league) for each in night.log],
                "result": _fields(night.result, *_RESULT),
            }
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
    """A member's name; empty for a computer player."""
    return league.members[member].name if member in league.members else ""


def _csv(head: Sequence[str], lines: Iterable[Sequence[_Cell]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([_cell(cell) for cell in line] for line in (head, *lines))
    return written.getvalue()


def _cell(cell: _Cell) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction):
        return f"{float(cell):.4f}".rstrip("0").rstrip(".")
    if isinstance(cell, int):
        return str(cell)
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _standing(league: League, standing: SeasonStanding, nights: Sequence[str]) -> list[_Cell]:
    cells: list[_Cell] = [standing.rank, standing.tie]
    cells += [standing.member, name_of(league, standing.member), standing.points]
    cells += [standing.wins, standing.score, standing.opponents, standing.penalties, standing.qualified]
    own = {each.night: each for each in standing.nights}
    for night in nights:
        cells += [own[night].points, own[night].counted] if night in own else ["", ""]
    return cells


def _results(league: League, night: NightResult) -> Iterator[Sequence[_Cell]]:
    counting = tables_that_count(night)
    for table in night.tables:
        points: Sequence[_Cell] = points_at(table) if table in counting else [""] * len(table.seats)
        for seat, (own, earned) in enumerate(zip(table.seats, points, strict=True)):
            where = (night.id, "table", table.round, table.number, seat)
            made = (own.score, own.wins, earned if own.member else "", table.state, table.corrected)
            yield (*where, own.member, name_of(league, own.member), *made)
    free = (("bye", night.byes, night.bye_points), ("missed", night.missed, night.missed_points))
    for kind, rounds, earns in free:
        for round, member in rounds:
            who = (member, name_of(league, member))
            yield (night.id, kind, round, "", "", *who, "", "", exact(earns), "", "")
    for member, penalty in night.penalties:
        who = (member, name_of(league, member))
        yield (night.id, "penalty", "", "", "", *who, "", "", -exact(penalty), "", "")


def _event(recorded: Recorded, league: League) -> Mapping[str, object]:
    written: dict[str, Any] = msgspec.to_builtins(recorded)
    written["event"].pop("key", None)  # with it, anybody could compute the ids of the night's tables
    for key in {"place", "old"} & written["event"].keys():
        written["event"][key] = platform_of(written["event"][key])
    return written | {"by": recorded.by if recorded.by in league.members else ""}


def _fields(value: object, *names: str) -> dict[str, object]:
    return {name: getattr(value, name) for name in names}


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
