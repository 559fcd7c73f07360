"""Readiness: a process is ready for people once it has logged in to each chat, or was refused there."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from bot.app import Application
from bot.ports import ChatRefused, Person
from bot.run import Parts, ServedChat, run
from bot.settings import Settings, settings_from
from tests.bot.house import PLACE, MemoryChat
from tests.conftest import Until


class NoServer:
    async def start(self) -> None: ...

    async def run(self) -> None: ...

    async def stop(self) -> None: ...


class SlowChat(MemoryChat):
    """Is logged in to, or refused, when a test says so."""

    received_by_one = False

    def __init__(self, name: str = "mem") -> None:
        super().__init__(name=name)
        self.asked = asyncio.Event()
        self.answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self) -> None:
        self.asked.set()
        await self.answer

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def stop(self) -> None: ...


async def test_a_process_is_ready_once_each_chat_has_answered(
    valkey_url: str, tmp_path: Path, until: Until
) -> None:
    chats = [SlowChat(), SlowChat("refused")]
    apps: list[Application] = []

    def parts_of(app: Application, settings: Settings) -> Parts:
        apps.append(app)
        offers = [ServedChat(chat.name, f"Chat {n}", lambda chat=chat: chat) for n, chat in enumerate(chats)]
        return Parts(NoServer(), offers)

    settings = settings_from({"REDIS_URL": valkey_url, "DATA_DIR": str(tmp_path), "OKEY_PROCESSES": "0"})
    running = asyncio.create_task(run(settings, parts_of))
    for chat in chats:
        await chat.asked.wait()
    (app,) = apps

    async def missing(*titles: str) -> bool:
        why = await app.missing()
        return all(title in why for title in titles) and bool(titles) == bool(why)

    assert await missing("Chat 0", "Chat 1")
    chats[0].answer.set_result(None)
    await until(lambda: missing("Chat 1"))
    # Where it is refused, nobody of that chat can be sent to it: the others can.
    chats[1].answer.set_exception(ChatRefused("bad_token"))
    await until(missing)
    assert REGISTRY.get_sample_value("okey_receiving", {"chat": "refused"}) == 0, "what the alert looks at"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


class OpeningChat(SlowChat):
    """Notes that it hears people."""

    def __init__(self, happened: list[str]) -> None:
        super().__init__()
        self.happened = happened
        self.opened = asyncio.Event()

    async def run(self) -> None:
        self.happened.append("opened")
        self.opened.set()
        await super().run()


async def test_a_chat_hears_people_once_the_processes_that_draw_are_warm(
    valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    chat = OpeningChat(happened)
    chat.answer.set_result(None)

    async def warm_up() -> None:
        with suppress(TimeoutError):  # time for a chat that does not wait for this
            await asyncio.wait_for(chat.opened.wait(), 1)
        happened.append("warm")

    monkeypatch.setattr("bot.run.warm_up", warm_up)
    settings = settings_from({"REDIS_URL": valkey_url, "DATA_DIR": str(tmp_path), "OKEY_PROCESSES": "0"})
    parts = Parts(NoServer(), [ServedChat("mem", "Chat", lambda: chat)])
    running = asyncio.create_task(run(settings, lambda app, settings: parts))
    await chat.opened.wait()
    assert happened == ["warm", "opened"]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_page_that_comes_first_waits_for_its_chat_and_can_open_tables(
    valkey_url: str, tmp_path: Path
) -> None:
    """Open pages reconnect as soon as the server is back, which is before the chats are. Another chat, which
    never answers, keeps them waiting no longer."""
    chat, other, ada = SlowChat(), SlowChat("other"), Person("mem:ada", "Ada", "en")
    chat.readers.add((ada.key, PLACE))
    apps: list[Application] = []

    def parts_of(app: Application, settings: Settings) -> Parts:
        apps.append(app)
        offers = [ServedChat(each.name, each.name, lambda each=each: each) for each in (chat, other)]
        return Parts(NoServer(), offers)

    async def first_page() -> bool:
        async with apps[0].apps.visit_as(lambda: ada, PLACE, "") as visit:
            return await visit.opens()

    settings = settings_from({"REDIS_URL": valkey_url, "DATA_DIR": str(tmp_path), "OKEY_PROCESSES": "0"})
    running = asyncio.create_task(run(settings, parts_of))
    await chat.asked.wait()
    page = asyncio.create_task(first_page())
    await asyncio.wait({page}, timeout=1)  # time for a page that does not wait
    chat.answer.set_result(None)
    assert await page
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
