"""The world of a season: the program, both platforms, their people, and the clock."""

import asyncio
import csv
import io
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import aiohttp
from redis.asyncio import Redis

from bot.league.model import League
from bot.league.night import Night
from bot.league.visibility import path_of
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import TableRepository
from bot.store import Store, open_store
from bot.store.embedded import use_embedded_valkey
from bot.tables.table import Table
from tests.evening import discord_people, telegram_people
from tests.evening.running_bot import RunningBot, both_chats, free_port
from tests.evening.season.moved_bot import CLOCK, PROGRAM, MovedClock
from tests.evening.season.people import OnDiscord, OnTelegram, Someone
from tests.patience import found
from tests.servers.discord_api.client import Discord
from tests.servers.telegram_api.client import Control, Group

PATIENCE_SECONDS = 600.0
"""The most seconds that anything may take. A killed program's leases last for some of them."""

ORGANISER: Final = "P01"
"""An organiser of the server."""

GUEST: Final = "P02"
"""An organiser of the group."""

FREQUENT: Final = ("--group-limit", "900/60", "--private-limit", "900/30")
"""Options of a Telegram server whose limits follow the test's clock, so that a skipped hour has passed for it
too."""

T = TypeVar("T")

_CALL = re.compile(r"round (\d+) has begun")
_CALLED = re.compile(r"(?:<@|tg://user\?id=)(\d+)")

_CODE = re.compile(r"\b[A-Z0-9]{3}-[A-Z0-9]{3}\b")


@dataclass
class World:
    """The program with both platforms."""

    discord: Discord
    control: Control
    bot: RunningBot
    clock: MovedClock
    store: Store
    guild: int
    channel: int
    group: Group
    people: dict[str, Someone]
    """The people by name, alternately on the two platforms."""
    web: str
    """The address of the public pages."""
    valkey: Redis
    league: str = ""
    undisturbed: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while somebody does what they would not do twice: the program isn't killed during that."""

    def __post_init__(self) -> None:
        self.repository = TableRepository(self.store)
        self.leagues = LeagueRepository(self.store, self.clock)

    @property
    def places(self) -> tuple[str, str]:
        """The keys of the channel and the group."""
        return f"dc:{self.channel}", f"tg:{self.group.id}"

    async def time_is(self, moment: float) -> None:
        """Set the time, and reset what the platforms counted before."""
        self.clock.set(moment)
        if spent := await self.valkey.keys("{spend}*"):
            await self.valkey.delete(*spent)

    async def kill(self) -> None:
        """`kill -9` the program and start a new one as soon as Discord sees that it is gone: what is typed
        before that is lost."""

        async def gone() -> bool:
            return not await self.discord.connected()

        await self.bot.kill()
        await eventually(gone, "the killed program is still connected")
        await self.bot.start()

    @asynccontextmanager
    async def killed_every(self, seconds: float) -> AsyncIterator[None]:
        """Meanwhile kill the program again and again, whatever it is doing: each time so long after it was
        ready."""
        done = asyncio.Event()

        async def kill() -> None:
            while not done.is_set():
                await eventually(self.bot.is_ready, "the program is not ready")
                with suppress(TimeoutError):
                    await asyncio.wait_for(done.wait(), seconds)
                    return
                async with self.undisturbed:
                    await self.kill()

        async with asyncio.TaskGroup() as group:
            group.create_task(kill())
            try:
                yield
            finally:
                done.set()

    def named(self, key: str | None) -> str:
        """The name of a key's person; empty for None or an unknown key."""
        return next((each.name for each in self.people.values() if each.key == key), "")

    async def held(self) -> League:
        """The league in its current state."""
        held = await self.leagues.league(self.league)
        assert held is not None
        return held.value

    async def download(self, file: str, season: int = 1) -> list[dict[str, str]]:
        """`standings` or `results`, downloaded from the league's page."""
        address = f"{self.web}/league/{path_of(await self.held())}/{file}.csv?season={season}"
        async with aiohttp.ClientSession() as session, session.get(address) as response:
            response.raise_for_status()
            return list(csv.DictReader(io.StringIO(await response.text())))

    async def night(self, id: str) -> Night:
        """A night in its current state."""
        held = await self.leagues.night(id)
        assert held is not None
        return held.value

    async def comes(self, id: str, *stages: str) -> Night:
        """Wait until a night is at one of these stages, which one that has ended never will be."""

        async def there() -> Night | None:
            night = await self.night(id)
            assert night.stage in stages or night.stage not in ("over", "cancelled"), f"{id} is {night.stage}"
            return night if night.stage in stages else None

        return await eventually(there, f"{id} is not {stages}")

    async def replied(self, id: str, people: Sequence[Someone], *, here: bool = False) -> None:
        """Wait until all these people have replied to a night, or (`here`) have come. A press on Discord may
        be answered before it is done."""

        async def all_noted() -> bool:
            league, night = await self.held(), await self.night(id)
            members = [league.member_of(each.key) for each in people]
            replies = [None if member is None else night.entrant(member.id) for member in members]
            return all(reply is not None and (reply.here or not here) for reply in replies)

        await eventually(all_noted, "not everybody's reply is noted")

    async def calls(self, since: float, until: float = math.inf) -> Counter[tuple[int, str]]:
        """How often people were called to a round's tables meanwhile, by the round and their key."""
        lines = [
            (call.at, "dc", call.words)
            for call in await self.discord.calls()
            if call.method == "POST" and call.status == 200
        ]
        lines += [
            (call.at, "tg", str(call.parameters.get("text", "")))
            for call in await self.control.calls("sendMessage")
            if call.status == 200
        ]
        return Counter(
            (int(told[1]), f"{chat}:{person}")
            for at, chat, words in lines
            if since <= at < until and (told := _CALL.search(words))
            for person in _CALLED.findall(words)
        )

    async def tables(self, night: str, round: int) -> list[Table]:
        """The tables of a night's round, by number."""
        ids = {table for place in self.places for table in await self.store.index.tables_at(place)}
        kept = [await self.repository.load(table) for table in sorted(ids)]
        found = [each.value for each in kept if each is not None and each.value.night is not None]
        of = [each for each in found if each.night and (each.night.night, each.night.round) == (night, round)]
        return sorted(of, key=lambda each: each.night.number if each.night else 0)


@asynccontextmanager
async def a_world(
    discord: Discord, control: Control, folder: Path, *, people: int, now: float
) -> AsyncIterator[World]:
    """The running program with a channel and a group of this many people."""
    clock = MovedClock(folder / "clock")
    clock.set(now)
    port = free_port()
    bot = RunningBot(
        folder,
        program=(PROGRAM,),
        **both_chats(discord, control),
        WEB_PORT=str(port),
        **{CLOCK: str(folder / "clock")},
    )
    names = [f"P{number:02}" for number in range(1, people + 1)]
    guild = await discord.guild()
    channel = await discord.channel(guild)
    here = [await _on_discord(discord, guild, channel, name) for name in names[::2]]
    persons = [await control.person(name, language="en", started=True) for name in names[1::2]]
    group = await control.group("Kıraathane", *persons)
    there = [OnTelegram(telegram_people.Player(person, group)) for person in persons]
    everybody: list[Someone] = [*here, *there]
    by_name = {person.name: person for person in sorted(everybody, key=lambda person: person.name)}
    # The test's own store server does not end with the program.
    async with use_embedded_valkey(folder / "data") as url, open_store(url, folder) as store:
        await bot.start()
        try:
            await discord.wait_connected()
            yield World(
                discord,
                control,
                bot,
                clock,
                store,
                guild,
                channel,
                group,
                by_name,
                f"http://127.0.0.1:{port}",
                Redis.from_url(url),
            )
        finally:
            await bot.stop()
    assert "Traceback" not in bot.told()
    lost = await telegram_people.lost_presses(control, bot.killed)
    for findings in (await discord.findings(), await control.findings()):
        assert set(findings) <= lost, findings


async def _on_discord(discord: Discord, guild: int, channel: int, name: str) -> OnDiscord:
    user = await discord.user(name, guild=guild)
    return OnDiscord(discord_people.Player(discord, user, name, channel))


async def let_them_organise(world: World) -> tuple[OnDiscord, OnTelegram]:
    """Make one person of the server and one of the group organisers there."""
    on_discord, on_telegram = world.people[ORGANISER], world.people[GUEST]
    assert isinstance(on_discord, OnDiscord)
    assert isinstance(on_telegram, OnTelegram)
    await world.discord.manager(on_discord.player.user, world.guild)
    await world.control.ask("promote", user_id=on_telegram.player.person.id, chat_id=world.group.id)

    await world.discord.wait_commands()
    return on_discord, on_telegram


async def found_league(world: World, settings: Sequence[str]) -> None:
    """Found the league as an organiser of the server, and bring it to the group as one of the group."""
    on_discord, on_telegram = await let_them_organise(world)
    await on_discord.write(f"new {' '.join(settings)}")
    await on_discord.press("league_found")
    (world.league,) = await eventually(
        lambda: world.store.index.leagues_at(world.places[0]), "the league is not there"
    )
    await on_discord.write("invite")

    async def code() -> str | None:
        return next((found[0] for text in await on_discord.read() if (found := _CODE.search(text))), None)

    await on_telegram.write(f"join {await eventually(code, 'no code')}")

    async def joined() -> bool:
        return set((await world.held()).places) == set(world.places)

    await eventually(joined, "the group has not joined")


async def eventually(
    look: Callable[[], Awaitable[T | None]], otherwise: str, seconds: float = PATIENCE_SECONDS
) -> T:
    """Wait until `look` finds something."""
    try:
        async with asyncio.timeout(seconds):
            return await found(look)
    except TimeoutError:
        raise AssertionError(otherwise) from None
