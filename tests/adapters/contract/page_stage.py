"""A stage on the local page: its one place, and a tab of each person."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from aiohttp import ClientSession

from adapters.web import LocalPage, WebServer
from adapters.web.local_chat import LocalChat
from adapters.web.local_page import person_of
from adapters.web.protocol import PROTOCOL, TabToken
from bot.ports import Answer, AppView, Person, Press, TypedCommand
from tests.adapters.contract.stage import Seen
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.web.conftest import Tab
from tests.patience import eventually

BUTTON = re.compile(r'data-surface="([^"]*)" data-press="([^"]*)"[^>]*>(.*?)</button>', re.DOTALL)
CAUGHT_UP = "caughtup"
"""A command whose end tells that everything said before it was heard."""
TOKENS = {"A" * 43: ("Ada", "tr"), "C" * 43: ("Can", "en")}
"""The secrets of people's tabs, with their names and languages."""
PEOPLE = {person_of(TabToken(token), *who).key: token for token, who in TOKENS.items()}
"""People's secrets by their keys."""


class Visits:
    """The application behind the page: it has no tables of its own, and hands on what people do."""

    def __init__(self, router: ScriptedRouter) -> None:
        self.router = router
        self.open: list[str] = []
        """The people whose tabs are open."""

    @asynccontextmanager
    async def visit_as(self, by: Callable[[], Person], place: str, table: str) -> AsyncIterator["Visit"]:
        self.open.append(key := by().key)
        try:
            yield Visit(self.router, by, place)
        finally:
            self.open.remove(key)


@dataclass
class Visit:
    """One open tab."""

    router: ScriptedRouter
    by: Callable[[], Person]
    place: str
    wish: str = ""

    async def looks(self, *, visible: bool) -> None:
        pass

    async def news(self) -> None:
        await asyncio.Event().wait()

    async def look(self) -> AppView:
        return AppView((), (), (), ())

    async def person(self) -> Person:
        return self.by()

    async def opens(self) -> bool:
        return True

    async def press(self, data: str, id: str, *, public: bool) -> Answer:
        place, surface = (self.place, "public") if public else (None, "private")
        press = Press(by=self.by(), place=place, surface=surface, data=data, id=id)  # type: ignore[arg-type]
        return await self.router.press(press)

    async def command(self, verb: str, argument: str, id: str) -> Answer:
        if verb == CAUGHT_UP:
            return Answer()
        typed = TypedCommand(by=self.by(), place=self.place, verb=verb, argument=argument, id=id)
        return await self.router.command(typed)


@dataclass
class Reader:
    """A person at their tab: what stands there, in the order in which it came. A board takes the place of the
    table's last one; an urgent notice and a page to read, each that of the last one at all."""

    tab: Tab
    public: dict[str, dict[str, Any]] = field(default_factory=dict)
    private: dict[str, dict[str, Any]] = field(default_factory=dict)

    def hear(self, messages: list[dict[str, Any]]) -> None:
        for each in messages:
            match each["kind"]:
                case "board":
                    self.public[each["table"]] = each
                case "notice" if not each["urgent"]:
                    self.public[f"notice {len(self.public)}"] = each
                case "notice" | "reading" as kind:
                    self.private.pop(kind, None)
                    self.private[kind] = each

    async def catch_up(self) -> None:
        self.hear(await self.tab.command(CAUGHT_UP))


@dataclass
class PageStage:
    """A page that only this machine can reach, open in a tab of Ada and in one of Can."""

    chat: LocalChat
    delivery: ScriptedDelivery
    visits: Visits
    session: ClientSession
    url: str
    ada, can = PEOPLE
    place = "web:local"
    readers: dict[str, Reader] = field(default_factory=dict)
    _pressed: tuple[Reader, dict[str, Any]] | None = None
    """The last press, and by whom."""

    @property
    def router(self) -> ScriptedRouter:
        return self.visits.router

    async def read(self, place: str = "") -> list[Seen]:
        """Everybody reads the same."""
        for reader in self.readers.values():
            await reader.catch_up()
        first, *others = [self._seen(reader.public) for reader in self.readers.values()]
        assert all(each == first for each in others)
        return first

    async def read_private(self, person: str) -> list[Seen]:
        if person not in self.readers:
            return []
        await self.readers[person].catch_up()
        return self._seen(self.readers[person].private)

    async def close_private(self, person: str) -> None:
        await self.readers.pop(person).tab.socket.close()
        await eventually(lambda: person not in self.visits.open)

    async def open_private(self, person: str) -> None:
        token = PEOPLE[person]
        name, language = TOKENS[token]
        socket = await self.session.ws_connect(f"{self.url}socket", headers={"Origin": self.url.rstrip("/")})
        self.readers[person] = reader = Reader(Tab(socket, token))
        hello = {"protocol": PROTOCOL, "token": token, "name": name, "language": language}
        await reader.tab.say(kind="hello", **hello)
        reader.hear(await reader.tab.until("welcome"))

    async def press(self, person: str, label: str, *, private: bool = False) -> str:
        reader = self.readers[person]
        await reader.catch_up()
        shown = (reader.private if private else reader.public).values()
        buttons = [each for message in shown for each in BUTTON.findall(message["html"])]
        (*_, (surface, data, _)) = [each for each in buttons if _plain(each[2]) == label]
        self._pressed = reader, {"data": data, "private": surface == "private", "id": secrets.token_hex(8)}
        return await self.press_again()

    async def press_again(self) -> str:
        assert self._pressed is not None
        reader, press = self._pressed
        heard = await reader.tab.press(**press)
        reader.hear(heard)
        return "".join(_plain(each["html"]) for each in heard if each["kind"] == "notice")

    async def command(self, person: str, line: str, place: str | None = "") -> None:
        self.readers[person].hear(await self.readers[person].tab.command(*line.split(maxsplit=1)))

    async def told(self, person: str, words: str) -> Seen:
        """Everything has come by the end of an act."""
        (*_, message) = [each for each in await self.read_private(person) if words in each.words]
        return message

    def _seen(self, shown: dict[str, dict[str, Any]]) -> list[Seen]:
        return [self._look(number, each["html"]) for number, each in enumerate(shown.values())]

    def _look(self, number: int, html: str) -> Seen:
        labels = tuple(_plain(label) for _, _, label in BUTTON.findall(html))
        words = _plain(re.sub(r"<button.*?</button>", "", html, flags=re.DOTALL))
        names = words.rpartition(": ")[0].split(", ")
        here = {"Ada": self.ada, "Can": self.can}
        calls = frozenset(here[first] for name in names if (first := name.partition(" ")[0]) in here)
        return Seen(number, words, labels, "<img " in html, calls)


@asynccontextmanager
async def page_stage() -> AsyncIterator[PageStage]:
    """A page on a real port, and two people who have come."""
    visits, delivery, server = Visits(ScriptedRouter()), ScriptedDelivery(), WebServer("127.0.0.1", 0)
    chat = LocalPage(apps=visits, shared=delivery, server=server).chat  # type: ignore[arg-type]
    await server.start()
    try:
        async with ClientSession() as session:
            stage = PageStage(chat, delivery, visits, session, server.url)
            for person in PEOPLE:
                await stage.open_private(person)
            yield stage
    finally:
        await server.stop()


def _plain(html: str) -> str:
    """Return the words of a piece of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())
