"""Pinned messages: found at once, and nobody is disturbed."""

import pytest

from adapters.telegram_chat import TelegramChat
from bot.ports import NotPermitted, PlaceMoved, PlaceRefused
from tests.adapters.telegram_chat.scene import table
from tests.servers.telegram_api.client import Control


async def test_a_message_is_pinned_in_silence_and_unpinned(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("Games",))
    await telegram.ask("let_bot_pin", chat_id=group.id)
    place = f"tg:{group.id}/{group.topics['Games']}"
    message = await chat.show_table(place, table(), None, anew=True)
    for _ in range(2):
        await chat.pin(place, message)
    (pinned,) = await telegram.ask("pinned", chat_id=group.id)
    assert pinned == (await ada.read(group))[0].id
    for _ in range(2):
        await chat.unpin(place, message)
    assert await telegram.ask("pinned", chat_id=group.id) == []


async def test_a_missing_right_is_told(telegram: Control, chat: TelegramChat) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    place = f"tg:{group.id}"
    message = await chat.show_table(place, table(), None, anew=True)
    with pytest.raises(NotPermitted) as told:
        await chat.pin(place, message)
    assert told.value.right == "pins"
    await chat.unpin(place, message)


@pytest.mark.parametrize("words", ["CHAT_ADMIN_REQUIRED", "need administrator rights in the channel chat"])
async def test_a_missing_right_is_told_whatever_the_words(
    telegram: Control, chat: TelegramChat, words: str
) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    message = await chat.show_table(f"tg:{group.id}", table(), None, anew=True)
    await telegram.fail("400", method="pinChatMessage", description=f"Bad Request: {words}")
    with pytest.raises(NotPermitted):
        await chat.pin(f"tg:{group.id}", message)


async def test_a_message_that_is_gone_is_not_pinned(telegram: Control, chat: TelegramChat) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    await telegram.ask("let_bot_pin", chat_id=group.id)
    place = f"tg:{group.id}"
    message = await chat.show_table(place, table(), None, anew=True)
    await chat.delete_line(place, message)
    await chat.pin(place, message)
    assert await telegram.ask("pinned", chat_id=group.id) == []


async def test_a_group_that_moved_or_is_closed_is_told(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, kind="group")
    message = await chat.show_table(f"tg:{group.id}", table(), None, anew=True)
    moved = await telegram.migrate(group)
    with pytest.raises(PlaceMoved) as told:
        await chat.pin(f"tg:{group.id}", message)
    assert told.value.new_place == f"tg:{moved.id}"
    message = await chat.show_table(f"tg:{moved.id}", table(), None, anew=True)
    await telegram.ask("remove_bot", chat_id=moved.id)
    with pytest.raises(PlaceRefused):
        await chat.pin(f"tg:{moved.id}", message)
