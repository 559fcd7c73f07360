"""A Discord with a channel and people in it, and the adapter in it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from adapters.discord_chat import DiscordChat
from bot.markup import Button, PublicScreen, Row, SeatScreen, Text, TileMark
from bot.ports import Answer, DeliveryPort, Dispatcher
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter, rack_picture, table_picture
from tests.patience import eventually
from tests.servers.discord_api.client import Discord, Seen
from tests.slash import slash

TILE_EMOJIS = [
    *(f"{colour}_{number}" for colour in ("red", "yellow", "blue", "black") for number in range(1, 14)),
    "false_joker",
]

JOIN = Button(("Join",), "join.t1.0", "good")
MY_RACK = Button(("My rack",), "rack.t1.0")
DRAW = Button(("Draw",), "draw.t1.5", "primary")
DISCARD_R4 = Button((TileMark("R4"),), "discard.t1.5.R4")
DISCARD_OKEY = Button((TileMark("B9", wild=True),), "discard.t1.5.B9")


@dataclass
class Scene:
    """One channel of one server, in which Ada and Can are, and the bot that speaks there."""

    discord: Discord
    router: ScriptedRouter
    delivery: ScriptedDelivery
    chat: DiscordChat
    guild: int
    channel: int
    ada: int
    can: int

    @property
    def place(self) -> str:
        return f"dc:{self.channel}"

    def key(self, user: int) -> str:
        return f"dc:{user}"

    async def last(self, user: int) -> Seen:
        """The newest message in the channel, as a person sees it."""
        return (await self.discord.sees(user, self.channel))[-1]

    async def last_direct(self, user: int) -> Seen:
        return (await self.discord.direct(user))[-1]

    async def press(self, user: int, seen: Seen, words: str) -> int:
        """Press, and wait for the first answer."""
        interaction = await self.discord.press(user, seen, words)
        await self.discord.answered(interaction)
        return interaction

    async def command(self, user: int, line: str = "") -> int:
        """They type what is `/okey` and this line elsewhere."""
        interaction = await self.discord.command(user, self.channel, *slash(line))
        await self.discord.answered(interaction)
        return interaction

    async def calls(self, method: str, path: str) -> int:
        """How many calls of a kind the bot has made so far."""
        made = await self.discord.calls()
        return sum(call.method == method and path in call.path for call in made)


@asynccontextmanager
async def playing(discord: Discord, router: Dispatcher, delivery: DeliveryPort) -> AsyncIterator[DiscordChat]:
    """The adapter, logged in and connected."""
    chat = DiscordChat(router=router, delivery=delivery, token=discord.token, api_url=discord.api_url)
    await chat.start()
    running = asyncio.create_task(chat.run())
    try:
        await discord.wait_connected()
        yield chat
    finally:
        await chat.stop()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


@asynccontextmanager
async def scene(
    discord: Discord, router: ScriptedRouter | None = None, delivery: ScriptedDelivery | None = None
) -> AsyncIterator[Scene]:
    """Everything together. The tiles' emojis are there from an earlier life."""
    await discord.emojis(*TILE_EMOJIS)
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada = await discord.user("Ada", locale="tr", guild=guild)
    can = await discord.user("Can", guild=guild)
    router, delivery = router or ScriptedRouter(), delivery or ScriptedDelivery()
    async with playing(discord, router, delivery) as chat:
        yield Scene(discord, router, delivery, chat, guild, channel, ada, can)


async def rack_in_channel(okey: Scene) -> str:
    """Let Can, who has closed their direct messages, open their rack in the channel. Return their key."""
    person = okey.key(okey.can)
    await okey.discord.direct_messages(okey.can, open=False)
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    okey.router.answers[MY_RACK.press] = Answer(private=rack_screen())
    await okey.press(okey.can, await okey.last(okey.can), "My rack")
    # Discord has the answer before the bot knows.
    await eventually(lambda: okey.chat.shows_rack(person, "t1"))
    return person


def table_screen(
    *, version: int = 1, text: Text = ("A table",), buttons: tuple[Row, ...] = ((JOIN, MY_RACK),)
) -> PublicScreen:
    """A table with a picture."""
    return PublicScreen(
        table="t1",
        version=version,
        text=text,
        picture=TABLE_PICTURE,
        alt="A table: red 4 is the indicator.",
        buttons=buttons,
    )


def rack_screen(
    *, version: int = 1, text: Text = ("Your rack",), buttons: tuple[Row, ...] = ((DRAW,), (DISCARD_R4,))
) -> SeatScreen:
    """A rack with a picture."""
    return SeatScreen(
        table="t1",
        version=version,
        text=text,
        picture=RACK_PICTURE,
        buttons=buttons,
        alt="Your rack: red 4.",
    )


RACK_PICTURE, TABLE_PICTURE = rack_picture("R4", "B9"), table_picture()
