"""Rounds, their tables and seats: this part of the fold (see `bot.league.fold`)."""

from dataclasses import replace
from typing import Any, Final

from bot.league import events
from bot.league.attendance import arrived, gone, here
from bot.league.night import Dispute, Fold, Night, NightRound, NightTable


def _went(night: Night, event: events.Went, at: float) -> Night:
    return gone(_out_of_his_seat(night, event.member), event.member, missed=event.missed)


def _round_seated(night: Night, event: events.RoundSeated, at: float) -> Night:
    tables = tuple(
        NightTable(number=number, seats=seats, since=(at,) * len(seats), taken=(0,) * len(seats))
        for number, seats in enumerate(event.tables, start=1)
    )
    round = NightRound(
        number=event.round,
        tables=tables,
        byes=event.byes,
        soft_end=event.soft_end,
        hard_end=event.hard_end,
    )
    begun = replace(night, stage="playing", rounds=(*night.rounds, round), break_ends=None)
    return replace(begun, phase_revision=night.revision + 1) if event.round == 1 else begun


def _soft_ended(night: Night, event: events.SoftEnded, at: float) -> Night:
    return _with_round(night, event.round, soft_ended=True)


def _seat_freed(night: Night, event: events.SeatFreed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    free = tuple(sorted({*table.free, event.seat}))
    return _with_table(night, event.round, replace(table, free=free))


def _seat_taken(night: Night, event: events.SeatTaken, at: float) -> Night:
    """Whoever sat elsewhere in this round has that seat no more: a substitute may have it."""
    round = night.rounds[event.round - 1]
    for table in round.tables:
        seat = table.seat_of(event.member)
        if seat is not None and not table.over and (table.number, seat) != (event.table, event.seat):
            freed = replace(_given(table, seat, "", at), free=tuple(sorted({*table.free, seat})))
            night = _with_table(night, event.round, freed)
    table = _given(_table(night, event.round, event.table), event.seat, event.member, at)
    free = tuple(seat for seat in table.free if seat != event.seat)
    night = _with_table(night, event.round, replace(table, free=free))
    known = night.entrant(event.member)
    place = event.place or ("" if known is None else known.place)
    return arrived(here(night, event.member, place), event.member)


def _given(table: NightTable, seat: int, member: str, at: float) -> NightTable:
    """A table with a seat in other hands."""
    seats, since, taken = list(table.seats), list(table.since), list(table.taken)
    seats[seat], since[seat] = member, at
    taken[seat] += 1
    return replace(table, seats=tuple(seats), since=tuple(since), taken=tuple(taken))


def _tiles_played(night: Night, event: events.TilesPlayed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    ended = at if event.over and not table.over else table.ended_at
    told = replace(table, tiles=event.tiles, scores=event.scores, ended_at=ended)
    return _with_table(night, event.round, replace(told, over=event.over or table.over, settled=event.over))


def _round_ended(night: Night, event: events.RoundEnded, at: float) -> Night:
    last = event.round >= night.format.rounds
    ends = None if last else at + night.format.break_minutes * 60
    return replace(closed_round(night, at), stage="break", break_ends=ends)


def closed_round(night: Night, at: float) -> Night:
    """The running round and all its tables are over."""
    if night.stage != "playing" or night.round is None:
        return night
    tables = tuple(
        each if each.over else replace(each, over=True, ended_at=at) for each in night.round.tables
    )
    return _with_round(night, night.round.number, tables=tables, ended_at=at, soft_ended=True)


def later(night: Night, seconds: float) -> Night:
    """What was still to come in a round or a break, moved on."""
    if night.break_ends is not None:
        return replace(night, break_ends=night.break_ends + seconds)
    round = night.round
    if night.stage != "playing" or round is None:
        return night
    tables = tuple(
        replace(table, since=tuple(since + seconds for since in table.since)) for table in round.tables
    )
    soft_end = round.soft_end if round.soft_ended else round.soft_end + seconds
    return _with_round(
        night, round.number, tables=tables, soft_end=soft_end, hard_end=round.hard_end + seconds
    )


def _extended(night: Night, event: events.Extended, at: float) -> Night:
    """A soft end that has passed stays passed, but for tables that play on it is a later hard one."""
    round = night.rounds[event.round - 1]
    soft_end = round.soft_end if round.soft_ended else round.soft_end + event.seconds
    return _with_round(night, event.round, soft_end=soft_end, hard_end=round.hard_end + event.seconds)


def _corrected(night: Night, event: events.Corrected, at: float) -> Night:
    table = _table(night, event.round, event.table)
    return _with_table(night, event.round, replace(table, corrected=event.scores))


def _voided(night: Night, event: events.Voided, at: float) -> Night:
    table = _table(night, event.round, event.table)
    ended = table.ended_at if table.over else at
    return _with_table(night, event.round, replace(table, void=True, over=True, ended_at=ended))


def _replayed(night: Night, event: events.Replayed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    again = NightTable(
        number=table.number,
        seats=table.seats,
        since=(at,) * len(table.seats),
        taken=(0,) * len(table.seats),
        attempt=table.attempt + 1,
        dispute=table.dispute,
    )
    return _with_table(night, event.round, again)


def _disputed(night: Night, event: events.Disputed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    dispute = Dispute(member=event.member, words=event.words, at=at)
    return _with_table(night, event.round, replace(table, dispute=dispute))


def _decided(night: Night, event: events.Decided, at: float) -> Night:
    table = _table(night, event.round, event.table)
    assert table.dispute is not None
    dispute = replace(table.dispute, upheld=event.upheld)
    return _with_table(night, event.round, replace(table, dispute=dispute))


def _out_of_his_seat(night: Night, member: str) -> Night:
    """A computer player keeps the seat that a member has in the running round."""
    if night.stage != "playing" or night.round is None:
        return night
    found = night.round.seat_of(member)
    if found is None or found[0].over:
        return night
    table, seat = found
    return _with_table(night, night.round.number, replace(table, free=tuple(sorted({*table.free, seat}))))


def _table(night: Night, round: int, number: int) -> NightTable:
    return night.rounds[round - 1].tables[number - 1]


def _with_table(night: Night, round: int, table: NightTable) -> Night:
    tables = night.rounds[round - 1].tables
    at = table.number - 1
    return _with_round(night, round, tables=(*tables[:at], table, *tables[at + 1 :]))


def _with_round(night: Night, number: int, **changes: Any) -> Night:
    at = number - 1
    round = replace(night.rounds[at], **changes)
    return replace(night, rounds=(*night.rounds[:at], round, *night.rounds[at + 1 :]))


ROUNDS: Final[dict[type, Fold]] = {
    events.Went: _went,
    events.RoundSeated: _round_seated,
    events.SoftEnded: _soft_ended,
    events.SeatFreed: _seat_freed,
    events.SeatTaken: _seat_taken,
    events.TilesPlayed: _tiles_played,
    events.RoundEnded: _round_ended,
    events.Extended: _extended,
    events.Corrected: _corrected,
    events.Voided: _voided,
    events.Replayed: _replayed,
    events.Disputed: _disputed,
    events.Decided: _decided,
}
