"""A stage on Telegram: the general topic of a group with topics."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from adapters.telegram_chat import TelegramChat
from tests.adapters.contract.stage import Seen
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.patience import eventually, found
from tests.servers.telegram_api.client import TOKEN, Control, Group, Person, Shown, telegram


@dataclass
class TelegramStage:
    """A group in which Ada and Can are."""

    telegram: Control
    chat: TelegramChat
    router: ScriptedRouter
    delivery: ScriptedDelivery
    group: Group
    people: dict[str, Person]
    ada: str
    can: str
    _pressed: str = field(default="", init=False)

    @property
    def place(self) -> str:
        return f"tg:{self.group.id}"

    async def read(self, place: str = "") -> list[Seen]:
        topic = _topic(place)
        return [_seen(each) for each in await self._shown() if each.topic == topic]

    async def read_private(self, person: str) -> list[Seen]:
        return [_seen(each) for each in await self.people[person].read() if each.from_bot]

    async def open_thread(self, name: str) -> str:
        return f"{self.place}/{self.group.topics[name]}"

    async def delete(self, message: Seen, place: str = "") -> None:
        await self.telegram.ask("delete", chat_id=self.group.id, message_id=message.id)

    async def delete_thread(self, place: str) -> None:
        await self.telegram.ask("delete_topic", chat_id=self.group.id, topic=_topic(place))

    async def silence(self, *, silenced: bool = True) -> None:
        await self.telegram.ask("silence_bot" if silenced else "let_bot_write", chat_id=self.group.id)

    async def close_private(self, person: str) -> None:
        await self.people[person].block()

    async def open_private(self, person: str) -> None:
        await self.people[person].block(blocked=False)

    async def be_busy(self, seconds: float) -> None:
        await self.telegram.fail("429", chat=self.group.id, seconds=seconds)

    async def fail_once(self) -> None:
        await self.telegram.fail("502", chat=self.group.id)

    async def press(self, person: str, label: str, *, private: bool = False) -> str:
        who = self.people[person]
        message = await who.sees(lambda each: label in each.labels, None if private else self.group)
        self._pressed = await who.press_only(message, label)
        return (await who.answered(self._pressed)).text

    async def press_again(self) -> None:
        await self.telegram.ask("deliver_again", callback_id=self._pressed)

    async def command(self, person: str, line: str, place: str | None = "") -> None:
        who, before = self.people[person], len(self.router.typed)
        where = who.id if place is None else self.group
        await who.write(where, f"/{line}", topic=_topic(place or ""))
        await eventually(lambda: len(self.router.typed) > before)

    async def told(self, person: str, words: str) -> Seen:
        async def find() -> Seen | None:
            who = self.people[person]
            alone = [each for each in await who.read(self.group) if "receiver_user" in each.raw]
            return next((_seen(each) for each in [*alone, *await who.read()] if words in each.words), None)

        return await found(find)

    async def make_organiser(self, person: str) -> None:
        await self.telegram.ask("promote", user_id=self.people[person].id, chat_id=self.group.id)

    async def allow_rooms(self, *, allowed: bool) -> None:
        await self.telegram.ask("let_bot_manage_topics" if allowed else "demote_bot", chat_id=self.group.id)

    async def _shown(self) -> list[Shown]:
        return [each for each in await self.people[self.ada].read(self.group) if each.from_bot]


@asynccontextmanager
async def telegram_stage(url: str) -> AsyncIterator[TelegramStage]:
    """A group, and the adapter, to which both people have written in private."""
    async with telegram(url) as control:
        await control.ask("whispering", version="10.3")
        router, delivery = ScriptedRouter(), ScriptedDelivery()
        chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=control.url)
        await chat.start()
        running = asyncio.create_task(chat.run())
        ada = await control.person("Ada", language="tr", started=True)
        can = await control.person("Can", language="en", started=True)
        people = {f"tg:{each.id}": each for each in (ada, can)}
        group = await control.group("Club", ada, can, topics=("Games",))
        await eventually(lambda: people.keys() <= delivery.last.keys())
        router.typed.clear()
        try:
            yield TelegramStage(control, chat, router, delivery, group, people, *people)
            assert await control.findings() == []
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await chat.stop()


def _topic(place: str) -> int | None:
    _, _, topic = place.partition("/")
    return int(topic) if topic else None


def _seen(message: Shown) -> Seen:
    raw = message.raw
    entities = raw.get("entities", []) + raw.get("caption_entities", [])
    links = (each["url"].partition("tg://user?id=") for each in entities if each["type"] == "text_link")
    return Seen(
        id=message.id,
        words=message.words,
        labels=message.labels,
        picture=message.picture is not None,
        calls=frozenset(f"tg:{person}" for _, mention, person in links if mention),
    )
