"""What a chat promises on a platform that can refuse the bot, ask for a pause or fail, and knows who runs
what."""

import pytest

from bot.ports import Person, PlaceRefused, RetryAfter
from tests.adapters.contract.stage import PlatformStage, RefusingStage, table_screen
from tests.patience import eventually


async def test_where_the_bot_may_not_write_it_is_refused_until_it_may(refusing: RefusingStage) -> None:
    message = await refusing.chat.show_table(refusing.place, table_screen(), None, anew=False)
    await refusing.silence()
    with pytest.raises(PlaceRefused):
        await refusing.chat.show_table(refusing.place, table_screen(2), message, anew=False)
    with pytest.raises(PlaceRefused):
        await refusing.chat.post_line(refusing.place, ("Anybody?",))
    await refusing.silence(silenced=False)
    await refusing.chat.show_table(refusing.place, table_screen(3, words="Again"), message, anew=False)
    assert [each.words for each in await refusing.read()] == ["Again"]


async def test_a_pause_that_the_platform_asks_for_is_handed_on(refusing: RefusingStage) -> None:
    await refusing.be_busy(17)
    with pytest.raises(RetryAfter) as later:
        await refusing.chat.show_table(refusing.place, table_screen(), None, anew=False)
    assert 10 < later.value.seconds <= 18
    assert await refusing.read() == []


async def test_a_passing_failure_is_tried_again(platform: PlatformStage) -> None:
    await platform.fail_once()
    await platform.chat.show_table(platform.place, table_screen(), None, anew=False)
    assert len(await platform.read()) == 1


async def test_words_that_are_too_long_are_cut_and_sent(platform: PlatformStage) -> None:
    await platform.chat.show_table(platform.place, table_screen(words="&" * 9000), None, anew=False)
    await platform.chat.post_line(platform.place, ("<" * 9000,))
    caption, line = await platform.read()
    assert caption.words.endswith("…")
    assert line.words.endswith("…")


async def test_a_command_says_in_which_thread_or_that_it_is_in_private(platform: PlatformStage) -> None:
    thread = await platform.open_thread("Games")
    for place in (thread, None):
        await platform.command(platform.ada, "help", place)
    assert [(typed.verb, typed.argument) for typed in platform.router.typed] == [("help", "")] * 2
    assert [typed.place for typed in platform.router.typed] == [thread, None]
    assert {typed.by for typed in platform.router.typed} == {Person(platform.ada, "Ada", "tr")}


async def test_who_runs_the_community_organises_all_its_places(platform: PlatformStage) -> None:
    thread = await platform.open_thread("Games")
    await platform.make_organiser(platform.ada)
    for place in (platform.place, thread):
        assert await platform.chat.places.organises(platform.ada, place)
        assert not await platform.chat.places.organises(platform.can, place)


async def test_a_right_that_is_given_back_is_reported(platform: PlatformStage) -> None:
    await platform.silence()
    await eventually(lambda: bool(platform.delivery.reopenings))
    platform.delivery.reopenings.clear()
    await platform.silence(silenced=False)
    await eventually(lambda: any(platform.place in each for each in platform.delivery.reopenings))
