"""People who play in a Telegram group, each through his own app, by what it shows him."""

import re
from dataclasses import dataclass, field

from engine.tiles import Tile
from tests.evening import brain
from tests.servers.telegram_api.client import Group, Person, Shown

_DATA = re.compile(r"^(?P<verb>[a-z_]+)\.(?P<table>[a-z0-9]+)\.(?P<moves>[a-z0-9]+)(?:\.(?P<argument>\w+))?$")
_NUMBERED = re.compile(r"(\d+):(🔴|⭐|🔷|⬛|🃏)(\d*)(✨?)")
_SIGNS = {"🔴": "R", "⭐": "Y", "🔷": "B", "⬛": "K"}


def buttons_of(message: Shown) -> dict[str, list[str]]:
    """The press texts on a message's buttons, by verb."""
    found: dict[str, list[str]] = {}
    for row in message.raw.get("reply_markup", {}).get("inline_keyboard", []):
        for button in row:
            match = _DATA.match(button.get("callback_data", ""))
            if match:
                found.setdefault(match["verb"], []).append(button["callback_data"])
    return found


def argument_of(press: str) -> str:
    """The last piece of a press text."""
    return press.rsplit(".", 1)[-1]


@dataclass
class Player:
    """One person at the table."""

    person: Person
    group: Group
    presses: int = 0
    refused: list[str] = field(default_factory=list)

    async def play(self) -> bool:
        """Do what can be done now; whether there was anything to do."""
        racks = [message for message in await self.person.read() if message.from_bot and message.buttons]
        if not racks:
            return False
        return await self._play_on(racks[-1])

    async def _play_on(self, rack: Shown) -> bool:
        offered = buttons_of(rack)
        hand = brain.read_hand(rack.words)
        if "discard_okey" in offered:
            return await self._press(rack, offered["discard_okey"][0])
        if hand is None:
            return False
        if "show" in offered:
            return await self._press(rack, offered["show"][0])
        if "draw" in offered:
            return await self._press(rack, self._draw_or_take(hand, offered, rack))
        if "finish" in offered:
            return await self._press(rack, self._choose(brain.finishing(hand), offered["finish"]))
        if "discard" not in offered:
            return False
        if brain.finishing(hand) is not None and "ask_finish" in offered:
            return await self._press(rack, offered["ask_finish"][0])
        tiles = [Tile[argument_of(press)] for press in offered["discard"]]
        return await self._press(rack, self._choose(brain.discard(hand, tiles), offered["discard"]))

    def _draw_or_take(self, hand: brain.Hand, offered: dict[str, list[str]], rack: Shown) -> str:
        if "take" in offered:
            label = next(label for label in rack.labels if label.startswith("Take "))
            top = _tile_on(label)
            if brain.takes(hand, top):
                return offered["take"][0]
        return offered["draw"][0]

    def _choose(self, tile: Tile | None, presses: list[str]) -> str:
        assert tile is not None
        return next(press for press in presses if argument_of(press) == tile.name)

    async def _press(self, message: Shown, press: str) -> bool:
        said = await self.person.press(message, press)
        self.presses += 1
        if said.text:
            self.refused.append(said.text)
        return True


@dataclass
class ClosedPlayer(Player):
    """Somebody whom no private message reaches: he plays by alerts and numbers in the group."""

    hand: brain.Hand | None = None
    turn: str = ""

    async def play(self) -> bool:
        tables = [message for message in await self.person.read(self.group) if message.from_bot]
        table = next((message for message in reversed(tables) if buttons_of(message)), None)
        if table is None:
            return False
        offered = buttons_of(table)
        if "place" not in offered or f"Turn: {self.person.name}" not in _readable(table.words):
            return False
        if self.turn == offered["place"][0]:
            return False
        drew = "draw_here" not in offered
        rack = await self.person.press(table, offered["rack"][0])
        if not drew:
            rack = await self.person.press(table, offered["draw_here"][0])
        okey = brain.read_okey(table.words)
        tiles = tuple(_tile(sign, number) for _, sign, number, _ in _NUMBERED.findall(rack.text))
        if len(tiles) != 15 or okey is None:
            self.refused.append(rack.text)
            return False
        hand = brain.Hand(tiles, okey)
        self.presses += 3
        self.turn = offered["place"][0]
        if brain.finishing(hand) is not None:
            await self.person.press(table, offered["finish_here"][0])
            return True
        place = tiles.index(brain.discard(hand, tiles)) + 1
        said = await self.person.press(table, offered["place"][place - 1])
        if said.text:
            self.refused.append(said.text)
            self.turn = ""
        return True


def _readable(words: str) -> str:
    return re.sub("[\u2066-\u2069]", "", words)


def _tile(sign: str, number: str) -> Tile:
    return Tile.F if sign == "🃏" else Tile[_SIGNS[sign] + number]


def _tile_on(label: str) -> Tile:
    if "🃏" in label:
        return Tile.F
    sign = next(sign for sign in _SIGNS if sign in label)
    return Tile[_SIGNS[sign] + label.split(sign)[1].strip()]
