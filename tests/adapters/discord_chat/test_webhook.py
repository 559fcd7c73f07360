"""Interactions over HTTP: what is signed is taken, and nothing else is read."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from adapters.discord_chat import DiscordChat, webhook
from adapters.discord_chat.webhook import PATH, DiscordWebhook
from bot.ports import Answer
from tests.adapters.discord_chat.scene import table_screen
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.servers.discord_api.client import Discord
from tests.slash import slash

PING = json.dumps({"type": 1})


@dataclass
class Posted:
    """A bot to which Discord posts, with a channel and somebody in it."""

    discord: Discord
    chat: DiscordChat
    webhook: DiscordWebhook
    router: ScriptedRouter
    url: str
    guild: int
    channel: int
    ada: int

    async def post(self, body: str, headers: Mapping[str, str]) -> tuple[int, str]:
        async with (
            aiohttp.ClientSession() as session,
            session.post(self.url, data=body, headers=headers) as answer,
        ):
            return answer.status, await answer.text()


@pytest.fixture
async def posted(discord: Discord, unused_tcp_port: int) -> AsyncIterator[Posted]:
    guild = await discord.guild()
    channel, ada = await discord.channel(guild), await discord.user("Ada", guild=guild)
    endpoint, router = DiscordWebhook(await discord.public_key()), ScriptedRouter()
    chat = DiscordChat(
        router=router,
        delivery=ScriptedDelivery(),
        token=discord.token,
        api_url=discord.api_url,
        webhook=endpoint,
    )
    app = web.Application()
    app.router.add_post(PATH, endpoint.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", unused_tcp_port).start()
    url = f"http://127.0.0.1:{unused_tcp_port}{PATH}"
    await chat.start()
    running = asyncio.create_task(chat.run())
    await discord.post_to(url)
    yield Posted(discord, chat, endpoint, router, url, guild, channel, ada)
    await chat.stop()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    await runner.cleanup()


async def test_what_is_posted_goes_the_gateways_way_without_a_gateway(posted: Posted) -> None:
    posted.router.answers["/play"] = Answer(public=table_screen())
    discord = posted.discord
    await discord.answered(await discord.command(posted.ada, posted.channel, *slash("")))
    (typed,) = posted.router.typed
    assert (typed.by.key, typed.place) == (f"dc:{posted.ada}", f"dc:{posted.channel}")
    (table,) = await discord.sees(posted.ada, posted.channel)
    posted.router.answers["join.t1.0"] = Answer(notice=("You sit down",))
    await discord.answered(await discord.press(posted.ada, table, "Join"))
    assert (await discord.sees(posted.ada, posted.channel))[-1].text == "You sit down"
    assert await discord.sessions_begun() == 0


async def test_a_timestamp_that_is_no_text_is_refused(posted: Posted) -> None:
    address = URL(posted.url)
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(b"POST %b HTTP/1.1\r\nHost: okey.test\r\nContent-Length: 0\r\n" % PATH.encode())
    writer.write(b"X-Signature-Timestamp: \xff\r\n\r\n")
    assert b" 401 " in await reader.readline()
    writer.close()


async def test_what_is_not_signed_just_now_by_discord_is_refused_unread(posted: Posted) -> None:
    signed = await posted.discord.signed(PING)
    assert await posted.post(PING, signed) == (200, PING)
    stale = await posted.discord.signed(PING, seconds_ago=301)
    early = await posted.discord.signed(PING, seconds_ago=-400)
    forged = signed | {"X-Signature-Ed25519": "00" * 64}
    for headers in ({}, stale, early, forged, signed | {"X-Signature-Ed25519": "no digits"}):
        assert (await posted.post(PING, headers))[0] == 401
    assert (await posted.post("not even JSON", signed))[0] == 401
    assert (await posted.post("{", await posted.discord.signed("{")))[0] == 400


async def test_what_comes_as_the_bot_logs_in_waits_for_it(
    posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "OPENED_WITHIN", 60.0)
    await posted.chat.stop()
    body, received = json.dumps({"type": 3}), list[object]()
    asked = asyncio.create_task(posted.post(body, await posted.discord.signed(body)))
    assert not (await asyncio.wait({asked}, timeout=0.2))[0]
    posted.webhook.open(received.append)
    assert (await asked)[0] == 202
    assert received == [{"type": 3}]


async def test_whoever_is_not_logged_in_takes_nothing(
    posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "OPENED_WITHIN", 0.0)
    await posted.chat.stop()
    body = json.dumps({"type": 3})
    assert (await posted.post(body, await posted.discord.signed(body)))[0] == 503


async def test_servers_and_channels_are_asked_for(posted: Posted) -> None:
    place, chat = f"dc:{posted.channel}", posted.chat
    assert chat.places.link(place) is None
    assert await chat.places.community(place) == f"dc:server/{posted.guild}"
    way = chat.places.link(place)
    assert way is not None
    assert way.url == f"https://discord.com/channels/{posted.guild}/{posted.channel}"
    assert await chat.lacks_for_rooms(place) == ()
    assert await chat.open_room(place, "Table 1") is not None
    assert await chat.places.organises(f"dc:{posted.ada}", place) is False
    assert await chat.places.community("dc:1") == "dc:1", "no channel of the bot's"
    lookups = await _lookups(posted.discord)
    await chat.places.community(place)
    await chat.places.community("dc:1")
    assert await _lookups(posted.discord) == lookups, "what was learned is believed"


async def _lookups(discord: Discord) -> int:
    """The number of calls that asked for servers and channels; others may be under way."""
    calls = await discord.calls()
    return len([call for call in calls if call.path.startswith(("/channels/", "/guilds/"))])
