"""The buttons that open a table as an app: the page itself in private, a link to the app in groups."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from adapters.telegram_chat import TelegramChat
from adapters.telegram_chat.introduction import introduce
from bot.markup import Button, Link
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.scene import rack, table
from tests.servers.telegram_api.client import TOKEN, Control

OPEN = (Button(("Open",), "app.k7xq3a.0", app="k7xq3a"),)
URL = "https://okey.example.org"


@pytest.fixture
async def chat(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> AsyncIterator[TelegramChat]:
    started = TelegramChat(
        router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, app_url=URL, app_name="table"
    )
    await started.start()
    yield started
    await started.stop()


async def test_the_page_opens_from_a_rack_and_the_menu(telegram: Control, chat: TelegramChat) -> None:
    assert chat.features.opens_app == {"private", "public"}
    ada = await telegram.person("Ada", started=True)
    await chat.show_rack(f"tg:{ada.id}", replace(rack(), buttons=(OPEN,)), None, notify=True)
    (call,) = await telegram.calls("sendPhoto")
    ((button,),) = call.parameters["reply_markup"]["inline_keyboard"]
    assert button == {"text": "Open", "web_app": {"url": f"{URL}/telegram?table=k7xq3a"}}
    await introduce(chat._bot, chat._app)
    (menu,) = await telegram.calls("setChatMenuButton")
    assert menu.parameters["menu_button"]["web_app"] == {"url": f"{URL}/telegram"}


async def test_an_invitation_has_an_address_in_the_app(chat: TelegramChat) -> None:
    assert chat.links.app("ACDEFH") == "https://t.me/okey_bot/table?startapp=ACDEFH"


async def test_a_page_leads_back_to_the_bot(chat: TelegramChat, telegram: Control) -> None:
    fresh = TelegramChat(
        router=ScriptedRouter(), delivery=ScriptedDelivery(), token=TOKEN, api_url=telegram.url
    )
    assert fresh.links.home is None  # not introduced to Telegram yet
    assert chat.links.home == Link("Telegram", "https://t.me/okey_bot")


async def test_in_a_group_a_link_names_the_table(telegram: Control, chat: TelegramChat) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    await chat.show_table(f"tg:{group.id}", replace(table(), buttons=(OPEN,)), None, anew=True)
    (call,) = await telegram.calls("sendPhoto")
    ((button,),) = call.parameters["reply_markup"]["inline_keyboard"]
    assert button["url"].endswith("/table?startapp=k7xq3a")


async def test_members_read_a_group_and_nobody_else(telegram: Control, chat: TelegramChat) -> None:
    ada, can = await telegram.person("Ada"), await telegram.person("Can")
    group = await telegram.group("Club", ada, topics=("Games",))
    for place in (f"tg:{group.id}", f"tg:{group.id}/{group.topics['Games']}"):
        assert await chat.places.reads(f"tg:{ada.id}", place)
        assert not await chat.places.reads(f"tg:{can.id}", place)
    await telegram.ask("remove_bot", chat_id=group.id)
    assert not await chat.places.reads(f"tg:{ada.id}", f"tg:{group.id}")


@pytest.mark.parametrize("url", ["", "http://okey.example.org"])
async def test_without_an_address_that_telegram_takes_there_is_nothing(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery, url: str
) -> None:
    plain = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url, app_url=url)
    await plain.start()
    assert plain.features.opens_app == frozenset()
    await introduce(plain._bot, plain._app)
    assert await telegram.calls("setChatMenuButton") == []
    await plain.stop()
