"""One evening with faults: four people in a forum's topic and four in a channel, each playing a match to its
end."""

import asyncio
import logging
import random
import re
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.ports import Person
from bot.store.embedded import use_embedded_valkey
from bot.tables.table import Display
from engine.rules import Rules, rules_from
from tests.evening.crowd_tables import seat
from tests.evening.crowd_witness import Witness, witness
from tests.evening.faults.chatter import FAR, Chatter
from tests.evening.faults.evidence import (
    Evidence,
    Pressed,
    Sent,
    Trouble,
    discord_evidence,
    telegram_evidence,
)
from tests.evening.faults.judge import NOTED_SECONDS, Verdict, judged
from tests.evening.faults.pressers import (
    TROUBLE,
    ClosedOnDiscord,
    ClosedOnTelegram,
    OnDiscord,
    OnTelegram,
    Presser,
)
from tests.evening.faults.troubles import LEASES_SECONDS, Troubles
from tests.evening.publicity import public_tiles
from tests.evening.running_bot import RunningBot, free_port
from tests.evening.telegram_people import want_descriptions
from tests.patience import PATIENCE
from tests.servers.discord_api.client import Discord, until
from tests.servers.telegram_api.client import TOKEN, Control, Group
from tests.servers.telegram_api.client import Person as TelegramPerson

LOG = logging.getLogger(__name__)

NAMES = ("Ada", "Can", "Ece", "Zed")
"""The people of a place. No private message reaches the last one."""

_STARVED = re.compile(r"(\S+ \S+) .*nobody was at work for (\d+) s")

TURN_SECONDS = 30
MATCH_SECONDS = 900.0
TOLD_SECONDS = 90.0
"""Seconds after the last fault until everything must have been sent."""


@dataclass
class Side:
    """The table of one platform."""

    name: str
    place: str
    pressers: Sequence[OnTelegram] | Sequence[OnDiscord]
    table: str = ""

    @property
    def people(self) -> list[Person]:
        return [Person(each.key, each.name, "en") for each in self.pressers]


@dataclass
class Evening:
    """Both tables and the program."""

    folder: Path
    bots: Sequence[RunningBot]
    control: Control
    discord: Discord
    group: Group
    sides: tuple[Side, Side]
    troubles: Troubles
    seen: Witness
    chatters: Sequence[Chatter] = ()
    """Somebody who talks in each place, in the order of the sides; empty: nobody does."""

    async def play(self, rounds: int) -> dict[str, Verdict]:
        """Play a match of this many rounds at each table, and return the verdicts."""
        began, rules = time.time(), rules_from({"preset": "okey-rounds", "players": 4, "rounds": rounds})
        for side in self.sides:
            (side.table,) = await seat(
                self.folder / "data",
                side.place,
                [side.people],
                rules=rules,
                turn_seconds=TURN_SECONDS,
                # Whom no private message reaches reads the okey there: Telegram has no alternative text.
                display=Display(described=side.name == "telegram"),
            )
            for presser in side.pressers:
                presser.table, presser.away = side.table, False
                presser.pressed[:] = [Pressed(time.time(), presser.key, "join")]
        await asyncio.gather(*map(self._started, self.sides))
        await self._played()
        await self._told()
        verdicts = {side.name: judged(await self._evidence(side, began)) for side in self.sides}
        for side, chatter in zip(self.sides, self.chatters, strict=False):
            verdicts[side.name] = self._with_distance(verdicts[side.name], side, chatter)
        return verdicts

    def _with_distance(self, verdict: Verdict, side: Side, chatter: Chatter) -> Verdict:
        """The verdict with how far away the table was, and whether it was too far for too long."""
        troubles = [each for each in self.troubles.seen if each.where in ("", side.place)]
        away = [ended - began for began, ended in chatter.far()]
        figures = {
            "foreign lines": len(chatter.looks),
            "lines away, most": chatter.farthest,
            f"over {FAR} lines away, longest s": round(max(away, default=0.0)),
        }
        too_far = chatter.findings(side.place, TURN_SECONDS, troubles)
        return Verdict(verdict.figures | figures, (*verdict.findings, *too_far))

    def told(self) -> str:
        """The log of all processes."""
        return "".join(bot.told() for bot in self.bots)

    async def broken_rules(self) -> list[str]:
        """Broken rules found by the platforms, except for presses during a kill or a pause of the program and
        those whose answers failed; and processes without their share of work."""
        stopped = [each for each in self.troubles.seen if not each.where] + starved(self.told())
        failed = {
            call.parameters.get("callback_query_id")
            for call in await self.control.calls("answerCallbackQuery")
            if call.status != 200 or call.lost
        }
        pressed = [("discord", at, press) for at, press in await self.discord.unanswered()]
        for at, press, data in await self.control.ask("unanswered"):
            pressed += [] if press in failed else [("telegram", at, data)]
        found = [
            f"{where}: the press {press!r} was not answered"
            for where, at, press in pressed
            if not any(each.begin - NOTED_SECONDS <= at <= each.end for each in stopped)
        ]
        rules = {"telegram": await self.control.findings(), "discord": await self.discord.findings()}
        found += self.troubles.unfair
        return found + [
            f"{where}: {rule}"
            for where, broken in rules.items()
            for rule in broken
            if not rule.endswith(("was never answered", "was not answered in time"))
            # Each process learns these by itself at its start: direct channels, and what is left of a limit.
            and not (len(self.bots) > 1 and ("opened again" in rule or "/emojis was called" in rule))
        ]

    async def uploaded_again(self) -> list[str]:
        """The pictures that were uploaded twice, except for those that a killed program could not note, or on
        Telegram remembered: of pictures in other messages it knows nothing after a kill."""
        kills = [each.begin for each in self.troubles.seen if each.kind == "kill"]
        on_telegram: list[tuple[float, float]] = await self.control.ask("identical_uploads")
        pairs = [("telegram", first, again, again) for first, again in on_telegram]
        for first, again in await self.discord.identical_uploads():
            pairs.append(("discord", first, again, first + NOTED_SECONDS))
        return [
            f"{where}: a picture was uploaded again after {again - first:.0f} s"
            for where, first, again, until in pairs
            if not any(first - 0.5 <= kill <= until for kill in kills)
        ]

    async def _started(self, side: Side) -> None:
        async with asyncio.timeout(PATIENCE):
            while self._stage(side) in ("", "lobby"):
                with suppress(*TROUBLE):
                    await side.pressers[0].press_in_lobby("start")
                await asyncio.sleep(1)

    async def _played(self) -> None:
        """Wait until both matches are over, or cannot be any more."""
        everybody: list[Presser] = [presser for side in self.sides for presser in side.pressers]
        tasks = [asyncio.create_task(each.sit()) for each in everybody]
        tasks.append(asyncio.create_task(self.troubles.go_on()))
        tasks += [asyncio.create_task(chatter.talk()) for chatter in self.chatters]
        said, end = time.monotonic(), time.monotonic() + MATCH_SECONDS
        try:
            while time.monotonic() < end and not all(map(self.is_over, self.sides)):
                await asyncio.sleep(0.5)
                if time.monotonic() > said + 15:
                    said = time.monotonic()
                    LOG.info("moves: %s", ", ".join(map(self._standing, self.sides)))
                for task in tasks:
                    if task.done():
                        task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _told(self) -> None:
        """Wait until the end is shown to everybody and every place, once all faults are over."""
        try:
            await self.seen.until_all_is_told(TOLD_SECONDS)
        except TimeoutError:
            print("not all is told", flush=True)

    def _standing(self, side: Side) -> str:
        own = [commit.table for commit in self.seen.commits if commit.table.id == side.table]
        return f"{side.name} {own[-1].moment} ({own[-1].stage})"

    def is_over(self, side: Side) -> bool:
        """Return whether a side's match is over."""
        return self._stage(side) == "over"

    def _stage(self, side: Side) -> str:
        own = [commit.table for commit in self.seen.commits if commit.table.id == side.table]
        return own[-1].stage if own else ""

    async def _evidence(self, side: Side, began: float) -> Evidence:
        if side.name == "telegram":
            calls = [call for call in await self.control.calls() if call.at >= began]
            sent, troubles = telegram_evidence(calls, self.group.id, side.place)
        else:
            sent, troubles = await self._on_discord(side, began)
        stands = [each for presser in side.pressers for each in await presser.stands()]
        return Evidence(
            side.table,
            side.place,
            tuple(presser.key for presser in side.pressers),
            frozenset({side.pressers[-1].key}),
            TURN_SECONDS,
            commits=self.seen.commits,
            sent=sent,
            pressed=[each for presser in side.pressers for each in presser.pressed],
            troubles=[
                *troubles,
                *(
                    each
                    for each in (*self.troubles.seen, *starved(self.told()))
                    if each.end >= began and each.where in ("", side.place)
                ),
            ],
            stands=[*stands, *await side.pressers[0].public(side.place)],
            known=await public_tiles(self.folder / "data", side.place, self._rules(side), side.table),
        )

    def _rules(self, side: Side) -> Rules:
        return next(commit.table.match.rules for commit in self.seen.commits if commit.table.id == side.table)

    async def _on_discord(self, side: Side, began: float) -> tuple[list[Sent], list[Trouble]]:
        channels = {self.troubles.channel: side.place}
        for presser in side.pressers:
            assert isinstance(presser, OnDiscord)
            channels |= {each.channel: presser.key for each in (await self.discord.direct(presser.user))[:1]}
        return discord_evidence([call for call in await self.discord.calls() if call.at >= began], channels)


def starved(log: str) -> list[Trouble]:
    """Times when the program ran without a processor, from its own log."""
    found = []
    for line in log.splitlines():
        if (said := _STARVED.match(line)) is not None:
            end = datetime.fromisoformat(said[1]).timestamp() + 1
            found.append(Trouble("starved", end - float(said[2]) - 2 * LEASES_SECONDS, end))
    return found


async def an_evening(
    stack: AsyncExitStack,
    folder: Path,
    control: Control,
    discord: Discord,
    *,
    seed: int,
    processes: int,
    posted: bool,
    kill_every: float | None,
    lines: int = 0,
) -> Evening:
    """The program running over both servers, with a store that outlives it. `lines`: how many lines a minute
    somebody else writes in each place."""
    chance = random.Random(seed)
    persons = [await control.person(name, language="en", started=name != NAMES[-1]) for name in NAMES]
    eve = await control.person("Eve", language="en")
    group = await control.group("Kıraathane", *persons, eve, topics=("Okey",))
    guild = await discord.guild()
    channel = await discord.channel(guild)
    users = [await discord.user(name, guild=guild) for name in NAMES]
    await discord.direct_messages(users[-1], open=False)
    here = [
        (ClosedOnTelegram if name == NAMES[-1] else OnTelegram)(
            f"tg:{person.id}", name, random.Random(chance.random()), [], person=person, group=group
        )
        for name, person in zip(NAMES, persons, strict=True)
    ]
    there = [
        (ClosedOnDiscord if name == NAMES[-1] else OnDiscord)(
            f"dc:{user}",
            name,
            random.Random(chance.random()),
            [],
            discord=discord,
            user=user,
            channel=channel,
        )
        for name, user in zip(NAMES, users, strict=True)
    ]
    topic = group.topics["Okey"]
    sides = Side("telegram", f"tg:{group.id}/{topic}", here), Side("discord", f"dc:{channel}", there)
    store = await stack.enter_async_context(use_embedded_valkey(folder / "data"))
    seen = await stack.enter_async_context(witness(folder / "data"))
    settings = {"DISCORD_TOKEN": discord.token, "DISCORD_API_URL": discord.api_url}
    if posted:
        settings["DISCORD_PUBLIC_KEY"] = await discord.public_key()
    bots = await _running(stack, folder, processes, store, control, settings)
    if posted:
        await until(lambda: discord.can_post_to(*(f"{bot.url}/discord/interactions" for bot in bots)))
    else:
        await discord.wait_connected()
    await want_descriptions(*persons[:-1])
    troubles = Troubles(
        chance,
        bots,
        store,
        control,
        discord,
        group,
        topic,
        guild,
        channel,
        places=(sides[0].place, sides[1].place),
        posted=posted,
        kill_every=kill_every,
    )
    evening = Evening(folder, bots, control, discord, group, sides, troubles, seen)
    if lines:
        # Otherwise the bot gets no lines of others in a group, and can't know that its table is out of sight.
        await control.ask("promote_bot", chat_id=group.id)
        evening.chatters = await _chatters(evening, eve, 60.0 / lines)
    return evening


async def _chatters(evening: Evening, eve: TelegramPerson, pause: float) -> tuple[Chatter, Chatter]:
    """Eve, who does not play, talks in both places."""
    discord, (here, there) = evening.discord, evening.sides
    channel, topic = evening.troubles.channel, evening.troubles.topic
    user = await discord.user("Eve", guild=evening.troubles.guild)

    async def read_topic() -> list[bool]:
        if evening.is_over(here):  # nothing brings back the table of a match that is over
            return []
        shown = [
            each
            for each in await eve.read(evening.group)
            if each.raw.get("message_thread_id") == topic and here.table
        ]
        return [each.from_bot and here.table in str(each.raw.get("reply_markup", "")) for each in shown]

    async def read_channel() -> list[bool]:
        if evening.is_over(there):
            return []
        shown = [each for each in await discord.sees(user, channel) if not each.ephemeral]
        return [bool(there.table) and there.table in str(each.raw["components"]) for each in shown]

    return (
        Chatter(pause, lambda line: eve.write(evening.group, line, topic=topic), read_topic),
        Chatter(pause, lambda line: discord.say(user, channel, line), read_channel),
    )


async def _running(
    stack: AsyncExitStack,
    folder: Path,
    processes: int,
    store: str,
    control: Control,
    settings: dict[str, str],
) -> list[RunningBot]:
    bots = []
    for number in range(processes):
        own = folder / f"process-{number}"
        own.mkdir()
        bot = RunningBot(
            own,
            LOG_LEVEL="INFO",
            REDIS_URL=store,
            WEB_PORT=str(free_port()),
            TELEGRAM_TOKEN=TOKEN,
            TELEGRAM_API_URL=control.url,
            **settings,
        )
        await bot.start()
        stack.push_async_callback(bot.stop)
        bots.append(bot)
    return bots
