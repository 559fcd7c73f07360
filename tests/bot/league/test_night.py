"""A night is what its events make of it."""

from dataclasses import replace

from bot.league import decide
from bot.league import events as e
from bot.league.apply import after, rebuilt
from bot.league.events import NightEvent, Recorded, TilesRound
from bot.league.model import Format
from bot.league.night import Night, NightRound
from bot.league.ratings import ratings
from bot.league.results import result_of
from bot.league.standings import night_standings

START = 1_000_000.0
KEY = bytes(32)
FOUR = ("m1", "m2", "m3", "m4")


def night_of(*happened: NightEvent | tuple[float, NightEvent], key: bytes = KEY, **settings: object) -> Night:
    """A night in which this happened, at its start unless a moment is given."""
    format = replace(Format(), **settings)  # type: ignore[arg-type]
    announced = e.Announced("abcde-202603052000", "abcde", 1, 1, START, format, key)
    timed = [each if isinstance(each, tuple) else (START, each) for each in happened]
    return rebuilt(
        [Recorded(START - 86400, "", "", announced), *(Recorded(at, "", "", event) for at, event in timed)],
    )


def seated(*tables: tuple[str, ...], round: int = 1, byes: tuple[str, ...] = ()) -> e.RoundSeated:
    return e.RoundSeated(round, tables, byes, START + 1800, START + 2400)


def played(*players: tuple[str, ...], over: bool = True, table: int = 1, round: int = 1) -> e.TilesPlayed:
    """Rounds of tiles, each won by seat 0, and who played them."""
    tiles = tuple(TilesRound(each, (3, -1, -1, -1), 0) for each in players)
    return e.TilesPlayed(round, table, tiles, (3 * len(tiles), *(-len(tiles),) * 3), over)


def said(member: str, reply: e.NightReply = "yes") -> e.Replied:
    return e.Replied(member, reply, "mem:hall")


def test_who_says_yes_first_comes_and_the_others_wait() -> None:
    night = night_of(*map(said, ("m1", "m2", "m3", "m4", "m5", "m6")), cap=4)
    assert night.coming == FOUR
    assert night.waiting == ("m5", "m6")
    night = night_of(*map(said, ("m1", "m2", "m3", "m4", "m5", "m6")), said("m2", "no"), cap=4)
    assert night.coming == ("m1", "m3", "m4", "m5")
    assert night.waiting == ("m6",)


def test_who_takes_their_word_back_and_comes_again_stands_at_the_end() -> None:
    night = night_of(said("m1"), said("m2"), said("m1", "maybe"), said("m1"))
    assert night.signed_up == ("m2", "m1")


def test_who_says_it_again_elsewhere_keeps_their_place() -> None:
    night = night_of(said("m1"), said("m2"), e.Replied("m1", "yes", "dc:5"))
    assert night.signed_up == ("m1", "m2")
    assert night.entrants[0].place == "dc:5"


def test_a_substitute_does_not_take_a_seat_by_checking_in() -> None:
    night = night_of(said("m1", "substitute"), e.CheckedIn("m1", "mem:hall"), said("m2", "maybe"))
    assert night.signed_up == ()
    assert night.entrants[0].here
    night = night_of(said("m2", "maybe"), e.CheckedIn("m2", "mem:hall"))
    assert night.signed_up == ("m2",)


def test_points_go_to_whoever_played_most_rounds_of_tiles() -> None:
    night = night_of(
        e.CheckInClosed(FOUR),
        seated(FOUR),
        e.SeatFreed(1, 1, 1),
        e.SeatTaken(1, 1, 1, "m9"),
        played(FOUR, ("m1", "m9", "m3", "m4"), ("m1", "m9", "m3", "m4")),
    )
    (table,) = result_of(night).tables
    assert [seat.member for seat in table.seats] == ["m1", "m9", "m3", "m4"]
    assert [(seat.score, seat.wins) for seat in table.seats] == [(9, 3), (-3, 0), (-3, 0), (-3, 0)]
    tie = night_of(e.CheckInClosed(FOUR), seated(FOUR), played(FOUR, ("m1", "m9", "m3", "m4")))
    assert result_of(tie).tables[0].seats[1].member == "m2"


def test_a_seat_that_only_computers_played_earns_nobody_anything() -> None:
    night = night_of(
        e.CheckInClosed(FOUR), seated(FOUR), e.SeatFreed(1, 1, 2), played(("m1", "m2", "", "m4"))
    )
    assert [seat.member for seat in result_of(night).tables[0].seats] == ["m1", "m2", "", "m4"]


def test_who_sits_to_the_end_at_a_table_that_is_cut_before_its_first_finished_deal_has_a_bye() -> None:
    cut = (e.CheckInClosed(FOUR), seated(FOUR), e.SeatFreed(1, 1, 3), e.RoundEnded(1))
    result = result_of(night_of(*cut, bye_points=2.0))
    assert result.tables[0].state == "unfinished"
    lines = night_standings(result, ())
    assert {each.member: each.points for each in lines} == {"m1": 2, "m2": 2, "m3": 2}, "m4 had left"
    assert {(each.tables, each.wins, each.met) for each in lines} == {(0, 0, 0)}
    assert ratings([result]) == {}
    disputed = night_of(*cut, e.Disputed(1, 1, "m1", "we had won"))
    assert result_of(disputed).tables[0].state == "unfinished"
    corrected = result_of(night_of(*cut, e.Corrected(1, 1, (3, 2, 1, 0))))
    assert (corrected.tables[0].state, corrected.byes) == ("counted", ()), (
        "an organiser says what it comes to"
    )
    assert result_of(night_of(*cut, e.Voided(1, 1))).byes == ()
    assert result_of(night_of(*cut, e.NightCancelled())).byes == ()
    assert result_of(night_of(*cut[:-1])).byes == (), "it is still being played"
    ended = night_of(*cut[:-1], e.Ended())
    assert [member for _, member in result_of(ended).byes] == ["m1", "m2", "m3"]


def test_a_table_that_is_cut_gives_nobody_a_second_line_for_its_round() -> None:
    """m5 had a bye, m6 came too late for the round: both took seats that had become free. m1 was moved from
    a table where they had played."""
    night = night_of(
        e.CheckInClosed(("m1", "m2", "m3", "m4", "m5", "m7", "m8", "m9")),
        seated(("m1", "m7", "m8", "m9"), ("m2", "m3", "m4"), byes=("m5",)),
        played(("m1", "m7", "m8", "m9")),
        e.SeatFreed(1, 2, 0),
        e.SeatTaken(1, 2, 0, "m5"),
        e.SeatFreed(1, 2, 1),
        e.Came("m6", "mem:hall"),
        e.SeatTaken(1, 2, 1, "m6"),
        e.SeatFreed(1, 2, 2),
        e.SeatTaken(1, 2, 2, "m1"),
        e.RoundEnded(1),
    )
    result = result_of(night)
    assert [table.state for table in result.tables] == ["counted", "unfinished"]
    assert [(member, round) for round, member in result.byes] == [("m5", 1), ("m6", 1)]
    assert result.missed == ()


def test_a_substitute_has_missed_nothing_that_was_before_they_came() -> None:
    first = (e.CheckInClosed(FOUR), seated(FOUR), e.RoundEnded(1))
    again = (*first, seated(FOUR, round=2), e.SeatFreed(2, 1, 0))
    for before in ((said("m5", "substitute"),), (), (said("m5", "maybe"),)):
        taken = night_of(*before, *again, e.SeatTaken(2, 1, 0, "m5", "mem:hall"))
        assert result_of(taken).missed == (), before
    assert result_of(night_of(*first, said("m5", "substitute"), e.Came("m5", "mem:hall"))).missed == ()
    signed_up = night_of(said("m5"), *again, e.SeatTaken(2, 1, 0, "m5", "mem:hall"))
    assert result_of(signed_up).missed == ((1, "m5"),)


def test_nobody_earns_at_two_tables_of_a_round() -> None:
    others = ("m5", "m6", "m7", "m8")
    night = night_of(
        e.CheckInClosed((*FOUR, *others)),
        seated(FOUR, others),
        e.SeatFreed(1, 2, 0),
        e.SeatTaken(1, 2, 0, "m1"),
        played(FOUR, ("", "m2", "m3", "m4"), table=1),
        played(("m1", "m6", "m7", "m8"), ("m1", "m6", "m7", "m8"), table=2),
    )
    first, second = result_of(night).tables
    assert second.seats[0].member == "m1"
    assert first.seats[0].member == ""


def test_who_is_moved_leaves_their_seat_to_a_computer_player() -> None:
    night = night_of(
        e.CheckInClosed(FOUR), seated(FOUR, ("m5", "m6", "m7", "m8")), e.SeatTaken(1, 2, 0, "m1")
    )
    assert night.rounds[0].tables[0].free == (0,)
    assert night.rounds[0].tables[0].seats == ("", "m2", "m3", "m4")
    assert night.rounds[0].tables[1].seats == ("m1", "m6", "m7", "m8")


def test_rounds_before_a_late_arrival_are_missed_and_no_byes() -> None:
    night = night_of(
        e.CheckInClosed(FOUR),
        seated(FOUR),
        played(FOUR),
        e.RoundEnded(1),
        e.Came("m5", "mem:hall"),
        said("m6"),
    )
    assert result_of(night).missed == ((1, "m5"),)
    assert result_of(night).byes == ()


def test_leaving_and_coming_back_earns_no_bye() -> None:
    night = night_of(
        e.CheckInClosed((*FOUR, "m5")),
        seated(FOUR, byes=("m5",)),
        played(FOUR),
        e.RoundEnded(1),
        e.Went("m1"),
        seated(("m2", "m3", "m4", "m5"), round=2),
        played(("m2", "m3", "m4", "m5"), round=2),
        e.RoundEnded(2),
        e.Came("m1", "mem:hall"),
    )
    assert result_of(night).missed == ((2, "m1"),)
    assert result_of(night).byes == ((1, "m5"),)


def test_who_sits_down_in_their_bye_earns_the_table_or_the_bye() -> None:
    others = ("m6", "m7", "m8", "m9")
    begun = (
        e.CheckInClosed((*FOUR, "m5", *others)),
        seated(FOUR, others, byes=("m5",)),
        e.SeatFreed(1, 1, 0),
        e.SeatTaken(1, 1, 0, "m5", "mem:hall"),
    )
    five = ("m5", *FOUR[1:])
    result = result_of(night_of(*begun, played(five)))
    assert next(each for each in night_standings(result, ()) if each.member == "m5").points == 3
    assert result.byes == ()
    late = night_of(e.CheckInClosed(FOUR), seated(FOUR), e.Came("m5", "mem:hall"), *begun[2:], played(five))
    assert result_of(late).missed == (), "they came to the end of it"
    void = night_of(*begun, played(five), e.Voided(1, 1))
    assert result_of(void).byes == ((1, "m5"),), "the table earned them nothing"


def test_who_comes_after_all_was_not_absent() -> None:
    gone = night_of(e.CheckInClosed(FOUR), e.Went("m1", missed=True))
    assert gone.absent == ("m1",)
    back = night_of(e.CheckInClosed(FOUR), e.Went("m1", missed=True), e.Came("m1", "mem:hall"))
    assert (back.absent, back.playing) == ((), ("m2", "m3", "m4", "m1"))


def test_a_pause_moves_all_that_was_still_to_come() -> None:
    night = night_of(
        e.CheckInClosed(FOUR), seated(FOUR), (START + 100, e.Paused()), (START + 400, e.WentOn(300))
    )
    assert night.rounds[0].soft_end == START + 2100
    assert night.rounds[0].hard_end == START + 2700
    assert night.rounds[0].tables[0].since == (START + 300,) * 4
    after_soft = night_of(
        e.CheckInClosed(FOUR),
        seated(FOUR),
        (START + 1800, e.SoftEnded(1)),
        (START + 1900, e.Paused()),
        (START + 2000, e.WentOn(100)),
    )
    assert after_soft.rounds[0].soft_end == START + 1800
    assert after_soft.rounds[0].hard_end == START + 2500


def test_what_begins_in_a_pause_is_not_put_off_by_the_time_before_it() -> None:
    others = ("m5", "m6", "m7", "m8")
    seats = (e.CheckInClosed((*FOUR, *others)), seated(FOUR, others))
    paused = (START + 100, e.Paused())

    def went_on(night: Night) -> NightRound:
        (event,) = decide.go_on(night, START + 400)
        (round,) = after(night, Recorded(START + 400, "", "", event)).rounds
        return round

    taken = night_of(*seats, e.SeatFreed(1, 1, 0), paused, (START + 300, e.SeatTaken(1, 1, 0, "m9")))
    assert went_on(taken).tables[0].since == (START + 400, *(START + 300,) * 3)
    in_break = (*seats, played(FOUR), played(others, table=2), e.RoundEnded(1))
    again = went_on(night_of(*in_break, paused, (START + 300, e.Replayed(1, 1))))
    assert again.tables[0].since == (START + 400,) * 4
    assert again.soft_end == START + 400 + 1800, "it has its full time"


def test_who_is_at_a_second_table_of_a_round_leaves_that_one() -> None:
    others = ("m5", "m6", "m7", "m8")
    night = night_of(
        e.CheckInClosed((*FOUR, *others)),
        seated(FOUR, others),
        played(FOUR),
        e.SeatFreed(1, 2, 0),
        e.SeatTaken(1, 2, 0, "m1"),
        e.Went("m1"),
    )
    assert night.rounds[0].tables[1].free == (0,)


def test_a_disputed_table_that_is_played_again_has_no_points_meanwhile() -> None:
    disputed = (e.CheckInClosed(FOUR), seated(FOUR), played(FOUR), e.Disputed(1, 1, "m2", "?"))
    again = result_of(night_of(*disputed, e.Replayed(1, 1)))
    assert again.tables[0].state == "running"
    assert night_standings(again, ()) == ()


def test_corrections_voids_and_replays_are_counted_from_the_events() -> None:
    begun = (e.CheckInClosed(FOUR), seated(FOUR), played(FOUR))
    corrected = result_of(night_of(*begun, e.Corrected(1, 1, (0, 5, 0, 0)))).tables[0]
    assert corrected.corrected
    assert [seat.score for seat in corrected.seats] == [0, 5, 0, 0]
    assert result_of(night_of(*begun, e.Voided(1, 1))).tables[0].state == "void"
    again = night_of(*begun, e.Replayed(1, 1))
    assert result_of(again).tables[0].state == "running"
    assert result_of(again).tables[0].table != corrected.table
    assert result_of(night_of(*begun, e.Disputed(1, 1, "m2", "?"))).tables[0].state == "disputed"
    decided = night_of(*begun, e.Disputed(1, 1, "m2", "?"), e.Decided(1, 1, False))
    assert result_of(decided).tables[0].state == "counted"


EVERY: tuple[e.NightEvent, ...] = (
    e.MembersPlaced((e.Division(("m1",)), e.Division(("m2",)))),
    e.Rescheduled(START + 60),
    e.NightCancelled(),
    said("m1"),
    e.Relocated("mem:hall", "mem:room"),
    e.CheckInOpened(START),
    e.CheckedIn("m1", "mem:hall"),
    e.CheckInClosed(FOUR),
    e.Came("m5", "mem:hall"),
    e.Went("m1"),
    seated(FOUR, round=2),
    e.SoftEnded(1),
    e.SeatFreed(1, 1, 0),
    e.SeatTaken(1, 1, 0, "m5"),
    played(FOUR),
    e.RoundEnded(1),
    e.Paused(),
    e.WentOn(5.0),
    e.Unattended(5.0),
    e.Extended(1, 60.0),
    e.Corrected(1, 1, (0, 5, 0, 0)),
    e.Voided(1, 1),
    e.Replayed(1, 1),
    e.Penalised("m1", 1.0),
    e.Awarded("m1", 1.0),
    e.Renumbered(4),
    e.StageSeeded((e.SeededMember("m1", 1, "3"),)),
    e.Advanced(2, FOUR),
    e.Disputed(1, 1, "m1", "?"),
    e.Decided(1, 1, True),
    e.Ended(),
)


def test_every_kind_of_event_can_be_applied() -> None:
    night = night_of(said("m2"), e.CheckInClosed(FOUR), seated(FOUR), e.Disputed(1, 1, "m2", "?"))
    assert {type(event) for event in EVERY} | {e.Announced, e.Revoked} == {*e.NightEvent.__args__}  # type: ignore[attr-defined]
    for event in EVERY:
        changed = after(night, Recorded(START, "", "", event))
        assert changed != replace(night, revision=changed.revision), event


def test_a_revision_counts_the_events() -> None:
    night = night_of(said("m1"))
    assert night.revision == 2
    assert after(night, Recorded(START, "", "", said("m2"))).revision == 3
