"""A house with a Discord and a Telegram, and the codes that people carry between them."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.i18n import plain, words_for
from bot.ports import Answer, Person
from bot.store import Store
from tests.bot.house import House, MemoryChat, open_house

CHANNEL, GROUP = "dc:1", "tg:-9"


@asynccontextmanager
async def two_chats(store: Store, *, work: bool = False, web_url: str = "") -> AsyncIterator[House]:
    """A house with two chats that only remember."""
    async with open_house(store, work=work, next_round=0.0, web_url=web_url) as house:
        for name in ("dc", "tg"):
            house.app.chats[name] = MemoryChat(name=name)
        yield house


def chat(house: House, name: str) -> MemoryChat:
    """One of them."""
    found = house.app.chats[name]
    assert isinstance(found, MemoryChat)
    return found


def code_of(answer: Answer) -> str:
    """The code in an answer, in any language."""
    words = plain(answer.notice, words_for("en"))
    found = re.search(r"\b[A-Z0-9]{3,4}-[A-Z0-9]{3,4}\b", words)
    assert found is not None, words
    return found[0]


async def code_for(house: House, person: Person) -> str:
    """A person's code to link accounts."""
    return code_of(await house.type(person, "okey", "link", place=None))
