"""Entries: who is let in behind one address, however many come and whatever others try there."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.web import DiscordDoor, TelegramDoor
from adapters.web.doors import FAILURES
from adapters.web.open_page import OPEN_AGAIN
from adapters.web.ports import DoorAway, Entry, NotAdmitted
from adapters.web.protocol import Enter, Proof
from bot.ports import Person
from bot.store import Store
from tests.adapters.web.signed import TOKEN, init_data
from tests.adapters.web.test_doors import DoorHouse, DoorPage, Message, open_doors

TRY_AGAIN_LATER = 1013
PEOPLE = 45


class AskingDoor:
    """A door that asks its platform about each code."""

    platform = "dc"
    frames = "'none'"
    asks_platform = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.away = False

    async def client(self) -> str:
        return ""

    async def origins(self) -> tuple[str, ...]:
        return ()

    async def enter(self, entering: Enter) -> Entry:
        self.asked.append(str(entering.proof))
        if self.away:
            raise DoorAway
        if not entering.proof.startswith("good"):
            raise NotAdmitted
        return Entry(Person(f"dc:{entering.proof[4:]}", "Ada"), proof=entering.proof)


@pytest.fixture
def discord() -> AskingDoor:
    return AskingDoor()


@pytest.fixture
async def doors(store: Store, discord: AskingDoor) -> AsyncIterator[DoorHouse]:
    async with open_doors(store, lambda url: {"telegram": TelegramDoor(TOKEN), "discord": discord}) as opened:
        yield opened


def signed(person: int) -> Message:
    return {"kind": "enter", "door": "telegram", "proof": init_data(person, "Ada")}


def coded(code: str, instance: str = "i-1") -> Message:
    return {"kind": "enter", "door": "discord", "proof": code, "instance": instance}


async def answer_to(doors: DoorHouse, first: Message) -> int | None:
    """With which code a page is shut; None: it is let in."""
    page: DoorPage = await doors.connect(first)
    message = await page.socket.receive()
    code = None if message.type.name == "TEXT" else page.socket.close_code
    await page.socket.close()
    return code


async def answers_to_rubbish(doors: DoorHouse, count: int) -> list[int | None]:
    return [
        await answer_to(doors, {"kind": "enter", "door": "telegram", "proof": f"hash={number}"})
        for number in range(count)
    ]


async def test_45_people_behind_one_address_all_come_in(doors: DoorHouse) -> None:
    assert [await answer_to(doors, signed(100 + n)) for n in range(PEOPLE)] == [None] * PEOPLE
    assert [await answer_to(doors, coded(f"good{100 + n}")) for n in range(PEOPLE)] == [None] * PEOPLE
    for n in range(PEOPLE):
        await doors.cookie(Person(f"mem:{n}", "Ada", "en"))


async def test_made_up_proofs_keep_nobody_out_who_has_a_good_one(doors: DoorHouse) -> None:
    shut = await answers_to_rubbish(doors, FAILURES + 2)
    assert shut == [OPEN_AGAIN] * FAILURES + [TRY_AGAIN_LATER] * 2
    assert await answer_to(doors, signed(11)) is None


async def test_made_up_links_keep_nobody_out_who_has_a_good_one(doors: DoorHouse) -> None:
    for _ in range(FAILURES + 1):
        async with doors.session.post(f"{doors.url}/enter", data="guess", headers=doors.origin):
            pass
    assert await doors.cookie(Person("mem:ada", "Ada", "en"))


async def test_a_platform_is_asked_about_a_made_up_code_once(doors: DoorHouse, discord: AskingDoor) -> None:
    assert [await answer_to(doors, coded("bad")) for _ in range(3)] == [OPEN_AGAIN, *[TRY_AGAIN_LATER] * 2]
    assert discord.asked == ["bad"]


async def test_made_up_codes_keep_nobody_out_of_the_same_activity(doors: DoorHouse) -> None:
    for number in range(FAILURES + 1):
        assert await answer_to(doors, coded(f"bad{number}")) == OPEN_AGAIN
    assert await answer_to(doors, coded("good11")) is None


async def test_while_a_platform_is_away_its_people_try_again_and_nobody_has_failed(
    doors: DoorHouse, discord: AskingDoor
) -> None:
    discord.away = True
    assert [await answer_to(doors, coded("good11")) for _ in range(2)] == [TRY_AGAIN_LATER] * 2
    discord.away = False
    assert await answer_to(doors, coded("good11")) is None


async def test_who_comes_in_too_often_waits_and_their_proof_stays_good(
    doors: DoorHouse, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.web.doors._LOGINS", 1)
    assert await answer_to(doors, signed(11)) is None
    proof = {"kind": "enter", "door": "telegram", "proof": init_data(11, "Ada", age=5)}
    assert await answer_to(doors, proof) == TRY_AGAIN_LATER
    monkeypatch.setattr("adapters.web.doors._LOGINS", 2)
    assert await answer_to(doors, proof) is None


async def test_discord_is_left_alone_when_it_asks_for_a_pause() -> None:
    asked: list[str] = []

    async def pause(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=429, headers={"Retry-After": "60"})

    async def application(request: web.Request) -> web.Response:
        return web.json_response({"id": "4711"})

    told = web.Application()
    told.router.add_get("/applications/@me", application)
    told.router.add_post("/oauth2/token", pause)
    async with TestServer(told) as server:
        door = DiscordDoor(token="x", secret="y", api_url=str(server.make_url("")).rstrip("/"))
        for number in range(3):
            with pytest.raises(DoorAway):
                await door.enter(Enter("discord", Proof(f"code{number}"), "i-1"))
    assert asked == ["/oauth2/token"]
