"""Random pressers: people who mostly play, sometimes press anything, and may look elsewhere until called."""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import aiohttp

from tests.evening import brain, discord_people, telegram_people
from tests.evening.faults.evidence import Pressed, Stands
from tests.servers.discord_api import client as discord_client
from tests.servers.telegram_api import client as telegram_client

LOOK_SECONDS = (0.4, 1.6)
"""Least and most seconds between two looks at a screen."""

RANDOM = 0.08
"""The share of looks at which a person presses any visible button instead of a sensible one."""

AGAIN = 0.05
"""The share of presses made on an outdated screen, or delivered twice."""

AWAY = 0.2
"""The share of turns after which a person looks elsewhere until they are called."""

ANSWER_SECONDS = 4.0
"""Seconds after which nobody waits for an answer any more."""

_HARMLESS = ("sort_", "look", "draw", "take", "discard", "ask_finish", "rack", "show", "move", "pick")
_TURN_OVER = ("discard", "finish")

TROUBLE = (
    TimeoutError,
    AssertionError,
    aiohttp.ClientError,
    discord_client.Impossible,
    telegram_client.Impossible,
)
"""Errors for people when the program does not answer. They try again."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A message with buttons, as its reader sees it."""

    words: str
    offers: brain.Offered
    message: telegram_client.Shown | discord_client.Seen


@dataclass
class Presser(ABC):
    """A person who presses. `player` plays for those whom no private message reaches."""

    key: str
    name: str
    chance: random.Random
    pressed: list[Pressed]
    table: str = ""
    away: bool = False
    heard: int = 0
    """The newest message that may have called them before they looked away."""

    async def sit(self) -> None:
        """Look and press, until cancelled."""
        while True:
            await asyncio.sleep(self.chance.uniform(*LOOK_SECONDS))
            try:
                await self.look()
            except TROUBLE:
                continue

    async def look(self) -> None:
        """Act, unless they look elsewhere."""
        if self.away and await self.newest_call() <= self.heard:
            return
        self.away = False
        await self.act()

    async def act(self) -> None:
        """Press something on their rack."""
        rack = await self.rack()
        if rack is None:
            return
        press = self._choice(rack)
        if press is None:
            return
        await self.press(rack, press)
        verb = press.split(".")[0]
        if verb in _TURN_OVER and self.chance.random() < AWAY:
            self.heard, self.away = await self.newest_call(), True

    def _choice(self, rack: Screen) -> str | None:
        if self.chance.random() < RANDOM:
            harmless = [
                press
                for verb, presses in rack.offers.items()
                if verb.startswith(_HARMLESS)
                for press in presses
            ]
            if harmless:
                return self.chance.choice(harmless)
        try:
            chosen = brain.choose(rack.offers, rack.words, None)
        except StopIteration:  # somebody tried to finish who cannot
            chosen = None
        if chosen is None and "look" in rack.offers and self.chance.random() < 0.3:
            return rack.offers["look"][0]
        return chosen

    def note(self, press: str) -> None:
        """Record a press."""
        self.pressed.append(Pressed(time.time(), self.key, press.split(".")[0]))

    def newest_rack(self, screens: Sequence[Screen]) -> Screen | None:
        """The newest message about a seat at this table."""
        about = f".{self.table}."
        own = (
            each for each in reversed(screens) if any(about in p for ps in each.offers.values() for p in ps)
        )
        return next(own, None)

    @abstractmethod
    async def rack(self) -> Screen | None:
        """Their newest rack in private."""

    @abstractmethod
    async def lobby(self) -> Screen | None:
        """The newest lobby of the place."""

    @abstractmethod
    async def press(self, screen: Screen, press: str) -> None:
        """Press a button and wait for the answer."""

    @abstractmethod
    async def newest_call(self) -> int:
        """The newest message that notified them."""

    @abstractmethod
    async def stands(self) -> list[Stands]:
        """The messages in their private chat."""

    async def press_in_lobby(self, verb: str) -> None:
        """Press a button of the lobby, if there is one, or the button behind which those of the host are."""
        lobby = await self.lobby()
        if lobby is not None and (offered := verb if verb in lobby.offers else "unfold") in lobby.offers:
            await self.press(lobby, lobby.offers[offered][0])


@dataclass
class OnTelegram(Presser):
    """A person in a Telegram group."""

    person: telegram_client.Person = field(kw_only=True)
    group: telegram_client.Group = field(kw_only=True)

    async def rack(self) -> Screen | None:
        return self.newest_rack(await self._screens(None))

    async def lobby(self) -> Screen | None:
        return self.newest_rack(await self._screens(self.group))

    async def _screens(self, chat: telegram_client.Group | None) -> list[Screen]:
        shown = [message for message in await self.person.read(chat) if message.from_bot]
        return [Screen(each.words, telegram_people.buttons_of(each), each) for each in shown]

    async def press(self, screen: Screen, press: str) -> None:
        assert isinstance(screen.message, telegram_client.Shown)
        self.note(press)
        if self.chance.random() < AGAIN:
            await self.person.press_old(screen.message, press)
            return
        async with asyncio.timeout(ANSWER_SECONDS):
            await self.person.press(screen.message, press)

    async def newest_call(self) -> int:
        return max((each.id for each in await self.person.read() if each.from_bot), default=0)

    async def stands(self) -> list[Stands]:
        return [_stands_on_telegram(self.key, each) for each in await self.person.read() if each.from_bot]

    async def public(self, place: str) -> list[Stands]:
        """The messages in the group."""
        return [
            _stands_on_telegram(place, each) for each in await self.person.read(self.group) if each.from_bot
        ]


def _stands_on_telegram(to: str, message: telegram_client.Shown) -> Stands:
    presses = tuple(press for presses in telegram_people.buttons_of(message).values() for press in presses)
    return Stands(to, message.id, message.words, presses)


@dataclass
class ClosedOnTelegram(OnTelegram):
    """A person who has never opened the private chat: they play by alerts and numbers in the group."""

    def __post_init__(self) -> None:
        self._player = telegram_people.ClosedPlayer(self.person, self.group)

    async def act(self) -> None:
        before, turn = self._player.presses, self._player.turn
        try:
            await self._player.play()
        finally:
            if self._player.presses > before:
                self.note("place.")
        if self._player.turn != turn and self.chance.random() < AWAY:
            self.heard, self.away = await self.newest_call(), True

    async def newest_call(self) -> int:
        calls = [
            each.id
            for each in await self.person.read(self.group)
            if each.from_bot and str(self.person.id) in str(each.raw.get("entities", ""))
        ]
        return max(calls, default=0)


@dataclass
class OnDiscord(Presser):
    """A person in a Discord channel."""

    discord: discord_client.Discord = field(kw_only=True)
    user: int = field(kw_only=True)
    channel: int = field(kw_only=True)

    async def rack(self) -> Screen | None:
        return self.newest_rack(_screens(await self.discord.direct(self.user)))

    async def lobby(self) -> Screen | None:
        seen = await self.discord.sees(self.user, self.channel)
        return self.newest_rack(_screens([each for each in seen if not each.ephemeral]))

    async def press(self, screen: Screen, press: str) -> None:
        assert isinstance(screen.message, discord_client.Seen)
        self.note(press)
        where = screen.message.channel, screen.message.id
        async with asyncio.timeout(ANSWER_SECONDS):
            interaction = await self.discord.press_exactly(self.user, *where, press)
            if self.chance.random() < AGAIN:
                await self.discord.repeat(interaction)
            await self.discord.answered(interaction)

    async def newest_call(self) -> int:
        return max((each.id for each in await self.discord.direct(self.user)), default=0)

    async def stands(self) -> list[Stands]:
        return [_stands_on_discord(self.key, each) for each in await self.discord.direct(self.user)]

    async def public(self, place: str) -> list[Stands]:
        """The messages in the channel."""
        seen = await self.discord.sees(self.user, self.channel)
        return [_stands_on_discord(place, each) for each in seen if not each.ephemeral]


@dataclass
class ClosedOnDiscord(OnDiscord):
    """A person with closed direct messages: their rack is an ephemeral message in the channel."""

    def __post_init__(self) -> None:
        self._player = discord_people.ClosedPlayer(self.discord, self.user, self.name, self.channel)

    async def rack(self) -> Screen | None:
        before = self._player.presses
        rack = await self._player._rack()
        if self._player.presses > before:
            self.note("rack.")
        return None if rack is None or rack.loading else _screens([rack])[0]

    async def newest_call(self) -> int:
        seen = await self.discord.sees(self.user, self.channel)
        return max((each.id for each in seen if f"<@{self.user}>" in each.text), default=0)


def _screens(seen: Sequence[discord_client.Seen]) -> list[Screen]:
    loaded = [each for each in seen if not each.loading]
    return [Screen(discord_people.words_of(each), discord_people.buttons_of(each), each) for each in loaded]


def _stands_on_discord(to: str, message: discord_client.Seen) -> Stands:
    presses = tuple(button.custom_id for button in message.buttons if not button.disabled)
    return Stands(to, message.id, message.text, presses)
