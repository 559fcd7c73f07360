"""A night's board in its places: shown once, edited, and seen to when a place moves or is closed."""

from dataclasses import replace
from functools import partial

import pytest

from bot.delivery.boards import Boards
from bot.delivery.items import Rank
from bot.delivery.snapshot import NightAsTold
from bot.league import decide
from bot.league.night import NightStage
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import PlaceMoved, PlaceRefused, RetryAfter
from bot.repository.leagues import Decide, LeagueRepository
from bot.store import Store
from tests.bot.house import PLACE, MemoryChat
from tests.bot.league.evenings import evening, seated
from tests.bot.league.leagues import DAY, START, LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.store.waiting import agenda, dirty

DEN = "mem:den"


def boards(evening: LeagueHouse, place: str) -> list[tuple[int, bool]]:
    """What a place was shown of the night: revisions, and whether each was a new message."""
    shown = evening.house.chat.tables
    return [
        (screen.version, anew)
        for at, screen, anew in shown
        if at == place and screen.table == evening.night_id
    ]


async def up_to_date(evening: LeagueHouse, place: str, until: Until) -> None:
    """Wait until a place shows the night as it stands, or newer."""
    revision = (await evening.night()).revision

    async def newest() -> bool:
        return bool(boards(evening, place)) and boards(evening, place)[-1][0] >= revision

    await until(newest)


async def test_a_board_is_one_message_edited(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await up_to_date(evening, PLACE, until)
        await evening.signs_up("Ada")
        await up_to_date(evening, PLACE, until)
        await evening.signs_up("Bea")
        await up_to_date(evening, PLACE, until)
        assert [anew for _, anew in boards(evening, PLACE)] == [True, False, False]


@pytest.mark.parametrize("act", [decide.cancel, partial(decide.reschedule, start=START + DAY)])
@pytest.mark.parametrize("known", [True, False])
async def test_whoever_has_answered_hears_of_a_night_that_is_moved_or_called_off(
    store: Store, until: Until, act: Decide, *, known: bool
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        if known:
            await evening.signs_up("Ada")
        await up_to_date(evening, PLACE, until)
        await evening.act(act)
        await up_to_date(evening, PLACE, until)
        assert boards(evening, PLACE)[-1][1] is known, "an edit notifies nobody"


@pytest.mark.parametrize(("stage", "first"), [("break", True), ("over", True), ("playing", False)])
def test_at_a_rounds_end_the_board_goes_before_results_and_tables(
    store: Store, stage: NightStage, first: bool
) -> None:
    people = Profiles(store, {"mem": MemoryChat()})
    communities = Communities(store, people)
    boards = Boards(store, LeagueRepository(store), people, communities)
    league = weekly()
    night = replace(evening(league, seated(("m1", "m2", "m3", "m4"))), stage=stage)
    snapshot = NightAsTold(
        chat_of=people.chat_of,
        league=league,
        night=night,
        notes={},
        now=0.0,
        tables=(),
        communities=None,
        sleeping={},
        notes_of_league={},
    )
    (board,) = boards.items(snapshot)
    assert (board.rank < Rank.NEWS) is first
    assert board.rank > Rank.RACK, "nobody waits for it"


async def test_a_restart_shows_no_board_again(store: Store, until: Until) -> None:
    clock = MovedClock()
    async with league_house(store, until, weekly(), clock) as evening:
        await evening.comes("announced")
        await up_to_date(evening, PLACE, until)
    async with league_house(store, until, weekly(), clock) as evening:
        await evening.signs_up("Ada")
        await up_to_date(evening, PLACE, until)
        assert boards(evening, PLACE) == [((await evening.night()).revision, False)]


async def test_a_place_that_moves_takes_its_league_along(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await up_to_date(evening, PLACE, until)
        evening.house.chat.refuse.append(PlaceMoved(DEN))
        await evening.signs_up("Ada")
        await up_to_date(evening, DEN, until)
        assert (await evening.house.app.leagues.load("abcde")).places == (DEN,)
        assert [each.id for each in await evening.house.app.leagues.at_place(DEN)] == ["abcde"]


async def test_a_board_whose_place_refuses_comes_back_and_who_signed_up_there_is_told(
    store: Store, until: Until
) -> None:
    two = replace(weekly(), places=(PLACE, DEN))
    async with league_house(store, until, two, MovedClock()) as evening:
        chat = evening.house.chat
        await evening.comes("announced")
        await up_to_date(evening, PLACE, until)
        await up_to_date(evening, DEN, until)
        await evening.signs_up("Ada")
        await up_to_date(evening, PLACE, until)
        chat.refusing[PLACE] = PlaceRefused("no right to write")
        await evening.signs_up("Bea")
        await up_to_date(evening, DEN, until)

        async def told() -> bool:
            return {person for person, once in chat.letters if "asleep" in once} == {"mem:ada", "mem:bea"}

        await until(told)
        assert (await evening.house.app.leagues.load("abcde")).places == (PLACE, DEN)
        del chat.refusing[PLACE]
        await evening.house.app.delivery.note_reopened({PLACE})
        await up_to_date(evening, PLACE, until)
        assert boards(evening, PLACE)[-1][1], "it comes anew"


@pytest.mark.parametrize("announced", [True, False])
async def test_a_chat_that_logs_in_later_than_another_shows_what_became_of_the_night(
    store: Store, until: Until, *, announced: bool
) -> None:
    """It is announced, or called off, while no process serves its chat."""
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        house = evening.house
        if not announced:
            await evening.comes("announced")
            await up_to_date(evening, PLACE, until)
        house.app.chats["tg"] = MemoryChat(name="tg")
        del house.app.chats["mem"]
        await house.app.worker.shares.attend()
        if announced:
            await evening.comes("announced")
        else:
            await evening.act(decide.cancel)

        async def seen_to() -> bool:
            return not await agenda(store, evening.clock.now)

        await until(seen_to)
        for of, mark in await dirty(store):
            await house.app.delivery.settle(of, mark)
        house.app.chats["mem"] = house.chat
        await up_to_date(evening, PLACE, until)


async def test_a_platform_that_asks_for_patience_gets_it(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        evening.house.chat.refuse.append(RetryAfter(0.1))
        await evening.comes("announced")
        await up_to_date(evening, PLACE, until)
        assert [anew for _, anew in boards(evening, PLACE)] == [True]
