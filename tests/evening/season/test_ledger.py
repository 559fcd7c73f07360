"""The tests' own ledger, checked against tables counted by hand."""

import csv
import io
from dataclasses import replace
from datetime import date
from fractions import Fraction

from bot.league import standings
from bot.league.export import standings_csv
from bot.league.model import Member
from tests.bot.league.leagues import weekly
from tests.bot.league.results import night, table
from tests.evening.season.dates import change, moment, thursdays
from tests.evening.season.ledger import NightBook, season_standings
from tests.evening.season.season import as_downloaded, by_ranks


def ranks(nights: list[NightBook], best: int) -> list[tuple[int, str, Fraction]]:
    return [(line.rank, line.name, line.points) for line in season_standings(nights, best)]


def test_points_do_not_depend_on_the_tables_size() -> None:
    book = NightBook(
        tables={
            (1, 1): [("Ada", 10), ("Can", 10), ("Ece", 4), ("Dora", 0)],
            (1, 2): [("Bob", 3), ("", 2), ("Gül", -1)],
        }
    )
    assert book.points() == {
        "Ada": Fraction(5, 2),
        "Can": Fraction(5, 2),
        "Ece": Fraction(1),
        "Dora": Fraction(0),
        "Bob": Fraction(3),
        "Gül": Fraction(0),
    }


def test_equals_share_a_rank_and_the_next_is_lower() -> None:
    tables = {(1, 1): [("Ada", 9), ("Can", 5), ("Ece", 5), ("Dora", 1)]}
    assert ranks([NightBook(tables=tables)], 5) == [
        (1, "Ada", Fraction(3)),
        (2, "Can", Fraction(3, 2)),
        (2, "Ece", Fraction(3, 2)),
        (4, "Dora", Fraction(0)),
    ]


def test_equals_may_have_joined_in_any_order() -> None:
    names = {"m1": "Ece", "m2": "Dora", "m3": "Can", "m4": "Ada"}
    league = replace(weekly(), members={id: Member(id=id, name=name) for id, name in names.items()})
    played = [night(1, table(1, "m4 9", "m3 5", "m1 5", "m2 1"))]
    file = standings_csv(league, standings.season_standings(played, league.format, season=1))
    told = list(csv.DictReader(io.StringIO(file)))
    book = NightBook(tables={(1, 1): [("Ada", 9), ("Can", 5), ("Ece", 5), ("Dora", 1)]})
    counted = [as_downloaded(line) for line in season_standings([book], 5)]
    assert [line["name"] for line in told] == ["Ada", "Ece", "Can", "Dora"]
    assert by_ranks(told) == counted
    assert by_ranks(reversed(told)) != counted


def test_only_the_best_nights_count_after_penalties_and_voided_tables() -> None:
    first = NightBook(tables={(1, 1): [("Ada", 2), ("Can", 1), ("Ece", 0)]}, byes=[(1, "Dora")])
    second = NightBook(
        tables={
            (1, 1): [("Can", 2), ("Ada", 1), ("Ece", 0)],
            (2, 1): [("Ece", 9), ("Ada", 1), ("Can", 0)],
        },
        penalties=[("Can", Fraction(1, 2))],
        void={(2, 1)},
    )
    assert ranks([first, second], 1) == [
        (1, "Ada", Fraction(3)),
        (2, "Can", Fraction(5, 2)),
        (3, "Dora", Fraction(3, 2)),
        (4, "Ece", Fraction(0)),
    ]


def test_eight_in_berlin_is_an_hour_earlier_by_the_sun_in_summer() -> None:
    assert change(2027) == date(2027, 3, 28)
    assert thursdays(2027, 1, 1) == [date(2027, 3, 25), date(2027, 4, 1)]
    winter, summer = (moment(day) for day in thursdays(2027, 1, 1))
    assert (winter, summer) == (1_806_001_200, 1_806_602_400)
    assert summer - winter == 7 * 24 * 3600 - 3600
