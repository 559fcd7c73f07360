"""A stage on Discord: a channel of a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from adapters.discord_chat import DiscordChat
from tests.adapters.contract.stage import Seen
from tests.adapters.discord_chat.scene import TILE_EMOJIS, playing
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.patience import eventually
from tests.servers.discord_api import client
from tests.servers.discord_api.client import Address, Discord, fresh_discord, until
from tests.slash import slash


@dataclass
class DiscordStage:
    """A channel in which Ada and Can are."""

    discord: Discord
    chat: DiscordChat
    router: ScriptedRouter
    delivery: ScriptedDelivery
    guild: int
    place: str
    ada: str
    can: str
    _pressed: int = field(default=0, init=False)

    async def read(self, place: str = "") -> list[Seen]:
        seen = await self.discord.sees(_number(self.ada), self._channel(place))
        return [_seen(each) for each in seen if not each.ephemeral]

    async def read_private(self, person: str) -> list[Seen]:
        return [_seen(each) for each in await self.discord.direct(_number(person))]

    async def open_thread(self, name: str) -> str:
        thread = await self.discord.channel(self.guild, name, parent=self._channel())
        return f"{self.place}/{thread}"

    async def delete(self, message: Seen, place: str = "") -> None:
        await self.discord.delete_message(self._channel(place), message.id)

    async def delete_thread(self, place: str) -> None:
        await self.discord.delete_channel(self._channel(place))

    async def silence(self, *, silenced: bool = True) -> None:
        change = self.discord.deny if silenced else self.discord.allow
        await change(self._channel(), "view_channel")

    async def close_private(self, person: str) -> None:
        await self.discord.direct_messages(_number(person), open=False)

    async def open_private(self, person: str) -> None:
        await self.discord.direct_messages(_number(person), open=True)

    async def be_busy(self, seconds: float) -> None:
        await self.discord.fail(1, 429, method="POST", path="/messages", retry_after=seconds)

    async def fail_once(self) -> None:
        await self.discord.fail(1, 502, method="POST", path="/messages")

    async def press(self, person: str, label: str, *, private: bool = False) -> str:
        user, before = _number(person), {each.id for each in await self._alone(person)}
        seen = await (self.discord.direct(user) if private else self.discord.sees(user, self._channel()))
        (*_, message) = (each for each in seen if label in [button.label for button in each.buttons])
        self._pressed = await self.discord.press(user, message, label)
        await self.discord.answered(self._pressed)
        return "".join(each.text for each in await self._alone(person) if each.id not in before)

    async def press_again(self) -> None:
        await self.discord.repeat(self._pressed)

    async def command(self, person: str, line: str, place: str | None = "") -> None:
        channel = None if place is None else self._channel(place)
        await self.discord.answered(await self.discord.command(_number(person), channel, *slash(line)))

    async def told(self, person: str, words: str) -> Seen:
        async def find() -> Seen | None:
            alone = [*await self._alone(person), *await self.discord.direct(_number(person))]
            return next((_seen(each) for each in alone if words in each.text), None)

        return await until(find)

    async def make_organiser(self, person: str) -> None:
        await self.discord.manager(_number(person), self.guild)

    async def allow_rooms(self, *, allowed: bool) -> None:
        change = self.discord.allow if allowed else self.discord.deny
        await change(self._channel(), "create_public_threads")

    async def _alone(self, person: str) -> list[client.Seen]:
        """Return the ephemeral messages to a person, in the channel and in private."""
        user = _number(person)
        seen = [*await self.discord.sees(user, self._channel()), *await self.discord.direct(user)]
        return [each for each in seen if each.ephemeral]

    def _channel(self, place: str = "") -> int:
        return _number((place or self.place).rpartition("/")[2])


@asynccontextmanager
async def discord_stage(address: Address) -> AsyncIterator[DiscordStage]:
    """A channel, and the adapter that knows of it."""
    async with fresh_discord(address) as discord:
        await discord.emojis(*TILE_EMOJIS)
        guild = await discord.guild()
        place = f"dc:{await discord.channel(guild)}"
        ada = await discord.user("Ada", locale="tr", guild=guild)
        can = await discord.user("Can", guild=guild)
        router, delivery = ScriptedRouter(), ScriptedDelivery()
        async with playing(discord, router, delivery) as chat:
            await eventually(lambda: chat.places.link(place) is not None)
            yield DiscordStage(discord, chat, router, delivery, guild, place, f"dc:{ada}", f"dc:{can}")
        assert await discord.findings() == []


def _number(key: str) -> int:
    return int(key.rpartition(":")[2])


def _seen(message: client.Seen) -> Seen:
    return Seen(
        id=message.id,
        words=message.text,
        labels=tuple(button.label for button in message.buttons),
        picture=bool(message.pictures),
        calls=frozenset(f"dc:{user['id']}" for user in message.raw["mentions"]),
    )
