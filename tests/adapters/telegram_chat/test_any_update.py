"""Whatever Telegram delivers, polled or pushed, whole or damaged: the bot goes on, and takes nothing for a
press or a command of somebody who did not send one."""

import asyncio
import json
import random
from collections.abc import Iterable
from functools import partial
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from adapters.telegram_chat import TelegramChat
from bot.ports import Answer
from tests.adapters.scripted import AnyRouter, ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.made_up_updates import made_up
from tests.adapters.telegram_chat.scene import rack
from tests.fuzz import times
from tests.fuzz.draws import damaged, strange_text
from tests.fuzz.quiet import quietly
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import TOKEN, Control, eventually

pytestmark = pytest.mark.long

Json = dict[str, Any]

AT_ONCE = 50
"""So many updates come in one answer to a poll."""

NOT_UPDATES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'"x"',
    b"{}",
    b'{"update_id": "7"}',
    b"\xff\xfe",
    b"[" * 10_000,
)


def any_router(dice: random.Random) -> AnyRouter:
    return AnyRouter(dice, Answer(private=rack(tiles=())), Answer(notice=("Done.",), open_private="token"))


def some_updates(dice: random.Random, number: int) -> list[Json]:
    """Every second one is damaged."""
    whole = [made_up(dice) for _ in range(number)]
    return [damaged(dice, update) if dice.random() < 0.5 else update for update in whole]


def senders(value: object) -> Iterable[object]:
    """Everybody whom an update names as its sender, at whatever depth."""
    if isinstance(value, dict):
        if isinstance(value.get("from"), dict):
            yield value["from"].get("id")
        for each in value.values():
            yield from senders(each)


async def check_server(telegram: Control) -> None:
    """No rule was broken; that Telegram knows none of these presses is our doing."""
    assert {each for each in await telegram.findings() if "no such callback query" not in each} == set()
    await telegram.ask("reset")


def check_asked(router: ScriptedRouter, sent: set[object]) -> None:
    """Whoever the router heard of had sent something; a group asks nothing but how to be known."""
    assert router.pressed
    assert router.typed
    assert {int(asked.by.key.removeprefix("tg:")) for asked in router.pressed} <= sent
    asked_by = {(int(asked.by.key.removeprefix("tg:")), asked.verb) for asked in router.typed}
    assert {person for person, verb in asked_by if verb != "anonymous"} <= sent
    assert all(person < 0 for person, verb in asked_by if verb == "anonymous" and person not in sent)


async def test_any_update_is_borne_while_polling(
    telegram: Control, delivery: ScriptedDelivery, until: Until, caplog: pytest.LogCaptureFixture
) -> None:
    dice = random.Random(2)
    router = any_router(dice)
    with quietly(caplog):
        chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
        await chat.start()
        polling = asyncio.create_task(chat.run())
        ada = await telegram.person("Ada")
        sent: set[object] = {ada.id}
        for turn in range(-(-times(400) // AT_ONCE)):
            updates = some_updates(dice, AT_ONCE)
            sent |= {each for update in updates for each in senders(update) if isinstance(each, int)}
            await telegram.ask("tell_anything", updates=updates)
            await ada.write(ada.id, f"/word heard {turn}")
            await until(partial(_heard, router, f"heard {turn}"))
        await _all_answered(telegram, router)
        assert not polling.done()
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)
        await chat.stop()
    check_asked(router, sent)
    await check_server(telegram)


async def _all_answered(telegram: Control, router: ScriptedRouter) -> None:
    """Wait until every press was answered. A chat that stops answers only for a few seconds more."""

    async def none_left() -> bool:
        answers = await telegram.calls("answerCallbackQuery")
        return {press.id for press in router.pressed} <= {
            each.parameters["callback_query_id"] for each in answers
        }

    await eventually(none_left, PATIENCE, "a press was not answered")


def _heard(router: ScriptedRouter, word: str) -> bool:
    return any(typed.argument == word for typed in router.typed)


async def test_any_update_is_borne_at_the_webhook(
    telegram: Control, delivery: ScriptedDelivery, unused_tcp_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    dice = random.Random(3)
    url = f"http://127.0.0.1:{unused_tcp_port}/updates"
    router = any_router(dice)
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, webhook_url=url)
    await chat.start()
    runner = await _serving(chat, unused_tcp_port)
    (set_up,) = await telegram.calls("setWebhook")
    secret = {"X-Telegram-Bot-Api-Secret-Token": str(set_up.parameters["secret_token"])}
    sent: set[object] = set()
    with quietly(caplog):
        async with aiohttp.ClientSession() as session:
            for number, update in enumerate(some_updates(dice, times(400))):
                sent |= {each for each in senders(update) if isinstance(each, int)}
                body = json.dumps(update | {"update_id": number}).encode()
                async with session.post(url, data=body, headers=secret) as answer:
                    assert answer.status == 200, update
            for body in (*NOT_UPDATES, strange_text(dice).encode(errors="replace")):
                async with session.post(url, data=body, headers=secret) as answer:
                    assert answer.status == 400, body
            asked = len(router.pressed) + len(router.typed)
            async with session.post(url, json=made_up(dice), headers=secret) as answer:
                assert answer.status == 400  # without a number it is no update
        await _all_answered(telegram, router)
        await chat.stop()
        await runner.cleanup()
    assert len(router.pressed) + len(router.typed) == asked
    check_asked(router, sent)
    await check_server(telegram)


async def _serving(chat: TelegramChat, port: int) -> web.AppRunner:
    route = chat.webhook_route()
    assert route is not None
    app = web.Application()
    app.router.add_post(*route)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    return runner
