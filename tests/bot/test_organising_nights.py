"""What a community's organisers see of league tables, and that who is blocked leaves its nights."""

from bot.league.events import Went
from bot.ports import Person
from bot.repository.leagues import LeagueRepository
from bot.store import Store
from tests.bot.house import PLACE, offers, page_of, said
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.test_night_runs import first_round
from tests.bot.test_organising import page, told

FOUR = ("Ada", "Bea", "Cem", "Deniz")


def boss_of(evening: LeagueHouse) -> Person:
    evening.house.chat.organisers.add(("mem:boss", PLACE))
    return evening.house.person("Boss")


async def test_who_is_blocked_goes_from_the_night_and_its_table_for_good(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        boss, house = boss_of(evening), evening.house
        _, _, _, deniz = await first_round(evening, *FOUR)
        (table,) = await evening.tables()
        assert not (await house.type(boss, "block", "Deniz")).code

        async def out() -> bool:
            stored = await house.app.tables.load(table)
            return stored is not None and "mem:deniz" not in stored.value.people()

        await until(out)
        night = await evening.night()
        assert deniz not in night.playing
        organiser = (await house.app.leagues.load(evening.league)).member_of(boss.key)
        assert organiser is not None
        (went,) = [r for r in await LeagueRepository(store).log(night.id) if isinstance(r.event, Went)]
        assert (went.event, went.by, went.why) == (Went(deniz), organiser.id, "Blocked in the community")
        await evening.play_all()
        await evening.comes("break")
        night = await evening.at(2 * 60 + 1, "playing")
        assert not night.rounds[1].knows(deniz)


async def test_who_is_blocked_before_the_start_does_not_come(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        boss = boss_of(evening)
        await evening.comes("announced")
        await evening.house.open(evening.house.person("Ada"))
        (ada,) = await evening.signs_up("Ada")
        assert not (await evening.house.type(boss, "block", "Ada")).code
        entrant = (await evening.night()).entrant(ada)
        assert entrant is not None
        assert entrant.reply == "no"


async def test_a_league_s_tables_are_seen_take_nobody_s_room_and_end_in_their_night(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        boss, house = boss_of(evening), evening.house
        await house.type(boss, "tables", "1")
        await first_round(evening, *FOUR)
        (table,) = await evening.tables()
        shown = told(await page(house, boss))
        assert "Open tables: 0, at most: 1" in shown
        assert "There are also league tables: 1" in shown
        for verb in ("close", "evict"):
            refused = await house.type(boss, verb, table)
            assert refused.code == "of_a_night"
            assert "/okey league" in said(refused)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.stage == "playing"
        zoe = house.person("Zoe")
        assert not (await house.type(zoe, "play")).code
        (lobby,) = set(await house.store.index.tables_at(PLACE)) - {table}
        await house.press(zoe, f"start.{lobby}.0", private=False)
        (another,) = offers(page_of(await house.type(house.person("Yan"), "play")), "another")
        refused = await house.press(house.person("Yan"), another.press, private=False)
        assert refused.code == "tables_enough"
