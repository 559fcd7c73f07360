"""What a night comes to: from the night as it stands to its result."""

from collections import Counter

from bot.league.naming import table_id
from bot.league.night import Night, NightRound, NightTable
from bot.league.results import NightResult, SeatResult, TableResult, TableState
from engine.rules import rules_from


def result_of(night: Night) -> NightResult:
    """The result of a night, whether it is over or not. One that was cancelled counts for nobody."""
    teams = rules_from(night.format.rules).teams
    rounds = () if night.stage == "cancelled" else night.rounds
    return NightResult(
        id=night.id,
        season=night.season,
        number=night.number,
        start=night.start,
        over=night.stage == "over",
        tables=tuple(result for round in rounds for result in _tables_of(night, round, teams)),
        byes=tuple((round.number, member) for round in rounds for member in round.byes),
        missed=night.missed if rounds else (),
        penalties=night.penalties if rounds else (),
        bye_points=night.format.bye_points,
        missed_points=night.format.missed_points,
    )


def _tables_of(night: Night, round: NightRound, teams: bool) -> list[TableResult]:
    earners = _earners(round)
    return [
        TableResult(
            round=round.number,
            number=table.number,
            table=table_id(night.id, round.number, table.number, table.attempt),
            seats=tuple(
                SeatResult(earners[table.number, seat], _score(table, seat), _wins(table, seat))
                for seat in range(len(table.seats))
            ),
            state=_state(table),
            teams=teams,
            corrected=table.corrected is not None,
        )
        for table in round.tables
    ]


def _state(table: NightTable) -> TableState:
    if table.void:
        return "void"
    if table.disputed:
        return "disputed"
    return "counted" if table.over else "running"


def _earners(round: NightRound) -> dict[tuple[int, int], str]:
    """Who earns what is played at each (table, seat): whoever played most rounds of tiles there.

    Nobody earns at two tables of a round: who was moved earns where he played more.
    """
    claims = sorted(
        (-played, order, table.number, seat, member)
        for table in round.tables
        for seat in range(len(table.seats))
        for order, (member, played) in enumerate(_players_of(table, seat))
    )
    earners = {(table.number, seat): "" for table in round.tables for seat in range(len(table.seats))}
    placed: set[str] = set()
    for _, _, number, seat, member in claims:
        if not earners[number, seat] and member not in placed:
            earners[number, seat] = member
            placed.add(member)
    return earners


def _players_of(table: NightTable, seat: int) -> list[tuple[str, int]]:
    """Who played how many rounds of tiles on a seat, the first one first; its owner where none was ended."""
    if not table.tiles:
        here = table.seats[seat]
        return [(here, 0)] if here and seat not in table.free else []
    return list(Counter(tiles.players[seat] for tiles in table.tiles if tiles.players[seat]).items())


def _score(table: NightTable, seat: int) -> int:
    if table.corrected is not None:
        return table.corrected[seat]
    return table.scores[seat] if table.scores else 0


def _wins(table: NightTable, seat: int) -> int:
    return sum(tiles.winner == seat for tiles in table.tiles)
