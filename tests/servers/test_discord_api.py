"""The tests' Discord server: it refuses and records what Discord would."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tests.patience import PATIENCE
from tests.servers.discord_api import contract
from tests.servers.discord_api.client import (
    Address,
    Discord,
    Impossible,
    discord_process,
    fresh_discord,
    running_discord,
    until,
)

pytestmark = pytest.mark.long

described = pytest.mark.skipif(
    contract.description() is None, reason="Discord's description does not lie beside the checkout"
)

ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Draw", "custom_id": "draw"}]}
TEXT = {"type": 10, "content": "A table"}
GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
PNG = b"\x89PNG"
V2 = 1 << 15


class Bot:
    """A bot without a library, which can do everything right or wrong."""

    def __init__(self, discord: Discord, session: aiohttp.ClientSession) -> None:
        self._discord = discord
        self._session = session
        self.headers = {"Authorization": f"Bot {discord.token}"}
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def call(
        self, method: str, path: str, body: object = None, *, file: bytes | None = None
    ) -> tuple[int, Any]:
        """One call, with a file as `a.png` besides its JSON if there is one."""
        status, answer, _ = await self.call_in_full(method, path, body, file=file)
        return status, answer

    async def call_in_full(
        self, method: str, path: str, body: object = None, *, file: bytes | None = None
    ) -> tuple[int, Any, Any]:
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(body))
        form.add_field("files[0]", file or b"", filename="a.png")
        sent: dict[str, Any] = {"json": body} if file is None else {"data": form}
        url = f"{self._discord.api_url}{path}"
        async with self._session.request(method, url, headers=self.headers, **sent) as response:
            answer = await response.json() if response.content_type == "application/json" else None
            return response.status, answer, response.headers

    async def message(self, channel: int, **body: object) -> tuple[int, Any]:
        return await self.call("POST", f"/channels/{channel}/messages", body)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """The gateway, identified. Its dispatched events go to `received`."""
        async with self._session.ws_connect(f"{self._discord.url}/gateway") as ws:
            await ws.receive_json()
            await ws.send_json({"op": 2, "d": {"token": self._discord.token, "intents": 1}})
            listening = asyncio.create_task(self._listen(ws))
            yield ws
            listening.cancel()

    async def _listen(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        async for message in ws:
            await self.received.put(message.json())

    async def interaction(self) -> dict[str, Any]:
        """The next interaction."""
        while True:
            payload = await asyncio.wait_for(self.received.get(), PATIENCE)
            if payload["t"] == "INTERACTION_CREATE":
                arrived: dict[str, Any] = payload["d"]
                return arrived

    async def respond(self, interaction: dict[str, Any], body: object) -> tuple[int, Any]:
        path = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
        return await self.call("POST", f"{path}?with_response=true", body)


@pytest.fixture(scope="module")
def server() -> Iterator[Address]:
    with discord_process() as address:
        yield address


@pytest.fixture
async def discord(server: Address) -> AsyncIterator[Discord]:
    async with fresh_discord(server) as fresh:
        yield fresh


@pytest.fixture
async def bot(discord: Discord) -> AsyncIterator[Bot]:
    async with aiohttp.ClientSession() as session:
        yield Bot(discord, session)


@pytest.fixture
async def channel(discord: Discord) -> int:
    return await discord.channel(await discord.guild())


async def the_finding(discord: Discord) -> str:
    (finding,) = await discord.findings()
    return finding


# Calls


async def test_any_text_may_stand_where_a_token_belongs(bot: Bot) -> None:
    status, answer = await bot.call("POST", "/interactions/1/%7B%7D/callback", {"type": 6})
    assert (status, answer["code"]) == (404, 10062)


async def test_a_wrong_token_is_unauthorized(discord: Discord, bot: Bot) -> None:
    bot.headers = {"Authorization": "Bot nobody"}
    assert (await bot.call("GET", "/users/@me"))[0] == 401


async def test_an_unknown_operation_is_recorded(discord: Discord, bot: Bot) -> None:
    assert (await bot.call("GET", "/nowhere"))[0] == 404
    assert "/nowhere" in await the_finding(discord)


@described
@pytest.mark.parametrize(
    "body",
    [{"content": 5}, {"components": [{"type": 99}]}, {"attachments": [{"filename": "a.png"}]}],
)
async def test_what_the_description_does_not_allow_is_refused(
    discord: Discord, bot: Bot, channel: int, body: dict[str, object]
) -> None:
    assert (await bot.message(channel, **body))[0] == 400
    assert f"/channels/{channel}/messages" in await the_finding(discord)


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ({"content": "x" * 2001}, "content of more than 2000 characters"),
        ({"content": ""}, "an empty message"),
        ({"content": "x", "components": [{**ROW, "components": []}]}, r"row holds|\$\.components"),
        ({"content": "x", "components": [ROW, ROW]}, "the same custom_id"),
        ({"content": "x", "components": [ROW | {"components": [{"type": 2, "style": 1}]}]}, "neither label"),
        ({"content": "x", "components": [TEXT]}, "need the components flag"),
        ({"content": "x", "components": [TEXT], "flags": V2}, "has no content"),
        ({"components": [TEXT | {"content": "x" * 4000}, TEXT], "flags": V2}, "more than 4000 characters"),
        ({"components": [TEXT] * 41, "flags": V2}, r"41 components|\$\.components"),
        ({"components": [GALLERY], "flags": V2}, "attachment://a.png is not attached"),
        ({"embeds": [{"description": "x" * 4000}] * 2}, "embeds of more than 6000"),
    ],
)
async def test_what_breaks_a_limit_is_refused(
    discord: Discord, bot: Bot, channel: int, body: dict[str, object], finding: str
) -> None:
    status, answer = await bot.message(channel, **body)
    assert (status, answer["code"]) == (400, 50035)
    assert re.search(finding, "\n".join(await discord.findings()))


async def test_a_custom_id_has_at_most_64_bytes(discord: Discord, bot: Bot, channel: int) -> None:
    button = {"type": 2, "style": 1, "label": "x", "custom_id": "x" * 65}
    row = {"type": 1, "components": [button]}
    assert (await bot.message(channel, content="x", components=[row]))[0] == 400
    assert "longer than 64 bytes" in await the_finding(discord)


async def test_an_attachment_is_listed_again_at_an_edit(discord: Discord, bot: Bot, channel: int) -> None:
    body = {"content": "x", "attachments": [{"id": 0, "filename": "a.png", "description": "alt"}]}
    path = f"/channels/{channel}/messages"
    _, sent = await bot.call("POST", path, body, file=PNG)
    assert [a["description"] for a in sent["attachments"]] == ["alt"]

    _, replaced = await bot.call("PATCH", f"{path}/{sent['id']}", body, file=PNG)
    assert len(replaced["attachments"]) == 1
    assert await discord.findings() == []

    _, added = await bot.call("PATCH", f"{path}/{sent['id']}", {"content": "y"}, file=PNG)
    assert len(added["attachments"]) == 2
    assert "did not list the attachments" in await the_finding(discord)


async def test_the_same_nonce_is_the_same_message(bot: Bot, channel: int) -> None:
    body: dict[str, Any] = {"content": "x", "nonce": "n1", "enforce_nonce": True}
    first, second = await bot.message(channel, **body), await bot.message(channel, **body)
    assert first[1]["id"] == second[1]["id"]


# Limits


async def test_a_route_s_limit_is_told_and_kept(discord: Discord, bot: Bot, channel: int) -> None:
    path = f"/channels/{channel}/messages"
    for left in (4, 3, 2, 1, 0):
        status, _, headers = await bot.call_in_full("POST", path, {"content": "x"})
        assert (status, headers["X-RateLimit-Remaining"]) == (200, str(left))

    status, answer, headers = await bot.call_in_full("POST", path, {"content": "x"})

    assert (status, answer["global"], headers["X-RateLimit-Scope"]) == (429, False, "user")
    assert 0 < answer["retry_after"] <= 5
    assert "nothing remained" in await the_finding(discord)


async def test_the_whole_bot_has_a_limit_too() -> None:
    async with running_discord("--whole-limit", "5/600") as discord, aiohttp.ClientSession() as session:
        bot = Bot(discord, session)
        answers = [await bot.call("GET", f"/channels/{n}") for n in range(7)]
    assert [status for status, _ in answers] == [404] * 5 + [429] * 2
    assert all(answer["global"] for status, answer in answers if status == 429)


# Permissions and private messages


async def test_missing_permissions_and_missing_access(discord: Discord, bot: Bot, channel: int) -> None:
    await discord.deny(channel, "send_messages")
    assert (await bot.message(channel, content="x"))[1]["code"] == 50013
    await discord.deny(channel, "view_channel")
    assert (await bot.message(channel, content="x"))[1]["code"] == 50001
    assert (await bot.message(1, content="x"))[1]["code"] == 10003


async def test_closed_messages_are_refused_and_not_to_be_tried_again(discord: Discord, bot: Bot) -> None:
    ada = await discord.user("Ada")
    _, direct = await bot.call("POST", "/users/@me/channels", {"recipient_id": str(ada)})
    await discord.direct_messages(ada, open=False)

    status, answer = await bot.message(int(direct["id"]), content="x")
    assert (status, answer["code"]) == (403, 50007)
    await discord.bot_killed()
    await bot.message(int(direct["id"]), content="x")
    assert await discord.findings() == []

    await bot.message(int(direct["id"]), content="x")
    assert "was tried again" in await the_finding(discord)


async def test_a_refusal_whose_answer_was_lost_may_be_asked_for_again(discord: Discord, bot: Bot) -> None:
    ada = await discord.user("Ada")
    _, direct = await bot.call("POST", "/users/@me/channels", {"recipient_id": str(ada)})
    await discord.direct_messages(ada, open=False)

    await discord.lose(1)
    with pytest.raises(aiohttp.ClientError):
        await bot.message(int(direct["id"]), content="x")
    await bot.message(int(direct["id"]), content="x")
    assert await discord.findings() == []

    await bot.message(int(direct["id"]), content="x")
    assert "was tried again" in await the_finding(discord)


# Interactions


async def test_an_answer_has_three_seconds_and_its_token_a_life() -> None:
    async with (
        running_discord("--answer-seconds", "2", "--token-seconds", "4") as discord,
        aiohttp.ClientSession() as session,
    ):
        bot = Bot(discord, session)
        ada, channel = await table_in_channel(discord, bot)
        async with bot.connected():
            await discord.wait_connected()
            (seen,) = await discord.sees(ada, channel)
            await discord.press(ada, seen, "Draw")
            late = await bot.interaction()

            async def found() -> bool:
                return bool(await discord.findings())

            await until(found)
            assert "was not answered in time" in await the_finding(discord)
            assert (await bot.respond(late, {"type": 6}))[1]["code"] == 10062

            await discord.press(ada, seen, "Draw")
            quick = await bot.interaction()
            assert (await bot.respond(quick, {"type": 6}))[0] == 200
            hook = f"/webhooks/{quick['application_id']}/{quick['token']}"
            assert (await bot.call("POST", hook, {"content": "x"}))[0] == 200

            async def dead() -> bool:
                await asyncio.sleep(0.2)  # a follow-up is a call like any other, and has a limit
                return (await bot.call("POST", hook, {"content": "x"}))[0] == 401

            await until(dead)


async def test_an_interaction_is_answered_once(discord: Discord, bot: Bot) -> None:
    ada, channel = await table_in_channel(discord, bot)
    async with bot.connected():
        await discord.wait_connected()
        (seen,) = await discord.sees(ada, channel)
        await discord.press(ada, seen, "Draw")
        interaction = await bot.interaction()
        assert (await bot.respond(interaction, {"type": 6}))[0] == 200
        assert (await bot.respond(interaction, {"type": 6}))[1]["code"] == 40060
    assert "answered twice" in await the_finding(discord)


async def test_people_press_only_what_they_are_shown(discord: Discord, bot: Bot) -> None:
    ada, channel = await table_in_channel(discord, bot)
    stranger = await discord.user("Can")
    async with bot.connected():
        await discord.wait_connected()
        (seen,) = await discord.sees(ada, channel)
        for user, message, custom_id in [
            (ada, seen.id, "take"),
            (ada, 1, "draw"),
            (stranger, seen.id, "draw"),
        ]:
            with pytest.raises(Impossible):
                await discord.press_exactly(user, channel, message, custom_id)
        with pytest.raises(Impossible, match="no command"):
            await discord.command(ada, channel, "okey")


async def test_an_ephemeral_answer_is_one_person_s(discord: Discord, bot: Bot) -> None:
    ada, channel = await table_in_channel(discord, bot)
    async with bot.connected():
        await discord.wait_connected()
        (seen,) = await discord.sees(ada, channel)
        await discord.press(ada, seen, "Draw")
        interaction = await bot.interaction()
        body = {"type": 4, "data": {"content": "R4", "flags": 64}}
        _, answer = await bot.respond(interaction, body)
    assert [m.text for m in await discord.sees(ada, channel)] == ["A table", "R4"]
    guild = int(interaction["guild_id"])
    other = await discord.user("Ece", guild=guild)
    assert [m.text for m in await discord.sees(other, channel)] == ["A table"]
    path = f"/channels/{channel}/messages/{answer['resource']['message']['id']}"
    assert (await bot.call("PATCH", path, {"content": "x"}))[1]["code"] == 10008


async def table_in_channel(discord: Discord, bot: Bot) -> tuple[int, int]:
    """A person, and a channel with a message that has a button."""
    guild = await discord.guild()
    channel, ada = await discord.channel(guild), await discord.user("Ada", guild=guild)
    status, _ = await bot.message(channel, content="A table", components=[ROW])
    assert status == 200
    return ada, channel


# The gateway


async def test_a_session_is_resumed_with_what_was_missed(discord: Discord, bot: Bot) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{discord.url}/gateway") as ws:
            await ws.receive_json()
            await ws.send_json({"op": 2, "d": {"token": discord.token, "intents": 1}})
            ready = await ws.receive_json()
        guild = await discord.guild("Meanwhile")
        async with session.ws_connect(f"{discord.url}/gateway") as ws:
            await ws.receive_json()
            known = {"session_id": ready["d"]["session_id"], "seq": ready["s"], "token": discord.token}
            await ws.send_json({"op": 6, "d": known})
            missed, resumed = await ws.receive_json(), await ws.receive_json()
    assert (missed["t"], missed["d"]["id"]) == ("GUILD_CREATE", str(guild))
    assert resumed["t"] == "RESUMED"


@pytest.mark.parametrize(
    ("identify", "code"),
    [({"token": "nobody", "intents": 1}, 4004), ({"token": None, "intents": 1 | 1 << 15}, 4014)],
)
async def test_the_gateway_turns_away(discord: Discord, identify: dict[str, Any], code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{discord.url}/gateway") as ws:
        await ws.receive_json()
        await ws.send_json({"op": 2, "d": identify | {"token": identify["token"] or discord.token}})
        await ws.receive()
        assert ws.close_code == code


async def test_a_silent_connection_is_closed() -> None:
    async with (
        running_discord("--heartbeat-seconds", "0.1") as discord,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{discord.url}/gateway") as ws,
    ):
        await ws.receive_json()
        await ws.receive()
        assert ws.close_code == 4009
        assert "heartbeat" in await the_finding(discord)


# The server's own answers


@described
async def test_our_answers_are_as_discord_describes_them(discord: Discord, bot: Bot, channel: int) -> None:
    application = (await bot.call("GET", "/applications/@me"))[1]["id"]
    ada = await discord.user("Ada")
    body = {"components": [TEXT, GALLERY, ROW], "flags": V2, "attachments": [{"id": 0, "filename": "a.png"}]}
    command = {"name": "okey", "description": "Play", "options": []}
    await discord.emojis("okey_R4")
    asked: list[tuple[str, str, str, object, bytes | None]] = [
        ("UserPIIResponse", "GET", "/users/@me", None, None),
        ("GatewayBotResponse", "GET", "/gateway/bot", None, None),
        ("PrivateChannelResponse", "POST", "/users/@me/channels", {"recipient_id": str(ada)}, None),
        ("MessageResponse", "POST", f"/channels/{channel}/messages", {"content": "x"}, None),
        ("MessageResponse", "POST", f"/channels/{channel}/messages", body, PNG),
        ("ListApplicationEmojisResponse", "GET", f"/applications/{application}/emojis", None, None),
    ]
    problems = []
    for schema, method, path, sent, file in asked:
        _, answer = await bot.call(method, path, sent, file=file)
        problems += contract.answer_problems(schema, answer)
    _, commands = await bot.call("PUT", f"/applications/{application}/commands", [command])
    problems += contract.answer_problems("ApplicationCommandResponse", commands[0])
    _, guilds = await bot.call("GET", "/users/@me/guilds")
    problems += contract.answer_problems("MyGuildResponse", guilds[0])
    assert problems == []
