"""Who reaches a page that only this machine can reach runs it; on an open network nobody does."""

import pytest

from adapters.web import LocalPage, WebServer
from bot.ports import Person, Rooms
from bot.store import Store
from tests.adapters.web.scripted import ScriptedApps, ScriptedDelivery, ScriptedRouter
from tests.bot.house import open_house, said


@pytest.mark.parametrize(("host", "runs"), [("127.0.0.1", True), ("localhost", True), ("0.0.0.0", False)])
async def test_the_page_belongs_to_who_sits_at_the_machine(host: str, runs: bool) -> None:
    apps, server = ScriptedApps(ScriptedRouter()), WebServer(host, 0)
    chat = LocalPage(apps=apps, shared=ScriptedDelivery(), server=server).chat
    assert await chat.places.organises("web:ada", "web:local") is runs
    assert await chat.places.reads("web:ada", "web:local"), "every tab shows it"
    assert await chat.places.community("web:local") == "web:local"
    assert not isinstance(chat, Rooms), "a page has no threads"


@pytest.mark.parametrize(("host", "code"), [("127.0.0.1", ""), ("0.0.0.0", "organisers_only")])
async def test_a_page_s_organiser_sets_what_it_plays(store: Store, host: str, code: str) -> None:
    async with open_house(store, work=False) as house:
        page = LocalPage(apps=house.app.apps, shared=house.app.delivery, server=WebServer(host, 0))
        house.app.chats["web"] = page.chat
        answer = await house.type(Person("web:ada", "Ada", "en"), "rooms", "on", place="web:local")
        assert answer.code == code
        assert ("their own threads" in said(answer)) is not bool(code)
