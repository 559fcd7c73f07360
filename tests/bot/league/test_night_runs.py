"""A night runs itself: announced, signed up to, checked in, seated, played, counted."""

from bot.league.results import result_of
from bot.league.standings import night_standings
from bot.store import Store, keys
from tests.bot.league.leagues import START, LeagueHouse, MovedClock, Until, league_house, weekly

EIGHT = ("Ada", "Bea", "Cem", "Deniz", "Ela", "Firat", "Gül", "Hakan")


async def first_round(evening: LeagueHouse, *names: str) -> list[str]:
    """These people sign up, check in and are seated."""
    await evening.comes("announced")
    await evening.told()
    members = await evening.signs_up(*names)
    await evening.at(-20 * 60, "check_in")
    await evening.checks_in(*members)
    await evening.at(-3 * 60, "ready")
    await evening.at(0, "playing")
    return members


async def test_a_whole_night_of_eight(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        members = await first_round(evening, *EIGHT)
        await evening.told()
        night = await evening.night()
        assert night.start == START
        assert sorted(m for table in night.rounds[0].tables for m in table.seats) == sorted(members)
        assert night.rounds[0].soft_end == START + 30 * 60
        await evening.play_all()
        night = await evening.comes("break")
        assert [len(table.tiles) for table in night.rounds[0].tables] == [1, 1]
        await evening.at(2 * 60 + 1, "playing")
        assert len((await evening.night()).rounds) == 2
        await evening.play_all()
        night = await evening.comes("over")
        await evening.told()
        fresh = [anew for _, screen, anew in evening.house.chat.tables if screen.table == night.id]
        assert fresh.count(True) == 3, "announced, begun, over: each in a message of its own"
        shown = enumerate(evening.house.chat.tables, 1)
        boards = [f"{at}#{n}" for n, (at, screen, anew) in shown if anew and screen.table == night.id]
        left = [each for each in boards if each not in evening.house.chat.removed]
        assert left == boards[-1:], "one board is left"

        result = result_of(night)
        assert result.over
        assert all(table.state == "counted" for table in result.tables)
        standings = night_standings(result, night.format.ties)
        assert {each.member for each in standings} == set(members)
        assert sum(each.points for each in standings) == 4 * 6

        async def next_one() -> bool:
            return len((await evening.house.app.leagues.load("abcde")).nights) == 2

        await until(next_one)
        league = await evening.house.app.leagues.load("abcde")
        assert [(ref.id, ref.over) for ref in league.nights] == [
            ("abcde-202603122000", True),
            ("abcde-202603192000", False),
        ]


async def test_nobody_is_late_for_what_happened_while_nobody_was_at_work(store: Store, until: Until) -> None:
    clock = MovedClock()
    async with league_house(store, until, weekly(), clock) as evening:
        await first_round(evening, *EIGHT)
        await evening.tables()
    partition = keys.partition_of(evening.night_id)
    seen, patience = (await store._server.call("GET", keys.alive(partition))).split()
    await store._server.call("SET", keys.alive(partition), b"%d %s" % (int(seen) - 600_000, patience))
    clock.now += 599
    async with league_house(store, until, weekly(), clock) as evening:

        async def moved_on() -> bool:
            round = (await evening.night()).round
            assert round is not None
            return round.soft_end > START + 30 * 60 + 590

        await until(moved_on)
        night = await evening.night()
        assert [table.free for table in night.rounds[0].tables] == [(), ()]


async def test_a_round_that_is_cut_leaves_nobody_with_buttons(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await first_round(evening, *EIGHT[:4])
        (table,) = await evening.tables()

        async def all_have(buttons: bool) -> bool:
            newest = {who: screen for who, screen, _ in evening.house.chat.racks if screen.table == table}
            return len(newest) == 4 and all(bool(screen.buttons) == buttons for screen in newest.values())

        await until(lambda: all_have(True))
        await evening.at(40 * 60, "break")
        await until(lambda: all_have(False))
