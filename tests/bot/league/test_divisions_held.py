"""Seasons in divisions, from night to night: who plays where, finals, exchanges, corrections, substitutes."""

from collections.abc import Sequence

import pytest

from bot.errors import Refused
from bot.league import decide
from bot.league import events as e
from bot.league.apply import after
from bot.league.events import Recorded
from bot.league.night import Night
from bot.league.standings import SeasonStanding
from bot.store import Store
from tests.bot.house import PLACE, open_house
from tests.bot.league.leagues import START, MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_divisions import LOWER, TWELVE, UPPER
from tests.bot.league.test_seasons import WEEK, plays_night

pytestmark = pytest.mark.long


async def two_seasons(store: Store, **settings: object) -> Office:
    """A league in its second season, whose first night is announced."""
    office = Office(store, MovedClock())
    await office.found(weekly(**{"rounds": 1, "nights": 2, "divisions": "two2", **settings}))
    for week in (0, 1):
        await plays_night(office, week, *NAMES)
    await announced(office)
    return office


NAMES = tuple(f"P{n}" for n in range(1, 13))


async def announced(office: Office) -> Night:
    office.night_id = (await office.leagues.load("abcde")).nights[-1].id
    return await office.night()


async def standings_of(office: Office, number: int) -> list[SeasonStanding]:
    league = await office.leagues.load("abcde")
    return list(await office.leagues.standings.season(league, number))


async def test_the_second_season_has_divisions_and_the_third_exchanges_people(store: Store) -> None:
    office = await two_seasons(store)
    first = [each.member for each in await standings_of(office, 1)]
    evening = await office.night()
    assert (evening.season, [each.members for each in evening.divisions]) == (
        2,
        [tuple(first[:6]), tuple(first[6:])],
    )
    for week in (2, 3):
        await plays_night(office, week, *NAMES)
        for place, member in enumerate(first if week == 2 else ()):  # the last of each come first
            points = 8.0 * (place + 1)
            await office.act(lambda night, now, who=member, more=points: decide.award(night, now, who, more))  # type: ignore[misc]
        (tables,) = ([table.members for table in round.tables] for round in (await office.night()).rounds)
        assert all({*each} <= {*first[:6]} or {*each} <= {*first[6:]} for each in tables)
    second = await standings_of(office, 2)
    assert [each.division for each in second] == [1] * 6 + [2] * 6
    third = await announced(office)
    upper, lower = first[5::-1], first[:5:-1]
    assert [each.member for each in second] == [*upper, *lower]
    assert third.divisions[0].members == (*upper[:4], *lower[:2])
    assert third.divisions[1].members == (*upper[4:], *lower[2:])
    assert (await office.leagues.load("abcde")).champions[2] == (upper[0],)


async def in_order(office: Office, members: Sequence[str]) -> None:
    """Give everybody so many points that this is their order, whatever was dealt."""
    for place, member in enumerate(members[::-1]):
        points = 8.0 * (place + 1)
        await office.act(lambda night, now, who=member, more=points: decide.award(night, now, who, more))  # type: ignore[misc]


async def test_each_division_ends_with_its_own_final(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2, divisions="two2", finals="cut4"))
    for season in (1, 2):
        await plays_night(office, 2 * season - 2, *NAMES)
        await in_order(office, TWELVE)
        final = await announced(office)
        await plays_night(office, 2 * season - 1, *NAMES)
    seeded = (await office.leagues.load_night(final.id)).seeds
    assert [(seed.division, seed.rank) for seed in seeded] == [
        (tier, rank) for tier in (1, 2) for rank in range(1, 7)
    ]
    held = await office.leagues.load_night(final.id)
    assert sorted(map(sorted, (each.members for each in held.rounds[0].tables))) == [
        sorted(UPPER[:4]),
        sorted(LOWER[:4]),
    ]
    second = await standings_of(office, 2)
    assert [each.member for each in second if each.in_final and each.division == 2][-1] in LOWER[:4]
    assert [{*each.members} for each in (await announced(office)).divisions] == [
        {each.member for each in second if (each.division == 1) != bool(each.move)},
        {each.member for each in second if (each.division == 2) != bool(each.move)},
    ]
    champions = (await office.leagues.load("abcde")).champions[2]
    assert champions
    assert {*champions} <= {*UPPER[:4]}


async def test_the_table_says_what_the_next_season_does(store: Store) -> None:
    office = await two_seasons(store)
    first = [each.member for each in await standings_of(office, 1)]
    await plays_night(office, 2, *NAMES)
    await in_order(office, first)
    before = await standings_of(office, 2)
    assert [each.move for each in before].count("up") == 2
    member = (await office.leagues.load("abcde")).members[before[0].member]
    await office.leagues.forget(member.accounts[0])
    assert {each.move for each in await standings_of(office, 2)} == {""}, "eleven people are too few for two"
    await plays_night(office, 3, *(name for name in NAMES if name != member.name))
    assert (await announced(office)).divisions == ()
    assert {each.move for each in await standings_of(office, 2)} == {""}


async def test_the_page_follows_who_was_there_the_season_before(store: Store) -> None:
    office = await two_seasons(store, nights=3)
    await plays_night(office, 2, *NAMES)  # the second season begins in the next month
    league = await office.leagues.load("abcde")
    async with open_house(store, work=False) as house:
        page = await house.app.published.open("abcde", "")
        assert page is not None
        before = await page.stamp(2)
        office.night_id = league.nights[0].id
        await office.act(lambda night, now: decide.award(night, now, "m1", 1))
        assert await page.stamp(2) != before


async def test_a_correction_changes_the_divisions_until_the_first_deal(store: Store) -> None:
    office = await two_seasons(store)
    before = (await office.night()).divisions
    league = await office.leagues.load("abcde")
    later, office.night_id = office.night_id, league.nights[0].id
    last = before[1].members[-1]

    async def correct(points: int) -> None:
        held = await office.night()
        (seated,) = (each for each in held.rounds[0].tables if last in each.seats)
        scores = tuple(points if each == last else 0 for each in seated.seats)
        await office.act(
            lambda night, now: decide.correct(night, now, round=1, table=seated.number, scores=scores)
        )

    for _ in range(2):  # a win for them, and a bonus that nobody else reaches
        await office.act(lambda night, now: decide.award(night, now, last, 100))
    await correct(99)
    office.night_id = later
    placed = (await office.night()).divisions
    assert placed[0].members[0] == last
    assert last not in before[0].members
    await office.begins(*NAMES, start=2 * WEEK)
    office.night_id = league.nights[0].id
    for member in placed[0].members[1:]:
        await office.act(lambda night, now, who=member: decide.award(night, now, who, 100))  # type: ignore[misc]
    office.night_id = later
    assert (await office.night()).divisions == placed


async def test_a_substitute_takes_seats_of_their_own_division(store: Store) -> None:
    office = await two_seasons(store)
    lower = (await office.night()).divisions[1].members
    league = await office.leagues.load("abcde")
    stays = league.members[lower[-1]]
    await office.begins(*(name for name in NAMES if name != stays.name), start=2 * WEEK)
    held = await office.night()
    (upper, *_), (own, *_) = (
        [each for each in held.rounds[0].tables if (each.seats[0] in lower) is below]
        for below in (False, True)
    )
    for each in (upper, own):
        held = after(held, Recorded(START, "", "", e.SeatFreed(1, each.number, 0)))
    with pytest.raises(Refused, match="other_division"):
        decide.take_seat(held, START, stays, PLACE, table=upper.number, seat=0)
    assert decide.take_seat(held, START, stays, PLACE, table=own.number, seat=0)
