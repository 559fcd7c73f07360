"""Two processes tell people of a night at the same moment: nobody is told anything twice."""

from bot.store import Store
from tests.bot.league.leagues import START, MovedClock, weekly
from tests.bot.league.messenger import HOUR, LONG_BEFORE, Messenger
from tests.bot.league.test_night_messages_killed import FOUR, Platform
from tests.bot.two_holders import StoppedStore
from tests.conftest import Until


async def test_members_are_reminded_once_by_two_processes(store: Store, until: Until) -> None:
    platform, clock = Platform(), MovedClock(LONG_BEFORE)
    messenger = await _signed_up(store, clock, platform)
    clock.now = START - 24 * HOUR
    await _both_tell(store, messenger, until, items=len(FOUR))
    assert {person for person, _ in platform.handed} == {f"mem:{name.lower()}" for name in FOUR}
    assert set(platform.handed.values()) == {1}


async def test_players_are_called_to_their_tables_once_by_two_processes(store: Store, until: Until) -> None:
    platform, clock = Platform(), MovedClock(LONG_BEFORE)
    messenger = await _signed_up(store, clock, platform)
    await messenger.tells(20 * 60.0)
    await messenger.office.checks_in(*[await messenger.office.member(name) for name in FOUR])
    await messenger.tells(180.0)
    clock.now = START
    await _both_tell(store, messenger, until, items=1)
    assert {person for person, _ in platform.called} == {f"mem:{name.lower()}" for name in FOUR}
    assert set(platform.called.values()) == {1}


async def _signed_up(store: Store, clock: MovedClock, platform: Platform) -> Messenger:
    messenger = Messenger(store, clock, platform)
    await messenger.office.found(weekly(rooms=False))
    await messenger.tells()
    for name in FOUR:
        await messenger.office.says(name)
    await messenger.tells()
    return messenger


async def _both_tell(store: Store, messenger: Messenger, until: Until, *, items: int) -> None:
    """Another process is stopped before it notes what it found to be told; it goes on when this one has told
    everything."""
    stopping = StoppedStore(store)
    other = Messenger(stopping, messenger.office.clock, messenger.chat)  # type: ignore[arg-type]
    await messenger.gets_ready()

    async def stopped() -> bool:
        await other.looks()
        return stopping.stopped == items

    await until(stopped)
    await messenger.tells()
    stopping.go_on()
    await other.tells_again()
    await other.close()
    await messenger.close()
