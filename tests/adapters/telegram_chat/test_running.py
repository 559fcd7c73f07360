"""Starting, hearing, falling silent: tokens, polling, the webhook, and what is logged."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import aiohttp
import pytest
from aiohttp import web

from adapters.telegram_chat import TelegramChat
from bot.logs import set_up_logging
from bot.ports import Answer, ChatRefused, TypedCommand
from bot.settings import Secret
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.scene import rack
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import TOKEN, Control, eventually

pytestmark = pytest.mark.long


async def test_a_wrong_token_is_refused_and_never_told(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = TOKEN[:-5] + "wrong"
    chat = TelegramChat(router=router, delivery=delivery, token=wrong, api_url=telegram.url)
    with pytest.raises(ChatRefused) as refused:
        await chat.start()
    assert refused.value.code == "bad_token"
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__
    assert wrong not in caplog.text


async def test_a_telegram_that_is_not_there_is_unreachable(
    router: ScriptedRouter, delivery: ScriptedDelivery, unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram_chat.chat._START_SECONDS", 0.5)
    monkeypatch.setattr("adapters.telegram_chat.calls._PATIENCE", 0.5)
    chat = TelegramChat(
        router=router, delivery=delivery, token=TOKEN, api_url=f"http://127.0.0.1:{unused_tcp_port}"
    )
    with pytest.raises(ChatRefused) as refused:
        await chat.start()
    assert refused.value.code == "unreachable"


async def test_a_token_that_is_taken_back_ends_the_run(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
    await chat.start()
    await telegram.ask("revoke")
    with pytest.raises(ChatRefused) as refused:
        async with asyncio.timeout(PATIENCE):
            await chat.run()
    assert refused.value.code == "bad_token"
    await chat.stop()


async def test_polling_goes_on_after_trouble(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada", started=True)
    await telegram.fail("502", method="getUpdates")
    await telegram.ask("drop_connections")
    await ada.write(ada.id, "/help")
    await until(lambda: [typed.verb for typed in router.typed] == ["start", "help"])


async def test_one_slow_decision_holds_up_nobody_else_for_long(
    telegram: Control, delivery: ScriptedDelivery, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram_chat.updates._DECIDING_SECONDS", 0.2)

    class SlowRouter(ScriptedRouter):
        def __init__(self) -> None:
            super().__init__()
            self.slow = asyncio.Event()

        async def command(self, typed: TypedCommand) -> Answer:
            if typed.verb == "rack":
                await self.slow.wait()
            return await super().command(typed)

    router = SlowRouter()
    async with _running(telegram, router, delivery):
        ada = await telegram.person("Ada", started=True)
        await ada.write(ada.id, "/rack")
        await ada.write(ada.id, "/help")
        await until(lambda: [typed.verb for typed in router.typed] == ["start", "help"])
        await ada.write(ada.id, "/word x")
        await until(lambda: [typed.verb for typed in router.typed] == ["start", "help", "word"])
        router.slow.set()


async def test_what_the_desk_has_not_decided_is_heard_again_after_a_crash(
    telegram: Control, delivery: ScriptedDelivery, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram_chat.updates._DECIDING_SECONDS", 60.0)
    monkeypatch.setattr("adapters.telegram_chat.updates._PARTING_SECONDS", 0.1)

    class DyingRouter(ScriptedRouter):
        def __init__(self) -> None:
            super().__init__()
            self.asked = asyncio.Event()

        async def command(self, typed: TypedCommand) -> Answer:
            self.asked.set()
            await asyncio.Event().wait()
            raise AssertionError

    dying = DyingRouter()
    ada = await telegram.person("Ada")
    crashing = TelegramChat(router=dying, delivery=delivery, token=TOKEN, api_url=telegram.url)
    await crashing.start()
    running = asyncio.create_task(crashing.run())
    await ada.start("seat")
    await dying.asked.wait()
    polls = len(await telegram.calls("getUpdates"))
    # The next poll would confirm the update: it must not come before the router has decided.
    with suppress(AssertionError):
        await eventually(partial(_polled_again, telegram, polls), 0.3, "no poll")
    assert len(await telegram.calls("getUpdates")) == polls
    running.cancel()
    router = ScriptedRouter()
    async with _running(telegram, router, delivery):
        await until(lambda: bool(router.typed))
    assert (router.typed[0].verb, router.typed[0].argument) == ("start", "seat")
    await crashing.stop()


async def test_what_is_decided_late_is_not_confirmed_with_what_came_after_it(
    telegram: Control, delivery: ScriptedDelivery, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram_chat.updates._PARTING_SECONDS", 0.1)

    class SlowRouter(ScriptedRouter):
        async def command(self, typed: TypedCommand) -> Answer:
            answer = await super().command(typed)
            if typed.verb == "rack":
                await asyncio.Event().wait()
            return answer

    first, second = SlowRouter(), ScriptedRouter()
    async with _running(telegram, first, delivery):
        ada = await telegram.person("Ada")
        await ada.write(ada.id, "/rack")
        await ada.write(ada.id, "/help")
        await ada.write(ada.id, "/word x")
        await until(lambda: {typed.verb for typed in first.typed} == {"rack", "help", "word"})
        polls = len(await telegram.calls("getUpdates"))
        await eventually(partial(_polled_again, telegram, polls), PATIENCE, "no poll")
    assert len(first.typed) == 3, "what Telegram tells again meanwhile is not done again"
    async with _running(telegram, second, delivery):
        await until(lambda: "rack" in [typed.verb for typed in second.typed])


async def test_what_was_heard_is_not_heard_again_by_the_next(
    telegram: Control, delivery: ScriptedDelivery, until: Until
) -> None:
    ada = await telegram.person("Ada")
    first, second = ScriptedRouter(), ScriptedRouter()
    async with _running(telegram, first, delivery):
        await ada.start("seat")
        await until(lambda: bool(first.typed))
        # The next poll confirms what was heard.
        await eventually(partial(_confirmed, telegram), PATIENCE, "no update was confirmed")
    async with _running(telegram, second, delivery):
        await ada.write(ada.id, "/help")
        await until(lambda: bool(second.typed))
    assert [typed.verb for typed in second.typed] == ["help"]


async def test_the_webhook_takes_updates_with_its_secret_only(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until, unused_tcp_port: int
) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/telegram/updates"
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, webhook_url=url)
    route = chat.webhook_route()
    assert route is not None
    assert route[0] == "/telegram/updates"
    app = web.Application()
    app.router.add_post(*route)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", unused_tcp_port).start()
    await chat.start()
    ada = await telegram.person("Ada")
    await ada.start("seat")
    await until(lambda: bool(router.typed))
    pushed = await eventually(partial(telegram.ask, "pushed"), PATIENCE, "Telegram got no answer")
    assert pushed == [200]
    async with aiohttp.ClientSession() as stranger:
        for headers in ({}, {"X-Telegram-Bot-Api-Secret-Token": "guess"}):
            async with stranger.post(url, json={"update_id": 1}, headers=headers) as answer:
                assert answer.status == 401
    assert await _status_for_bytes(unused_tcp_port, route[0], b"\xff") == 401
    assert len(router.typed) == 1
    await chat.stop()
    await runner.cleanup()


async def _status_for_bytes(port: int, path: str, secret: bytes) -> int:
    """The answer to a post whose secret need not be text."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST %b HTTP/1.1\r\nHost: okey.test\r\nContent-Length: 0\r\n" % path.encode())
    writer.write(b"X-Telegram-Bot-Api-Secret-Token: %b\r\n\r\n" % secret)
    answer = await reader.readline()
    writer.close()
    return int(answer.split()[1])


async def test_an_address_that_telegram_does_not_take_is_said_to_be_at_fault(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    url = "http://okey.test/hook"
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, webhook_url=url)
    reason = "Bad Request: bad webhook: An HTTPS URL must be provided for webhook"
    await telegram.fail("400", method="setWebhook", description=reason)
    with pytest.raises(ChatRefused) as refused:
        await chat.start()
    assert refused.value.code == "bad_webhook"


async def test_many_starts_at_once_wait_for_telegram_as_it_asks(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    url = "https://okey.test/hook"
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, webhook_url=url)
    await telegram.fail("429", method="setWebhook", seconds=1)
    await chat.start()
    await chat.stop()


async def test_people_are_answered_while_telegram_takes_no_menus(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    await telegram.fail("429", 1000, method="setMyCommands", seconds=300)

    async def refused() -> bool | None:
        return bool(await telegram.calls("setMyCommands")) or None

    async with _running(telegram, router, delivery):
        await eventually(refused, PATIENCE, "no menu was offered")
        ada = await telegram.person("Ada", started=True)
        await until(lambda: bool(router.typed))
        assert router.typed[0].by.key == f"tg:{ada.id}"


async def test_polling_takes_over_from_a_webhook(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until, unused_tcp_port: int
) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/"
    pushed = TelegramChat(
        router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, webhook_url=url
    )
    await pushed.start()
    await pushed.stop()
    async with _running(telegram, router, delivery) as polled:
        assert polled.webhook_route() is None
        ada = await telegram.person("Ada", started=True)
        await until(lambda: bool(router.typed))
        assert router.typed[0].by.key == f"tg:{ada.id}"


async def test_what_is_on_its_way_arrives_before_the_end(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", started=True)
    async with _running(telegram, router, delivery) as chat:
        await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=False)
        shown = await ada.sees(lambda message: bool(message.picture))
        router.answers["draw.t1.0"] = Answer(private=rack(2, text=("At last",)))
        await telegram.fail("502", method="editMessageMedia")
        await ada.press(shown, "draw.t1.0")
    assert [message.words for message in await ada.read() if message.from_bot] == ["At last"]


async def test_no_log_holds_the_token_or_a_rack(
    telegram: Control,
    router: ScriptedRouter,
    delivery: ScriptedDelivery,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    set_up_logging("DEBUG", [Secret(TOKEN)])
    try:
        ada = await telegram.person("Ada", started=True)
        answer = Answer(private=rack(2, text=("Hidden rack",)), notice=("Hidden notice",))
        router.answers["draw.t1.0"] = answer
        async with _running(telegram, router, delivery) as chat:
            await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=False)
            shown = await ada.sees(lambda message: bool(message.picture))
            await telegram.fail("400", method="editMessageMedia", description="Bad Request: Hidden words")
            await ada.press(shown, "draw.t1.0")
    finally:
        logging.captureWarnings(False)
    logged = capsys.readouterr().err
    assert "unexpected UnknownRefusal at" in logged
    assert "Hidden" not in logged
    assert TOKEN.partition(":")[2] not in logged
    assert TOKEN.partition(":")[2] not in repr(chat)


async def test_a_page_instead_of_an_answer_is_one_line_in_the_log(
    telegram: Control, chat: TelegramChat, caplog: pytest.LogCaptureFixture
) -> None:
    ada = await telegram.person("Ada", started=True)
    await telegram.fail("502", method="sendPhoto")
    await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=False)
    (said,) = [record for record in caplog.records if record.name.startswith("telegram.request")]
    assert said.exc_info is None
    assert said.levelname == "WARNING"
    assert "<html>" not in said.getMessage()


async def _confirmed(telegram: Control) -> bool | None:
    return any("offset" in call.parameters for call in await telegram.calls("getUpdates")) or None


async def _polled_again(telegram: Control, polls: int) -> bool | None:
    return len(await telegram.calls("getUpdates")) > polls or None


@asynccontextmanager
async def _running(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> AsyncIterator[TelegramChat]:
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
    await chat.start()
    task = asyncio.create_task(chat.run())
    try:
        yield chat
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await chat.stop()
