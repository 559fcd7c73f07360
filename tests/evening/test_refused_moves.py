"""Moves that are not allowed, at every door: in Telegram, in its Mini App and in Discord each such press is
answered by the sentence that says why, and changes nothing."""

import html
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from aiohttp import ClientSession
from aiohttp.test_utils import unused_port
from msgspec import structs

from bot.i18n import plain, words_for
from bot.repository.tables import StoredTable, TableRepository
from bot.store import open_store
from bot.tables.table import Change
from engine.rules import rules_from
from tests.adapters.web.signed import init_data
from tests.bot.refused_moves import CASES, PEOPLE, TOURNAMENT, Case, laid_for, press_of
from tests.evening import app_people, discord_people, telegram_people
from tests.evening.bookkeeping import Books
from tests.evening.running_bot import RunningBot, both_chats
from tests.servers.discord_api.client import Address, Discord, fresh_discord, until
from tests.servers.telegram_api.client import TOKEN, Control, Person, telegram
from tests.slash import slash

NAMES: Final = tuple(person.name for person in PEOPLE)
LINE: Final = f"{TOURNAMENT} clock=1d"
ENGLISH: Final = words_for("en")
OTHERWISE: Final = {
    name: getattr(rules_from({"preset": "okey101"}), name)
    for name in ("declare_pairs", "playable_called", "lay_pairs", "reclaim_joker")
}
"""What Okey 101 has not, as switches of the same table."""

Press = Callable[[str, str], Awaitable[None]]
"""Presses a button with this text, and checks that its presser is told these words."""


async def test_a_refused_move_is_told_why_at_every_door(
    discord_server: Address, telegram_url: str, tmp_path: Path
) -> None:
    async with (
        fresh_discord(discord_server) as discord,
        telegram(telegram_url) as control,
        ClientSession() as web,
        running(tmp_path, discord, control) as url,
    ):
        group, people = await in_group(control)
        channel, users = await in_channel(discord)
        pages = [
            app_people.Player(url, web, {"kind": "enter", "door": "telegram", "proof": signed(each)})
            for each in people
        ]
        for page in pages:
            await page.open()
        doors: Sequence[tuple[str, Sequence[Press]]] = (
            (group, [partial(in_telegram, each) for each in people]),
            (group, [partial(on_page, each) for each in pages]),
            (channel, [partial(in_discord, discord, int(channel[3:]), each) for each in users]),
        )
        async with open_store(None, tmp_path / "data") as store:
            tables = TableRepository(store)
            for place, presses in doors:
                (entry,) = await Books(tmp_path).read_all(place)
                for case in CASES:
                    await tables.change(entry.table.id, None, partial(change, case))
                    (before,) = await Books(tmp_path).read_all(place)
                    said = ENGLISH.say(f"refused.{case.code}", most=2, turn=PEOPLE[0].name)
                    press = presses[PEOPLE.index(case.by)]
                    await press(press_of(case, before.table), plain(said, ENGLISH))
                    (after,) = await Books(tmp_path).read_all(place)
                    assert after.table.match == before.table.match
        for page in pages:
            await page.close()
        assert await discord.findings() == []
        assert await control.findings() == []


def signed(person: Person) -> str:
    return init_data(person.id, person.name, token=TOKEN)


def change(case: Case, stored: StoredTable) -> Change:
    table = stored.value
    rules = rules_from({"preset": TOURNAMENT})
    rules = rules if case.rules == TOURNAMENT else replace(rules, **OTHERWISE)
    return Change(laid_for(case, structs.replace(table, match=replace(table.match, rules=rules))))


@asynccontextmanager
async def running(folder: Path, discord: Discord, control: Control) -> AsyncIterator[str]:
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    bot = RunningBot(
        folder,
        **both_chats(discord, control),
        WEB_PORT=str(port),
        WEB_URL=url,
    )
    await bot.start()
    try:
        yield url
        assert await bot.stop() == 0
    finally:
        assert "Traceback" not in bot.told()


async def in_group(control: Control) -> tuple[str, list[Person]]:
    people = [await control.person(name, language="en", started=True) for name in NAMES]
    group = await control.group("Kıraathane", *people)
    await people[0].write(group, f"/okey {LINE}")
    for person in people[1:]:
        lobby = await person.sees(lambda each: "sit" in telegram_people.buttons_of(each), group)
        await person.press(lobby, telegram_people.buttons_of(lobby)["sit"][0])
        await person.sees(lambda each, name=person.name: name in each.words, group)  # type: ignore[misc]
    lobby = await people[0].sees(lambda each: "unfold" in telegram_people.buttons_of(each), group)
    await telegram_people.start(people[0], lobby)
    for person in people:
        await person.sees(lambda each: each.picture is not None)
    return f"tg:{group.id}", people


async def in_channel(discord: Discord) -> tuple[str, list[int]]:
    await discord.wait_connected()
    guild = await discord.guild()
    channel = await discord.channel(guild)
    users = [await discord.user(name, guild=guild) for name in NAMES]
    await discord.wait_commands()
    await discord.answered(await discord.command(users[0], channel, *slash(LINE)))
    for user, name in zip(users[1:], NAMES[1:], strict=True):
        lobby = await until(lambda: discord_people.offering(discord, users[0], channel, "sit"))
        await discord.answered(await discord.press(user, lobby, discord_people.buttons_of(lobby)["sit"][0]))
        await discord_people.lobby_with(discord, users[0], channel, name)
    await discord_people.start(discord, users[0], channel)
    return f"dc:{channel}", users


async def in_telegram(person: Person, text: str, refusal: str) -> None:
    message = (await person.read())[-1]
    assert refusal in (await person.press_old(message, text)).text


async def on_page(page: app_people.Player, text: str, refusal: str) -> None:
    await page.press(text)
    assert refusal in html.unescape(re.sub("<[^>]*>", "", page.refused[-1]))


async def in_discord(discord: Discord, channel: int, user: int, text: str, refusal: str) -> None:
    """Press, and wait for the refusal in what only the presser sees. Their rack is there, too, and may follow
    the laid table only now."""
    seen = await discord.sees(user, channel)
    before = {each.id: each.text for each in seen}
    await discord.answered(await discord.press_exactly(user, channel, seen[-1].id, text, forged=True))

    async def told() -> bool:
        theirs = [each for each in await discord.sees(user, channel) if each.ephemeral]
        return any(refusal in each.text and before.get(each.id) != each.text for each in theirs)

    await until(told)
