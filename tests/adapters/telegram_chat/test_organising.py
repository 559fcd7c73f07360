"""Organisers on Telegram: the whole application behind the adapter, over Telegram's own protocol."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters.telegram_chat import TelegramChat
from bot.store import Store
from tests.bot.house import open_house
from tests.evening.telegram_people import start
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import BOT_NAME, TOKEN, Control, Group, Person, Shown, eventually

pytestmark = pytest.mark.long


@dataclass
class Club:
    """A forum; Boss is its administrator, Ada and Can play there. All of them have opened the bot."""

    control: Control
    group: Group
    boss: Person
    ada: Person
    can: Person

    async def told(self, person: Person, text: str, words: str) -> Shown:
        """They type a command in the group and are told this: a mistake where they typed it, the rest in
        private."""
        await person.write(self.group, text)

        async def said() -> Shown | None:
            shown = [*await person.read(), *await person.read(self.group)]
            return next((each for each in shown if each.from_bot and words in each.words), None)

        return await eventually(said, PATIENCE, f"{person.name} was not told")

    async def page(self) -> Shown:
        """The organisers' page in Boss's private chat."""
        await self.boss.write(self.group, f"/organise@{BOT_NAME}")
        return await self.boss.sees(lambda shown: "Settings here" in shown.words)

    async def shows(self, words: str) -> Shown:
        """The message in the group that says this."""
        return await self.ada.sees(lambda shown: words in shown.words, self.group)


@pytest.fixture
async def club(telegram: Control, store: Store) -> AsyncIterator[Club]:
    async with open_house(store) as house:
        chat = TelegramChat(
            router=house.app.router, delivery=house.app.delivery, token=TOKEN, api_url=telegram.url
        )
        await chat.start()
        house.app.chats["tg"] = chat
        task = asyncio.create_task(chat.run())
        boss, ada, can = [
            await telegram.person(name, language="en", started=True) for name in ("Boss", "Ada", "Can")
        ]
        for person in (boss, ada, can):
            await person.start()
            await person.sees(lambda shown: "Okey" in shown.words)
        group = await telegram.group("Club", boss, ada, can, topics=("Games",))
        await telegram.ask("promote", user_id=boss.id, chat_id=group.id)
        yield Club(telegram, group, boss, ada, can)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await chat.stop()


async def test_a_page_in_private_sets_what_every_topic_plays(club: Club) -> None:
    page = await club.page()
    await club.boss.press(page, "🎲 Game")
    games = await club.boss.sees(lambda shown: "Okey 101" in shown.labels)
    await club.boss.press(games, "Okey 101")
    assert "Boss" in (await club.boss.sees(lambda shown: "Last changed by" in shown.words)).words
    await club.ada.write(club.group, "/okey", topic=club.group.topics["Games"])
    await club.shows("Okey 101")


async def test_tables_are_opened_in_the_topics_that_may_have_them(club: Club) -> None:
    await club.boss.write(club.group, "/okey places on", topic=club.group.topics["Games"])
    await club.boss.sees(lambda shown: "Done" in shown.words or "Settings here" in shown.words)
    told = await club.told(club.ada, "/okey", "You can’t open tables here")
    assert f"/{club.group.topics['Games']}" in str(told.raw)


async def test_who_is_blocked_gets_up(club: Club) -> None:
    await club.ada.write(club.group, "/okey")
    await club.shows("free")
    await club.can.write(club.group, "/okey join")
    await club.shows("Can")
    await club.boss.write(club.group, "/okey block Can")
    await club.ada.sees(lambda shown: "free" in shown.words and "Can" not in shown.words, club.group)
    await club.told(club.can, "/okey join", "organisers have blocked you")


async def test_who_is_blocked_in_a_match_reads_it_in_place_of_their_rack(club: Club) -> None:
    await club.ada.write(club.group, "/okey")
    await club.shows("free")
    await club.can.write(club.group, "/okey join")
    await start(club.ada, await club.shows("Can"))
    rack = await club.can.sees(lambda shown: shown.picture is not None and "round 1" in shown.words)
    await club.boss.write(club.group, "/okey block Can")
    told = await club.can.sees(lambda shown: "organisers have blocked you here" in shown.words)
    assert "/okey practice" in told.words
    assert told.buttons == ()

    async def gone() -> bool:
        return rack.id not in [shown.id for shown in await club.can.read()]

    await eventually(gone, PATIENCE, "the rack stays")
    await club.shows("replaces a removed player")


async def test_a_table_gets_a_topic(club: Club) -> None:
    await club.control.ask("let_bot_manage_topics", chat_id=club.group.id)
    await club.told(club.boss, "/okey rooms on", "its own topic")
    await club.ada.write(club.group, "/okey")
    line = await club.shows("is here:")
    lobby = await club.shows("free")
    assert lobby.raw["message_thread_id"] not in club.group.topics.values()
    assert f"/{lobby.raw['message_thread_id']}" in line.words


async def test_what_is_missing_for_topics_is_said(club: Club) -> None:
    await club.told(club.boss, "/okey rooms on", "Manage Topics")


async def test_nobody_else_organises(club: Club) -> None:
    verbs = ("organise", "language tr", "rooms on", "places on", "tables 3", "block Boss", "close abc")
    for refused, text in enumerate(verbs, 1):
        await club.ada.write(club.group, f"/okey {text}")
        async with asyncio.timeout(PATIENCE):
            while await _refusals(club) < refused:  # noqa: ASYNC110 - it comes about elsewhere
                await asyncio.sleep(0.02)


async def _refusals(club: Club) -> int:
    """Said in the group, or in private where the group has no call to spare."""
    shown = [*await club.ada.read(), *await club.ada.read(club.group)]
    return sum("Only organisers" in each.words for each in shown)


async def test_who_was_an_administrator_has_a_dead_page(club: Club) -> None:
    page = await club.page()
    await club.control.ask("demote", user_id=club.boss.id, chat_id=club.group.id)
    said = await club.boss.press(page, "Sharing" if "✓ Sharing" not in str(page.raw) else "✓ Sharing")
    assert "Only organisers" in said.text


async def test_an_invitation_is_shared_by_a_link_that_leads_a_stranger_to_a_seat(club: Club) -> None:
    eve = await club.control.person("Eve", language="en")
    await club.ada.write(club.group, "/okey")
    await club.shows("free")
    await club.ada.write(club.group, "/okey invite")
    told = await club.ada.sees(lambda shown: "The code is" in shown.words)
    share, copy = [button for row in told.raw["reply_markup"]["inline_keyboard"] for button in row]
    address = urlsplit(share["url"])
    assert (address.netloc, address.path) == ("t.me", "/share/url")
    shared = parse_qs(address.query)
    code = copy["copy_text"]["text"]
    assert code in told.words
    assert shared["text"] == ["Play Okey with me: this link leads to my table."]
    link = urlsplit(shared["url"][0])
    assert (link.netloc, link.path) == ("t.me", f"/{BOT_NAME}")
    await eve.start(parse_qs(link.query)["start"][0])
    page = await eve.sees(lambda shown: "Join" in shown.labels)
    assert "Ada" in page.words
    await eve.press(page, "Join")
    await club.shows("Eve")
