"""People who play in a Discord channel, each by the messages that they see."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field

from engine.tiles import Tile
from tests.evening import brain
from tests.servers.discord_api.client import Call, Discord, Impossible, Seen, until
from tests.servers.discord_api.interactions import DEFERRED_MESSAGE, DEFERRED_UPDATE

_EMOJI = re.compile(r"(?:tile_|okey_|wild_)?([RYBK]\d{1,2}|F)", re.IGNORECASE)


def buttons_of(message: Seen) -> brain.Offered:
    """The presses of a message's buttons."""
    return brain.offered(button.custom_id for button in message.buttons if not button.disabled)


def words_of(message: Seen) -> str:
    """The text of a message for a screen reader: its text and its pictures' descriptions."""
    return "\n".join([message.text, *(picture.alt for picture in message.pictures)])


def notified(call: Call) -> tuple[str, ...]:
    """The keys of all whom a call notifies; a role or everybody has a key that is no person's."""
    return tuple(f"dc:{each}" for each in call.notifies)


async def offering(discord: Discord, user: int, channel: int, verb: str) -> Seen | None:
    """The newest message of a channel with a button of this verb."""
    seen = await discord.sees(user, channel)
    return next((message for message in reversed(seen) if verb in buttons_of(message)), None)


async def lobby_with(discord: Discord, user: int, channel: int, *names: str) -> Seen:
    """The channel's open lobby, once it names these people: a press may be answered before it is done."""

    async def named() -> Seen | None:
        lobby = await offering(discord, user, channel, "unfold")
        return lobby if lobby is not None and all(name in lobby.text for name in names) else None

    return await until(named)


async def start(discord: Discord, host: int, channel: int) -> None:
    """Start the channel's lobby as its host: the button stands behind another one."""
    await until(lambda: offering(discord, host, channel, "unfold"))
    while lobby := await offering(discord, host, channel, "unfold"):  # a press may be refused for the moment
        offers = buttons_of(lobby)
        (press,) = offers["start" if "start" in offers else "unfold"]
        with suppress(Impossible):
            await discord.answered(await discord.press_exactly(host, channel, lobby.id, press))
        await asyncio.sleep(0.5)


@dataclass
class Player:
    """One person at the table."""

    discord: Discord
    user: int
    name: str
    channel: int
    presses: int = 0
    moves: int = 0
    """Those of the presses that were to make a move."""
    deferred: int = 0
    """Presses that were only promised an answer: a process may be killed before it does what they ask."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until the answer to each press."""

    async def play(self) -> None:
        """Make the next move."""
        rack = await self._rack()
        if rack is None or rack.loading:
            return
        press = brain.choose(buttons_of(rack), words_of(rack), _take_offered(rack))
        if press is not None:
            await self.press(rack, press)

    async def press(self, message: Seen, press: str) -> None:
        """Press a button and wait for the answer. Do nothing if the button has disappeared meanwhile."""
        try:
            interaction = await self.discord.press_exactly(self.user, message.channel, message.id, press)
        except Impossible:
            return
        answer = await self.discord.answered(interaction)
        self.acknowledged.append(answer["after"])
        self.deferred += answer["type"] in (DEFERRED_MESSAGE, DEFERRED_UPDATE)
        self.presses += 1
        self.moves += brain.moves(press)

    async def refusals(self) -> list[str]:
        """What they were told instead of what they had pressed for."""
        seen = await self.discord.direct(self.user)
        return [message.text for message in seen if message.ephemeral and not message.buttons]

    async def _rack(self) -> Seen | None:
        racks = [message for message in await self.discord.direct(self.user) if message.buttons]
        return racks[-1] if racks else None


@dataclass
class ClosedPlayer(Player):
    """A person with closed direct messages: their rack is an ephemeral message in the channel."""

    async def _rack(self) -> Seen | None:
        seen = await self.discord.sees(self.user, self.channel)
        racks = [message for message in seen if message.ephemeral and "Shelf" in words_of(message)]
        tables = [message for message in seen if not message.ephemeral and "rack" in buttons_of(message)]
        mine = bool(tables) and re.search(rf"Turn:\W*{self.name}", tables[-1].text) is not None
        if mine and not (racks and ({"draw", "discard", "finish"} & set(buttons_of(racks[-1])))):
            await self.press(tables[-1], buttons_of(tables[-1])["rack"][0])
            return None
        return racks[-1] if racks and mine else None


def _take_offered(rack: Seen) -> Tile | None:
    button = next((button for button in rack.buttons if button.custom_id.startswith("take.")), None)
    found = None if button is None else _EMOJI.fullmatch(button.emoji)
    return None if found is None else Tile[found[1].upper()]
