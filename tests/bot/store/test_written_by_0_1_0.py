"""What version 0.1.0 has written is read as it was meant, and its buttons still do what they say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.i18n import plain, words_for
from bot.ports import Answer, Person
from bot.store import Store
from tests.bot.house import House, MemoryChat, open_house
from tests.bot.store.written import holds, load_fixture
from tests.bot.store.written_facts import differences, everything

SERVER = "dc:server/300"
CHANNELS = ("dc:301", "dc:302")

PARTS = (
    *("tables", "nights", "leagues", "people", "places", "books", "archive", "marks", "links"),
    *("seats", "at", "in", "leagues_at"),
)


@asynccontextmanager
async def written_house(store: Store) -> AsyncIterator[House]:
    """The program on what was written, its three chats as they were, and no worker."""
    async with open_house(
        store, turn=3600, next_round=3600.0, work=False, clock=lambda: holds()["league_clock"]
    ) as house:
        rooms = {f"{channel}/{number}": SERVER for channel in CHANNELS for number in range(60)}
        house.app.chats.clear()
        house.app.chats["tg"] = MemoryChat(
            name="tg",
            private_everywhere=False,
            organisers={("tg:91", "tg:-1001"), ("tg:91", "tg:-1001/7")},
        )
        house.app.chats["dc"] = MemoryChat(
            name="dc",
            communities={**dict.fromkeys(CHANNELS, SERVER), **rooms},
            organisers={("dc:90", channel) for channel in CHANNELS},
        )
        house.app.chats["web"] = MemoryChat(name="web")
        yield house


async def answered(house: House, asked: dict[str, Any]) -> Answer:
    """A press or a line of the fixture, carried out."""
    by = Person(*asked["by"])
    if "line" in asked:
        verb, _, argument = asked["line"].partition(" ")
        return await house.type(by, verb, argument, place=asked["place"], id="later")
    private = asked["place"] is None
    return await house.press(by, asked["press"], private=private, place=asked["place"] or "", id="later")


def told(answer: Answer, language: str) -> dict[str, Any]:
    """What of an answer has to stay."""
    shown_page = answer.page
    return {
        "code": answer.code,
        "rack_of": None if answer.private is None else answer.private.table,
        "screen_of": None if answer.public is None else answer.public.table,
        "reads": "" if shown_page is None else plain(shown_page.text, words_for(language)).split("\n")[0],
        "opens_private": answer.open_private is not None,
    }


NOT_MEANT = ("seen", "version", "shown_as", "secret", "opened_at", "log", "marks")
"""What a press may change besides what it is for: moments, chance, and how often something was written."""


def meant(facts: Any) -> Any:
    """The facts without all that."""
    match facts:
        case dict():
            return {key: meant(value) for key, value in facts.items() if key not in NOT_MEANT}
        case list():
            return [meant(each) for each in facts]
    return facts


async def test_what_was_written_is_read(valkey_url: str, store: Store) -> None:
    load_fixture(valkey_url)
    async with written_house(store) as house:
        facts = await everything(house.app, store, valkey_url)
    for part in PARTS:
        assert facts[part] == holds()[part], part


@pytest.mark.parametrize("asked", holds()["presses"] + holds()["lines"], ids=lambda asked: asked["why"])
async def test_what_was_offered_is_understood(valkey_url: str, store: Store, asked: dict[str, Any]) -> None:
    load_fixture(valkey_url)
    async with written_house(store) as house:
        before = meant(await everything(house.app, store, valkey_url))
        answer = await answered(house, asked)
        after = meant(await everything(house.app, store, valkey_url))
    assert told(answer, asked["by"][2]) == asked["answer"]
    assert differences(before, after) == asked["changes"]
