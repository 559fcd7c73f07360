"""Byes go round: nobody has two before everybody has had one, and nobody earns one by leaving."""

from collections import Counter

import pytest

from bot.league.model import Fill, Seating
from bot.league.seating import Seated
from tests.bot.league.nights import night, people, seated


def byes(rounds: list[Seated]) -> Counter[str]:
    return Counter(member for each in rounds for member in each.byes)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["rotation", "standings", "partners"])
@pytest.mark.parametrize("count", [5, 6, 7, 9, 17, 23])
def test_nobody_has_two_byes_before_everybody_has_had_one(count: int, mode: Seating) -> None:
    had: Counter[str] = Counter()
    for each in night(people(count), 8, mode=mode, fill="byes", order=people(count)):
        had.update(each.byes)
        assert max(had.values()) - min(had[member] for member in people(count)) <= 1


def test_the_one_whom_five_people_leave_over_is_another_one_in_each_round() -> None:
    assert set(byes(night(people(5), 5, fill="three")).values()) == {1}


@pytest.mark.parametrize(("fewest", "fewer"), [("m7", "m4"), ("m2", "m9"), ("m1", "m3")])
def test_among_equals_in_this_night_who_had_fewer_in_the_season_sits_out(fewest: str, fewer: str) -> None:
    had = dict.fromkeys(people(9), 2) | {fewer: 1, fewest: 0}
    rounds = [seated(people(9), fill="byes", season_byes=had)]
    rounds.append(seated(people(9), rounds, fill="byes", season_byes=had))
    assert [each.byes for each in rounds] == [(fewest,), (fewer,)]
    third = seated(people(9), rounds, fill="byes", season_byes=had)
    assert not {fewest, fewer} & set(third.byes), (
        "who has had one tonight waits until all have, whatever the season"
    )


def test_leaving_and_coming_back_brings_nobody_nearer_to_a_bye() -> None:
    members = people(9)
    rounds = night(members, 1, fill="byes")
    leaver = rounds[0].tables[0][0]
    rounds.append(seated([each for each in members if each != leaver], rounds, fill="byes"))
    for _ in range(7):
        rounds.append(seated(members, rounds, fill="byes"))
        assert leaver not in rounds[-1].byes, "seven others were there all the time and have had none"
    rounds.append(seated(members, rounds, fill="byes"))
    assert rounds[-1].byes == (leaver,), "nobody gets a second one before them"


def test_leaving_does_not_wipe_out_the_bye_that_one_has_had() -> None:
    members = people(9)
    rounds = night(members, 1, fill="byes")
    (first,) = rounds[0].byes
    rounds.append(seated([each for each in members if each != first], rounds, fill="byes"))
    for _ in range(8):
        rounds.append(seated(members, rounds, fill="byes"))
        assert first not in rounds[-1].byes


def test_who_comes_late_is_not_the_first_to_sit_out() -> None:
    rounds = night(people(8), 1, fill="byes")
    rounds.append(seated([*people(8), "late"], rounds, fill="byes", season_byes=dict.fromkeys(people(8), 3)))
    assert rounds[-1].byes != ("late",)


def test_by_standings_the_last_sits_out() -> None:
    order = people(9)
    first = seated(order, mode="standings", fill="byes", order=order)
    second = seated(order, [first], mode="standings", fill="byes", order=order)
    assert (first.byes, second.byes) == (("m9",), ("m8",))


@pytest.mark.parametrize("fill", ["three", "computers"])
def test_where_tables_of_three_or_computers_do_it_nobody_sits_out(fill: Fill) -> None:
    for count in range(6, 30):
        assert not byes(night(people(count), 2, fill=fill))
