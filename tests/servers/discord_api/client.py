"""The tests' client: a running Discord, and the people in it."""

import asyncio
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import aiohttp

from tests.patience import PATIENCE, found
from tests.servers.discord_api.seen import Impossible, Picture, Seen, seen_from

__all__ = [
    "Address",
    "Call",
    "Discord",
    "Impossible",
    "Seen",
    "discord_process",
    "fresh_discord",
    "running_discord",
    "until",
]

ROOT = Path(__file__).resolve().parents[3]

STARTING_SECONDS = 60.0
"""Seconds to wait for a program that is still starting, on a busy machine."""

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """One call that the bot made."""

    at: float
    method: str
    path: str
    status: int | None
    presses: list[str]
    """The presses of the message that it sent or edited."""
    words: str = ""
    message: int | None = None
    notifies: list[str] = field(default_factory=list)
    """The people whom it notifies, roles after an `&`, and `@everyone` or `@here`."""


class Discord:
    """The control side of a running server. Users, channels and messages are numbers."""

    def __init__(self, url: str, token: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.token = token
        self._session = session

    @property
    def api_url(self) -> str:
        """The value for `DISCORD_API_URL`."""
        return f"{self.url}/api/v10"

    async def _ask(self, operation: str, **arguments: Any) -> Any:
        async with self._session.post(f"{self.url}/control/{operation}", json=arguments) as response:
            answer = await response.json()
        if response.status != 200:
            raise Impossible(answer["error"])
        return answer["result"]

    async def reset(self) -> None:
        """Forget everything, as a Discord without people."""
        await self._ask("reset")

    # People and places

    async def guild(self, name: str = "Kıraathane", *, has_bot: bool = True, locale: str = "en-US") -> int:
        return int(await self._ask("guild", name=name, has_bot=has_bot, locale=locale))

    async def channel(
        self,
        guild: int,
        name: str = "okey",
        *,
        parent: int | None = None,
        announces: bool = False,
        voice: bool = False,
        people: list[int] | None = None,
    ) -> int:
        """A text channel, perhaps one for announcements, or a thread of `parent`: with `people`, a private
        one."""
        kind = {"announces": announces, "voice": voice}
        asked = {"guild": guild, "name": name, "parent": parent, "people": people, **kind}
        return int(await self._ask("channel", **asked))

    async def delete_channel(self, channel: int) -> None:
        await self._ask("delete_channel", channel=channel)

    async def user(self, name: str, *, locale: str = "en-US", guild: int | None = None) -> int:
        return int(await self._ask("user", name=name, locale=locale, guild=guild))

    async def manager(self, user: int, guild: int, *, manages: bool = True) -> None:
        """Allow a member to manage the server, or not."""
        await self._ask("manager", user=user, guild=guild, manages=manages)

    async def rights(self, guild: int, *denied: str) -> None:
        """Set what the bot may not change on a server: `events`, `roles`, or nothing."""
        await self._ask("rights", guild=guild, denied=denied)

    async def role(self, guild: int, name: str, *, above: bool = False, mentionable: bool = False) -> int:
        """Make a role by hand, perhaps above the bot's own, or one that anybody may mention."""
        return int(await self._ask("role", guild=guild, name=name, above=above, mentionable=mentionable))

    async def worn(self, guild: int) -> dict[str, list[int]]:
        """The wearers of the server's roles, by the roles' names."""
        worn: dict[str, list[int]] = await self._ask("worn", guild=guild)
        return worn

    async def calendar(self, guild: int) -> list[dict[str, Any]]:
        """All existing events of a server, finished ones too, in the API's form."""
        shown: list[dict[str, Any]] = await self._ask("calendar", guild=guild)
        return shown

    async def delete_event(self, guild: int, event: int) -> None:
        """Delete an event from the calendar as a person."""
        await self._ask("delete_event", guild=guild, event=event)

    async def direct_messages(self, user: int, *, open: bool) -> None:
        await self._ask("direct_messages", user=user, open=open)

    async def bot_killed(self) -> None:
        """Say that the bot was killed just now."""
        await self._ask("bot_killed")

    async def deny(self, channel: int, *permissions: str) -> None:
        """Take permissions from the bot, named as in `world.PERMISSIONS`."""
        await self._ask("deny", channel=channel, permissions=permissions, denied=True)

    async def allow(self, channel: int, *permissions: str) -> None:
        """Give permissions back."""
        await self._ask("deny", channel=channel, permissions=permissions, denied=False)

    async def kick(self, guild: int, *, kicked: bool = True) -> None:
        """Remove the bot from a server, or add it again."""
        await self._ask("kick", guild=guild, kicked=kicked)

    async def away(self, guild: int) -> None:
        """An outage takes a server from the gateway. Calls about it are still answered."""
        await self._ask("away", guild=guild)

    async def lock(self, thread: int, *, locked: bool = True) -> None:
        """Archive a thread and lock it, or open it again."""
        await self._ask("lock", thread=thread, locked=locked)

    async def describe(self, description: str) -> None:
        """Write the application's description, as its operator does in the portal."""
        await self._ask("describe", description=description)

    async def emojis(self, *names: str) -> None:
        """Create emojis of the application, as if an earlier process had uploaded them."""
        await self._ask("emojis", names=names)

    async def delete_message(self, channel: int, message: int) -> None:
        await self._ask("delete_message", channel=channel, message=message)

    async def dispatch(self, events: list[tuple[str, Any]]) -> None:
        """Send the bot events as they are."""
        await self._ask("dispatch", events=events)

    # What people do: each returns the interaction's number, or raises Impossible

    async def command(
        self,
        user: int,
        channel: int | None,
        name: str,
        options: Mapping[str, str | int | bool] | None = None,
        *,
        user_install: bool = False,
    ) -> int:
        """Run a slash command, such as `table join`; None is the person's direct channel with the bot."""
        return int(
            await self._ask(
                "command",
                user=user,
                channel=channel,
                name=name,
                options=dict(options or {}),
                user_install=user_install,
            )
        )

    async def of_user(self, user: int, channel: int, name: str, target: int) -> int:
        """Run the command `name` from the menu of another person's name."""
        return int(await self._ask("of_user", user=user, channel=channel, name=name, target=target))

    async def say(self, user: int, channel: int, words: str) -> int:
        """Write a line in a channel, which the bot does not get to read."""
        return int(await self._ask("say", user=user, channel=channel, words=words))

    async def identical_uploads(self) -> list[tuple[float, float]]:
        """When pictures were uploaded, and when an edit uploaded each again though the message had it."""
        return [(first, again) for first, again in await self._ask("identical_uploads")]

    async def suggested(
        self, user: int, channel: int | None, name: str, option: str, typed: str = ""
    ) -> list[dict[str, str]]:
        """The suggestions, names and values, for a person who types an option."""
        asked = {"user": user, "channel": channel, "name": name, "option": option, "typed": typed}
        interaction = int(await self._ask("suggest", **asked))
        await self.answered(interaction)
        choices: list[dict[str, str]] = await self._ask("suggested", interaction=interaction)
        return choices

    async def press(self, user: int, seen: Seen, words: str) -> int:
        """Press the button of a message that holds the words in label or press text."""
        custom_id = seen.button(words).custom_id
        return await self.press_exactly(user, seen.channel, seen.id, custom_id)

    async def press_exactly(
        self, user: int, channel: int, message: int, custom_id: str, *, forged: bool = False
    ) -> int:
        """Press a button of a message by its text; `forged`: one that the message does not show."""
        pressed = {"user": user, "channel": channel, "message": message, "custom_id": custom_id}
        return int(await self._ask("press", **pressed, forged=forged))

    async def select(self, user: int, seen: Seen, custom_id: str, value: str) -> int:
        return int(
            await self._ask(
                "select",
                user=user,
                channel=seen.channel,
                message=seen.id,
                custom_id=custom_id,
                value=value,
            )
        )

    async def form(self, interaction: int) -> dict[str, Any]:
        """Wait for the form that a press opens."""

        async def opened() -> dict[str, Any] | None:
            return await self._ask("form", interaction=interaction)

        return await until(opened)

    async def fill_in(self, interaction: int, typed: str) -> int:
        """Fill in the one field of the form that a press has opened, and send it."""
        return int(await self._ask("fill_in", interaction=interaction, typed=typed))

    async def repeat(self, interaction: int) -> None:
        """Deliver an interaction a second time."""
        await self._ask("repeat", interaction=interaction)

    # Interactions over HTTP

    async def leave_out(self, *fields: str) -> None:
        """Leave these fields out of every interaction from now on: `member`, `channel.bitrate`."""
        await self._ask("leave_out", fields=list(fields))

    async def public_key(self) -> str:
        """The value for `DISCORD_PUBLIC_KEY`."""
        return str(await self._ask("public_key"))

    async def post_to(self, *addresses: str) -> None:
        """Post interactions to these addresses in turn. Raises Impossible when one checks no signatures."""
        await self._ask("post_to", addresses=addresses)

    async def can_post_to(self, *addresses: str) -> bool:
        """The same. Return whether all of them satisfied Discord."""
        with suppress(Impossible):
            await self.post_to(*addresses)
            return True
        return False

    async def signed(self, body: str, *, seconds_ago: float = 0.0) -> dict[str, str]:
        """The headers with which Discord would have posted a body."""
        headers: dict[str, str] = await self._ask("signed", body=body, seconds_ago=seconds_ago)
        return headers

    # What people see

    async def sees(self, user: int, channel: int) -> list[Seen]:
        """A channel as a person sees it, oldest first, with their ephemeral messages."""
        return [seen_from(raw) for raw in await self._ask("sees", user=user, channel=channel)]

    async def direct(self, user: int) -> list[Seen]:
        """A person's direct messages with the bot."""
        return [seen_from(raw) for raw in await self._ask("sees", user=user, channel=None)]

    async def picture(self, picture: Picture) -> bytes:
        async with self._session.get(picture.url) as response:
            response.raise_for_status()
            return await response.read()

    async def answer(self, interaction: int) -> dict[str, Any]:
        """`type` and `after` (seconds) of the first answer, and how many `follow_ups` there were."""
        answer: dict[str, Any] = await self._ask("answer", interaction=interaction)
        return answer

    async def answered(self, interaction: int) -> dict[str, Any]:
        """Wait for the first answer."""

        async def given() -> dict[str, Any] | None:
            answer = await self.answer(interaction)
            return answer if answer["type"] is not None else None

        return await until(given)

    # Trouble

    async def fail(
        self,
        times: int,
        status: int,
        *,
        code: int = 0,
        method: str = "",
        path: str = "",
        retry_after: float = 0.0,
    ) -> None:
        """Answer the next matching calls with a status and Discord's code."""
        await self._ask(
            "fault",
            times=times,
            kind="status",
            status=status,
            code=code,
            method=method,
            path=path,
            seconds=retry_after,
        )

    async def hang(self, times: int, seconds: float, *, method: str = "", path: str = "") -> None:
        await self._ask("fault", times=times, kind="hang", seconds=seconds, method=method, path=path)

    async def lose(self, times: int, *, method: str = "", path: str = "") -> None:
        """Carry the next calls out, but break the connection before the answer."""
        await self._ask("fault", times=times, kind="lost", method=method, path=path)

    async def drop_gateway(self, how: str = "abort") -> None:
        """End the gateway connection: `abort`, `reconnect` or `invalidate`."""
        await self._ask("drop_gateway", how=how)

    async def refuse_handshakes(self, times: int) -> None:
        await self._ask("refuse_handshakes", times=times)

    async def use_up_sessions(self, seconds: float) -> None:
        """Let the bot begin no session for so long."""
        await self._ask("use_up_sessions", seconds=seconds)

    # What was recorded

    async def connected(self) -> bool:
        return bool(await self._ask("connected"))

    async def wait_connected(self) -> None:
        await until(self.connected, STARTING_SECONDS)

    async def wait_commands(self) -> None:
        """Wait until a process has registered the commands, possibly after connecting."""

        async def registered() -> bool:
            return bool((await self.registered())["commands"])

        await until(registered, STARTING_SECONDS)

    async def presence(self) -> str:
        """The line below the bot's name."""
        return str(await self._ask("presence"))

    async def sessions_begun(self) -> int:
        return int(await self._ask("sessions_begun"))

    async def calls(self) -> list[Call]:
        return [Call(**call) for call in await self._ask("calls")]

    async def findings(self) -> list[str]:
        """Every broken rule, in order. A test ends by checking that there is none."""
        return list(await self._ask("findings"))

    async def unanswered(self) -> list[tuple[float, str]]:
        """Interactions without an answer: their times, and the press or the typed text."""
        return [(at, what) for at, what in await self._ask("unanswered")]

    async def entry_point(self, name: str) -> None:
        """Create Discord's own command of an application with an activity."""
        await self._ask("entry_point", name=name)

    async def launched(self, user: int, channel: int) -> str:
        """The activity of a channel, which a person joins."""
        return str(await self._ask("launched", user=user, channel=channel))

    async def leave_activity(self, user: int, instance: str) -> None:
        await self._ask("leave_activity", user=user, instance=instance)

    async def authorize(self, user: int) -> str:
        """The code with which a person's page identifies them, once."""
        return str(await self._ask("authorize", user=user))

    async def leave_guild(self, user: int, guild: int) -> None:
        await self._ask("leave_guild", user=user, guild=guild)

    async def registered(self) -> dict[str, Any]:
        """The application's `commands` and `emojis`."""
        registered: dict[str, Any] = await self._ask("registered")
        return registered


async def until(what: Callable[[], Awaitable[T | None]], seconds: float = PATIENCE) -> T:
    """Call again and again until the answer is neither None nor empty nor False."""
    async with asyncio.timeout(seconds):
        return await found(what)


@dataclass(frozen=True)
class Address:
    """The address of a server, and the bot's token there."""

    url: str
    token: str


UNHURRIED: Final = ("--answer-seconds", "60")
"""Options of a server for tests that pass on a slow machine. `python -m tests.evening.crowd` and
`tests.evening.faults` hold the bot to Discord's three seconds."""


@contextmanager
def discord_process(*options: str) -> Iterator[Address]:
    """A server in its own process, with these command line options."""
    token = f"MTA.{secrets.token_urlsafe(16)}"
    command = [sys.executable, "-m", "tests.servers.discord_api", "--token", token, *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Address(process.stdout.readline().strip(), token)
        finally:
            process.terminate()


@asynccontextmanager
async def fresh_discord(address: Address) -> AsyncIterator[Discord]:
    """The server after a reset."""
    async with aiohttp.ClientSession() as session:
        discord = Discord(address.url, address.token, session)
        await discord.reset()
        yield discord


@asynccontextmanager
async def running_discord(*options: str) -> AsyncIterator[Discord]:
    """An unhurried server for one test."""
    with discord_process(*UNHURRIED, *options) as address:
        async with fresh_discord(address) as discord:
            yield discord
