"""Login, the gateway, commands registered, farewell."""

import asyncio
import gc
import logging
import threading
from typing import Any

import pytest
from aiohttp import ClientSession

from adapters.discord_chat import DiscordChat
from bot.ports import Answer, ChatRefused, RetryAfter
from tests.adapters.discord_chat.scene import JOIN, Scene, playing, scene, table_screen
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.patience import PATIENCE
from tests.servers.discord_api.client import Discord, until

pytestmark = pytest.mark.long


async def test_a_wrong_token_is_refused_and_never_told(
    discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    token = "MTA4.wrong.token-that-nobody-may-read"
    chat = DiscordChat(
        router=ScriptedRouter(), delivery=ScriptedDelivery(), token=token, api_url=discord.api_url
    )
    with caplog.at_level(logging.DEBUG), pytest.raises(ChatRefused) as refused:
        await chat.start()
    await chat.stop()
    assert refused.value.code == "bad_token"
    assert token not in caplog.text
    assert token not in repr(refused.value) + repr(chat)


async def test_the_token_is_in_no_log(discord: Discord, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with scene(discord) as okey:
            await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
            await okey.press(okey.can, await okey.last(okey.can), "Join")
            token = okey.discord.token
    assert token not in caplog.text


async def test_a_failed_first_handshake_is_tried_again(
    discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    await discord.refuse_handshakes(2)
    with caplog.at_level(logging.INFO):
        async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
            assert await discord.sessions_begun() == 1
    assert "Traceback" not in caplog.text


async def test_no_session_is_begun_beyond_the_day_s_limit(discord: Discord) -> None:
    await discord.use_up_sessions(0.5)
    async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
        assert await discord.findings() == []


async def test_a_connection_that_ends_within_its_handshake_is_tried_again(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By luck alone can one be ended at that very moment: aiohttp's own assertion stands for it."""
    connect = ClientSession.ws_connect
    ended = iter([AssertionError])

    def perhaps_ended(self: ClientSession, *address: Any, **options: Any) -> Any:
        for error in ended:
            raise error
        return connect(self, *address, **options)

    monkeypatch.setattr(ClientSession, "ws_connect", perhaps_ended)
    async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
        assert await discord.connected()


async def test_a_503_at_login_is_borne(discord: Discord, caplog: pytest.LogCaptureFixture) -> None:
    await discord.fail(2, 503, path="/users/@me")
    async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
        gc.collect()
    assert "Unclosed" not in caplog.text


async def test_a_start_that_is_called_off_leaves_nothing_open(
    discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    before = asyncio.all_tasks()
    await discord.hang(1, 5.0, path="/commands")
    chat = DiscordChat(
        router=ScriptedRouter(), delivery=ScriptedDelivery(), token=discord.token, api_url=discord.api_url
    )
    starting = asyncio.create_task(chat.start())
    await until(lambda: _asked_for_commands(discord))
    starting.cancel()
    await asyncio.wait({starting})
    del chat, starting
    assert asyncio.all_tasks() == before, "no emoji is uploaded by a chat that is not there"
    gc.collect()
    assert "Unclosed" not in caplog.text


async def _asked_for_commands(discord: Discord) -> bool:
    return any("/commands" in call.path for call in await discord.calls())


async def test_who_has_left_says_later(okey: Scene) -> None:
    await okey.chat.stop()
    with pytest.raises(RetryAfter):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)


async def test_a_discord_that_is_not_there_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.discord_chat.gateway.LOGIN_TRIES", 2)
    api_url = "http://127.0.0.1:1/api/v10"
    chat = DiscordChat(router=ScriptedRouter(), delivery=ScriptedDelivery(), token="x", api_url=api_url)
    with pytest.raises(ChatRefused) as refused:
        await chat.start()
    assert refused.value.code == "unreachable"


@pytest.mark.parametrize("how", ["abort", "reconnect"])
async def test_a_dropped_gateway_is_resumed_and_nothing_is_lost(okey: Scene, how: str) -> None:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    seen = await okey.last(okey.can)
    await okey.discord.drop_gateway(how)

    await okey.press(okey.can, seen, "Join")

    assert [press.data for press in okey.router.pressed] == [JOIN.press]
    assert await okey.discord.sessions_begun() == 1


async def test_a_forgotten_session_is_begun_anew(okey: Scene) -> None:
    await okey.discord.drop_gateway("invalidate")

    async def begun() -> bool:
        return await okey.discord.sessions_begun() == 2

    await until(begun)


async def test_a_forgotten_session_is_begun_anew_only_within_the_day_s_limit(okey: Scene) -> None:
    await okey.discord.use_up_sessions(6.0)  # longer than discord.py waits before it begins another
    await okey.discord.drop_gateway("invalidate")

    async def begun() -> bool:
        return await okey.discord.sessions_begun() == 2 or await okey.discord.findings() != []

    await until(begun)
    assert await okey.discord.findings() == []
    beating = [thread for thread in threading.enumerate() if thread.name.startswith("keep-alive-handler")]
    assert len(beating) == 1, "the connection of the forgotten session is closed"


async def test_buttons_outlive_the_bot(discord: Discord) -> None:
    guild = await discord.guild()
    channel, can = await discord.channel(guild), await discord.user("Can", guild=guild)
    async with playing(discord, ScriptedRouter(), ScriptedDelivery()) as first:
        await first.show_table(f"dc:{channel}", table_screen(), None, anew=False)
    router = ScriptedRouter()
    async with playing(discord, router, ScriptedDelivery()):
        (seen,) = await discord.sees(can, channel)
        await discord.answered(await discord.press(can, seen, "Join"))
    assert [press.data for press in router.pressed] == [JOIN.press]


async def test_an_answer_under_way_is_finished_before_the_farewell(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    okey.router.answers[JOIN.press] = Answer(notice=("Welcome",))
    stopping = asyncio.Event()
    okey.router.waits = stopping.wait
    await okey.discord.press(okey.can, await okey.last(okey.can), "Join")

    async def asked() -> bool:
        return len(okey.router.pressed) == 1

    await until(asked)
    stopped = asyncio.create_task(okey.chat.stop())
    await asyncio.sleep(0)
    stopping.set()
    await stopped

    assert (await okey.last(okey.can)).text == "Welcome"


async def test_stopping_ends_the_run(discord: Discord) -> None:
    chat = DiscordChat(
        router=ScriptedRouter(), delivery=ScriptedDelivery(), token=discord.token, api_url=discord.api_url
    )
    await chat.start()
    running = asyncio.create_task(chat.run())
    await discord.wait_connected()
    await chat.stop()
    await asyncio.wait_for(running, PATIENCE)
