"""Who runs a group, as Telegram says it at each use."""

import pytest

from adapters.telegram_chat import TelegramChat
from bot.ports import RetryAfter
from tests.servers.telegram_api.client import Control


async def test_administrators_run_a_group_and_its_topics(telegram: Control, chat: TelegramChat) -> None:
    ada, can = await telegram.person("Ada"), await telegram.person("Can")
    group = await telegram.group("Club", ada, can, topics=("Games",))
    await telegram.ask("promote", user_id=ada.id, chat_id=group.id)
    for place in (f"tg:{group.id}", f"tg:{group.id}/{group.topics['Games']}"):
        assert await chat.places.organises(f"tg:{ada.id}", place)
        assert not await chat.places.organises(f"tg:{can.id}", place)
    await telegram.ask("demote", user_id=ada.id, chat_id=group.id)
    assert not await chat.places.organises(f"tg:{ada.id}", f"tg:{group.id}")


async def test_administrators_run_a_group_that_hides_its_members(
    telegram: Control, chat: TelegramChat
) -> None:
    """There, a bot that is no administrator is told of none by itself."""
    ada, can = await telegram.person("Ada"), await telegram.person("Can")
    group = await telegram.group("Club", ada, can)
    await telegram.ask("promote", user_id=ada.id, chat_id=group.id)
    hidden = "Bad Request: member list is inaccessible"
    await telegram.fail("400", count=2, method="getChatMember", description=hidden)
    assert await chat.places.organises(f"tg:{ada.id}", f"tg:{group.id}")
    assert not await chat.places.organises(f"tg:{can.id}", f"tg:{group.id}")


async def test_nobody_runs_a_group_that_the_bot_is_not_in(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await telegram.ask("promote", user_id=ada.id, chat_id=group.id)
    await telegram.ask("remove_bot", chat_id=group.id)
    assert not await chat.places.organises(f"tg:{ada.id}", f"tg:{group.id}")
    assert not await chat.places.organises(f"tg:{ada.id}", "tg:-100999")


async def test_a_group_that_moved_is_asked_under_its_new_key(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, kind="group")
    moved = await telegram.ask("migrate", chat_id=group.id)
    await telegram.ask("promote", user_id=ada.id, chat_id=moved)
    assert await chat.places.organises(f"tg:{ada.id}", f"tg:{group.id}")


async def test_while_telegram_does_not_say_it_nobody_knows(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await telegram.ask("promote", user_id=ada.id, chat_id=group.id)
    await telegram.fail("429", method="getChatMember", seconds=5)
    with pytest.raises(RetryAfter):
        await chat.places.organises(f"tg:{ada.id}", f"tg:{group.id}")
