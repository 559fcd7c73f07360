"""What `bot.ports.Rooms` adds to every chat's promises: threads or topics of a place are places."""

import pytest

from bot.ports import PlaceDeleted
from tests.adapters.contract.stage import RoomStage, table_screen
from tests.patience import found

NAME = "Okey K7X"


async def test_a_thread_is_a_place_of_its_own(rooms: RoomStage) -> None:
    thread = await rooms.open_thread("Games")
    await rooms.chat.show_table(thread, table_screen(words="Apart"), None, anew=False)
    await rooms.chat.show_table(rooms.place, table_screen(words="For all"), None, anew=False)
    assert [each.words for each in await rooms.read(thread)] == ["Apart"]
    assert [each.words for each in await rooms.read()] == ["For all"]
    assert await rooms.chat.places.community(thread) == await rooms.chat.places.community(rooms.place)


async def test_a_deleted_thread_is_deleted(rooms: RoomStage) -> None:
    thread = await rooms.open_thread("Games")
    message = await rooms.chat.show_table(thread, table_screen(), None, anew=False)
    await rooms.delete_thread(thread)
    with pytest.raises(PlaceDeleted):
        await rooms.chat.show_table(thread, table_screen(2), message, anew=False)


async def test_a_room_is_a_thread_that_the_bot_opens_and_closes(rooms: RoomStage) -> None:
    await rooms.allow_rooms(allowed=True)
    assert await rooms.chat.lacks_for_rooms(rooms.place) == ()
    room = await rooms.chat.open_room(rooms.place, NAME)
    assert room is not None
    assert room.startswith(f"{rooms.place}/")
    await rooms.chat.show_table(room, table_screen(words="Apart"), None, anew=False)
    for _ in range(2):
        await rooms.chat.close_room(room)
    assert [each.words for each in await rooms.read(room)] == ["Apart"]
    assert await rooms.read() == []
    assert await rooms.chat.places.community(room) == await rooms.chat.places.community(rooms.place)


async def test_what_the_bot_lacks_for_rooms_is_named(rooms: RoomStage) -> None:
    await rooms.allow_rooms(allowed=False)
    assert await found(lambda: rooms.chat.lacks_for_rooms(rooms.place))
    assert await rooms.chat.open_room(rooms.place, NAME) is None
