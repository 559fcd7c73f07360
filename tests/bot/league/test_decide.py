"""Decisions: what members, organisers and the clock may do to a night, and what they are refused."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from bot.errors import Refused
from bot.league import decide, timers
from bot.league import events as e
from bot.league.apply import after
from bot.league.model import Member
from bot.league.night import Night
from bot.league.seating import CannotSeat, Seated
from tests.bot.league.test_night import FOUR, START, night_of, played, said, seated

HERE = "mem:hall"
ADA, EVE = Member(id="m1", name="Ada"), Member(id="m9", name="Eve")

OPEN = (e.CheckInOpened(START - 180),)
READY = (*map(said, FOUR), *OPEN, *(e.CheckedIn(m, HERE) for m in FOUR), e.CheckInClosed(FOUR))
PLAYING = (*READY, seated(FOUR))
REPLACED = (*PLAYING, e.SeatFreed(1, 1, 0), e.Went("m1", missed=True), e.SeatTaken(1, 1, 0, "m9", HERE))
"""The first of them never came, and a substitute has the seat."""
TABLE_OVER = (*PLAYING, (START + 600, played(FOUR)))
LAST_ROUND = (*TABLE_OVER, e.RoundEnded(1), seated(FOUR, round=2), e.RoundEnded(2), seated(FOUR, round=3))
OVER = (*TABLE_OVER, e.RoundEnded(1), e.Ended())

Act = Callable[[Night, float], tuple[e.NightEvent, ...]]


def reply(said: e.NightReply, member: Member = EVE, place: str = HERE) -> Act:
    return lambda night, now: decide.reply(night, now, member, said, place)


def check_in(member: Member) -> Act:
    return lambda night, now: decide.come(night, now, member, HERE)


def come(member: Member, place: str = HERE) -> Act:
    return lambda night, now: decide.come(night, now, member, place)


def leave(member: Member) -> Act:
    return lambda night, now: decide.leave(night, now, member, HERE)


def take(member: Member, table: int = 1, seat: int = 0) -> Act:
    return lambda night, now: decide.take_seat(night, now, member, HERE, table=table, seat=seat)


def dispute(member: Member, *, round: int = 1, table: int = 1) -> Act:
    return partial(decide.dispute, member=member, round=round, table=table, words="No  way\n!")


@pytest.mark.parametrize(
    ("happened", "act", "code"),
    [
        (OVER, reply("yes"), "night_over"),
        ((e.NightCancelled(),), reply("yes"), "night_over"),
        (OVER, check_in(ADA), "night_over"),
        ((), check_in(ADA), "check_in_not_open"),
        (READY, reply("maybe"), "check_in_closed"),
        ((), come(EVE), "check_in_not_open"),
        (READY, come(ADA), "here_already"),
        (READY, come(ADA, "dc:1"), "signed_up_elsewhere"),
        ((said("m1"),), reply("yes", ADA, "dc:1"), "signed_up_elsewhere"),
        (LAST_ROUND, come(EVE), "too_late_for_night"),
        ((), leave(EVE), "not_signed_up"),
        (READY, take(EVE), "no_free_seat"),
        (PLAYING, take(EVE), "no_free_seat"),
        (PLAYING, take(EVE, table=7), "no_free_seat"),
        (
            (e.CheckInClosed(FOUR), seated(FOUR, ("m5", "m6", "m7", "m8")), e.SeatFreed(1, 2, 0)),
            take(ADA, table=2),
            "sits_elsewhere",
        ),
        (PLAYING, dispute(ADA), "table_running"),
        (TABLE_OVER, dispute(EVE), "not_your_table"),
        (TABLE_OVER, dispute(ADA, round=2), "unknown_night_table"),
        (TABLE_OVER, dispute(ADA, table=0), "unknown_night_table"),
        ((*TABLE_OVER, e.Voided(1, 1)), dispute(ADA), "table_void"),
        ((*TABLE_OVER, e.Disputed(1, 1, "m1", "?")), dispute(ADA), "disputed_already"),
        (
            (*TABLE_OVER, e.Disputed(1, 1, "m1", "?"), e.Decided(1, 1, False)),
            dispute(ADA),
            "disputed_already",
        ),
        (OVER, decide.cancel, "night_over"),
        (PLAYING, partial(decide.reschedule, start=START + 9999), "night_begun"),
        ((), partial(decide.reschedule, start=START), "night_past"),
        ((), decide.close_check_in, "check_in_not_open"),
        (READY, decide.close_check_in, "check_in_closed"),
        (READY, decide.pause, "night_not_begun"),
        ((*PLAYING, e.Paused()), decide.pause, "paused_already"),
        (PLAYING, decide.go_on, "not_paused"),
        (READY, partial(decide.extend, minutes=5), "no_round_running"),
        (PLAYING, partial(decide.extend, minutes=0), "bad_minutes"),
        (PLAYING, partial(decide.extend, minutes=121), "bad_minutes"),
        (PLAYING, partial(decide.move, member=EVE, table=1, seat=4), "no_such_seat"),
        (TABLE_OVER, partial(decide.move, member=EVE, table=1, seat=0), "table_over"),
        (PLAYING, partial(decide.put_in, out="m8", member=EVE, place=HERE), "not_in_night"),
        (PLAYING, partial(decide.put_in, out="m2", member=ADA, place=HERE), "sits_elsewhere"),
        (PLAYING, partial(decide.send_away, member="m9"), "not_in_night"),
        (PLAYING, partial(decide.correct, round=1, table=1, scores=(1, 2, 3, 4)), "table_running"),
        (TABLE_OVER, partial(decide.correct, round=1, table=1, scores=(1, 2, 3)), "bad_scores"),
        (
            (*TABLE_OVER, e.Voided(1, 1)),
            partial(decide.correct, round=1, table=1, scores=(1, 2, 3, 4)),
            "table_void",
        ),
        ((*TABLE_OVER, e.Voided(1, 1)), partial(decide.void, round=1, table=1), "table_void"),
        (LAST_ROUND, partial(decide.replay, round=1, table=1), "night_round_over"),
        (PLAYING, partial(decide.penalise, member="m1", points=0.0), "bad_points"),
        (PLAYING, partial(decide.penalise, member="m1", points=float("nan")), "bad_points"),
        (TABLE_OVER, partial(decide.settle_dispute, round=1, table=1, upheld=True), "no_dispute"),
    ],
)
def test_what_is_refused(happened: tuple[e.NightEvent, ...], act: Act, code: str) -> None:
    with pytest.raises(Refused) as refused:
        act(night_of(*happened), START + 700)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("happened", "act", "events"),
    [
        ((), reply("yes"), (e.Replied("m9", "yes", HERE),)),
        ((said("m9"),), reply("yes"), ()),
        ((said("m9"),), reply("yes", place="mem:den"), (e.Replied("m9", "yes", "mem:den"),)),
        ((said("m9"),), reply("no"), (e.Replied("m9", "no", HERE),)),
        (OPEN, check_in(EVE), (e.CheckedIn("m9", HERE),)),
        ((*OPEN, e.CheckedIn("m9", HERE)), check_in(EVE), ()),
        (READY, reply("yes"), (e.Came("m9", HERE),)),
        (PLAYING, check_in(EVE), (e.Came("m9", HERE),)),
        (PLAYING, reply("no", ADA), (e.Went("m1"),)),
        (PLAYING, reply("substitute", ADA), (e.Went("m1"), e.Replied("m1", "substitute", HERE))),
        (
            (said("m9", "substitute"), *PLAYING, e.SeatFreed(1, 1, 0), e.SeatTaken(1, 1, 0, "m9", HERE)),
            reply("substitute"),
            (e.Went("m9"), e.Replied("m9", "substitute", HERE)),
        ),
        (OPEN, come(EVE), (e.CheckedIn("m9", HERE),)),
        ((*PLAYING, e.SeatFreed(1, 1, 0)), come(ADA), (e.SeatTaken(1, 1, 0, "m1", HERE),)),
        (
            (*PLAYING, e.SeatFreed(1, 1, 0)),
            take(EVE),
            (e.Went("m1", missed=True), e.SeatTaken(1, 1, 0, "m9", HERE)),
        ),
        (
            (*PLAYING, played(FOUR, over=False), e.SeatFreed(1, 1, 0)),
            partial(decide.move, member=EVE, table=1, seat=0),
            (e.Went("m1"), e.SeatTaken(1, 1, 0, "m9")),
        ),
        ((*PLAYING, e.Went("m1")), take(EVE), (e.SeatTaken(1, 1, 0, "m9", HERE),)),
        (TABLE_OVER, dispute(ADA), (e.Disputed(1, 1, "m1", "No way !"),)),
        (OVER, dispute(ADA), (e.Disputed(1, 1, "m1", "No way !"),)),
        (PLAYING, partial(decide.extend, minutes=5), (e.Extended(1, 300.0),)),
        (PLAYING, decide.end, (e.Ended(),)),
        (PLAYING, partial(decide.move, member=EVE, table=1, seat=0), (e.SeatTaken(1, 1, 0, "m9"),)),
        (
            PLAYING,
            partial(decide.put_in, out="m2", member=EVE, place=HERE),
            (e.Went("m2"), e.SeatTaken(1, 1, 1, "m9", HERE)),
        ),
        (
            TABLE_OVER,
            partial(decide.correct, round=1, table=1, scores=(1, 2, 3, 4)),
            (e.Corrected(1, 1, (1, 2, 3, 4)),),
        ),
        (OVER, partial(decide.void, round=1, table=1), (e.Voided(1, 1),)),
        (OVER, partial(decide.penalise, member="m1", points=1.5), (e.Penalised("m1", 1.5),)),
        (REPLACED, partial(decide.penalise, member="m1", points=1.0), (e.Penalised("m1", 1.0),)),
        (
            (*OVER, e.Disputed(1, 1, "m1", "?")),
            partial(decide.settle_dispute, round=1, table=1, upheld=True),
            (e.Decided(1, 1, True),),
        ),
    ],
)
def test_what_happens(happened: tuple[e.NightEvent, ...], act: Act, events: tuple[e.NightEvent, ...]) -> None:
    assert act(night_of(*happened), START + 700) == events


def test_a_dispute_is_raised_within_ten_minutes_of_the_tables_end() -> None:
    night = night_of(*TABLE_OVER)
    assert decide.dispute(night, START + 1200, ADA, round=1, table=1, words="")
    with pytest.raises(Refused) as refused:
        decide.dispute(night, START + 1201, ADA, round=1, table=1, words="")
    assert (refused.value.code, refused.value.values) == ("dispute_too_late", {"minutes": 10})


def test_who_has_not_checked_in_stands_behind_the_waiting_list() -> None:
    six = tuple(f"m{n}" for n in range(1, 7))
    there = tuple(e.CheckedIn(m, HERE) for m in ("m1", "m3", "m4", "m5", "m6"))
    night = night_of(*map(said, six), *OPEN, *there, cap=4)
    assert night.settled == ("m1", "m3", "m4", "m5")
    night = night_of(*map(said, six), *OPEN, *there, e.CheckInClosed(("m1", "m3", "m4", "m5")), cap=4)
    assert night.waiting == ("m6", "m2")


def test_who_waits_and_is_here_plays_when_somebody_goes() -> None:
    there = tuple(e.CheckedIn(m, HERE) for m in (*FOUR, "m5", "m6"))
    night = night_of(
        *map(said, (*FOUR, "m5", "m6")),
        *OPEN,
        *there,
        e.CheckInClosed(FOUR),
        seated(FOUR),
        e.Went("m2"),
        e.RoundEnded(1),
        cap=4,
    )
    assert night.break_ends is not None
    happened = timers.due(night, night.break_ends, all_at_one_table)
    assert happened[0] == e.Came("m5", HERE)
    assert isinstance(happened[1], e.RoundSeated)
    assert set(happened[1].tables[0]) == {"m1", "m3", "m4", "m5"}


def test_a_full_night_lets_who_comes_late_wait() -> None:
    night = night_of(*READY, cap=4)
    assert decide.come(night, START, EVE, HERE) == (e.CheckedIn("m9", HERE),)


def test_who_checks_in_too_late_waits_behind_those_who_were_there_in_time() -> None:
    six = (*FOUR, "m5", "m6")
    there = tuple(e.CheckedIn(m, HERE) for m in six if m != "m1")
    night = night_of(*map(said, six), *OPEN, *there, e.CheckInClosed(("m2", "m3", "m4", "m5")), cap=4)
    (late,) = decide.come(night, START, ADA, HERE)
    assert one_more(night, late).waiting == ("m6", "m1")


def test_a_place_that_comes_free_belongs_to_who_waits_for_it() -> None:
    five = (*FOUR, "m5")
    there = tuple(e.CheckedIn(m, HERE) for m in five)
    waits = (*map(said, five), *OPEN, *there, e.CheckInClosed(FOUR), seated(FOUR))
    night = night_of(*waits, e.Went("m2"), e.RoundEnded(1), cap=4)
    assert decide.come(night, START, EVE, HERE) == (e.CheckedIn("m9", HERE),), "m5 was there before"
    assert decide.come(night, START, Member(id="m5", name="Fay"), HERE) == (e.Came("m5", HERE),)
    two = night_of(*waits, e.Went("m2"), e.Went("m3"), e.RoundEnded(1), cap=4)
    assert decide.come(two, START, EVE, HERE) == (e.Came("m9", HERE),), "there is room for both"


def one_more(night: Night, event: e.NightEvent) -> Night:
    return after(night, e.Recorded(START, "", "", event))


def all_at_one_table(night: Night, members: object) -> Seated:
    return Seated((tuple(members),))  # type: ignore[arg-type]


def nobody(night: Night, members: object) -> Seated:
    raise CannotSeat("too_few", people=2, needed=3)


@pytest.mark.parametrize(
    ("happened", "at", "events", "wakes"),
    [
        ((), START - 86401, (), START - 86400),
        ((), START - 1201, (), START - 1200),
        ((), START - 1200, (e.CheckInOpened(START - 180),), None),
        ((), START - 60, (e.CheckInOpened(START + 240),), None),
        ((), START + 3600, (e.NightCancelled("too_late"),), None),
        (OPEN, START - 1000, (), START - 600),
        (OPEN, START - 181, (), START - 180),
        (OPEN, START - 180, (e.CheckInClosed(()),), None),
        (OPEN, START + 3600, (e.NightCancelled("too_late"),), None),
        ((e.CheckInOpened(START + 300),), START + 3601, (e.CheckInClosed(()),), None),
        (READY, START - 1, (), START),
        (READY, START + 3600, (e.NightCancelled("too_late"),), None),
        (PLAYING, START + 119, (), START + 120),
        (PLAYING, START + 1799, (), START + 1800),
        (PLAYING, START + 1800, (e.SoftEnded(1),), None),
        ((*PLAYING, e.SoftEnded(1)), START + 1800, (), START + 2400),
        ((*PLAYING, e.SoftEnded(1)), START + 2400, (), START + 2520),
        ((*PLAYING, e.SoftEnded(1)), START + 2520, (e.RoundEnded(1),), None),
        (TABLE_OVER, START + 601, (e.RoundEnded(1),), None),
        ((*TABLE_OVER, (START + 601, e.RoundEnded(1))), START + 602, (), START + 721),
        ((*PLAYING, e.Paused()), START + 9999, (), None),
        (OVER, START + 9999, (), None),
    ],
)
def test_what_the_clock_does_and_when(
    happened: tuple[e.NightEvent, ...], at: float, events: tuple[e.NightEvent, ...], wakes: float | None
) -> None:
    night = night_of(*happened)
    assert timers.due(night, at, all_at_one_table) == events
    if not events:
        assert timers.wakes_at(night, at) == wakes


def test_a_late_check_in_that_is_closed_early_lets_the_night_begin() -> None:
    open = (*map(said, FOUR), (START, e.CheckInOpened(START + 300)))
    night = night_of(*open, (START + 60, e.CheckInClosed(FOUR)))
    assert isinstance(timers.due(night, START + 60, all_at_one_table)[0], e.RoundSeated)


def test_a_night_with_too_few_people_is_cancelled_and_one_that_they_leave_is_over() -> None:
    assert timers.due(night_of(*READY), START, nobody) == (e.NightCancelled("too_few"),)
    broken = night_of(*TABLE_OVER, e.RoundEnded(1))
    assert broken.break_ends is not None
    assert timers.due(broken, broken.break_ends, nobody) == (e.Ended(),)


def test_who_got_up_is_gone_with_the_round_and_who_never_played_was_not_there() -> None:
    night = night_of(
        *PLAYING, e.SeatFreed(1, 1, 1), e.SeatFreed(1, 1, 2), played(("m1", "", "m3", "m4")), e.RoundEnded(1)
    )
    assert night.break_ends is not None
    gone = timers.due(night, night.break_ends, nobody)[:2]
    assert gone == (e.Went("m2", missed=True), e.Went("m3", missed=False))


def test_who_is_back_when_their_table_is_over_plays_the_next_round() -> None:
    for ended in ((), (e.RoundEnded(1),)):
        night = night_of(*PLAYING, e.SeatFreed(1, 1, 0), played(FOUR), *ended)
        for event in decide.come(night, START + 60, ADA, HERE):
            night = after(night, e.Recorded(START + 60, "", "", event))
        if not ended:
            night = after(night, e.Recorded(START + 60, "", "", e.RoundEnded(1)))
        assert night.break_ends is not None
        (round,) = timers.due(night, night.break_ends, all_at_one_table)
        assert isinstance(round, e.RoundSeated)
        assert "m1" in round.tables[0]


def test_the_last_round_ends_the_night_at_once() -> None:
    one = night_of(*TABLE_OVER, e.RoundEnded(1), rounds=1)
    assert timers.due(one, START + 600, nobody) == (e.Ended(),)


def test_nobody_at_work_moves_check_in_at_most_ten_minutes_beyond_the_start() -> None:
    assert timers.note_unattended(night_of(*OPEN), 20) == (), "nobody noticed"
    assert timers.note_unattended(night_of(*OPEN), 500) == (e.Unattended(500, 500),)
    assert timers.note_unattended(night_of(*OPEN, e.Unattended(500, 500)), 500) == (), "it was made good"
    assert timers.note_unattended(night_of(*OPEN, e.Unattended(500, 500)), 600) == (e.Unattended(100, 600),)
    assert timers.note_unattended(night_of(), 500) == (e.Unattended(0, 500),), "nothing was to come yet"
    assert night_of(*OPEN, e.Unattended(300)).check_in_closes == START + 120
    assert night_of(*OPEN, e.Unattended(86400)).check_in_closes == START + 600


def test_a_barred_member_may_say_no() -> None:
    barred = replace(EVE, barred_until=START + 1)
    assert decide.reply(night_of(said("m9")), START - 5, barred, "no", HERE)
