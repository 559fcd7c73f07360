"""Three people and a computer play a whole match in a Discord channel, through the real library over sockets.

One of them has closed direct messages. The bot is killed in the middle and started again.
"""

import asyncio
from pathlib import Path

import pytest

from engine.rules import rules_from
from tests.evening.discord_people import (
    ClosedPlayer,
    Player,
    buttons_of,
    lobby_with,
    notified,
    offering,
    start,
    words_of,
)
from tests.evening.publicity import public_tiles, strangers
from tests.evening.running_bot import AS_SHIPPED, RunningBot
from tests.servers.discord_api.client import Address, Discord, fresh_discord, until
from tests.slash import slash

MATCH_SECONDS = 900
RULES = rules_from({"preset": "okey-rounds", "rounds": 1})


@pytest.mark.everyday
async def test_a_whole_match_in_a_channel(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url, **AS_SHIPPED)
        await bot.start()
        try:
            await discord.wait_connected()
            players, onlooker = await _seated(discord)
            texts = await _play(players, bot, discord, onlooker)
            await until(lambda: _is_closed(discord, onlooker, players[0].channel))
            assert await bot.stop() == 0
        finally:
            (tmp_path / "calls").write_text("\n".join(map(str, await discord.calls())))
        assert await discord.findings() == []
        assert any(player.presses > 1 for player in players)  # a round may end before everybody had a turn
        outside = await _called_from_outside(discord, players)
        assert outside == []
        assert discord.token not in bot.told()
        assert "Traceback" not in bot.told()
    known = await public_tiles(tmp_path / "data", f"dc:{players[0].channel}", RULES)
    assert any("red" in text for text in texts)
    assert strangers(texts, known) == []


async def _seated(discord: Discord) -> tuple[list[Player], int]:
    """Ada opens with a command, two others press Join; Zed accepts no direct messages. Eve watches."""
    guild = await discord.guild()
    channel = await discord.channel(guild)
    users = [await discord.user(name, guild=guild) for name in ("Ada", "Can", "Zed")]
    await discord.direct_messages(users[2], open=False)
    players = [Player(discord, users[0], "Ada", channel), Player(discord, users[1], "Can", channel)]
    players.append(ClosedPlayer(discord, users[2], "Zed", channel))

    await discord.wait_commands()
    await discord.answered(await discord.command(users[0], channel, *slash("okey-rounds rounds=1")))
    lobby = await until(lambda: offering(discord, users[0], channel, "join"))
    for player in players[1:]:
        await player.press(lobby, buttons_of(lobby)["join"][0])
    await lobby_with(discord, users[0], channel, "Can", "Zed")
    await start(discord, users[0], channel)
    return players, await discord.user("Eve", guild=guild)


async def _called_from_outside(discord: Discord, players: list[Player]) -> list[str]:
    """Return who was called without playing, once for each call. Eve only watches, and nobody subscribed."""
    called = [who for call in await discord.calls() for who in notified(call)]
    seated = {f"dc:{player.user}" for player in players}
    assert seated <= set(called), "a turn calls its player"
    return [who for who in called if who not in seated]


async def _is_closed(discord: Discord, onlooker: int, channel: int) -> bool:
    """Return whether of the table's messages only the last can be pressed."""
    *earlier, _ = [each for each in await discord.sees(onlooker, channel) if each.pictures]
    return not any(each.buttons for each in earlier)


async def _play(players: list[Player], bot: RunningBot, discord: Discord, onlooker: int) -> set[str]:
    """Play until the match is over, with a kill of the bot after some turns. Return all texts that an
    onlooker could read in the channel."""
    killed = False
    read: set[str] = set()
    async with asyncio.timeout(MATCH_SECONDS):
        while not any("🏆" in text for text in read):
            seen = await discord.sees(onlooker, players[0].channel)
            read.update(words_of(message) for message in seen)
            for player in players:
                await player.play()
            if not killed and sum(player.presses for player in players) > 4:
                sessions = await discord.sessions_begun()
                await bot.kill()
                await discord.bot_killed()
                await bot.start()
                await until(lambda sessions=sessions: _began_again(discord, sessions))
                killed = True
            await asyncio.sleep(0.1)
    assert killed
    return read


async def _began_again(discord: Discord, sessions: int) -> bool:
    return await discord.sessions_begun() > sessions
