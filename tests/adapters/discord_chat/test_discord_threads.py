"""Threads for tables: opened once, written in, archived; and what is missing for them."""

from datetime import timedelta

import pytest

from adapters.discord_chat import guilds
from bot.ports import PlaceRefused
from tests.adapters.discord_chat.scene import Scene, table_screen
from tests.patience import eventually
from tests.servers.discord_api.client import until

NAME = "Okey K7X"


async def test_a_table_is_played_in_a_thread_of_its_own(there: Scene) -> None:
    chat = there.chat
    room = await chat.open_room(there.place, NAME)
    assert room is not None
    assert room.startswith(f"{there.place}/")
    await chat.show_table(room, table_screen(), None, anew=False)
    thread = int(room.partition("/")[2])
    assert [seen.text for seen in await there.discord.sees(there.can, thread)] == ["A table"]
    assert await there.discord.sees(there.can, there.channel) == []
    assert await chat.places.community(room) == await chat.places.community(there.place)
    await eventually(lambda: chat.places.link(room) is not None)
    way = chat.places.link(room)
    assert way is not None
    assert (way.text, way.url) == (f"#{NAME}", f"https://discord.com/channels/{there.guild}/{thread}")


async def test_a_channel_for_announcements_has_threads_of_its_own_kind(there: Scene) -> None:
    channel = await there.discord.channel(there.guild, "news", announces=True)
    await eventually(lambda: there.chat.places.link(f"dc:{channel}") is not None)
    room = await there.chat.open_room(f"dc:{channel}", NAME)
    assert room is not None
    assert await there.chat.open_room(f"dc:{channel}", NAME) == room
    await there.chat.show_table(room, table_screen(), None, anew=False)
    await there.chat.close_room(room)


async def test_asked_twice_it_is_the_same_thread(there: Scene) -> None:
    chat = there.chat
    assert await chat.open_room(there.place, NAME) == await chat.open_room(there.place, NAME)
    assert await chat.open_room(there.place, "Okey other") != await chat.open_room(there.place, NAME)
    assert await there.calls("POST", "/threads") == 2


async def test_a_lost_answer_makes_no_second_thread(there: Scene) -> None:
    chat = there.chat
    await there.discord.lose(1, method="POST", path="/threads")
    assert await chat.open_room(there.place, NAME) == await chat.open_room(there.place, NAME)
    assert await there.calls("POST", "/threads") == 1


async def test_last_weeks_table_of_that_name_keeps_its_thread(
    there: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = there.chat
    last_week = await chat.open_room(there.place, NAME)
    monkeypatch.setattr(guilds, "_JUST_OPENED", timedelta(0))
    assert await chat.open_room(there.place, NAME) != last_week


async def test_an_archived_thread_is_not_opened_again_under_its_name(there: Scene) -> None:
    chat = there.chat
    room = await chat.open_room(there.place, NAME)
    assert room is not None
    await chat.close_room(room)
    assert await chat.open_room(there.place, NAME) != room
    await chat.close_room(f"{there.place}/1")


async def test_what_is_missing_is_named_as_discord_names_it(there: Scene) -> None:
    chat = there.chat
    assert await chat.lacks_for_rooms(there.place) == ()
    await there.discord.deny(there.channel, "create_public_threads", "send_messages_in_threads")
    lacks = await until(lambda: chat.lacks_for_rooms(there.place))
    assert lacks == ("Create Public Threads", "Send Messages In Threads")
    assert await chat.open_room(there.place, NAME) is None
    assert await there.calls("POST", "/threads") == 0


async def test_a_thread_has_no_threads(there: Scene) -> None:
    chat = there.chat
    thread = await there.discord.channel(there.guild, "talk", parent=there.channel)
    assert await chat.lacks_for_rooms(f"{there.place}/{thread}") is None
    assert await chat.open_room(f"{there.place}/{thread}", NAME) is None


async def test_a_channel_that_is_gone_is_gone(there: Scene) -> None:
    chat = there.chat
    await there.discord.fail(1, 404, code=10003, method="POST", path="/threads")
    with pytest.raises(PlaceRefused):
        await chat.open_room(there.place, NAME)
