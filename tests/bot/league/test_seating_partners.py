"""Partner nights: partners that change with every round, and pairs that stay together."""

from collections import Counter
from itertools import permutations

import pytest

from bot.league import events as e
from bot.league.night_tables import seater
from bot.league.seating import Seated
from tests.bot.league.evenings import league
from tests.bot.league.nights import all_tables, meetings, night, partners, people, seated
from tests.bot.league.test_night import night_of
from tests.bot.league.test_night import seated as begun

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("count", "rounds"), [(4, 3), (8, 7), (12, 8), (16, 8), (20, 8), (24, 8), (64, 8)])
def test_nobody_has_the_same_partner_twice(count: int, rounds: int) -> None:
    found = partners(all_tables(night(people(count), rounds, mode="partners")))
    assert sum(found.values()) == rounds * count // 2
    assert set(found.values()) == {1}


@pytest.mark.parametrize("count", [9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23])
def test_nor_where_some_sit_out_in_each_round(count: int) -> None:
    rounds = night(people(count), 4, mode="partners", fill="three")
    assert all(len(table) == 4 for table in all_tables(rounds)), "partners do not play at three"
    assert set(partners(all_tables(rounds)).values()) == {1}


def test_who_partners_a_computer_is_another_one_in_each_round() -> None:
    rounds = night(people(7), 4, mode="partners", fill="computers")
    assert [sorted(map(len, each.tables)) for each in rounds] == [[3, 4]] * 4
    assert set(partners(all_tables(rounds)).values()) == {1}


def test_who_is_moved_away_leaves_the_others_opposite_each_other() -> None:
    """One of four takes the free seat at the other table. In the next round only these four are left."""
    seat = seater(league(), (), ())
    four, others = ("m1", "m2", "m3", "m4"), ("m5", "m6", "m7", "m8")
    for table in permutations(four):
        for moved in range(4):
            first = night_of(
                e.CheckInClosed((*four, *others)),
                begun(table, others),
                e.Went("m6"),
                e.SeatTaken(1, 2, 1, table[moved]),
                *map(e.Went, ("m5", "m7", "m8")),
                seating="partners",
            )
            stayed = frozenset((table[moved - 1], table[moved - 3]))
            assert stayed not in partners(seat(first, four).tables), (table, moved)


def pairs_of(count: int) -> list[tuple[str, str]]:
    members = people(count)
    return list(zip(members[0::2], members[1::2], strict=False))


@pytest.mark.parametrize("count", [8, 12, 16, 20, 30, 34, 64])
def test_fixed_pairs_stay_together_and_meet_another_pair_each_time(count: int) -> None:
    pairs = pairs_of(count)
    rounds = night(people(count), min(8, count // 2 - 1), mode="pairs", pairs=pairs)
    fixed = {frozenset(pair) for pair in pairs}
    for each in rounds:
        there = {frozenset(pair) for pair in pairs if not set(pair) & set(each.byes)}
        assert set(partners(each.tables)) == there
    against = {pair: times for pair, times in meetings(all_tables(rounds)).items() if pair not in fixed}
    assert set(against.values()) == {1}


def test_pairs_sit_about_as_often_in_either_two_seats() -> None:
    rounds = night(people(24), 6, mode="pairs", pairs=pairs_of(24))
    sat = Counter((member, seat) for table in all_tables(rounds) for seat, member in enumerate(table))
    assert len(sat) == 4 * 24
    assert max(sat.values()) == 2


def test_of_an_odd_number_of_pairs_each_sits_out_once() -> None:
    rounds = night(people(10), 5, mode="pairs", pairs=pairs_of(10))
    assert sorted(each.byes for each in rounds) == sorted(tuple(sorted(pair)) for pair in pairs_of(10))


def test_whose_partner_is_away_plays_with_another_such_one() -> None:
    there = [member for member in people(10) if member not in ("m2", "m4")]
    found = set(partners(seated(there, mode="pairs", pairs=pairs_of(10)).tables))
    assert found == {frozenset(pair) for pair in (("m1", "m3"), ("m5", "m6"), ("m7", "m8"), ("m9", "m10"))}


def test_one_who_is_left_alone_plays_with_a_computer_or_sits_out() -> None:
    there, pairs = people(7), pairs_of(7)
    (three,) = [t for t in seated(there, mode="pairs", pairs=pairs, fill="computers").tables if len(t) == 3]
    assert three[1] == "m7", "seat 3, opposite, is the computer's"
    out = seated(there, mode="pairs", pairs=pairs, fill="byes")
    assert "m7" in out.byes
    assert len(out.byes) == 3, "of three pairs one sits out, too"


def test_pairs_that_contradict_each_other_seat_nobody_twice() -> None:
    pairs = [("m1", "m2"), ("m2", "m3"), ("m4", "m4"), ("m3", "gone")]
    each: Seated = seated(people(4), mode="pairs", pairs=pairs)
    assert sorted(each.tables[0]) == people(4)
    assert frozenset(("m1", "m2")) in partners(each.tables)
