"""A Discord channel against a Telegram group: one table, shown in each place's own language, to the end."""

import asyncio
import re
from pathlib import Path

from engine.rules import rules_from
from tests.evening import discord_people, telegram_people
from tests.evening.publicity import public_tiles, strangers
from tests.evening.running_bot import RunningBot, both_chats
from tests.servers.discord_api.client import Address, Discord, Seen, fresh_discord, until
from tests.servers.telegram_api.client import TOKEN, Control, Group, telegram
from tests.slash import slash

MATCH_SECONDS = 900
RULES = rules_from({"preset": "okey", "deal": "quick", "start_points": 2})
Players = tuple[discord_people.Player, telegram_people.Player, discord_people.Player, telegram_people.Player]
NAMES = ("Ada", "Can", "Dora", "Ece")
_CODE = re.compile(r"\b[A-Z0-9]{3}-[A-Z0-9]{3}\b")


async def test_a_channel_plays_against_a_group(
    discord_server: Address, telegram_url: str, tmp_path: Path
) -> None:
    async with fresh_discord(discord_server) as discord, telegram(telegram_url) as control:
        bot = RunningBot(
            tmp_path,
            **both_chats(discord, control),
        )
        await bot.start()
        try:
            ada, dora, code = await _opened(discord)
            can, ece, group = await _come(control, code)
            await _started(ada, dora)
            players = (ada, can, dora, ece)
            in_channel, in_group = await _played(players, ada, group)
            assert await bot.stop() == 0
        finally:
            calls = [*map(str, await discord.calls()), *map(str, await control.calls())]
            (tmp_path / "calls").write_text("\n".join(calls))
        assert await discord.findings() == []
        assert await control.findings() == []
        for secret in (discord.token, TOKEN, code):
            assert secret not in bot.told()
        assert "Traceback" not in bot.told()
    assert any(player.presses > 1 for player in players)  # a round may end before everybody had a turn
    known = await public_tiles(tmp_path / "data", f"dc:{ada.channel}", RULES)
    assert strangers(in_channel, known) == []
    assert all("Sıra" not in text for text in in_channel)
    assert all("Turn" not in text for text in in_group)
    for texts, turn in ((in_channel, "Turn: "), (in_group, "Sıra: ")):
        assert any(all(said in text for said in (turn, *NAMES)) for text in map(_plain, texts))


async def _opened(discord: Discord) -> tuple[discord_people.Player, discord_people.Player, str]:
    """Ada opens a table in the channel, where Dora is too. Only Ada is shown the code."""
    await discord.wait_connected()
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada, dora = [await discord.user(name, guild=guild) for name in ("Ada", "Dora")]

    await discord.wait_commands()
    await discord.answered(await discord.command(ada, channel, *slash("quick start_points=2")))
    await until(lambda: discord_people.offering(discord, ada, channel, "join"))
    await discord.answered(await discord.command(ada, channel, *slash("invite")))

    async def code() -> str | None:
        return await _code_seen(discord, ada, channel)

    found = await until(code)
    assert await _code_seen(discord, dora, channel) is None
    host, guest = (
        discord_people.Player(discord, user, name, channel) for user, name in ((ada, "Ada"), (dora, "Dora"))
    )
    return host, guest, found


async def _code_seen(discord: Discord, user: int, channel: int) -> str | None:
    seen = [_CODE.search(message.text) for message in await discord.sees(user, channel)]
    return next((found[0] for found in seen if found), None)


async def _come(control: Control, code: str) -> tuple[telegram_people.Player, telegram_people.Player, Group]:
    """Zeynep, who reads Turkish, brings the table to the group and leaves her seat; two others join."""
    zeynep = await control.person("Zeynep", language="tr", started=True)
    can, ece = [await control.person(name, language="en") for name in ("Can", "Ece")]
    group = await control.group("Kıraathane", zeynep, can, ece)
    await zeynep.write(group, f"/katil {code}")
    lobby = await zeynep.sees(lambda message: "2. Zeynep" in _plain(message.words), group)
    await zeynep.write(group, "/okey ayril")
    await zeynep.sees(lambda message: "Zeynep" not in _plain(message.words), group)
    for person in (can, ece):
        said = await person.press(lobby, telegram_people.buttons_of(lobby)["join"][0])
        await person.follow(said.url)
        await person.sees(lambda message: "leave" in telegram_people.buttons_of(message))
    return telegram_people.Player(can, group), telegram_people.Player(ece, group), group


def _plain(words: str) -> str:
    return re.sub("[*\u2066-\u2069]", "", words)


async def _started(ada: discord_people.Player, dora: discord_people.Player) -> None:
    """Dora takes the last seat, and Ada begins, once the channel shows everybody."""

    async def all_there() -> Seen | None:
        lobby = await discord_people.offering(ada.discord, ada.user, ada.channel, "unfold")
        return lobby if lobby and all(name in lobby.text for name in ("Can", "Ece", "Dora")) else None

    lobby = await discord_people.offering(dora.discord, dora.user, dora.channel, "join")
    assert lobby is not None
    await dora.press(lobby, discord_people.buttons_of(lobby)["join"][0])
    await until(all_there)
    await discord_people.start(ada.discord, ada.user, ada.channel)


async def _played(players: Players, ada: discord_people.Player, group: Group) -> tuple[set[str], set[str]]:
    """Play until both places show the winner. Return all texts of each place meanwhile."""
    in_channel: set[str] = set()
    in_group: set[str] = set()
    onlooker = players[1].person
    async with asyncio.timeout(MATCH_SECONDS):
        while not (_won(in_channel) and _won(in_group)):
            for player in players:
                await player.play()
            seen = await ada.discord.sees(ada.user, ada.channel)
            in_channel |= {discord_people.words_of(each) for each in seen if not each.ephemeral}
            in_group |= {each.words for each in await onlooker.read(group) if each.from_bot}
            await asyncio.sleep(0.02)
    return in_channel, in_group


def _won(texts: set[str]) -> bool:
    return any("🏆" in text for text in texts)
