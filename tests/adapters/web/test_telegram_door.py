"""Telegram's door: whom it lets in, and what it makes of forged, altered, old and repeated proofs."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from urllib.parse import quote

import pytest

from adapters.web import TelegramDoor
from adapters.web.open_page import OPEN_AGAIN
from adapters.web.ports import Entry, NotAdmitted
from adapters.web.protocol import Enter, Proof
from bot.ports import Person, RetryAfter
from bot.store import Store
from tests.adapters.web.signed import TOKEN, init_data, sealed
from tests.adapters.web.test_doors import DoorHouse, Message, names, of_kind, open_doors
from tests.bot.house import MemoryChat
from tests.bot.two_chats import link_accounts

DAY = 24 * 3600.0
GROUP = "tg:-100"
ADA = Person("tg:11", "Ada", "en")


@pytest.fixture
async def doors(store: Store) -> AsyncIterator[DoorHouse]:
    async with open_doors(store, lambda url: {"telegram": TelegramDoor(TOKEN)}) as opened:
        opened.house.app.chats["tg"] = MemoryChat(name="tg")
        yield opened


def entering(proof: str, table: str = "") -> Message:
    return {"kind": "enter", "door": "telegram", "proof": proof, "table": table}


async def entered(proof: str) -> Entry:
    return await TelegramDoor(TOKEN).enter(Enter("telegram", Proof(proof)))


async def test_who_is_signed_for_comes_in() -> None:
    assert await entered(init_data(11, "Ada")) == Entry(Person("tg:11", "Ada", "en"))
    assert (await entered(init_data(start_param="k7xq3a"))).table == "k7xq3a"
    assert (await entered(init_data(start_param="../x"))).table == ""


async def test_what_is_blank_counts_as_signed() -> None:
    assert (await entered(init_data(chat_instance=""))).person.key == "tg:11"


FORGED: dict[str, Callable[[], str]] = {
    "nothing": lambda: "",
    "an empty hash": lambda: "hash=",
    "no fields": lambda: "user",
    "another bot's": lambda: init_data(token="4711:another"),
    "another name": lambda: init_data().replace("Ada", "Can"),
    "a field more": lambda: init_data() + "&chat_type=group",
    "a field less": lambda: init_data().replace("signature=a-signature-of-telegram-s-own&", ""),
    "a field twice": lambda: init_data() + "&" + init_data().split("&")[1],
    "a second user": lambda: init_data() + "&user=" + quote('{"id": 12, "first_name": "Can"}'),
    "yesterday's": lambda: init_data(age=DAY + 60),
    "tomorrow's": lambda: init_data(age=-600),
    "of no time": lambda: init_data(auth_date="soon"),
    "of the end of time": lambda: init_data(auth_date="9" * 400),
    "of nobody": lambda: init_data(user=-5),
    "without a user": lambda: sealed({"auth_date": str(round(time.time()))}),
    "a hash of other letters": lambda: init_data()[:-1] + "\u0131",
}


@pytest.mark.parametrize("forged", FORGED)
async def test_what_is_forged_altered_doubled_or_old_is_not(forged: str) -> None:
    with pytest.raises(NotAdmitted):
        await entered(FORGED[forged]())


async def test_a_proof_of_today_is_good_until_tomorrow() -> None:
    assert (await entered(init_data(age=DAY - 60))).person == ADA
    assert (await entered(init_data(age=-60))).person == ADA


async def test_a_proof_begins_one_session_which_its_page_keeps(doors: DoorHouse) -> None:
    proof = init_data()
    page = await doors.connect(entering(proof))
    (begun,) = of_kind(await page.until("welcome"), "session")
    stolen = await doors.connect(entering(proof))
    assert await stolen.ended() == OPEN_AGAIN
    again = await doors.connect({"kind": "hello", "token": begun["token"]})
    await again.until("welcome")


@pytest.mark.parametrize("written", ["in another order", "with other escapes"])
async def test_a_proof_written_differently_is_the_same_proof(doors: DoorHouse, written: str) -> None:
    proof = init_data(11, "Ada")
    page = await doors.connect(entering(proof))
    await page.until("welcome")
    same = "&".join(reversed(proof.split("&"))) if "order" in written else proof.replace("Ada", "%41da")
    assert same != proof
    assert (await entered(same)).person == ADA
    stolen = await doors.connect(entering(same))
    assert await asyncio.wait_for(stolen.ended(), 10) == OPEN_AGAIN


async def test_a_link_from_a_group_shows_its_table_to_members_alone(doors: DoorHouse) -> None:
    house = doors.house
    await house.type(ADA, "play", place=GROUP)
    (table,) = await house.store.index.tables_at(GROUP)
    chat = house.app.chats["tg"]
    assert isinstance(chat, MemoryChat)
    chat.readers.add(("tg:22", GROUP))
    member = await doors.connect(entering(init_data(22, "Can", start_param=table)))
    assert names(await member.until("welcome")) == ["Ada"]
    await member.press(f"join.{table}.0", private=False)
    live = await house.look(place=GROUP)
    assert live.live is not None
    assert [seat.name for seat in live.live.seats if seat.name] == ["Ada", "Can"]
    thief = await doors.connect(entering(init_data(33, "Ece", start_param=table)))
    heard = await thief.until("welcome")
    assert not of_kind(heard, "table")
    assert of_kind(await thief.press(f"join.{table}.0", private=False), "notice")


async def test_who_leaves_the_group_sees_its_table_no_longer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.handlers.apps.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("bot.people.permissions.BELIEVED_SECONDS", 0.05)
    async with open_doors(store, lambda url: {"telegram": TelegramDoor(TOKEN)}) as doors:
        doors.house.app.chats["tg"] = chat = MemoryChat(name="tg", readers={("tg:22", GROUP)})
        await doors.house.type(ADA, "play", place=GROUP)
        (table,) = await doors.house.store.index.tables_at(GROUP)
        page = await doors.connect(entering(init_data(22, "Can", start_param=table)))
        assert of_kind(await page.until("welcome"), "table")
        chat.readers.clear()
        await page.until("gone", table=table)


async def test_while_telegram_does_not_answer_what_it_said_last_holds(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.people.permissions.BELIEVED_SECONDS", 0.0)
    async with open_doors(store, lambda url: {"telegram": TelegramDoor(TOKEN)}) as doors:
        doors.house.app.chats["tg"] = chat = MemoryChat(name="tg", readers={("tg:22", GROUP)})
        await doors.house.type(ADA, "play", place=GROUP)
        (table,) = await doors.house.store.index.tables_at(GROUP)
        page = await doors.connect(entering(init_data(22, "Can", start_param=table)))
        await page.until("welcome")

        async def away(person: str, place: str) -> bool:
            raise RetryAfter(5)

        monkeypatch.setattr(chat.places, "reads", away)
        heard = await page.press(f"join.{table}.0", private=False)
        assert of_kind(heard, "rack")
        assert not of_kind(heard, "gone")
        stranger = await doors.connect(entering(init_data(33, "Ece", start_param=table)))
        assert not of_kind(await stranger.until("welcome"), "table")


async def test_what_telegram_said_last_does_not_hold_for_ever(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.handlers.apps.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("bot.people.permissions.BELIEVED_SECONDS", 0.05)
    monkeypatch.setattr("bot.people.permissions.REMEMBERED_SECONDS", 1.0)
    async with open_doors(store, lambda url: {"telegram": TelegramDoor(TOKEN)}) as doors:
        doors.house.app.chats["tg"] = chat = MemoryChat(name="tg", readers={("tg:22", GROUP)})
        await doors.house.type(ADA, "play", place=GROUP)
        (table,) = await doors.house.store.index.tables_at(GROUP)
        page = await doors.connect(entering(init_data(22, "Can", start_param=table)))
        assert of_kind(await page.until("welcome"), "table")

        async def away(person: str, place: str) -> bool:
            raise RetryAfter(5)

        monkeypatch.setattr(chat.places, "reads", away)
        await page.until("gone", table=table)


async def test_a_linked_account_s_seat_comes_along_until_they_part(doors: DoorHouse) -> None:
    house = doors.house
    house.app.chats["dc"] = MemoryChat(name="dc")
    on_discord = Person("dc:11", "ada", "en")
    await link_accounts(house, on_discord, ADA)
    await house.type(on_discord, "play", place="dc:1")
    (table,) = await house.store.index.tables_at("dc:1")
    page = await doors.connect(entering(init_data(), table))
    (rack,) = of_kind(await page.until("welcome"), "rack")
    assert rack["live"]["table"]["id"] == table
    await house.type(ADA, "unlink", place=None)
    await page.send("press", private=False, data=f"leave.{table}.0")
    assert await page.ended() == OPEN_AGAIN


async def test_whoever_is_forgotten_is_logged_out(doors: DoorHouse) -> None:
    page = await doors.connect(entering(init_data()))
    (begun,) = of_kind(await page.until("welcome"), "session")
    await doors.house.press(ADA, "forget_now.me.0")
    page = await doors.connect({"kind": "hello", "token": begun["token"]})
    assert await page.ended() == OPEN_AGAIN
