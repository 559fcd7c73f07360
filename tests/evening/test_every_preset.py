"""Whole matches of every preset at once, by simulated people, in Telegram groups, in its Mini App and in
Discord channels."""

import asyncio
from contextlib import suppress
from pathlib import Path

from aiohttp import ClientSession
from aiohttp.test_utils import unused_port

from engine.rules import rules_from
from tests.adapters.web.signed import init_data
from tests.evening import app_people, discord_people, telegram_people
from tests.evening.brain import Offered
from tests.evening.presets import SHORT
from tests.evening.running_bot import RunningBot
from tests.servers.discord_api.client import Address, Discord, fresh_discord, until
from tests.servers.telegram_api.client import (
    TOKEN,
    Control,
    Group,
    Impossible,
    Person,
    Shown,
    telegram,
)
from tests.slash import slash

MATCH_SECONDS = 900
NAMES = ("Ada", "Can", "Ece", "Ali")


async def test_every_preset_in_telegram(telegram_url: str, tmp_path: Path) -> None:
    async with telegram(telegram_url) as control:
        bot = RunningBot(tmp_path, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=control.url)
        await bot.start()
        async with asyncio.timeout(MATCH_SECONDS):
            presses = await asyncio.gather(*(_in_group(control, preset) for preset in SHORT))
        assert any(presses)  # a round may end before anybody had a turn
        assert await bot.stop() == 0
        assert await control.findings() == []
    _ended_well(bot)


async def test_every_preset_in_the_app(telegram_url: str, tmp_path: Path) -> None:
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    async with telegram(telegram_url) as control, ClientSession() as web:
        bot = RunningBot(
            tmp_path, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=control.url, WEB_PORT=str(port), WEB_URL=url
        )
        await bot.start()
        async with asyncio.timeout(MATCH_SECONDS):
            presses = await asyncio.gather(*(_in_app(control, web, url, preset) for preset in SHORT))
        assert any(presses)  # a round may end before anybody had a turn
        assert await bot.stop() == 0
        assert await control.findings() == []
    _ended_well(bot)


async def test_every_preset_in_discord(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url)
        await bot.start()
        await discord.wait_connected()
        await discord.wait_commands()
        guild = await discord.guild()
        async with asyncio.timeout(MATCH_SECONDS):
            presses = await asyncio.gather(*(_in_channel(discord, guild, preset) for preset in SHORT))
        assert any(presses)  # a round may end before anybody had a turn
        assert await bot.stop() == 0
        assert await discord.findings() == []
    _ended_well(bot)


def _ended_well(bot: RunningBot) -> None:
    assert "Traceback" not in bot.told()
    assert "ERROR" not in bot.told()


async def _in_group(control: Control, preset: str) -> int:
    """The presses of its people's moves in a match in a group of its own."""
    short = SHORT[preset]
    people = [await control.person(name, language="en", started=True) for name in NAMES[: short.people]]
    group = await control.group(preset, *people)
    await telegram_people.want_descriptions(*people)
    await people[0].write(group, f"/okey {preset} {short.words}")
    for person in people[1:]:
        await _sits_down(person, group, _way_in(preset))
    while offers := await _lobby_offers(people[0], group):
        lobby, presses = offers
        with suppress(Impossible):
            await people[0].press(lobby, presses["start" if "start" in presses else "unfold"][0])
    players = [telegram_people.Player(person, group) for person in people]
    while not any("🏆" in message.words for message in await people[0].read(group)):
        for player in players:
            await player.play()
        await asyncio.sleep(0.2)
    return sum(player.presses for player in players)


async def _in_app(control: Control, web: ClientSession, url: str, preset: str) -> int:
    """The presses of one person's moves in a match that is played on the page."""
    ada = await control.person("Ada", language="en", started=True)
    group = await control.group(preset, ada)
    await ada.write(group, f"/okey {preset} {SHORT[preset].words}")
    await ada.sees(lambda message: "unfold" in telegram_people.buttons_of(message), group)
    proof = init_data(ada.id, "Ada", token=TOKEN)
    player = app_people.Player(url, web, {"kind": "enter", "door": "telegram", "proof": proof})
    await player.open()

    async def way_to_start() -> str | None:
        acts = [act for table in player.tables.values() for act in table["acts"]]
        return next((act["press"] for act in acts if act["kind"] == "start"), None)

    await player.press(await until(way_to_start), private=False)
    begun = player.presses
    while player.rack is None or player.rack["table"]["stage"] != "over":
        await player.play()
        await asyncio.sleep(0.05)
    await player.close()
    assert player.rack["table"]["winners"]
    return player.presses - begun


async def _in_channel(discord: Discord, guild: int, preset: str) -> int:
    """The presses of its people's moves in a match in a channel of its own."""
    short = SHORT[preset]
    channel = await discord.channel(guild, preset)
    users = [await discord.user(name, guild=guild) for name in NAMES[: short.people]]
    await discord.answered(await discord.command(users[0], channel, *slash(f"{preset} {short.words}")))
    sits = _way_in(preset)
    lobby = await until(lambda: discord_people.offering(discord, users[0], channel, sits))
    players = [
        discord_people.Player(discord, user, name, channel) for user, name in zip(users, NAMES, strict=False)
    ]
    for player in players[1:]:
        await player.press(lobby, discord_people.buttons_of(lobby)[sits][0])
    await discord_people.lobby_with(discord, users[0], channel, *NAMES[: short.people])
    await discord_people.start(discord, users[0], channel)
    while not any("🏆" in message.text for message in await discord.sees(users[0], channel)):
        for player in players:
            await player.play()
        await asyncio.sleep(0.2)
    return sum(player.presses for player in players)


def _way_in(preset: str) -> str:
    """The verb by which a person sits down: partners choose their seat."""
    return "sit" if rules_from({"preset": preset}).teams else "join"


async def _sits_down(person: Person, group: Group, verb: str) -> None:
    """Sit down until the lobby names the person. A press may be refused for the moment."""
    while offers := await _lobby_offers(person, group):
        lobby, presses = offers
        if person.name in lobby.words:
            return
        with suppress(Impossible):
            await person.press(lobby, presses[verb][0])


async def _lobby_offers(person: Person, group: Group) -> tuple[Shown, Offered] | None:
    """The group's lobby and its buttons, once it is there; None when the match has begun."""
    shown = await person.sees(lambda message: bool(telegram_people.buttons_of(message)), group)
    await asyncio.sleep(0.5)
    offers = telegram_people.buttons_of(shown)
    return (shown, offers) if "unfold" in offers else None
