"""Topics for tables: opened, written in, closed; and what is missing for them."""

from adapters.telegram_chat import TelegramChat
from tests.adapters.telegram_chat.scene import table
from tests.servers.telegram_api.client import Control

NAME = "Okey K7X"


async def test_a_table_is_played_in_a_topic_of_its_own(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("Games",))
    await telegram.ask("let_bot_manage_topics", chat_id=group.id)
    place = f"tg:{group.id}"
    room = await chat.open_room(place, NAME)
    assert room is not None
    assert room.startswith(f"{place}/")
    await chat.show_table(room, table(), None, anew=False)
    (shown,) = await telegram.ask("read", user_id=ada.id, chat_id=group.id)
    assert shown["message_thread_id"] == int(room.partition("/")[2])
    assert await chat.places.community(room) == place
    way = chat.places.link(room)
    assert way is not None
    assert way.url == f"https://t.me/c/{str(group.id).removeprefix('-100')}/{room.partition('/')[2]}"
    await chat.close_room(room)
    await chat.close_room(room)


async def test_what_is_missing_is_named_as_telegram_names_it(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    forum, plain = await telegram.group("Forum", ada, topics=("Games",)), await telegram.group("Club", ada)
    small = await telegram.group("Small", ada, kind="group")
    assert await chat.lacks_for_rooms(f"tg:{forum.id}") == ("Manage Topics",)
    assert await chat.lacks_for_rooms(f"tg:{plain.id}") == ("Topics", "Manage Topics")
    assert await chat.lacks_for_rooms(f"tg:{small.id}") is None
    for group in (forum, plain, small):
        assert await chat.open_room(f"tg:{group.id}", NAME) is None
    assert await telegram.calls("createForumTopic") == []
    await telegram.ask("let_bot_manage_topics", chat_id=forum.id)
    assert await chat.lacks_for_rooms(f"tg:{forum.id}") == ()


async def test_what_telegram_refuses_leaves_the_table_where_it_is(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Forum", ada, topics=("Games",))
    await telegram.ask("let_bot_manage_topics", chat_id=group.id)
    await telegram.fail("400", method="createForumTopic", description="Bad Request: TOPICS_TOO_MUCH")
    assert await chat.open_room(f"tg:{group.id}", NAME) is None
