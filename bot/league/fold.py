"""From a night and what happened next to the night after it. The log alone rebuilds a night.

Nothing is checked here: what is recorded has been decided.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from bot.league import events
from bot.league.events import Recorded
from bot.league.night import Dispute, Entrant, Night, NightRound, NightTable

LATEST_CLOSING: Final = 600.0
"""So long at most check-in stays open beyond its time when nobody was at work in it: seconds."""


def after(night: Night | None, recorded: Recorded) -> Night:
    """The night after one more event; None before the first one, its announcement."""
    event = recorded.event
    if isinstance(event, events.Announced):
        return _announced(event)
    assert night is not None
    changed = _FOLDS[type(event)](night, event, recorded.at)
    return replace(changed, stamp=night.stamp + 1)


def unfolded(log: Iterable[Recorded]) -> Night:
    """The night of a whole log. Raises ValueError for an empty one."""
    night: Night | None = None
    for recorded in log:
        night = after(night, recorded)
    if night is None:
        raise ValueError("a night begins with its announcement")
    return night


def _announced(event: events.Announced) -> Night:
    return Night(
        id=event.night,
        league=event.league,
        season=event.season,
        number=event.number,
        start=event.start,
        format=event.format,
        stamp=1,
        phase_stamp=1,
    )


def _rescheduled(night: Night, event: events.Rescheduled, at: float) -> Night:
    entrants = tuple(replace(each, here=False) for each in night.entrants)
    return replace(
        night, start=event.start, stage="announced", check_in_closes=None, entrants=entrants, playing=()
    )


def _cancelled(night: Night, event: events.Cancelled, at: float) -> Night:
    return replace(_closed_round(night, at), stage="cancelled", cancelled=event.reason, break_ends=None)


def _replied(night: Night, event: events.Replied, at: float) -> Night:
    before = night.entrant(event.member)
    if before is not None and before.reply == event.reply:
        return _with_entrant(night, replace(before, place=event.place))
    others = tuple(each for each in night.entrants if each.member != event.member)
    entrant = Entrant(member=event.member, reply=event.reply, place=event.place)
    return replace(night, entrants=(*others, entrant))


def _check_in_opened(night: Night, event: events.CheckInOpened, at: float) -> Night:
    return replace(night, stage="check_in", check_in_closes=event.closes)


def _checked_in(night: Night, event: events.CheckedIn, at: float) -> Night:
    """Whoever is here comes, whatever he said before; a substitute waits to be needed."""
    before = night.entrant(event.member)
    if before is not None and before.reply in ("yes", "substitute"):
        return _with_entrant(night, replace(before, place=event.place, here=True))
    others = tuple(each for each in night.entrants if each.member != event.member)
    entrant = Entrant(member=event.member, reply="yes", place=event.place, here=True)
    return replace(night, entrants=(*others, entrant))


def _check_in_closed(night: Night, event: events.CheckInClosed, at: float) -> Night:
    return replace(night, stage="ready", playing=event.playing)


def _came(night: Night, event: events.Came, at: float) -> Night:
    return _arrived(_checked_in(night, events.CheckedIn(event.member, event.place), at), event.member)


def _arrived(night: Night, member: str) -> Night:
    """A member plays from now on: for earlier rounds without him he was not there."""
    late = [
        (round.number, member)
        for round in night.rounds
        if not round.knows(member) and (round.number, member) not in night.missed
    ]
    playing = night.playing if member in night.playing else (*night.playing, member)
    absent = tuple(each for each in night.absent if each != member)
    return replace(night, playing=playing, missed=(*night.missed, *late), absent=absent)


def _went(night: Night, event: events.Went, at: float) -> Night:
    playing = tuple(each for each in night.playing if each != event.member)
    absent = (*night.absent, event.member) if event.missed else night.absent
    entrant = night.entrant(event.member)
    if entrant is not None:
        night = _with_entrant(night, replace(entrant, reply="no", here=False))
    return replace(_out_of_his_seat(night, event.member), playing=playing, absent=absent)


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
    return replace(begun, phase_stamp=night.stamp + 1) if event.round == 1 else begun


def _soft_ended(night: Night, event: events.SoftEnded, at: float) -> Night:
    return _with_round(night, event.round, soft_ended=True)


def _seat_freed(night: Night, event: events.SeatFreed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    free = tuple(sorted({*table.free, event.seat}))
    return _with_table(night, event.round, replace(table, free=free))


def _seat_taken(night: Night, event: events.SeatTaken, at: float) -> Night:
    """Whoever sat elsewhere in this round gives that seat up."""
    if _table(night, event.round, event.table).seat_of(event.member) != event.seat:
        night = _out_of_his_seat(night, event.member)
    table = _table(night, event.round, event.table)
    seats, since, taken = list(table.seats), list(table.since), list(table.taken)
    seats[event.seat], since[event.seat] = event.member, at
    taken[event.seat] += 1
    free = tuple(seat for seat in table.free if seat != event.seat)
    table = replace(table, seats=tuple(seats), since=tuple(since), taken=tuple(taken), free=free)
    night = _with_table(night, event.round, table)
    known = night.entrant(event.member)
    place = event.place or ("" if known is None else known.place)
    return _arrived(_checked_in(night, events.CheckedIn(event.member, place), at), event.member)


def _tiles_played(night: Night, event: events.TilesPlayed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    ended = at if event.over and not table.over else table.ended_at
    told = replace(table, tiles=event.tiles, scores=event.scores, ended_at=ended)
    return _with_table(night, event.round, replace(told, over=event.over or table.over, settled=event.over))


def _round_ended(night: Night, event: events.RoundEnded, at: float) -> Night:
    last = event.round >= night.format.rounds
    ends = None if last else at + night.format.break_minutes * 60
    return replace(_closed_round(night, at), stage="break", break_ends=ends)


def _closed_round(night: Night, at: float) -> Night:
    """The running round and all its tables are over."""
    if night.stage != "playing" or night.round is None:
        return night
    tables = tuple(
        each if each.over else replace(each, over=True, ended_at=at) for each in night.round.tables
    )
    return _with_round(night, night.round.number, tables=tables, ended_at=at, soft_ended=True)


def _paused(night: Night, event: events.Paused, at: float) -> Night:
    return replace(night, paused_at=at)


def _went_on(night: Night, event: events.WentOn, at: float) -> Night:
    return replace(_later(night, event.seconds), paused_at=None)


def _unattended(night: Night, event: events.Unattended, at: float) -> Night:
    if night.stage == "check_in" and night.check_in_closes is not None:
        latest = max(night.check_in_closes, night.start + LATEST_CLOSING)
        return replace(night, check_in_closes=min(night.check_in_closes + event.seconds, latest))
    return _later(night, event.seconds)


def _later(night: Night, seconds: float) -> Night:
    """What was still to come, moved on."""
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


def _penalised(night: Night, event: events.Penalised, at: float) -> Night:
    return replace(night, penalties=(*night.penalties, (event.member, event.points)))


def _disputed(night: Night, event: events.Disputed, at: float) -> Night:
    table = _table(night, event.round, event.table)
    dispute = Dispute(member=event.member, words=event.words, at=at)
    return _with_table(night, event.round, replace(table, dispute=dispute))


def _decided(night: Night, event: events.Decided, at: float) -> Night:
    table = _table(night, event.round, event.table)
    assert table.dispute is not None
    dispute = replace(table.dispute, upheld=event.upheld)
    return _with_table(night, event.round, replace(table, dispute=dispute))


def _ended(night: Night, event: events.Ended, at: float) -> Night:
    over = replace(_closed_round(night, at), stage="over", break_ends=None, paused_at=None)
    return replace(over, phase_stamp=night.stamp + 1)


def _with_entrant(night: Night, entrant: Entrant) -> Night:
    entrants = tuple(entrant if each.member == entrant.member else each for each in night.entrants)
    return replace(night, entrants=entrants)


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


def _out_of_his_seat(night: Night, member: str) -> Night:
    """A computer player keeps the seat that a member has in the running round."""
    if night.stage != "playing" or night.round is None:
        return night
    found = night.round.seat_of(member)
    if found is None or found[0].over:
        return night
    table, seat = found
    return _with_table(night, night.round.number, replace(table, free=tuple(sorted({*table.free, seat}))))


_Fold = Callable[[Night, Any, float], Night]

_FOLDS: Final[dict[type, _Fold]] = {
    events.Rescheduled: _rescheduled,
    events.Cancelled: _cancelled,
    events.Replied: _replied,
    events.CheckInOpened: _check_in_opened,
    events.CheckedIn: _checked_in,
    events.CheckInClosed: _check_in_closed,
    events.Came: _came,
    events.Went: _went,
    events.RoundSeated: _round_seated,
    events.SoftEnded: _soft_ended,
    events.SeatFreed: _seat_freed,
    events.SeatTaken: _seat_taken,
    events.TilesPlayed: _tiles_played,
    events.RoundEnded: _round_ended,
    events.Paused: _paused,
    events.WentOn: _went_on,
    events.Unattended: _unattended,
    events.Extended: _extended,
    events.Corrected: _corrected,
    events.Voided: _voided,
    events.Replayed: _replayed,
    events.Penalised: _penalised,
    events.Disputed: _disputed,
    events.Decided: _decided,
    events.Ended: _ended,
}
