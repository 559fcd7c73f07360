"""People with names that try to break out: every message and picture stays whole, in both chats."""

import io
import re
import unicodedata
from pathlib import Path

from PIL import Image

from tests.evening.discord_people import buttons_of as discord_buttons_of
from tests.evening.discord_people import offering
from tests.evening.discord_people import start as start_on_discord
from tests.evening.running_bot import RunningBot
from tests.evening.telegram_people import buttons_of, start
from tests.servers.discord_api.client import Address, Discord, Seen, fresh_discord, until
from tests.servers.telegram_api.client import TOKEN, Control, Shown, telegram

MARKUP = "@everyone <b>*A*</b> `_&amp;_` [x](https://example.org) <@1>"
EMOJI_BACKWARDS = "👩‍👩‍👧‍👦🏳️‍🌈 \u202ereversed\u200f"
LONG = "Ş" + "\u0335\u0353" * 60 + "\n## Z" * 200
UNSEEN = "\u200b\u2060\u200e"
NAMES = (MARKUP, EMOJI_BACKWARDS, LONG, UNSEEN)

PIECES = ("everyone", "👩", "reversed", "\u0335", "## Z")
"""Of the names: they stand nowhere but in a name as it is shown."""

OUR_OWN_MARKUP = {"bold", "date_time", "expandable_blockquote", "text_link"}
LONGEST = 32
"""The most characters of a name that are shown."""

_SHOWN_NAME = re.compile("\u2068(.*?)\u2069")
"""Names are enclosed in characters that isolate their direction."""


async def test_on_telegram(telegram_url: str, tmp_path: Path) -> None:
    async with telegram(telegram_url) as control:
        bot = RunningBot(tmp_path, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=telegram_url)
        await bot.start()
        try:
            people = [await control.person(name, language="en", started=True) for name in NAMES]
            host, *others = people
            group = await control.group("<i>Kıraathane</i>", *people)
            await host.write(group, "/okey")
            lobby = await host.sees(lambda message: "join" in buttons_of(message), group)
            for person in others:
                await person.press(lobby, buttons_of(lobby)["join"][0])
            lobby = await host.sees(_names_all, group)
            _whole_entities(lobby)
            assert "@everyone <b>*A*</b>" in lobby.words
            shown = _everybody(lobby.words)
            await start(host, lobby)
            for person in people:
                rack = await person.sees(lambda message: "order" in buttons_of(message))
                await _telegram_whole(control, rack, shown)
            table = await host.sees(lambda message: "rack" in buttons_of(message), group)
            await _telegram_whole(control, table, shown)
            assert _SHOWN_NAME.search(table.words), "whose turn it is"
        finally:
            await bot.stop()
        assert await control.findings() == []
        assert " ERROR " not in bot.told()


def _names_all(message: Shown) -> bool:
    """Return whether a lobby names everybody: a press may be answered before it is done."""
    return "unfold" in buttons_of(message) and len(set(_SHOWN_NAME.findall(message.words))) == len(NAMES)


def _whole_entities(message: Shown) -> None:
    entities = [*message.raw.get("entities", ()), *message.raw.get("caption_entities", ())]
    assert {entity["type"] for entity in entities} <= OUR_OWN_MARKUP


async def _telegram_whole(control: Control, message: Shown, names: set[str]) -> None:
    _harmless(message.words, names)
    _whole_entities(message)
    assert message.picture is not None
    _whole(await control.picture(message.picture))


async def test_on_discord(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url)
        await bot.start()
        try:
            await discord.wait_connected()
            guild = await discord.guild()
            channel = await discord.channel(guild)
            users = [await discord.user(name, guild=guild) for name in NAMES]
            await discord.wait_commands()
            await discord.answered(await discord.command(users[0], channel, "okey"))
            lobby = await until(lambda: offering(discord, users[0], channel, "join"))
            (join,) = discord_buttons_of(lobby)["join"]
            for user in users[1:]:
                await discord.answered(await discord.press_exactly(user, channel, lobby.id, join))
            lobby = await until(lambda: _lobby_of_all(discord, users[0], channel))
            assert r"\@everyone \<b\>\*A\*" in lobby.text
            shown = _everybody(lobby.text.replace("\\", ""))
            await start_on_discord(discord, users[0], channel)
            for user in users:
                await _discord_whole(discord, await _rack(discord, user), shown)
            table = await until(lambda: offering(discord, users[0], channel, "rack"))
            await _discord_whole(discord, table, shown)
            assert _SHOWN_NAME.search(table.text), "whose turn it is"
            (picture,) = table.pictures
            assert all(name in picture.alt for name in shown)
        finally:
            await bot.stop()
        assert await discord.findings() == []
        assert " ERROR " not in bot.told()


async def _lobby_of_all(discord: Discord, user: int, channel: int) -> Seen | None:
    """Find the lobby once it names everybody: a press may be answered before it is done."""
    lobby = await offering(discord, user, channel, "unfold")
    named = lobby is not None and len(set(_SHOWN_NAME.findall(lobby.text))) == len(NAMES)
    return lobby if named else None


async def _discord_whole(discord: Discord, message: Seen, names: set[str]) -> None:
    _harmless(message.text.replace("\\", ""), names)
    for picture in message.pictures:
        _harmless(picture.alt, names)
        _whole(await discord.picture(picture))


async def _rack(discord: Discord, user: int) -> Seen:
    async def shown() -> Seen | None:
        return next((message for message in await discord.direct(user) if message.pictures), None)

    return await until(shown)


def _everybody(words: str) -> set[str]:
    """Check that a lobby names everybody, the one of whose name nothing shows too. Return the names as
    they are shown."""
    names = set(_SHOWN_NAME.findall(words))
    assert len(names) == len(NAMES)
    assert "?" in names
    _harmless(words, names)
    return names


def _harmless(words: str, names: set[str]) -> None:
    """Check that each name that stands there is one of these, in one line and short, that nothing of a name
    stands elsewhere, and that none changes the direction of later text. Descriptions of pictures have names
    that are not enclosed."""
    assert set(_SHOWN_NAME.findall(words)) <= names
    assert all(len(name) <= LONGEST and "\n" not in name for name in names)
    outside = words
    for name in sorted(names - {"?"}, key=len, reverse=True):
        outside = outside.replace(name, "")
    assert not any(piece in outside for piece in PIECES), outside
    turning = {"RLO", "LRO", "RLE", "LRE", "RLI", "LRI"}
    assert not turning & {unicodedata.bidirectional(character) for character in words}


def _whole(picture: bytes) -> None:
    Image.open(io.BytesIO(picture)).load()
