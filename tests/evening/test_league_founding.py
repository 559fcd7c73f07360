"""A league founded and signed up to through the program and the real libraries, in a Telegram group and in
a Discord channel: dialogue, announcement, replies, an organiser's pages."""

from pathlib import Path

from tests.evening.running_bot import RunningBot
from tests.evening.scene import an_evening
from tests.evening.test_reading import turned
from tests.servers.discord_api.client import Address, Discord, Seen, fresh_discord, until
from tests.servers.telegram_api.client import Person, Shown
from tests.slash import slash


def press_of(message: Shown, label: str) -> str:
    """The press of the button with this label."""
    keyboard = message.raw["reply_markup"]["inline_keyboard"]
    return next(str(each["callback_data"]) for row in keyboard for each in row if label in each["text"])


async def pressed(person: Person, message: Shown, label: str) -> None:
    await person.press(message, press_of(message, label))


async def test_in_a_telegram_group(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        ada, can, eve, group = evening.ada, evening.can, evening.eve, evening.group
        await evening.control.ask("promote", user_id=ada.id, chat_id=group.id)
        await ada.write(group, "/okey lig yeni name=Çay Ligi zone=istanbul")
        page = await ada.sees(lambda message: "On which day do you meet?" in message.words)
        page = await turned(ada, page, "Thursday")
        page = await turned(ada, page, "20:30")
        assert "Who may see the league’s page on the web?" in page.words
        page = await turned(ada, page, "Unlisted")
        assert "Every week on Thursday at 20:30 (Europe/Istanbul)" in page.words
        page = await turned(ada, page, "Create the league")
        assert "has been created. The first night: " in page.words

        board = await can.sees(lambda message: "Nobody has signed up yet." in message.words, group)
        moments = [each for each in board.raw["entities"] if each["type"] == "date_time"]
        assert [each["date_time_format"] for each in moments] == ["wDt"]
        await pressed(can, board, "I’m coming")
        await pressed(eve, board, "Maybe")
        board = await ada.sees(lambda message: message.id == board.id and "Eve" in message.words, group)
        assert "Coming (1): \u2068Can" in board.words
        assert "Maybe (1): \u2068Eve" in board.words

        await can.write(group, "/okey league next")
        dates = await can.sees(lambda message: "the next nights" in message.words)
        assert sum(each["type"] == "date_time" for each in dates.raw["entities"]) == 6


async def test_the_turkish_menu_s_word_founds_a_league(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        defne = await evening.control.person("Defne", language="tr", started=True)
        group = await evening.control.group("Çay", defne)
        await evening.control.ask("promote", user_id=defne.id, chat_id=group.id)
        await defne.write(group, "/okey lig kur name=Çay Ligi zone=istanbul")
        await defne.sees(lambda message: "Hangi gün" in message.words)


async def test_in_a_discord_channel(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url)
        await bot.start()
        try:
            await discord.wait_connected()
            await Club(discord).meets()
        finally:
            await bot.stop()
        assert await discord.findings() == []
        assert "Traceback" not in bot.told()


class Club:
    """People in a channel, each by the messages that they see."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self._channel = 0

    async def meets(self) -> None:
        """Ada, who manages the server, founds a league; Can and Eve sign up."""
        guild = await self._discord.guild()
        self._channel = await self._discord.channel(guild)
        ada, can, eve = [await self._discord.user(name, guild=guild) for name in ("Ada", "Can", "Eve")]
        await self._discord.wait_commands()
        await self._command(eve, "league new")
        await self._sees(eve, "Only organisers")
        await self._discord.manager(ada, guild)
        await self._command(ada, "league new name=Tea League zone=istanbul")
        page = await self._sees(ada, "On which day do you meet?")
        assert page.ephemeral
        for label, told in (
            ("Thursday", "At what time?"),
            ("20:30", "Who may see the league’s page on the web?"),
            ("Unlisted", "Every week on Thursday at 20:30"),
            ("Create the league", "has been created. The first night: <t:"),
        ):
            await self._press(ada, page, label)
            page = await self._sees(ada, told, id=page.id)
        board = await self._sees(can, "Nobody has signed up yet.")
        assert ":F>" in board.text
        await self._press(can, board, "I’m coming")
        await self._press(eve, board, "Maybe")
        board = await self._sees(ada, "Maybe (1): ", id=board.id)
        assert "Coming (1): " in board.text
        await self._sees(can, "You are in.")

        await self._press(ada, page, "🛠")
        for label, told in (
            ("Night 1", "Announced. Check-in isn’t open yet."),
            ("Call the night off", "Why?"),
            ("All agreed", "The night was called off."),
        ):
            page = await self._sees(ada, "", id=page.id)
            await self._press(ada, page, label)
            page = await self._sees(ada, told, id=page.id)
        news = await self._sees(can, "called it off")
        assert news.id != board.id, "who had signed up is notified, which no edit does"

    async def _command(self, user: int, line: str) -> None:
        await self._discord.answered(await self._discord.command(user, self._channel, *slash(line)))

    async def _press(self, user: int, seen: Seen, label: str) -> None:
        await self._discord.answered(await self._discord.press(user, seen, label))

    async def _sees(self, user: int, words: str, *, id: int | None = None) -> Seen:
        async def look() -> Seen | None:
            seen = await self._discord.sees(user, self._channel)
            return next(
                (each for each in reversed(seen) if words in each.text and id in (None, each.id)), None
            )

        return await until(look)
