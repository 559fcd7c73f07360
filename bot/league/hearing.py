"""What a night learns from one of its tables: rounds of tiles, who got up, who is back. Pure."""

from collections.abc import Iterator

from bot.league.events import Event, SeatFreed, SeatTaken, Tiles, TilesPlayed
from bot.league.naming import table_id
from bot.league.night import Night, NightTable
from bot.tables.at_night import kept_seats
from bot.tables.model import Table
from engine.ending import fewest_win


def heard(night: Night, table: Table) -> tuple[Event, ...]:
    """What is news to a night of a table as it stands; empty when it knows, or the table is not its own."""
    at = table.night
    known = None if at is None else night.table(at.round, at.number)
    if at is None or known is None or known.void:
        return ()
    if table.id != table_id(night.id, at.round, at.number, known.attempt):
        return ()
    played = _played(at.round, table, known)
    news = TilesPlayed(at.round, at.number, known.tiles, known.scores, known.settled)
    return (*_seats(night, at.round, table, known), *([played] if played != news else []))


def _played(round: int, table: Table, known: NightTable) -> TilesPlayed:
    sign = -1 if fewest_win(table.match.rules) else 1
    tiles = tuple(
        Tiles(result.members, tuple(sign * change for change in result.changes), result.winner)
        for result in table.results
    )
    scores = tuple(map(sum, zip(*(each.changes for each in tiles), strict=True)))
    over = table.stage in ("over", "closed")
    return TilesPlayed(round, known.number, tiles, scores, over)


def _seats(night: Night, round: int, table: Table, known: NightTable) -> Iterator[Event]:
    """Who got up from a table that is played, and who sat down again. The night has the last word on whose
    seat it is."""
    if known.over or table.stage not in ("playing", "between"):
        return
    kept = kept_seats(table)
    for seat, member in enumerate(known.seats):
        if not member or table.seats[seat].taken != known.taken[seat]:
            continue
        if seat in kept and seat not in known.free:
            yield SeatFreed(round, known.number, seat)
        elif seat not in kept and seat in known.free and member in night.playing:
            yield SeatTaken(round, known.number, seat, member)
