"""Export: standings and results as CSV, and a season as JSON.

JSON has everything needed to recompute the standings elsewhere. Members appear by their ids and names, never
by their accounts; places not at all. CSV follows RFC 4180; a text that some spreadsheet
would take for a formula gets an apostrophe in front.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

import msgspec

from bot.league.model import Format, League
from bot.league.results import NightResult, TableResult, exact, points_at, tables_that_count
from bot.league.schedule import Occurrence
from bot.league.standings import SeasonStanding

FORMAT: Final = "okey-league/1"

FORMULA: Final = (*"=+-@", *"＝＋－＠", "\t", "\r", "\n")
"""Beginnings of a cell that some spreadsheet would take for a formula. East Asian ones read the full-width
signs like the others."""

_Cell = str | int | Fraction

_STANDINGS: Final = (
    *("rank", "tie_break", "member", "name", "points"),
    *("wins", "score", "opponents", "penalties", "bonuses", "qualified"),
    *("division", "move"),
)
_NIGHTS: Final = ("night", "season", "start", "over", "cancelled")
_RESULTS: Final = (
    *("night", "kind", "round", "table", "seat", "member", "name"),
    *("score", "tiles_won", "points", "state", "corrected"),
)

_RESULT: Final = ("byes", "missed", "penalties", "bonuses", "bye_points", "missed_points")
"""The fields of a night's result in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonExport:
    """A season for other programs."""

    league: League
    season: int
    settings: Format
    """The settings by which it is counted."""
    nights: Sequence[NightResult]
    table: Sequence[SeasonStanding]
    dates: Sequence[Occurrence] = ()
    """The next nights, if it is the current season."""
    paused: float | None = None
    """When the league's pause ends, if it has one."""


def standings_csv(league: League, season: Sequence[SeasonStanding]) -> str:
    """Return a season's table: a row a member, and two columns a night: their points, and whether these
    count."""
    nights = sorted({night.night for standing in season for night in standing.nights})
    head = [cell for night in nights for cell in (night, f"{night} counted")]
    return _csv([*_STANDINGS, *head], (_standing(league, each, nights) for each in season))


def results_csv(league: League, nights: Iterable[NightResult]) -> str:
    """Return a row for each seat of each table, each bye, each missed round, each penalty and each bonus."""
    ordered = sorted(nights, key=lambda night: night.start)
    return _csv(_RESULTS, (line for night in ordered for line in _results(league, night)))


def nights_csv(league: League) -> str:
    """Return a row for each night that a league has had, and for the next one."""
    lines = ((ref.id, ref.season, _moment(ref.start), ref.over, ref.cancelled) for ref in league.nights)
    return _csv(_NIGHTS, lines)


def codes_csv(league: League, invitation: str, claims: Mapping[str, str]) -> str:
    """Return the codes of a league: a row for the one that brings it to a place, and one for each member."""
    lines = ((id, name_of(league, id), f"/okey league claim {code}") for id, code in claims.items())
    return _csv(("member", "name", "typed"), (("", league.name, f"/okey league join {invitation}"), *lines))


def season_json(facts: SeasonExport) -> bytes:
    """Return a season of a league, in the format `okey-league/1`, as UTF-8."""
    league = facts.league
    whole = {
        "format": FORMAT,
        "league": _fields(league, "id", "name", "language", "schedule", "season", "ended"),
        "season": {"number": facts.season, "settings": facts.settings},
        "members": [{"id": each, "name": name_of(league, each)} for each in _list_members(facts)],
        "nights": [
            {
                **_fields(night, "id", "number", "start", "over"),
                "tables": [_table(table) for table in night.tables],
                **_fields(night, *_RESULT, "final", "divisions"),
            }
            for night in facts.nights
        ],
        "standings": facts.table,
        "next_nights": [each.at for each in facts.dates],
        "paused_until": facts.paused,
        "champions": league.champions,
    }
    return msgspec.json.encode(whole, enc_hook=float) + b"\n"


def _list_members(facts: SeasonExport) -> list[str]:
    """Return the members who have anything in the season: nobody else is known outside the league."""
    seats = (seat.member for night in facts.nights for table in night.tables for seat in table.seats)
    champions = (member for each in facts.league.champions.values() for member in each)
    return list(dict.fromkeys((*(each.member for each in facts.table), *filter(None, seats), *champions)))


def _table(table: TableResult) -> dict[str, object]:
    """Return a table as JSON: its id leads to a replay, which has its own readers."""
    points = points_at(table) if table.counts else [None] * len(table.seats)
    seats = [
        {**_fields(seat, "member", "score", "wins"), "points": earned if seat.member else None}
        for seat, earned in zip(table.seats, points, strict=True)
    ]
    return {**_fields(table, "round", "number", "state", "teams", "corrected"), "seats": seats}


def name_of(league: League, member: str) -> str:
    """Return a member's name; empty for a computer player."""
    known = league.members.get(league.stands_for(member))
    return "" if known is None else known.name


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
    cells += [standing.wins, standing.score, standing.opponents, standing.penalties]
    cells += [standing.bonuses, standing.qualified, standing.division, standing.move]
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
    for kind, given, sign in (("penalty", night.penalties, -1), ("bonus", night.bonuses, 1)):
        for member, more in given:
            who = (member, name_of(league, member))
            yield (night.id, kind, "", "", "", *who, "", "", sign * exact(more), "", "")


def _fields(value: object, *names: str) -> dict[str, object]:
    return {name: getattr(value, name) for name in names}


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
