"""One match of four people through four doors: Telegram's chat, its Mini App, Discord's Activity and a
browser. The bot is killed in the middle and started again."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import ClientSession
from aiohttp.test_utils import unused_port

from tests.adapters.web.signed import init_data
from tests.evening import app_people, telegram_people
from tests.evening.bookkeeping import Books
from tests.evening.discord_people import offering
from tests.evening.publicity import replayed
from tests.evening.running_bot import RunningBot, both_chats
from tests.evening.telegram_people import buttons_of
from tests.servers.discord_api.activities import SECRET
from tests.servers.discord_api.client import Address, Discord, fresh_discord, until
from tests.servers.telegram_api.client import TOKEN, Control, Group, Person, telegram
from tests.slash import slash

MATCH_SECONDS = 900
KILLED_AFTER = 16
"""The number of presses, of all four, before the kill."""
NAMES = {"Ada", "Can", "Ece", "Zed"}
_CODE = re.compile(r"\b[A-Z0-9]{3}-[A-Z0-9]{3}\b")
_LINK = re.compile(r"#k=([\w-]{43})")


async def test_four_people_play_through_four_doors(
    discord_server: Address, telegram_url: str, tmp_path: Path
) -> None:
    async with (
        fresh_discord(discord_server) as discord,
        telegram(telegram_url) as control,
        ClientSession() as web,
        running(tmp_path, discord, control) as (bot, url),
    ):
        people = [await control.person(name, language="en", started=True) for name in ("Ada", "Ece", "Zed")]
        group = await control.group("Kıraathane", *people)
        ada, ece, zed = people
        can, channel = await come(discord, await opened(group, *people))
        signed = {"door": "telegram", "proof": init_data(ada.id, "Ada", token=TOKEN)}
        in_app = [
            app_people.Player(url, web, {"kind": "enter", **signed}),
            app_people.Player(url, web, await activity(discord, can, channel)),
            await app_people.by_link(url, web, await secret_of(zed)),
        ]
        for player in in_app:
            await player.open()
        await started(in_app[0])
        in_chat = telegram_people.Player(ece, group)
        said = await played(in_app, in_chat, bot)
        for player in in_app:
            await player.close()
        (entry,) = await Books(tmp_path).read_all(f"tg:{group.id}")
        assert await discord.findings() == []
        assert set(await control.findings()) <= await telegram_people.lost_presses(control, bot.killed)
    table, moves = entry.table, Counter(each["seat"] for each in entry.log if "seat" in each)
    assert [*replayed(entry.log, table.match.rules)][-1] == table.match
    assert in_chat.presses > 3
    for player in in_app:
        assert player.connections >= 2
        assert player.rack is not None
        pressed = player.presses - len(player.refused) - (player is in_app[0])  # one press of the host
        assert moves[player.rack["seat"]] == pressed > 3  # including those interrupted by the kill
        seen = player.rack["table"]
        assert [seat["score"] for seat in seen["seats"]] == list(table.match.scores)
        assert all(seen["seats"][seat]["name"] in said for seat in seen["winners"])


@asynccontextmanager
async def running(folder: Path, discord: Discord, control: Control) -> AsyncIterator[tuple[RunningBot, str]]:
    """The program with both chats and the address of its app."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    bot = RunningBot(
        folder,
        **both_chats(discord, control),
        DISCORD_CLIENT_SECRET=SECRET,
        WEB_PORT=str(port),
        WEB_URL=url,
    )
    await bot.start()
    try:
        yield bot, url
        assert await bot.stop() == 0
    finally:
        calls = [*map(str, await discord.calls()), *map(str, await control.calls())]
        (folder / "calls").write_text("\n".join(calls))
    assert "Traceback" not in bot.told()
    for secret in (discord.token, TOKEN, SECRET):
        assert secret not in bot.told()


async def opened(group: Group, host: Person, *guests: Person) -> str:
    """Open a table in a Telegram group, and return the invitation that only its host was shown."""
    await host.write(group, "/okey okey101 quick rounds=1 clock=10m")
    lobby = await host.sees(lambda message: "join" in buttons_of(message), group)
    for person in guests:
        await person.press(lobby, buttons_of(lobby)["join"][0])
    await host.write(group, "/okey invite")
    shown = await host.sees(lambda message: _CODE.search(message.words) is not None)
    found = _CODE.search(shown.words)
    assert found is not None
    return found[0]


async def come(discord: Discord, code: str) -> tuple[int, int]:
    """Can brings the table to a Discord channel, and takes the last seat."""
    await discord.wait_connected()
    guild = await discord.guild()
    channel = await discord.channel(guild)
    can = await discord.user("Can", guild=guild)
    await discord.wait_commands()
    await discord.answered(await discord.command(can, channel, *slash(f"join {code}")))
    await until(lambda: offering(discord, can, channel, "unfold"))
    return can, channel


async def activity(discord: Discord, user: int, channel: int) -> app_people.Message:
    """The data for a page that Discord has opened in a channel."""
    instance, code = await discord.launched(user, channel), await discord.authorize(user)
    return {"kind": "enter", "door": "discord", "proof": code, "instance": instance}


async def secret_of(person: Person) -> str:
    """The secret behind the hash of the person's own link."""
    await person.write(person.id, "/okey app")
    shown = await person.sees(lambda message: _LINK.search(str(message.raw)) is not None)
    found = _LINK.search(str(shown.raw))
    assert found is not None
    return found[1]


async def started(host: app_people.Player) -> None:
    """Start as the host on their page, once it shows everybody."""

    async def all_there() -> str | None:
        (lobby,) = host.tables.values()
        there = {seat["name"] for seat in lobby["seats"]} == NAMES
        return next(act["press"] for act in lobby["acts"] if act["kind"] == "start") if there else None

    await host.press(await until(all_there), private=False)


async def played(
    in_app: Sequence[app_people.Player], in_chat: telegram_people.Player, bot: RunningBot
) -> str:
    """Play until everybody sees the winner, with a kill of the bot after some moves. Return the chat's last
    message."""
    players = [*in_app, in_chat]
    async with asyncio.timeout(MATCH_SECONDS):
        while not (all(map(over, in_app)) and (said := await in_chat_over(in_chat))):
            for player in players:
                await player.play()
            enough = sum(player.presses for player in players) > KILLED_AFTER
            if enough and not bot.killed and any(player.on_turn for player in in_app):
                await killed_within_a_press(in_app, bot)
            await asyncio.sleep(0.02)
    assert bot.killed
    return said


def over(player: app_people.Player) -> bool:
    return player.rack is not None and player.rack["table"]["stage"] == "over"


async def in_chat_over(player: telegram_people.Player) -> str:
    shown = await player.person.read(player.group)
    return next((message.words for message in shown if "🏆" in message.words), "")


async def killed_within_a_press(in_app: Sequence[app_people.Player], bot: RunningBot) -> None:
    """Kill the bot while presses are under way. The pages send them again."""
    pressing = [asyncio.create_task(player.play()) for player in in_app]
    await asyncio.sleep(0)
    await bot.kill()
    await bot.start()
    await asyncio.gather(*pressing)
