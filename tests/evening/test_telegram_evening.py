"""Three people and a computer play a whole match in a Telegram group, through the real library over sockets.

One of them can't be reached in private. The bot is killed in the middle and started again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from engine.rules import rules_from
from tests.evening.publicity import public_tiles, strangers
from tests.evening.running_bot import AS_SHIPPED, RunningBot
from tests.evening.telegram_people import (
    EXPIRED,
    ClosedPlayer,
    Player,
    buttons_of,
    describe_tables,
    notified,
    start,
    want_descriptions,
)
from tests.servers.telegram_api.client import TOKEN, Call, Control, Group, Person, telegram

MATCH_SECONDS = 900
RULES = rules_from({"preset": "okey-rounds", "rounds": 1})


@pytest.fixture
async def control(telegram_url: str) -> AsyncIterator[Control]:
    async with telegram(telegram_url) as empty:
        yield empty


@pytest.mark.everyday
async def test_a_whole_match_in_a_group(control: Control, tmp_path: Path) -> None:
    bot = RunningBot(tmp_path, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=control.url, **AS_SHIPPED)
    await bot.start()
    try:
        eve = await control.person("Eve", language="en", started=True)
        await eve.sees(lambda message: message.from_bot)  # who opens the private chat is greeted there
        greeted = len(await control.calls())
        players, group = await _seated(control, eve)
        await _play(players, bot, group)
        assert await bot.stop() == 0
    finally:
        (tmp_path / "calls").write_text("\n".join(map(str, await control.calls())))
    assert await control.findings() == []
    assert any(player.presses > 1 for player in players)  # a round may end before everybody had a turn
    kindly = (EXPIRED, "Not so fast")
    refused = {said for player in players for said in player.refused}
    assert not {said for said in refused if not any(words in said for words in kindly)}
    outside = _called_from_outside((await control.calls())[greeted:], players)
    assert outside == []
    assert TOKEN not in bot.told()
    assert TOKEN.split(":")[1] not in bot.told()
    assert "Traceback" not in bot.told()
    known = await public_tiles(tmp_path / "data", f"tg:{group.id}", RULES)
    texts = await _said_in(control, group)
    assert any("red" in text for text in texts)
    assert strangers(texts, known) == []


async def _said_in(control: Control, group: Group) -> list[str]:
    """The words of every message and edit in the group."""
    calls = [call for call in await control.calls() if call.parameters.get("chat_id") == group.id]
    words = [call.parameters.get("text") or call.parameters.get("caption") for call in calls]
    words += [(call.parameters.get("media") or {}).get("caption") for call in calls]
    return [text for text in words if text]


def _called_from_outside(calls: Sequence[Call], players: list[Player]) -> list[str]:
    """Return who was called without playing, once for each call. Eve only watches, and nobody subscribed."""
    called = [who for call in calls for who in notified(call)]
    seated = {f"tg:{player.person.id}" for player in players}
    assert seated <= set(called), "a turn calls its player"
    return [who for who in called if who not in seated]


async def _seated(control: Control, eve: Person) -> tuple[list[Player], Group]:
    """Ada opens, Can follows the link that Join opens, Zed joins and never opens their private chat. Eve
    watches."""
    people = [await control.person(name, language="en") for name in ("Ada", "Can", "Zed")]
    group = await control.group("Kıraathane", *people, eve)
    await people[0].start()
    await describe_tables(control, people[0], group)
    await people[0].write(group, "/okey okey-rounds rounds=1")
    lobby = await people[0].sees(lambda message: "join" in buttons_of(message), group)
    for person in people[1:]:
        said = await person.press(lobby, buttons_of(lobby)["join"][0])
        assert said.url, "Join opens the private chat of whom the bot does not know"
        if person.name != "Zed":
            await person.follow(said.url)
    await want_descriptions(*people[:2])
    players = [Player(person, group) for person in people[:2]]
    await people[0].sees(lambda message: "Zed" in message.words, group)
    await start(people[0], lobby)
    return [*players, ClosedPlayer(people[2], group)], group


async def _play(players: list[Player], bot: RunningBot, group: Group) -> None:
    """Play until the match is over, with a kill of the bot after some turns."""
    killed = False
    async with asyncio.timeout(MATCH_SECONDS):
        while not await _over(players[0], group):
            for player in players:
                await player.play()
            if not killed and sum(player.presses for player in players) > 4:
                await bot.kill()
                await bot.start()
                killed = True
            await asyncio.sleep(0.1)
    assert killed


async def _over(player: Player, group: Group) -> bool:
    return any("🏆" in message.words for message in await player.person.read(group))
