"""The end of a match: an effect for its winner, and a reaction on the group's table."""

from dataclasses import replace

from adapters.telegram_chat import TelegramChat
from tests.adapters.telegram_chat.scene import rack, table
from tests.servers.telegram_api.client import Control


async def test_a_winner_s_new_message_has_an_effect_and_an_edit_has_none(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada", started=True)
    won = replace(rack(), celebrates=True)
    message = await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=True)
    await chat.show_rack(f"tg:{ada.id}", won, message, notify=True)
    await chat.show_rack(
        f"tg:{ada.id}", replace(rack(2, text=("You won!",), tiles=()), celebrates=True), None, notify=True
    )
    sent = await telegram.calls("sendPhoto", "sendMessage")
    assert ["message_effect_id" in call.parameters for call in sent] == [False, True, True]
    assert await telegram.findings() == []


async def test_a_server_without_the_effect_gets_the_message_without_it(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada", started=True)
    await telegram.fail("400", method="sendPhoto", description="Bad Request: EFFECT_ID_INVALID")
    await chat.show_rack(f"tg:{ada.id}", replace(rack(), celebrates=True), None, notify=True)
    refused, sent = await telegram.calls("sendPhoto")
    assert "message_effect_id" in refused.parameters
    assert "message_effect_id" not in sent.parameters
    assert [each.picture is not None for each in await ada.read()] == [False, True]


async def test_a_table_gets_one_reaction_and_none_where_the_bot_may_not(
    telegram: Control, chat: TelegramChat
) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    place = f"tg:{group.id}"
    message = await chat.show_table(place, table(), None, anew=True)
    await chat.celebrate(place, message)
    for words in ("REACTIONS_DISABLED", "not enough rights to react", "message to react not found"):
        await telegram.fail("400", method="setMessageReaction", description=f"Bad Request: {words}")
        await chat.celebrate(place, message)
    first, *_ = calls = await telegram.calls("setMessageReaction")
    assert len(calls) == 4
    assert first.parameters["reaction"] == [{"type": "emoji", "emoji": "\U0001f3c6"}]
    assert await telegram.findings() == []
