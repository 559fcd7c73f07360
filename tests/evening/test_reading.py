"""Setting rules by dialogue, reading them, replaying a round and checking its record: through the program and
the real libraries, in a Telegram group and in a Discord channel."""

import json
from pathlib import Path

from engine.verify import verify
from tests.evening.running_bot import RunningBot
from tests.evening.scene import an_evening
from tests.evening.telegram_people import buttons_of, start
from tests.patience import PATIENCE
from tests.servers.discord_api.client import (
    Address,
    Discord,
    Seen,
    fresh_discord,
    until,
)
from tests.servers.telegram_api.client import Person, Shown
from tests.slash import slash

ABSENT = {"OKEY_TURN_SECONDS": "1", "OKEY_COMPUTER_SECONDS": "0.02", "OKEY_NEXT_ROUND_SECONDS": "600"}
"""Ada begins and plays no turn: a computer player soon takes her seat, and the first round ends."""


async def turned(person: Person, page: Shown, label: str) -> Shown:
    """The same message after a press of one of its buttons."""
    row, column = next(
        (r, c)
        for r, row in enumerate(page.buttons)
        for c, text in enumerate(row)
        if text.lstrip("✓ ").startswith(label)
    )
    keyboard = page.raw["reply_markup"]["inline_keyboard"]
    await person.press(page, keyboard[row][column]["callback_data"])
    return await person.sees(lambda m: m.id == page.id and m.versions > page.versions)


async def chosen(host: Person, lobby: Shown) -> Shown:
    """The page on which a host chooses the game. A lobby that was just edited is pressed once more."""

    def asks(message: Shown) -> bool:
        return "Which game do you want to play?" in message.words

    said = await host.press(lobby, buttons_of(lobby)["rules"][0])
    try:
        return await host.sees(asks, seconds=PATIENCE / 8)
    except AssertionError:
        assert said.text, "the press was carried out, and its page did not come"
        await host.press(lobby, buttons_of(lobby)["rules"][0])
        return await host.sees(asks)


async def test_in_a_telegram_group(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path, **ABSENT) as evening:
        ada, eve, group = evening.ada, evening.eve, evening.group
        lobby = await evening.opened("2 quick")
        page = await chosen(ada, lobby)
        for label in ("Okey, elimination", "Individual rules", "Table and end", "Players", "2"):
            page = await turned(ada, page, label)
        lobby = await ada.sees(
            lambda message: message.id == lobby.id and "Okey, elimination · 2 players" in message.words,
            group,
        )
        await eve.write(group, "/okey rules")
        rules = await eve.sees(lambda message: "How it is played here" in message.words)
        assert "At 0 you are out" in rules.words
        assert rules.picture is not None

        await start(ada, lobby)
        result = await eve.sees(lambda message: "replay" in buttons_of(message), group)
        await eve.press(result, buttons_of(result)["replay"][0])
        step = await eve.sees(lambda message: "round 1 · 0 of" in message.words)
        step = await turned(eve, step, "▶")
        assert "round 1 · 1 of" in step.words
        step = await turned(eve, step, "⏭")
        assert " finished" in step.words

        await eve.write(group, "/okey record")
        sent = await eve.sees(lambda message: "document" in message.raw)
        _, content = await evening.control.document(sent)
        assert len(verify(json.loads(content))["rounds"]) == 1


async def test_in_a_discord_channel(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        settings = {"DISCORD_TOKEN": discord.token, "DISCORD_API_URL": discord.api_url, **ABSENT}
        bot = RunningBot(tmp_path, **settings)
        await bot.start()
        try:
            await discord.wait_connected()
            await Reader(discord).reads()
        finally:
            await bot.stop()
        assert await discord.findings() == []
        assert "Traceback" not in bot.told()


def presses(seen: Seen, verb: str) -> list[str]:
    """The presses of a message's buttons with this verb."""
    return [button.custom_id for button in seen.buttons if button.custom_id.split(".")[0] == verb]


class Reader:
    """People in a channel, each by the messages that they see."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self._channel = 0

    async def reads(self) -> None:
        """Ada sets the rules and begins; Eve, who watches, reads and turns pages."""
        guild = await self._discord.guild()
        self._channel = await self._discord.channel(guild)
        ada, eve = [await self._discord.user(name, guild=guild) for name in ("Ada", "Eve")]
        await self._discord.wait_commands()
        await self._command(ada, "2 quick")
        lobby = await self._sees(ada, offers="rules")
        await self._press(ada, lobby, "rules")
        page = await self._sees(ada, "Which game do you want to play?")
        for verb, which, told in (
            ("preset", 2, "Okey, elimination · 4 players"),
            ("switches", 0, "Which rule do you want to change?"),
            ("group", 0, "Players"),
            ("switch", 0, "Players"),
            ("set", 0, "Okey, elimination · 2 players"),
        ):
            await self._press(ada, page, verb, which)
            page = await self._sees(ada, told, id=page.id)
        lobby = await self._sees(eve, "Okey, elimination · 2 players", id=lobby.id)
        await self._command(eve, "rules")
        rules = await self._sees(eve, "How it is played here")
        assert rules.ephemeral
        assert "Pair: yellow 5, yellow 5" in rules.pictures[0].alt
        await self._press(ada, lobby, "unfold")
        await self._press(ada, await self._sees(ada, offers="start"), "start")
        await self._pages(eve)

    async def _pages(self, eve: int) -> None:
        await self._press(eve, await self._sees(eve, offers="replay"), "replay")
        step = await self._sees(eve, "round 1 · 0 of")
        for number in (1, 2):
            await self._press(eve, step, "replay_step", 1)
            step = await self._sees(eve, f"round 1 · {number} of", id=step.id)
        await self._command(eve, "record")
        sent = await self._sees(eve, "The record of table")
        content = await self._discord.picture(sent.pictures[0])
        assert len(verify(json.loads(content))["rounds"]) == 1

    async def _command(self, user: int, line: str) -> None:
        await self._discord.answered(await self._discord.command(user, self._channel, *slash(line)))

    async def _press(self, user: int, seen: Seen, verb: str, which: int = 0) -> None:
        """Press one of a message's buttons with this verb."""
        press = presses(seen, verb)[which]
        await self._discord.answered(await self._discord.press_exactly(user, seen.channel, seen.id, press))

    async def _sees(self, user: int, words: str = "", *, offers: str = "", id: int | None = None) -> Seen:
        """The newest message in the channel with these words, or with such a button."""

        async def found() -> Seen | None:
            seen = await self._discord.sees(user, self._channel)
            fit = (m for m in reversed(seen) if words in m.text and (not offers or presses(m, offers)))
            return next((message for message in fit if id in (None, message.id)), None)

        return await until(found)
