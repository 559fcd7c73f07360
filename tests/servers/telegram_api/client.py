"""The tests' client: people who act through their apps only, faults, and broken rules."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import aiohttp

from tests.patience import PATIENCE, found
from tests.servers.telegram_api.faults import Kind

ROOT = Path(__file__).resolve().parents[3]
TOKEN = "7000000001:TestTokenOfNobodyAAAAAAAAAAAAAAAAAAA"
BOT_NAME = "okey_bot"

T = TypeVar("T")


class Impossible(Exception):
    """An act that no app would allow: the button, the link or the message does not exist."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group, with topics by name if it is a forum."""

    id: int
    topics: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as a person sees it."""

    id: int
    chat_id: int
    words: str
    """The text, or the caption."""
    picture: str | None
    """The file id of its picture."""
    buttons: tuple[tuple[str, ...], ...]
    """The words on its buttons, by row."""
    raw: dict[str, Any] = field(repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words on all its buttons."""
        return tuple(label for row in self.buttons for label in row)

    @property
    def from_bot(self) -> bool:
        """Return whether it is from the bot."""
        return bool(self.raw["from"]["is_bot"])

    @property
    def topic(self) -> int | None:
        """Its forum topic; None in General and elsewhere."""
        return self.raw.get("message_thread_id")

    @property
    def versions(self) -> int:
        """The number of its versions: 1, and one more for every edit."""
        return int(self.raw["versions"])


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to a press: a temporary line, or an alert, perhaps with a link that opens."""

    text: str
    alert: bool
    url: str
    after: float
    """Seconds since the press."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request of the bot."""

    at: float
    method: str
    parameters: dict[str, Any]
    status: int
    description: str
    message: int | None = None
    lost: bool = False


class Control:
    """The control side of one running server."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self._session = session

    async def ask(self, action: str, **arguments: Any) -> Any:
        """Carry out any action by its name. Raises Impossible with the server's reason."""
        async with self._session.post(f"{self.url}/control/{action}", json=arguments) as answer:
            body = await answer.json()
        if "error" in body:
            raise Impossible(body["error"])
        return body["result"]

    # The scene

    async def person(
        self, name: str, *, language: str = "tr", username: str = "", started: bool = False
    ) -> "Person":
        """A new person. `started`: they have opened the private chat with the bot before."""
        number = await self.ask("add_user", first_name=name, language=language, username=username)
        person = Person(self, number, name)
        if started:
            await person.start()
        return person

    async def group(
        self, title: str, *members: "Person", kind: str = "supergroup", topics: tuple[str, ...] = ()
    ) -> Group:
        """A new group (`group` or `supergroup`) with the bot in it."""
        ids = [member.id for member in members]
        made = await self.ask("add_group", title=title, kind=kind, members=ids, topics=list(topics))
        return Group(made["id"], made["topics"])

    async def migrate(self, group: Group) -> Group:
        """The basic group becomes a supergroup."""
        return Group(await self.ask("migrate", chat_id=group.id))

    # Trouble

    async def fail(
        self,
        kind: Kind,
        count: int = 1,
        *,
        method: str = "",
        chat: int | None = None,
        seconds: float = 1.0,
        description: str = "",
    ) -> None:
        """Let the next `count` calls (of `method`, to `chat`) fail in this way."""
        await self.ask(
            "fail", kind=kind, count=count, method=method, chat=chat, seconds=seconds, description=description
        )

    # Records

    async def calls(self, *methods: str) -> list[Call]:
        """Every request of the bot, or those of some methods."""
        calls = [Call(**call) for call in await self.ask("calls")]
        return [call for call in calls if not methods or call.method in methods]

    async def findings(self) -> list[str]:
        """Every broken rule. A test ends by checking that there is none."""
        found: list[str] = await self.ask("findings")
        return found

    async def picture(self, file_id: str) -> bytes:
        """The content of a picture that was shown."""
        async with self._session.get(f"{self.url}/control/picture/{file_id}") as answer:
            return await answer.read()

    async def document(self, shown: Shown) -> tuple[str, bytes]:
        """The name and content of a message's file."""
        document = shown.raw["document"]
        async with self._session.get(f"{self.url}/control/document/{document['file_id']}") as answer:
            return document["file_name"], await answer.read()


class Person:
    """A person with a Telegram app."""

    def __init__(self, control: Control, number: int, name: str) -> None:
        self._control = control
        self.id = number
        self.name = name

    async def write(
        self,
        chat: int | Group,
        text: str,
        *,
        topic: int | None = None,
        as_group: bool = False,
        forwarded: bool = False,
    ) -> int:
        """Send a message, such as a command, to a group or (with their own id) to the bot.

        `as_group`: as an anonymous administrator; `forwarded`: another person's message.
        """
        words = {"text": text, "topic": topic, "as_group": as_group, "forwarded": forwarded}
        sent: int = await self._control.ask("write", user_id=self.id, chat_id=_id(chat), **words)
        return sent

    async def start(self, payload: str = "") -> None:
        """Open the bot and press Start."""
        await self._control.ask("start", user_id=self.id, payload=payload)

    async def follow(self, url: str) -> None:
        """Follow a deep link that the person was shown."""
        await self._control.ask("follow", user_id=self.id, url=url)

    async def press(self, message: Shown, button: str) -> Said:
        """Press a button by its words or its data, and wait for the answer."""
        return await self.answered(await self.press_only(message, button))

    async def press_only(self, message: Shown, button: str) -> str:
        """Press a button without waiting, and return the press's id."""
        pressed: str = await self._control.ask(
            "press", user_id=self.id, chat_id=message.chat_id, message_id=message.id, button=button
        )
        return pressed

    async def press_old(self, message: Shown, data: str) -> Said:
        """Press a button of an earlier version of the message."""
        pressed = await self._control.ask(
            "press_old", user_id=self.id, chat_id=message.chat_id, message_id=message.id, data=data
        )
        return await self.answered(pressed)

    async def answered(self, press: str, seconds: float = PATIENCE) -> Said:
        """Wait for the answer to a press."""

        async def look() -> Said | None:
            answer = await self._control.ask("answer", user_id=self.id, callback_id=press)
            return Said(**answer) if answer else None

        return await eventually(look, seconds, "the press was not answered")

    async def read(self, chat: "int | Group | None" = None) -> list[Shown]:
        """The messages of a chat as they see them; without a chat, of their private chat with the bot."""
        chat_id = self.id if chat is None else _id(chat)
        return [_shown(raw) for raw in await self._control.ask("read", user_id=self.id, chat_id=chat_id)]

    async def sees(
        self, matches: Callable[[Shown], bool], chat: "int | Group | None" = None, seconds: float = PATIENCE
    ) -> Shown:
        """Wait until a chat shows them a matching message of the bot, and return the newest one."""

        async def look() -> Shown | None:
            shown = [message for message in await self.read(chat) if message.from_bot and matches(message)]
            return shown[-1] if shown else None

        return await eventually(look, seconds, f"{self.name} did not see it")

    async def block(self, *, blocked: bool = True) -> None:
        """Block the bot, or let it in again."""
        await self._control.ask("block", user_id=self.id, blocked=blocked)


async def eventually(look: Callable[[], Awaitable[T | None]], seconds: float, else_say: str) -> T:
    """Repeat `look` until it finds something. Fails with `else_say` when the time is over."""
    try:
        async with asyncio.timeout(seconds):
            return await found(look)
    except TimeoutError:
        raise AssertionError(f"{else_say} within {seconds:g} s") from None


UNHURRIED: Final = ("--callback-seconds", "60")
"""Options of a server for tests that pass on a slow machine. `python -m tests.evening.crowd` and
`tests.evening.faults` hold the bot to the time in which Telegram takes the answer to a press."""


@contextmanager
def telegram_process(*options: str) -> Iterator[str]:
    """The address of a server in its own process, with these command line options."""
    command = [sys.executable, "-m", "tests.servers.telegram_api", "--token", TOKEN, "--bot-name", BOT_NAME]
    with subprocess.Popen([*command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            assert url, "the Telegram server did not start"
            yield url
        finally:
            process.terminate()


@asynccontextmanager
async def telegram(url: str) -> AsyncIterator[Control]:
    """A running server after a reset."""
    async with aiohttp.ClientSession() as session:
        control = Control(url, session)
        await control.ask("reset")
        yield control


def _id(chat: int | Group) -> int:
    return chat.id if isinstance(chat, Group) else chat


def _shown(raw: dict[str, Any]) -> Shown:
    rows = raw.get("reply_markup", {}).get("inline_keyboard", [])
    return Shown(
        raw["message_id"],
        raw["chat"]["id"],
        raw.get("text") or raw.get("caption") or "",
        raw["photo"][-1]["file_id"] if "photo" in raw else None,
        tuple(tuple(button["text"] for button in row) for row in rows),
        raw,
    )
