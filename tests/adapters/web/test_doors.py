"""Doors: who comes in, as whom, what they see and do there, and when it is over."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web
from aiohttp.test_utils import TestServer, unused_port
from msgspec.structs import replace
from multidict import CIMultiDict

from adapters.web import DiscordDoor, Doors, TelegramDoor, WebServer
from adapters.web.doors import COOKIE, FAILURES
from adapters.web.open_page import OPEN_AGAIN
from adapters.web.ports import Door
from adapters.web.protocol import PROTOCOL
from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.markup import Link
from bot.people.sessions import AppSessions, Watched
from bot.people.tokens import HashedTokens
from bot.ports import Person
from bot.store import Store
from bot.tables.table import Change, Table, TableCalls
from bot.tables.worth import of_player
from tests.adapters.web.signed import TOKEN
from tests.bot.house import PLACE, House, MemoryChat, offers, open_house, page_of
from tests.bot.test_secrecy import a_table, reshuffled
from tests.conftest import Until
from tests.patience import PATIENCE

WITHIN = PATIENCE
Message = dict[str, Any]
ENGLISH = words_for("en")


class DoorPage:
    """One open page."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self._numbers = iter(range(1000))

    async def until(self, kind: str, **values: object) -> list[Message]:
        """Everything up to the first message of a kind with these values."""
        heard: list[Message] = []
        async with asyncio.timeout(WITHIN):  # not each receive: the server says now and then that it is there
            while True:
                heard.append(await self.socket.receive_json())
                if heard[-1]["kind"] == kind and values.items() <= heard[-1].items():
                    return heard

    async def ended(self) -> int | None:
        """With which code it was closed."""
        while (message := await self.socket.receive(timeout=WITHIN)).type is WSMsgType.TEXT:
            pass
        return self.socket.close_code if message.type is not WSMsgType.CLOSE else message.data

    async def press(self, data: str, *, private: bool = True) -> list[Message]:
        return await self.until("done", id=await self.send("press", private=private, data=data))

    async def type(self, verb: str, argument: str = "") -> list[Message]:
        return await self.until("done", id=await self.send("typed", verb=verb, argument=argument))

    async def send(self, kind: str, *, id: str = "", **message: object) -> str:
        id = id or f"{kind}-{next(self._numbers):04}"
        await self.socket.send_json({"kind": kind, "id": id, **message})
        return id


class DoorHouse:
    """A house with doors."""

    def __init__(self, house: House, url: str, session: ClientSession) -> None:
        self.house = house
        self.url = url
        self.session = session

    @property
    def origin(self) -> dict[str, str]:
        return {"Origin": self.url}

    async def secret(self, person: Person) -> str:
        """What stands behind the hash of their own link."""
        page = (await self.house.type(person, "app", place=None)).page
        assert page is not None
        (link,) = (part for part in page.text if isinstance(part, Link))
        return link.url.removeprefix(f"{self.url}/#k=")

    async def cookie(self, person: Person) -> str:
        async with self.session.post(
            f"{self.url}/enter", data=await self.secret(person), headers=self.origin
        ) as response:
            assert response.status == 204
            return response.cookies[COOKIE].value

    async def connect(self, first: Message, headers: Mapping[str, str] = {}) -> DoorPage:
        page = DoorPage(
            await self.session.ws_connect(f"{self.url}/socket", headers=self.origin | {**headers})
        )
        await page.socket.send_json({"protocol": PROTOCOL, **first})
        return page

    async def by_link(self, person: Person, table: str = "") -> DoorPage:
        cookie = await self.cookie(person)
        return await self.connect(
            {"kind": "enter", "door": "link", "table": table}, {"Cookie": f"{COOKIE}={cookie}"}
        )


@asynccontextmanager
async def open_doors(
    store: Store, make: Callable[[str], Mapping[str, Door]] = lambda url: {}, *, work: bool = False
) -> AsyncIterator[DoorHouse]:
    """A house with doors."""
    url = f"http://127.0.0.1:{unused_port()}"
    async with open_house(store, work=work, web_url=url) as house, ClientSession() as session:
        server = WebServer("127.0.0.1", int(url.rpartition(":")[2]))
        Doors(apps=house.app.apps, shared=house.app.delivery, server=server, url=url, doors=make(url))
        await server.start()
        yield DoorHouse(house, url, session)
        await server.stop()


@pytest.fixture
async def doors(store: Store) -> AsyncIterator[DoorHouse]:
    async with open_doors(store) as opened:
        yield opened


def of_kind(heard: list[Message], kind: str) -> list[Message]:
    return [each for each in heard if each["kind"] == kind]


def names(heard: list[Message]) -> list[str]:
    """Who sits at the table that was shown last."""
    return [seat["name"] for seat in of_kind(heard, "table")[-1]["live"]["seats"] if seat["name"]]


async def playing(house: House, *people: Person) -> str:
    """A round for two that has begun."""
    table = await house.open(*people, words="2")
    await house.press(people[0], f"start.{table}.0", private=False)
    return table


async def test_the_page_speaks_the_language_that_its_reader_chose(doors: DoorHouse) -> None:
    ada = doors.house.person("Ada")
    await doors.house.press(ada, "speak.me.0.tr")
    cookie = {"Cookie": f"{COOKIE}={await doors.cookie(ada)}"}
    page = await doors.connect({"kind": "enter", "door": "link", "language": "en"}, cookie)
    (spoken,) = [message for message in await page.until("welcome") if message["kind"] == "words"]
    assert spoken["language"] == "tr"
    assert spoken["words"]["tile.false_joker"] == "sahte okey"
    again = await doors.connect({"kind": "enter", "door": "link", "language": "tr"}, cookie)
    assert all(message["kind"] != "words" for message in await again.until("welcome"))


async def test_a_link_is_for_one_browser_and_opening_it_uses_nothing_up(doors: DoorHouse) -> None:
    ada = doors.house.person("Ada")
    secret = await doors.secret(ada)
    for _ in range(3):  # previews open it, too
        async with doors.session.get(f"{doors.url}/?k={secret}") as seen:
            assert seen.status == 200
            assert secret not in await seen.text()
    async with doors.session.post(f"{doors.url}/enter", data=secret, headers=doors.origin) as first:
        assert first.status == 204
        cookie = first.cookies[COOKIE]
        assert cookie["httponly"]
        assert cookie["secure"]
        assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Strict", "/", "")
    async with doors.session.post(f"{doors.url}/enter", data=secret, headers=doors.origin) as second:
        assert second.status == 403
        assert COOKIE not in second.cookies


async def test_a_link_is_given_in_private_alone(doors: DoorHouse) -> None:
    assert (await doors.house.type(doors.house.person("Ada"), "app")).code == "private_only"


async def test_nothing_is_offered_where_there_is_no_public_address(house: House) -> None:
    assert (await house.type(house.person("Ada"), "app", place=None)).code == "unknown_command"


async def test_chats_that_can_open_the_table_have_a_button_for_it(house: House) -> None:
    ada, can = house.person("Ada"), house.person("Can")
    table = await playing(house, ada, can)
    for surfaces in (frozenset(), {"public"}, {"private"}):
        house.chat.opens_app = frozenset(surfaces)
        public, private = await house.look(table), await house.rack(ada, table)
        assert [bool(offers(screen, "app")) for screen in (public, private)] == [
            "public" in surfaces,
            "private" in surfaces,
        ]
    assert (await house.press(ada, f"app.{table}.0", private=False)).launch


async def test_who_comes_by_a_link_plays_with_their_own_rack(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await playing(house, ada, can)
    player = await house.on_turn(table, ada, can)
    page = await doors.by_link(player, table)
    (rack,) = of_kind(await page.until("welcome"), "rack")
    act = next(act for act in rack["live"]["acts"] if act["kind"] == "discard" and not act["sure"])
    answered = of_kind(await page.press(act["press"]), "rack")[-1]["live"]
    assert answered["table"]["moment"] > rack["live"]["table"]["moment"]
    assert answered["table"]["seats"][answered["seat"]]["discard"] == act["tile"]
    own = (await house.rack(player, table)).live
    assert own is not None
    assert answered["places"] == list(own.places)


async def test_what_others_do_in_the_chat_is_seen_at_once(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await house.open(ada)
    page = await doors.by_link(ada, table)
    await page.until("welcome")
    await house.press(can, f"join.{table}.0", private=False)
    assert names(await page.until("table")) == ["Ada", "Can"]


async def test_what_another_process_does_is_seen_too(doors: DoorHouse, store: Store) -> None:
    ada, can = doors.house.person("Ada"), doors.house.person("Can")
    table = await doors.house.open(ada)
    page = await doors.by_link(ada, table)
    await page.until("welcome")
    async with open_house(store, work=False) as elsewhere:
        await elsewhere.press(can, f"join.{table}.0", private=False)
        assert names(await page.until("table")) == ["Ada", "Can"]


async def test_what_they_cannot_see_is_refused_in_the_language_that_they_chose(
    doors: DoorHouse,
) -> None:
    house = doors.house
    ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
    table = await playing(house, ada, can)
    page = await doors.by_link(ece, table)
    await page.until("welcome")
    await house.press(ece, "speak.me.0.tr")
    (notice,) = of_kind(await page.press(f"rules.{table}.0", private=False), "notice")
    assert notice["html"].startswith("Bu masayı bulamadım.")


async def test_a_table_is_seen_by_its_own_people_and_who_can_read_its_place(doors: DoorHouse) -> None:
    house = doors.house
    ada, can, ece, ali = (house.person(name) for name in ("Ada", "Can", "Ece", "Ali"))
    table = await playing(house, ada, can)
    stranger = await doors.by_link(ece, table)
    assert not of_kind(await stranger.until("welcome"), "table")
    assert of_kind(await stranger.press(f"rules.{table}.0", private=False), "notice")
    house.chat.readers.add((ali.key, PLACE))
    watcher = await doors.by_link(ali, table)
    heard = await watcher.until("welcome")
    assert names(heard) == ["Ada", "Can"]
    assert not of_kind(heard, "rack")


async def invited(house: House, person: Person) -> str:
    """The code of the table at which a person sits."""
    found = re.search(r"[A-Z0-9]{3}-[A-Z0-9]{3}", plain((await house.type(person, "invite")).notice, ENGLISH))
    assert found is not None
    return found[0].replace("-", "")


async def test_who_knows_a_table_s_code_looks_on_until_that_is_withdrawn(doors: DoorHouse) -> None:
    house = doors.house
    ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
    table = await playing(house, ada, can)
    code = await invited(house, ada)
    page = await doors.by_link(ece)
    assert not of_kind(await page.until("welcome"), "table")
    wrong = await page.press("watch_live.me.0.AAAAAA")
    assert of_kind(wrong, "notice")
    assert not of_kind(wrong, "open")
    heard = await page.press(f"watch_live.me.0.{code}")
    assert names(heard) == ["Ada", "Can"]
    assert of_kind(heard, "open") == [{"kind": "open", "table": table}]
    assert not of_kind(heard, "rack")
    later = await doors.by_link(ece)
    (welcome,) = of_kind(seen := await later.until("welcome"), "welcome")
    assert (names(seen), welcome["table"]) == (["Ada", "Can"], table)
    player = await house.on_turn(table, ada, can)
    own = (await house.rack(player, table)).live
    assert own is not None
    await house.press(player, next(act.press for act in own.acts if act.kind == "discard" and not act.sure))
    (moved,) = of_kind(await page.until("table"), "table")
    assert moved["live"]["moment"] > own.table.moment
    await house.type(ada, "uninvite")
    await page.until("gone", table=table)
    await page.press(f"watch_live.me.0.{code}")
    assert not of_kind(await (await doors.by_link(ece)).until("welcome"), "table")


async def test_who_looks_on_at_a_table_without_a_seat_is_counted_while_they_do(doors: DoorHouse) -> None:
    house = doors.house
    ada, can, ece, ali = (house.person(name) for name in ("Ada", "Can", "Ece", "Ali"))
    table = await playing(house, ada, can)
    player = await doors.by_link(ada, table)
    await player.until("here", tables={table: {"seats": [0], "watchers": 0}})
    code, watcher = await invited(house, ada), await doors.by_link(ece)
    before = await kept_version(house, table)
    await watcher.press(f"watch_live.me.0.{code}")
    stranger = await doors.by_link(ali, table)  # asks for a table that they may not see
    assert not of_kind(await stranger.until("welcome"), "here")
    for looks_at, watchers in ((table, 1), ("", 0), (table, 1)):
        await stranger.socket.send_json({"kind": "at", "table": table})
        await watcher.socket.send_json({"kind": "at", "table": looks_at})
        for page in (player, watcher):
            await page.until("here", tables={table: {"seats": [0], "watchers": watchers}})
    await watcher.socket.close()
    await player.until("here", tables={table: {"seats": [0], "watchers": 0}})
    assert await kept_version(house, table) == before
    await stranger.press("practice.me.0")
    assert not of_kind(await stranger.press("practice.me.0"), "here")


async def kept_version(house: House, table: str) -> int:
    """The number of a table's last commit, each of which is shown in its chats."""
    stored = await house.app.tables.load(TableId(table))
    assert stored is not None
    return stored.version


async def test_who_knows_the_code_of_a_lobby_can_sit_down_and_invite(doors: DoorHouse) -> None:
    house = doors.house
    ada, ece = house.person("Ada"), house.person("Ece")
    table = await house.open(ada)
    code = await invited(house, ada)
    page = await doors.by_link(ece)
    await page.until("welcome")
    lobby = of_kind(await page.press(f"watch_live.me.0.{code}"), "table")[-1]["live"]
    join = next(act["press"] for act in lobby["acts"] if act["kind"] == "join")
    (rack,) = of_kind(await page.press(join, private=False), "rack")
    assert (rack["live"]["table"]["id"], rack["live"]["invitation"]) == (table, code)


async def test_who_is_blocked_looks_on_by_no_code(doors: DoorHouse) -> None:
    house = doors.house
    ada, ece = house.person("Ada"), house.person("Ece")
    table = await house.open(ada, ece)
    code = await invited(house, ada)
    page = await doors.by_link(ece)
    assert of_kind(await page.press(f"watch_live.me.0.{code}"), "open")
    await house.organise(ada, "block", ece.name)
    await house.press(ece, f"leave.{table}.0", private=False)
    assert not of_kind(await (await doors.by_link(ece)).until("welcome"), "table")
    later = await doors.by_link(ece)
    await later.until("welcome")
    assert of_kind(await later.press(f"watch_live.me.0.{code}"), "notice")


async def test_who_is_blocked_sees_nothing(doors: DoorHouse) -> None:
    house = doors.house
    ada, ece = house.person("Ada"), house.person("Ece")
    table = await house.open(ada, ece)
    house.chat.readers.add((ece.key, PLACE))
    await house.organise(ada, "block", ece.name)
    await house.press(ece, f"leave.{table}.0", private=False)
    page = await doors.by_link(ece, table)
    assert not of_kind(await page.until("welcome"), "table")


async def test_who_has_left_sees_their_rack_go(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await house.open(ada, can)
    page = await doors.by_link(can, table)
    await page.until("welcome")
    await house.press(can, f"leave.{table}.0", private=False)
    await page.until("norack", table=table)
    assert names(await page.until("table")) == ["Ada"]


async def test_logged_out_everywhere_nothing_knows_them_any_more(doors: DoorHouse) -> None:
    house = doors.house
    ada = house.person("Ada")
    table = await house.open(ada)
    one, other = await doors.by_link(ada, table), await doors.by_link(ada, table)
    unused = await doors.secret(ada)
    await one.until("welcome")
    await other.until("welcome")
    await house.press(ada, "log_out.me.0")
    for page in (one, other):
        await page.send("press", private=False, data=f"leave.{table}.0")
        assert await page.ended() == OPEN_AGAIN
    async with doors.session.post(f"{doors.url}/enter", data=unused, headers=doors.origin) as late:
        assert late.status == 403
    live = (await house.look(table)).live
    assert live is not None
    assert [seat.name for seat in live.seats if seat.name] == ["Ada"]


async def test_a_page_ends_with_its_session_and_another_one_stays(doors: DoorHouse) -> None:
    house = doors.house
    ada = house.person("Ada")
    table = await house.open(ada)
    pages = [await doors.by_link(ada, table) for _ in range(2)]
    for page in pages:
        await page.until("welcome")
    end, _ = offers(page_of(await house.press(ada, "sessions.me.0")), "session_end")
    await house.press(ada, end.press)
    assert sorted([await is_shut(page, table) for page in pages]) == [False, True]


async def is_shut(page: DoorPage, table: str) -> bool:
    """Return whether a press on a page ends it."""
    await page.send("press", private=False, data=f"rack.{table}.0")
    while (message := await page.socket.receive(timeout=WITHIN)).type is WSMsgType.TEXT:
        if message.json()["kind"] == "done":
            return False
    return True


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
async def test_other_sites_may_not_connect(doors: DoorHouse, origin: str) -> None:
    for method, path in (("GET", "/socket"), ("POST", "/enter")):
        async with doors.session.request(method, doors.url + path, headers={"Origin": origin}) as refused:
            assert refused.status == 403


@pytest.mark.parametrize("url", ["https://Çay.example:443", "https://xn--ay-3ia.example"])
async def test_the_address_is_known_as_browsers_write_it(doors: DoorHouse, url: str) -> None:
    server, app = WebServer("127.0.0.1", 0), doors.house.app
    Doors(apps=app.apps, shared=app.delivery, server=server, url=url, doors={})
    await server.start()
    headers = {"Host": "xn--ay-3ia.example", "Origin": "https://xn--ay-3ia.example"}
    async with doors.session.get(server.url, headers=headers) as page:
        assert page.status == 200
        assert "connect-src 'self' wss://xn--ay-3ia.example;" in page.headers["Content-Security-Policy"]
    async with doors.session.ws_connect(f"{server.url}socket", headers=headers):
        pass
    await server.stop()


@pytest.mark.parametrize(
    "another",
    [
        lambda number: ("203.0.114.7",),
        lambda number: (f"198.51.{number}.9", "203.0.114.7"),
        lambda number: (f"198.51.{number}.9, 203.0.114.7, 10.0.0.2",),
        lambda number: (f"198.51.{number}.9, 203.0.114.7:{number + 1}",),
        lambda number: (f"2a02:8109:1:2::{number + 1:x}",),
        lambda number: (f"[2a02:8109:1:2::{number + 1:x}]:443",),
        lambda number: (f"198.51.{number}.9, unknown",),
    ],
)
async def test_who_guesses_links_gets_no_more_tries_by_naming_other_addresses(
    doors: DoorHouse, another: Callable[[int], tuple[str, ...]]
) -> None:
    """Proxies add the address that they see behind what they are told, in the same line or in a new one."""
    answers = []
    for number in range(FAILURES + 1):
        headers = CIMultiDict(doors.origin)
        for line in another(number):
            headers.add("X-Forwarded-For", line)
        async with doors.session.post(f"{doors.url}/enter", data="a guess", headers=headers) as response:
            answers.append(response.status)
    assert answers == [403] * FAILURES + [429]
    assert int(response.headers["Retry-After"]) in range(1, 61)


async def test_who_comes_by_ipv4_has_tries_of_their_own_where_a_proxy_writes_it_as_ipv6(
    doors: DoorHouse,
) -> None:
    answers = []
    for number in range(FAILURES + 1):
        headers = {**doors.origin, "X-Forwarded-For": f"::ffff:203.0.114.{number + 1}"}
        async with doors.session.post(f"{doors.url}/enter", data="a guess", headers=headers) as response:
            answers.append(response.status)
    assert answers == [403] * (FAILURES + 1)


async def test_no_other_name_is_served(doors: DoorHouse) -> None:
    for path in ("/", "/socket", f"/static/{'0' * 24}/app.js"):
        async with doors.session.get(doors.url + path, headers={"Host": "evil.example"}) as refused:
            assert refused.status == 421


@pytest.mark.parametrize(
    "first", ["{", "[]", '{"kind": "press"}', "x" * 5000], ids=["no JSON", "a list", "a press", "too long"]
)
async def test_what_no_page_would_send_ends_the_connection(doors: DoorHouse, first: str) -> None:
    page = DoorPage(await doors.session.ws_connect(f"{doors.url}/socket", headers=doors.origin))
    await page.socket.send_str(first)
    assert await page.ended() in (1008, 1009)


async def test_nobody_comes_in_by_what_is_made_up(doors: DoorHouse) -> None:
    forged: list[Message] = [
        {"kind": "enter", "door": "link"},
        {"kind": "enter", "door": "telegram", "proof": "user=%7B%22id%22%3A1%7D&hash=00"},
        {"kind": "hello", "token": "A" * 43},
    ]
    for first in forged:
        page = await doors.connect(first, {"Cookie": f"{COOKIE}={'A' * 43}"})
        assert await page.ended() == OPEN_AGAIN


async def test_more_messages_than_hands_can_make_are_not_taken(
    doors: DoorHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.web.open_page._MESSAGES", 5)
    page = await doors.by_link(doors.house.person("Ada"))
    await page.until("welcome")
    for _ in range(6):
        await page.send("press", private=True, data="x.y.0")
    assert await page.ended() == 1013


async def test_a_page_beyond_a_persons_share_comes_in_when_another_is_gone(
    doors: DoorHouse, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others may be connections of its own that broke without a word: its session is good."""
    monkeypatch.setattr("adapters.web.doors._SOCKETS", 1)
    ada = doors.house.person("Ada")
    first = await doors.by_link(ada)
    await first.until("welcome")
    assert await (await doors.by_link(ada)).ended() == 1013
    await first.socket.close()

    async def comes_in() -> bool:
        page = await doors.by_link(ada)
        return (await page.socket.receive(timeout=WITHIN)).type is WSMsgType.TEXT

    await until(comes_in)


async def test_a_press_that_is_sent_again_after_the_line_broke_counts_once(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await playing(house, ada, can)
    player = await house.on_turn(table, ada, can)
    token = await house.app.apps.begin(player)
    hello = {"kind": "hello", "token": token, "table": table}
    page = await doors.connect(hello)
    (rack,) = of_kind(await page.until("welcome"), "rack")
    act = next(act for act in rack["live"]["acts"] if act["kind"] == "discard" and not act["sure"])
    await page.send("press", id="unsure-press", private=True, data=act["press"])
    await page.socket.close()
    page = await doors.connect(hello)
    await page.until("welcome")
    await page.send("press", id="unsure-press", private=True, data=act["press"])
    answered = await page.until("done", id="unsure-press")
    assert not of_kind(answered, "notice")
    own = (await house.rack(player, table)).live
    assert own is not None
    assert own.table.moment > rack["live"]["table"]["moment"]


async def test_of_a_press_in_the_app_and_one_in_the_chat_exactly_one_counts(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await playing(house, ada, can)
    player = await house.on_turn(table, ada, can)
    page = await doors.by_link(player, table)
    (rack,) = of_kind(await page.until("welcome"), "rack")
    one, other = [act for act in rack["live"]["acts"] if act["kind"] == "discard" and not act["sure"]][:2]
    in_app, in_chat = await asyncio.gather(page.press(one["press"]), house.press(player, other["press"]))
    refused = [bool(of_kind(in_app, "notice")), bool(in_chat.code)]
    assert sorted(refused) == [False, True]
    own = (await house.rack(player, table)).live
    assert own is not None
    assert own.table.moment > rack["live"]["table"]["moment"]
    while of_kind(in_app, "rack")[-1]["live"]["places"] != list(own.places):
        in_app += await page.until("rack")


async def test_while_the_app_is_open_the_chat_waits_and_is_true_again_soon_after(
    store: Store, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    monkeypatch.setattr("bot.people.sessions.OPEN_SECONDS", 10.0)
    monkeypatch.setattr("bot.delivery.feed.APP_SECONDS", 0.1)
    monkeypatch.setattr("bot.delivery.in_flight.GRACE_SECONDS", 0.2)
    monkeypatch.setattr("bot.handlers.apps.OPEN_EVERY", 0.1)
    async with open_doors(store, work=True) as doors:
        house = doors.house
        ada, can = house.person("Ada"), house.person("Can")
        table = await playing(house, ada, can)

        def shown(person: Person) -> list[str]:
            return [rack.worth for key, rack, _ in house.chat.racks if key == person.key]

        async def newest(person: Person) -> bool:
            stored = await house.app.tables.load(TableId(table))
            assert stored is not None
            seat = stored.value.seat_of(person.key)
            assert seat is not None
            return shown(person)[-1:] == [str(of_player(stored.value, seat))]

        async def seen() -> bool:
            return await AppSessions(store, HashedTokens(store)).is_open(ada.key)

        await until(lambda: newest(ada))
        page = await doors.by_link(ada, table)
        await until(seen)
        before = len(shown(ada))
        for _ in range(4):
            player = await house.on_turn(table, ada, can, private=False)
            live = (await house.rack(player, table, private=False)).live
            assert live is not None
            act = next(act for act in live.acts if act.kind in ("draw", "discard") and not act.sure)
            if player == ada:
                await page.press(act.press)
            else:
                await house.press(player, act.press)
        await until(lambda: newest(can))
        assert len(shown(ada)) == before
        await page.send("looking", visible=False)
        await until(lambda: newest(ada))


async def test_where_they_came_from_a_place_they_open_tables_in_it(doors: DoorHouse) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    house.chat.readers.add((ada.key, PLACE))
    for person, opens in ((ada, True), (can, False)):  # who can't read it any more opens none
        token = await house.app.apps.begin(person, PLACE)
        page = await doors.connect({"kind": "hello", "token": token})
        (welcome,) = of_kind(await page.until("welcome"), "welcome")
        assert welcome["opens"] is opens
        answered = await page.type("play", "okey 2")
        assert bool(of_kind(answered, "rack")) is opens
        assert bool(of_kind(answered, "notice")) is True
    assert len(await house.store.index.tables_at(PLACE)) == 1


async def test_who_comes_by_a_link_can_practise_without_a_place(doors: DoorHouse) -> None:
    page = await doors.by_link(doors.house.person("Ada"))
    await page.until("welcome")
    (rack,) = of_kind(await page.press("practice.me.0"), "rack")
    assert rack["live"]["table"]["practice"]
    assert rack["live"]["places"]


@pytest.mark.parametrize("preset", ["okey", "okey101-raise"])
async def test_what_a_viewer_cannot_see_leaves_every_byte_the_same(
    doors: DoorHouse, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the doors, too: for each seat, and for who looks on."""
    monkeypatch.setattr(doors.house.app.delivery, "clock", lambda: 0.0)
    apps, tables, chance = doors.house.app.apps, doors.house.app.tables, random.Random(7)
    doors.house.chat.readers.add(("mem:watcher", PLACE))

    async def sent(person: str, table: Table) -> list[str]:
        if person == "mem:invited":
            sessions = AppSessions(doors.house.store, HashedTokens(doors.house.store))
            await sessions.watch(person, Watched(table.id, table.calls.invitation))
        stored = await tables.change_if_there(table.id, None, lambda now: Change(table))
        if stored is None:
            await tables.create(table.id, Change(table), "laid out")
        page = await doors.connect(
            {"kind": "hello", "token": await apps.begin(Person(person, "", "en")), "table": table.id}
        )
        heard = [await page.socket.receive_str(timeout=WITHIN)]
        while '"welcome"' not in heard[-1]:
            heard.append(await page.socket.receive_str(timeout=WITHIN))
        await page.socket.close()
        told = [each for each in heard if '"kind":"here"' not in each]  # of pages, and at any time
        return [re.sub(r'"version":\d+', "", each) for each in told]  # each deal of it is a commit

    for moves in (3, 14):
        table = replace(a_table(chance, moves, preset), calls=TableCalls(invitation="ACDEFH"))
        assert table.stage == "playing"
        viewers = [("mem:watcher", None), ("mem:invited", None)]
        viewers += [(f"mem:{seat}", seat) for seat in range(len(table.seats))]
        for person, viewer in viewers:
            seen = await sent(person, table)
            assert len(seen) == (2 if viewer is None else 3)
            assert viewer is not None or "ACDEFH" not in "".join(seen)
            assert await sent(person, reshuffled(table, viewer, chance)) == seen
            if viewer == 0:
                assert await sent("mem:1", reshuffled(table, 0, chance)) != await sent("mem:1", table)


@pytest.mark.parametrize("file", ["Caddyfile", "app.Caddyfile"])
def test_the_proxies_of_our_examples_pass_the_doors_on_and_no_figures(file: str) -> None:
    text = (Path(__file__).parents[3] / "deploy" / file).read_text("utf-8")
    (passed,) = (line.split()[2:] for line in text.splitlines() if line.strip().startswith("@public path"))
    assert {"/", "/enter", "/socket", "/static/*", "/telegram"} <= {*passed}
    assert not {"/metrics", "/healthz", "/*"} & {*passed}


async def application(request: web.Request) -> web.Response:
    """What a Discord answers that does not name the application, and one that does."""
    match request.match_info["discord"]:
        case "lost":
            return web.Response(status=502, text="Bad Gateway")
        case "garbled":
            return web.Response(text="<html>")
    return web.json_response({"id": "4711"})


@pytest.mark.parametrize("discord", ["none", "lost", "garbled"])
async def test_while_discord_is_away_its_door_is_shut_and_the_others_are_open(
    store: Store, discord: str
) -> None:
    told = web.Application()
    told.router.add_get("/{discord}/applications/@me", application)
    async with TestServer(told) as server:
        api = "http://127.0.0.1:9" if discord == "none" else str(server.make_url(f"/{discord}"))
        away = DiscordDoor(token="4711.hush", secret="hush", api_url=api)
        async with open_doors(store, lambda url: {"discord": away}) as doors:
            async with doors.session.get(f"{doors.url}/?frame_id=f-1") as answer:
                assert answer.status == 503
                assert "doesn’t answer right now" in await answer.text()
                assert int(answer.headers["Retry-After"]) == int(answer.headers["Refresh"]) > 0
                assert "https://discord.com" in answer.headers["Content-Security-Policy"]
            async with doors.session.get(doors.url) as answer:
                assert answer.status == 200
            page = await doors.by_link(doors.house.person("Ada"))
            await page.until("welcome")


@pytest.mark.parametrize(
    ("path", "shown"), [("/", {"tg", "dc"}), ("/telegram", {"tg"}), ("/?frame_id=f-1", {"dc"})]
)
async def test_without_scripts_there_is_a_sentence_and_the_way_to_the_chat(
    store: Store, path: str, shown: set[str]
) -> None:
    told = web.Application()
    told.router.add_get("/{discord}/applications/@me", application)
    async with TestServer(told) as server:
        discord = DiscordDoor(token="x", secret="y", api_url=str(server.make_url("/there")))
        async with open_doors(
            store, lambda url: {"telegram": TelegramDoor(TOKEN), "discord": discord}
        ) as doors:
            for name in ("tg", "dc"):
                doors.house.app.chats[name] = MemoryChat(name=name, bot_name=f"bot_{name}")
            async with doors.session.get(doors.url + path) as answer:
                page = await answer.text()
    unscripted = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "This page needs JavaScript. In the chat you can play without it." in unscripted
    assert set(re.findall(r'href="https://chat\.test/bot_(\w+)"', unscripted)) == shown
