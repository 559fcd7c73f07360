"""Apply: compute the night that follows from a night and its next event. The log alone rebuilds a night.

Nothing is checked here: a recorded event has already been decided.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from bot.league import events
from bot.league.events import CourseEvent, PeopleEvent, PointsEvent, Recorded, RoundEvent, TableEvent
from bot.league.night import Dispute, Entrant, Heat, Night, NightRound, NightTable

LATEST_CLOSING: Final = 600.0
"""Seconds that check-in stays open at most beyond its time because no process was at work."""


def after(night: Night | None, recorded: Recorded) -> Night:
    """Return the night after one more event. Its first event is the announcement: the night before it is
    None."""
    event, at = recorded.event, recorded.at
    if isinstance(event, events.Announced):
        return _announce(event) if night is None else _announce_again(night, event)
    assert night is not None
    assert not isinstance(event, events.Revoked), "only the whole log can tell"
    if isinstance(event, PeopleEvent):
        changed = _people(night, event)
    elif isinstance(event, PointsEvent):
        changed = _points(night, event)
    elif isinstance(event, RoundEvent):
        changed = _round(night, event, at)
    elif isinstance(event, TableEvent):
        changed = _table(night, event, at)
    else:
        changed = _course(night, event, at)
    return replace(changed, revision=night.revision + 1)


def rebuilt(log: Iterable[Recorded]) -> Night:
    """Return the night that a whole log makes, without what was taken back. Raises ValueError for an empty
    one."""
    entries = list(log)
    taken_back = {each.event.of for each in entries if isinstance(each.event, events.Revoked)}
    night: Night | None = None
    for number, recorded in enumerate(entries, start=1):
        if isinstance(recorded.event, events.Revoked):
            assert night is not None
            night = _with_again(night, entries[recorded.event.of - 1].event, number, recorded.at)
        elif number in taken_back:
            assert night is not None
            night = _without(night, recorded.event)
        else:
            night = after(night, recorded)
        night = replace(night, revision=number)
    if night is None:
        raise ValueError("a night begins with its announcement")
    return night


_TOLD_ANEW: Final = (events.NightCancelled, events.Ended, events.Rescheduled)
"""The events after which, when they are taken back, people must hear of it: the board is a new message."""


def _with_again(night: Night, event: events.NightEvent, number: int, at: float) -> Night:
    """Return the night after an event was taken back. Whoever was sent away has their seat in the running
    round anew, as a computer player has it at the table by now."""
    if isinstance(event, _TOLD_ANEW):
        return replace(night, phase_revision=number)
    if not isinstance(event, events.Went) or (round := night.running) is None:
        return night
    found = round.seat_of(event.member)
    if found is None or found[0].over or found[1] in found[0].free:
        return night
    return _with_table(night, round.number, _give(*found, event.member, at))


def _without(night: Night, event: events.NightEvent) -> Night:
    """Return the night after an event that was taken back. The ids of a replay are used up."""
    if not isinstance(event, events.Replayed):
        return night
    table = night.rounds[event.round - 1].tables[event.table - 1]
    return _with_table(night, event.round, replace(table, attempts=table.attempts + 1))


# The night as a whole


def _announce(event: events.Announced) -> Night:
    return Night(
        id=event.night,
        league=event.league,
        season=event.season,
        number=event.number,
        start=event.start,
        format=event.format,
        key=event.key,
        final=event.final,
        revision=1,
        phase_revision=1,
    )


def _announce_again(night: Night, event: events.Announced) -> Night:
    """Return the night as it is announced now, with the answers and points that were given before."""
    return replace(
        _announce(event),
        entrants=tuple(replace(each, here=False) for each in night.entrants),
        penalties=night.penalties,
        bonuses=night.bonuses,
        unattended=night.unattended,
        revision=night.revision + 1,
        phase_revision=night.revision + 1,
    )


def _course(night: Night, event: CourseEvent, at: float) -> Night:
    match event:
        case events.Rescheduled(start):
            away = tuple(replace(each, here=False) for each in night.entrants)
            again = replace(night, start=start, stage="announced", check_in_closes=None)
            return _tell_anew(replace(again, entrants=away, playing=()), night)
        case events.Renumbered(number, final):
            same = final == night.final
            return replace(night, number=number, final=final, seeds=night.seeds if same else ())
        case events.MembersPlaced(divisions):
            return replace(night, divisions=divisions)
        case events.StageSeeded(seeds):
            seeded = replace(night, seeds=seeds)
            settled = seeded.stage == "ready" and seeded.is_seeded
            return replace(seeded, playing=seeded.settled) if settled else seeded
        case events.Advanced(round, members):
            return replace(night, heats=(*night.heats, Heat(round=round, members=members)))
        case events.CheckInOpened(closes):
            return replace(night, stage="check_in", check_in_closes=closes)
        case events.CheckInClosed(playing):
            closed = min(night.check_in_closes or at, at)
            return replace(night, stage="ready", playing=playing, check_in_closes=closed)
        case events.Paused():
            return replace(night, paused_at=at)
        case events.WentOn(seconds):
            return replace(_later(night, seconds, at), paused_at=None)
        case events.Unattended(seconds, total):
            unattended, interrupted = max(total, night.unattended), night.interrupted or seconds > 0
            night = replace(night, unattended=unattended, interrupted=interrupted)
            if night.stage == "check_in" and night.check_in_closes is not None:
                latest = max(night.check_in_closes, night.start + LATEST_CLOSING)
                return replace(night, check_in_closes=min(night.check_in_closes + seconds, latest))
            return _later(night, seconds, at)
        case events.NightCancelled(reason):
            off = replace(_close(night, at), stage="cancelled", cancelled=reason, break_ends=None)
            return _tell_anew(off, night)
        case events.Ended():
            over = replace(_close(night, at), stage="over", break_ends=None, paused_at=None)
            return replace(over, phase_revision=night.revision + 1)


def _tell_anew(after: Night, before: Night) -> Night:
    """Return the night with its board in a new message, as an edit notifies nobody; unless nobody has
    answered."""
    return replace(after, phase_revision=before.revision + 1) if before.entrants else after


def _later(night: Night, seconds: float, at: float) -> Night:
    """Return the night with everything still to come in its round or break postponed. A seat that was given
    meanwhile counts from now."""
    if night.break_ends is not None:
        return replace(night, break_ends=night.break_ends + seconds)
    if (round := night.running) is None:
        return night
    tables = tuple(
        replace(table, since=tuple(min(since + seconds, at) for since in table.since))
        for table in round.tables
    )
    return _extend(_with_round(night, round.number, tables=tables), round.number, seconds)


def _close(night: Night, at: float) -> Night:
    """Return the night with its running round and all its tables over."""
    if (round := night.running) is None:
        return night
    tables = tuple(each if each.over else replace(each, over=True, ended_at=at) for each in round.tables)
    return _with_round(night, round.number, tables=tables, ended_at=at, soft_ended=True)


# People


def _people(night: Night, event: PeopleEvent) -> Night:
    match event:
        case events.Replied(member, reply, place):
            before = night.entrant(member)
            if before is not None and before.reply == reply:
                return _with_entrant(night, replace(before, place=place))
            return _with_last(night, Entrant(member=member, reply=reply, place=place))
        case events.Relocated(old, place):
            moved = (replace(each, place=place) if each.place == old else each for each in night.entrants)
            return replace(night, entrants=tuple(moved))
        case events.CheckedIn(member, place):
            return _here(night, member, place)
        case events.Came(member, place):
            before = night.entrant(member)
            substitute = before is not None and before.reply == "substitute"
            return _arrive(_here(night, member, place), member, substitute=substitute)
        case events.Went(member, missed):
            return _leave(night, member, missed=missed)


def _points(night: Night, event: PointsEvent) -> Night:
    given = (event.member, event.points)
    if isinstance(event, events.Penalised):
        return replace(night, penalties=(*night.penalties, given))
    return replace(night, bonuses=(*night.bonuses, given))


def _here(night: Night, member: str, place: str) -> Night:
    """Return the night with a member present. They play, whatever they replied; a substitute waits to be
    needed. Who was not here when check-in closed stands after all others."""
    before = night.entrant(member)
    if before is None or before.reply not in ("yes", "substitute"):
        return _with_last(night, Entrant(member=member, reply="yes", place=place, here=True))
    now = replace(before, place=place, here=True)
    in_time = before.here or night.stage in ("announced", "check_in")
    return _with_entrant(night, now) if in_time else _with_last(night, now)


def _arrive(night: Night, member: str, *, substitute: bool) -> Night:
    """Return the night with a member playing from now on. Except for substitutes, earlier rounds count as
    missed."""
    late = [
        (round.number, member)
        for round in night.rounds
        if not substitute and not round.knows(member) and (round.number, member) not in night.missed
    ]
    playing = night.playing if member in night.playing else (*night.playing, member)
    absent = tuple(each for each in night.absent if each != member)
    return replace(night, playing=playing, missed=(*night.missed, *late), absent=absent)


def _leave(night: Night, member: str, *, missed: bool) -> Night:
    """Return the night without a member; a computer player keeps their seat in the running round."""
    found = None if night.running is None else night.running.seat_of(member)
    if found is not None and not found[0].over:
        night = _with_table(night, len(night.rounds), _free(*found))
    entrant = night.entrant(member)
    if entrant is not None:
        night = _with_entrant(night, replace(entrant, reply="no", here=False))
    playing = tuple(each for each in night.playing if each != member)
    absent = (*night.absent, member) if missed and not night.interrupted else night.absent
    return replace(night, playing=playing, absent=absent)


def _with_entrant(night: Night, entrant: Entrant) -> Night:
    """Return the night with an entrant's new reply, at their old place in the order."""
    entrants = tuple(entrant if each.member == entrant.member else each for each in night.entrants)
    return replace(night, entrants=entrants)


def _with_last(night: Night, entrant: Entrant) -> Night:
    """Return the night with an entrant's new reply, after all others."""
    others = (each for each in night.entrants if each.member != entrant.member)
    return replace(night, entrants=(*others, entrant))


# Rounds


def _round(night: Night, event: RoundEvent, at: float) -> Night:
    match event:
        case events.RoundSeated():
            return _seat(night, event, at)
        case events.SoftEnded(round):
            return _with_round(night, round, soft_ended=True)
        case events.Extended(round, seconds):
            return _extend(night, round, seconds)
        case events.RoundEnded(round):
            last = round >= night.format.rounds and not night.knockout_follows
            ends = None if last else at + night.format.break_minutes * 60
            return replace(_close(night, at), stage="break", break_ends=ends)


def _seat(night: Night, event: events.RoundSeated, at: float) -> Night:
    round = NightRound(
        number=event.round,
        tables=tuple(_new_table(number, seats, at) for number, seats in enumerate(event.tables, start=1)),
        byes=event.byes,
        soft_end=event.soft_end,
        hard_end=event.hard_end,
    )
    begun = replace(night, stage="playing", rounds=(*night.rounds, round), break_ends=None)
    return replace(begun, phase_revision=night.revision + 1) if event.round == 1 else begun


def _extend(night: Night, number: int, seconds: float) -> Night:
    """Return the night with a round's ends postponed. If the soft end has passed, only the hard one moves,
    for the tables still playing."""
    round = night.rounds[number - 1]
    soft_end = round.soft_end if round.soft_ended else round.soft_end + seconds
    return _with_round(night, number, soft_end=soft_end, hard_end=round.hard_end + seconds)


def _with_round(night: Night, number: int, **changes: Any) -> Night:
    at = number - 1
    round = replace(night.rounds[at], **changes)
    return replace(night, rounds=(*night.rounds[:at], round, *night.rounds[at + 1 :]))


# Tables


def _table(night: Night, event: TableEvent, at: float) -> Night:
    if isinstance(event, events.SeatTaken):
        return _seat_taken(night, event, at)
    table = night.rounds[event.round - 1].tables[event.table - 1]
    changed = _with_table(night, event.round, _change(table, event, at))
    again = isinstance(event, events.Replayed) and night.stage == "break"
    return _reopen(changed, event.round, at) if again else changed


def _reopen(night: Night, round: int, at: float) -> Night:
    """Return the night with a round played once more instead of the break after it, with its full time. If
    the night is paused, that counts from now."""
    if night.paused_at is not None:
        night = replace(night, paused_at=at)
    soft_end, hard_end = night.format.round_ends(at)
    ends = {"soft_end": soft_end, "hard_end": hard_end, "soft_ended": False, "ended_at": None}
    return replace(_with_round(night, round, **ends), stage="playing", break_ends=None)


def _change(table: NightTable, event: TableEvent, at: float) -> NightTable:
    match event:
        case events.SeatFreed():
            return _free(table, event.seat)
        case events.SeatTaken():
            free = tuple(seat for seat in table.free if seat != event.seat)
            return replace(_give(table, event.seat, event.member, at), free=free)
        case events.TilesPlayed():
            ended = at if event.over and not table.over else table.ended_at
            told = replace(table, tiles=event.tiles, scores=event.scores, settled=event.over)
            return replace(told, over=event.over or table.over, ended_at=ended)
        case events.Corrected():
            return replace(table, corrected=event.scores)
        case events.Voided():
            return replace(table, void=True, over=True, ended_at=table.ended_at if table.over else at)
        case events.Replayed():
            again = _new_table(table.number, table.seats, at)
            attempt = table.attempts + 1
            return replace(again, attempt=attempt, attempts=attempt, disputes=table.disputes)
        case events.Disputed():
            about = Dispute(member=event.member, words=event.words, at=at, attempt=table.attempt)
            return replace(table, disputes=(*table.disputes, about))
        case events.Decided():
            decided = (
                replace(each, upheld=event.upheld) if each.upheld is None else each for each in table.disputes
            )
            return replace(table, disputes=tuple(decided))


def _seat_taken(night: Night, event: events.SeatTaken, at: float) -> Night:
    """Return the night after a member took a seat. Their other seat in this round is free for a
    substitute."""
    for table in night.rounds[event.round - 1].tables:
        seat = table.seat_of(event.member)
        if seat is not None and not table.over and (table.number, seat) != (event.table, event.seat):
            night = _with_table(night, event.round, _free(_give(table, seat, "", at), seat))
    table = night.rounds[event.round - 1].tables[event.table - 1]
    night = _with_table(night, event.round, _change(table, event, at))
    known = night.entrant(event.member)
    place = event.place or ("" if known is None else known.place)
    substitute = known is None or known.reply != "yes"
    return _arrive(_here(night, event.member, place), event.member, substitute=substitute)


def _new_table(number: int, seats: tuple[str, ...], at: float) -> NightTable:
    return NightTable(number=number, seats=seats, since=(at,) * len(seats), taken=(0,) * len(seats))


def _free(table: NightTable, seat: int) -> NightTable:
    """Return the table with a computer player keeping a seat."""
    return replace(table, free=tuple(sorted({*table.free, seat})))


def _give(table: NightTable, seat: int, member: str, at: float) -> NightTable:
    """Return the table with a seat given to another member."""
    seats, since, taken = list(table.seats), list(table.since), list(table.taken)
    seats[seat], since[seat] = member, at
    taken[seat] += 1
    return replace(table, seats=tuple(seats), since=tuple(since), taken=tuple(taken))


def _with_table(night: Night, round: int, table: NightTable) -> Night:
    tables = night.rounds[round - 1].tables
    at = table.number - 1
    return _with_round(night, round, tables=(*tables[:at], table, *tables[at + 1 :]))
