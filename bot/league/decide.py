"""Decide: turn a request of a member or an organiser into events, or refuse it.

Nothing is committed here, and nobody's rights are checked; who asked and why is recorded beside the events.
All functions raise Refused, with the codes that are listed after "Refused:".
"""

from contextlib import suppress
from typing import Final

from bot.errors import Refused
from bot.league import events, members
from bot.league.events import NightEvent, NightReply
from bot.league.model import Member
from bot.league.night import Night, NightRound, NightTable
from bot.league.seating import table_sizes
from bot.ports import platform_of

DISPUTE_MINUTES: Final = 10
"""Minutes after a table's end in which its result may be disputed."""

LONGEST_EXTENSION: Final = 120
"""The most minutes that one extension may add."""

WORDS_MOST: Final = 300

POINTS_MOST: Final = 100
"""The most points that a penalty takes or a bonus gives."""

Happening = tuple[NightEvent, ...]


def table_of(night: Night, round: int, table: int) -> NightTable:
    """Return a table by its numbers. Refused: `unknown_night_table`."""
    found = night.table(round, table)
    if found is None:
        raise Refused("unknown_night_table")
    return found


# Members


def reply(night: Night, now: float, member: Member, said: NightReply, place: str) -> Happening:
    """Record whether a member comes. After check-in has closed, yes means that they are present, and no that
    they leave; a player who says that they are a substitute leaves, too.

    Refused: `night_over`, `barred`, `not_in_final`, `signed_up_elsewhere`, `check_in_closed`, and as by
    `come` and `leave`.
    """
    _not_over(night)
    if said != "no":
        _not_barred(night, now, member)
        _in_final(night, member)
    if night.stage in ("announced", "check_in"):
        return _reply(night, member, said, place)
    if said == "yes":
        return come(night, now, member, place)
    if said == "maybe":
        raise Refused("check_in_closed")
    if said == "no":
        return leave(night, now, member, place)
    if member.id in night.playing:
        return (events.Went(member.id), events.Replied(member.id, said, place))
    return _reply(night, member, said, place)


def come(night: Night, now: float, member: Member, place: str) -> Happening:
    """Check a member in. After check-in has closed they take their seat back, play from the next round on, or
    wait.

    Refused: `night_over`, `barred`, `not_in_final`, `check_in_not_open`, `signed_up_elsewhere`,
    `here_already`, `too_late_for_night`.
    """
    _not_over(night)
    _not_barred(night, now, member)
    _in_final(night, member)
    entrant = night.entrant(member.id)
    if night.stage == "announced":
        raise Refused("check_in_not_open")
    if night.stage == "check_in":
        if entrant is not None and entrant.here:
            _same_chat(entrant.place, place)
            return ()
        return (events.CheckedIn(member.id, place),)
    if (seat := night.find_kept(member.id)) is not None:
        return (events.SeatTaken(len(night.rounds), seat[0].number, seat[1], member.id, place),)
    if member.id in night.playing:
        _same_chat("" if entrant is None else entrant.place, place)
        raise Refused("here_already")
    if not night.lets_in:
        raise Refused("too_late_for_night")
    rivals = (each.member for each in night.promoted if night.is_rival(each.member, member.id))
    waiting = {*rivals} - {member.id}
    room = night.room_for(member.id)
    if room is not None and room <= len(waiting):  # the others were here before
        return () if entrant is not None and entrant.here else (events.CheckedIn(member.id, place),)
    return (events.Came(member.id, place),)


def leave(night: Night, now: float, member: Member, place: str) -> Happening:
    """Withdraw a member from the night or its further rounds. Refused: `night_over`, `not_signed_up`."""
    _not_over(night)
    if member.id in night.playing:
        return (events.Went(member.id),)
    entrant = night.entrant(member.id)
    if entrant is None or entrant.reply == "no":
        raise Refused("not_signed_up")
    return (events.Replied(member.id, "no", place),)


def take_seat(night: Night, now: float, member: Member, place: str, *, table: int, seat: int) -> Happening:
    """Give a substitute a seat that a computer player keeps, at a table of the running round.

    The seat's owner is out of the further rounds, unless they come again. Nobody is a substitute in a
    knockout. Refused: `night_over`, `barred`, `not_in_final`, `no_free_seat`, `other_division`,
    `sits_elsewhere`.
    """
    _not_over(night)
    _not_barred(night, now, member)
    _in_final(night, member)
    round = night.round
    wanted = None if round is None else night.table(round.number, table)
    if round is None or wanted is None or wanted.over or seat not in wanted.free:
        raise Refused("no_free_seat")
    if night.heats and wanted.seats[seat] != member.id:
        raise Refused("no_free_seat")
    if member.id not in wanted.seats and not night.is_for(wanted, member.id):
        raise Refused("other_division")
    _sits_nowhere(round, member)
    return _substitute(night, wanted, seat, member, place)


def dispute(night: Night, now: float, member: Member, *, round: int, table: int, words: str) -> Happening:
    """Dispute a table's result, for one of its players.

    Refused: `unknown_night_table`, `not_your_table`, `table_running`, `table_void`, `disputed_already`,
    `dispute_too_late`.
    """
    disputed = table_of(night, round, table)
    if not any(member.id in who for who in (disputed.seats, *(each.players for each in disputed.tiles))):
        raise Refused("not_your_table")
    if not disputed.over or disputed.ended_at is None:
        raise Refused("table_running")
    if disputed.void:
        raise Refused("table_void")
    if any((each.member, each.attempt) == (member.id, disputed.attempt) for each in disputed.disputes):
        raise Refused("disputed_already")
    if now - disputed.ended_at > DISPUTE_MINUTES * 60:
        raise Refused("dispute_too_late", minutes=DISPUTE_MINUTES)
    return (events.Disputed(round, table, member.id, " ".join(words.split())[:WORDS_MOST]),)


def disputable(night: Night, now: float, member: Member) -> list[tuple[int, NightTable]]:
    """Return the tables, with their rounds, whose results a member may dispute now."""
    found = []
    for round in night.rounds:
        for table in round.tables:
            with suppress(Refused):
                dispute(night, now, member, round=round.number, table=table.number, words="")
                found.append((round.number, table))
    return found


# Organisers


def cancel(night: Night, now: float) -> Happening:
    """Cancel the night, also one that has begun. Refused: `night_over`."""
    _not_over(night)
    return (events.NightCancelled(),)


def end(night: Night, now: float) -> Happening:
    """End the night now; what was played counts. Refused: `night_over`, `night_not_begun`."""
    _begin(night)
    return (events.Ended(),)


def reschedule(night: Night, now: float, start: float) -> Happening:
    """Move the night to another start. Refused: `night_over`, `night_begun`, `night_past`."""
    _not_over(night)
    if night.rounds:
        raise Refused("night_begun")
    if start <= now:
        raise Refused("night_past")
    return () if start == night.start else (events.Rescheduled(start),)


def close_check_in(night: Night, now: float) -> Happening:
    """Let everybody present play. Refused: `night_over`, `check_in_not_open`, `check_in_closed`,
    `too_few`."""
    _not_over(night)
    if night.stage == "announced":
        raise Refused("check_in_not_open")
    if night.stage != "check_in":
        raise Refused("check_in_closed")
    playing = night.settled
    table_sizes(len(playing), night.format.fill)
    return (events.CheckInClosed(playing),)


def pause(night: Night, now: float) -> Happening:
    """Stop the round clock and its tables' clocks.

    Refused: `night_over`, `night_not_begun`, `paused_already`.
    """
    _begin(night)
    if night.paused_at is not None:
        raise Refused("paused_already")
    return (events.Paused(),)


def go_on(night: Night, now: float) -> Happening:
    """Continue a paused night. Refused: `night_over`, `night_not_begun`, `not_paused`."""
    _begin(night)
    if night.paused_at is None:
        raise Refused("not_paused")
    return (events.WentOn(max(0.0, now - night.paused_at)),)


def extend(night: Night, now: float, minutes: int) -> Happening:
    """Postpone the ends of the running round. Refused: `night_over`, `no_round_running`, `bad_minutes`."""
    round = _running(night)
    if not 1 <= minutes <= LONGEST_EXTENSION:
        raise Refused("bad_minutes", most=LONGEST_EXTENSION)
    return (events.Extended(round.number, minutes * 60.0),)


def move(night: Night, now: float, member: Member, *, table: int, seat: int) -> Happening:
    """Move a member to another seat from now on; that seat's owner takes theirs.

    Refused: `night_over`, `no_round_running`, `no_such_seat`, `table_over`.
    """
    round = _running(night)
    there = _table_with(night, table, seat)
    owner, here = there.seats[seat], round.seat_of(member.id)
    taken = events.SeatTaken(round.number, table, seat, member.id)
    if owner == member.id:
        return () if seat not in there.free else (taken,)
    if seat in there.free:
        return _substitute(night, there, seat, member, "")
    if here is None or here[0].over or not owner:
        return (taken,)
    return taken, events.SeatTaken(round.number, here[0].number, here[1], owner)


def put_in(night: Night, now: float, out: str, member: Member, place: str) -> Happening:
    """Let one member play in place of another from now on.

    Refused: `night_over`, `no_round_running`, `not_in_night`, `table_over`, `sits_elsewhere`.
    """
    round = _running(night)
    found = round.seat_of(out)
    if found is None:
        raise Refused("not_in_night")
    table = _table_with(night, found[0].number, found[1])
    _sits_nowhere(round, member)
    taken = events.SeatTaken(round.number, table.number, found[1], member.id, place)
    return (events.Went(out), taken) if out in night.playing else (taken,)


def send_away(night: Night, now: float, member: str) -> Happening:
    """Take a member out of the further rounds of the night. Refused: `night_over`, `not_in_night`."""
    _not_over(night)
    if member not in night.playing:
        raise Refused("not_in_night")
    return (events.Went(member),)


def penalise(night: Night, now: float, member: str, points: float) -> Happening:
    """Take points from a member's season. Refused: `bad_points`."""
    _check_points(points)
    return (events.Penalised(member, points),)


def award(night: Night, now: float, member: str, points: float) -> Happening:
    """Give bonus points to a member's season. Refused: `bad_points`."""
    _check_points(points)
    return (events.Awarded(member, points),)


def correct(night: Night, now: float, *, round: int, table: int, scores: tuple[int, ...]) -> Happening:
    """Set a table's scores. Refused: `unknown_night_table`, `table_void`, `table_running`, `bad_scores`."""
    corrected = table_of(night, round, table)
    if corrected.void:
        raise Refused("table_void")
    if not corrected.over:
        raise Refused("table_running")
    if len(scores) != len(corrected.seats):
        raise Refused("bad_scores", n=len(corrected.seats))
    return () if corrected.corrected == scores else (events.Corrected(round, table, scores),)


def void(night: Night, now: float, *, round: int, table: int) -> Happening:
    """Make a table, running or over, count for nobody. Refused: `unknown_night_table`, `table_void`."""
    if table_of(night, round, table).void:
        raise Refused("table_void")
    return (events.Voided(round, table),)


def replay(night: Night, now: float, *, round: int, table: int) -> Happening:
    """Have a table played again while its round lasts, or in the break after it, which then ends.

    Refused: `unknown_night_table`, `night_round_over`.
    """
    table_of(night, round, table)
    if not may_replay(night, round):
        raise Refused("night_round_over")
    return (events.Replayed(round, table),)


def may_replay(night: Night, round: int) -> bool:
    """Return whether a table of a round may be played again now."""
    lasts = night.stage == "playing" or (night.stage == "break" and night.break_ends is not None)
    return lasts and round == len(night.rounds)


def settle_dispute(night: Night, now: float, *, round: int, table: int, upheld: bool) -> Happening:
    """Decide a dispute, without its consequences. Refused: `unknown_night_table`, `no_dispute`."""
    if not table_of(night, round, table).disputed:
        raise Refused("no_dispute")
    return (events.Decided(round, table, upheld),)


def _reply(night: Night, member: Member, said: NightReply, place: str) -> Happening:
    before = night.entrant(member.id)
    if before is not None and before.reply == said:
        if said == "yes":
            _same_chat(before.place, place)
        if before.place == place:
            return ()
    return (events.Replied(member.id, said, place),)


def _substitute(night: Night, table: NightTable, seat: int, member: Member, place: str) -> Happening:
    """Return the events when a member takes a kept seat of the running round; its owner is out of further
    rounds."""
    owner = table.seats[seat]
    taken = events.SeatTaken(len(night.rounds), table.number, seat, member.id, place)
    if owner == member.id or owner not in night.playing:
        return (taken,)
    return events.Went(owner, missed=not night.has_played(owner)), taken


def _table_with(night: Night, number: int, seat: int) -> NightTable:
    """Return a table of the running round that is not over and has this seat."""
    table = table_of(night, len(night.rounds), number)
    if table.over:
        raise Refused("table_over")
    if not 0 <= seat < len(table.seats):
        raise Refused("no_such_seat")
    return table


def _check_points(points: float) -> None:
    if not 0 < points <= POINTS_MOST:
        raise Refused("bad_points")


def _not_over(night: Night) -> None:
    if night.stage in ("over", "cancelled"):
        raise Refused("night_over")


def _begin(night: Night) -> None:
    _not_over(night)
    if night.stage not in ("playing", "break"):
        raise Refused("night_not_begun")


def _running(night: Night) -> NightRound:
    """Return the round in progress."""
    _not_over(night)
    if night.running is None:
        raise Refused("no_round_running")
    return night.running


def _sits_nowhere(round: NightRound, member: Member) -> None:
    found = round.seat_of(member.id)
    if found is not None and not found[0].over and found[1] not in found[0].free:
        raise Refused("sits_elsewhere")


def _same_chat(before: str, now: str) -> None:
    """Check that a member uses one chat for the night, so that nobody signs up twice."""
    if before and platform_of(before) != platform_of(now):
        raise Refused("signed_up_elsewhere")


def _in_final(night: Night, member: Member) -> None:
    """Check that a member may play a night: a final is for those in the table before it."""
    if night.is_seeded and all(seed.member != member.id for seed in night.seeds):
        raise Refused("not_in_final", n=0 if night.final is None else night.final.size)


def _not_barred(night: Night, now: float, member: Member) -> None:
    if members.is_barred(member, max(now, night.start)):
        raise Refused("barred", n=-int(-(member.barred_until - now) // 3600))
