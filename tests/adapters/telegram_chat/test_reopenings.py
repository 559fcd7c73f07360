"""Groups that refuse the bot: what each refusal means, and what Telegram reports when they take it again."""

import pytest

from adapters.telegram_chat import TelegramChat
from bot.markup import Page
from bot.ports import PlaceRefused, RetryAfter, UnknownRefusal
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.scene import table
from tests.servers.telegram_api.client import TOKEN, Control


@pytest.mark.parametrize(
    ("close", "open"), [("remove_bot", "add_bot"), ("silence_bot", "let_bot_write")], ids=str
)
async def test_a_group_that_takes_the_bot_again_is_reported(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery, until: Until, close: str, open: str
) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    message = await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    await telegram.ask(close, chat_id=group.id)
    with pytest.raises(PlaceRefused):
        await chat.show_table(f"tg:{group.id}", table(2), message, anew=False)
    await until(lambda: len(delivery.reopenings) == 1)
    await telegram.ask(open, chat_id=group.id)
    await until(lambda: delivery.reopenings == [{f"tg:{group.id}"}] * 2)
    await chat.show_table(f"tg:{group.id}", table(2), message, anew=True)


async def test_a_bot_that_is_no_administrator_any_more_is_refused_where_only_those_write(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery, until: Until
) -> None:
    group = await telegram.group("News", await telegram.person("Ada"))
    await telegram.ask("let_members_write", chat_id=group.id, may=False)
    await telegram.ask("promote_bot", chat_id=group.id)
    message = await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    await telegram.ask("demote_bot", chat_id=group.id)
    with pytest.raises(PlaceRefused, match="not enough rights"):
        await chat.show_table(f"tg:{group.id}", table(2), message, anew=False)
    await telegram.ask("promote_bot", chat_id=group.id)
    await until(lambda: delivery.reopenings == [{f"tg:{group.id}"}] * 3)
    await chat.show_table(f"tg:{group.id}", table(2), message, anew=True)


async def test_a_topic_that_is_open_again_is_reported(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery, until: Until
) -> None:
    forum = await telegram.group("Forum", await telegram.person("Ada"), topics=("Okey",))
    topic = forum.topics["Okey"]
    message = await chat.show_table(f"tg:{forum.id}/{topic}", table(), None, anew=False)
    await telegram.ask("close_topic", chat_id=forum.id, topic=topic)
    with pytest.raises(PlaceRefused, match="topic_closed"):
        await chat.show_table(f"tg:{forum.id}/{topic}", table(2), message, anew=False)
    assert delivery.reopenings == []
    await telegram.ask("reopen_topic", chat_id=forum.id, topic=topic)
    await until(lambda: delivery.reopenings == [{f"tg:{forum.id}"}])
    await chat.show_table(f"tg:{forum.id}/{topic}", table(2), message, anew=False)


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("Bad Request: not enough rights to send text messages to the chat", "not enough rights"),
        ("Bad Request: need administrator rights in the channel chat", "administrator rights"),
        ("Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", "chat_send_plain_forbidden"),
        ("Bad Request: CHAT_GUEST_SEND_FORBIDDEN", "chat_guest_send_forbidden"),
        ("Bad Request: CHAT_ADMIN_REQUIRED", "chat_admin_required"),
        ("Bad Request: CHANNEL_PRIVATE", "channel_private"),
    ],
)
async def test_a_right_that_is_missing_closes_the_place(
    telegram: Control, chat: TelegramChat, description: str, reason: str
) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    await telegram.fail("400", method="sendPhoto", description=description)
    with pytest.raises(PlaceRefused) as refused:
        await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("Bad Request: SOMETHING_NEW_INVALID", "something_new_invalid"),
        ("Bad Request: your words", "BadRequest"),
    ],
)
async def test_a_refusal_that_nobody_knows_is_called_one_without_its_words(
    telegram: Control, chat: TelegramChat, description: str, reason: str
) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    await telegram.fail("400", method="sendPhoto", description=description)
    with pytest.raises(UnknownRefusal) as refused:
        await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    assert refused.value.reason == reason


async def test_a_token_that_is_taken_back_closes_nobody(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    """It is the bot that is refused: what is due waits for the new token."""
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
    await chat.start()
    await telegram.ask("revoke")
    with pytest.raises(RetryAfter):
        await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    with pytest.raises(RetryAfter):
        await chat.pin(f"tg:{group.id}", f"{group.id}:1:t")
    with pytest.raises(RetryAfter):
        await chat.send_direct(f"tg:{ada.id}", Page(text=("The night begins.",)), "n1 hour")
    await chat.stop()
