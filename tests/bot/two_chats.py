"""A house with a Discord and a Telegram, and the codes that people carry between them."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.i18n import plain, words_for
from bot.markup import Page
from bot.ports import Answer, Person
from bot.store import Store
from tests.bot.house import House, MemoryChat, offers, open_house, page_of

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


async def question(house: House, person: Person, text: str = "") -> Page:
    """The question whether to link that a person is asked: for a code, or as it waits for them."""
    return page_of(await house.type(person, "link", text, place=None))


async def link_accounts(house: House, one: Person, other: Person) -> Answer:
    """Link two accounts by a code that one asks for; return the last answer, to its second yes."""
    for person, text in ((other, await code_for(house, one)), (one, "")):
        (yes,) = offers(await question(house, person, text), "link_yes")
        answer = await house.press(person, yes.press)
    return answer
