"""Impossible requests for a league, typed in both chats: a sentence gives advice, and nothing is half
done."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.league.model import NightRef
from tests.bot.rounds import finish_round
from tests.evening.season.dates import ZONE, coming_year, moment, thursdays
from tests.evening.season.people import OnDiscord, OnTelegram, Someone
from tests.evening.season.season import next_of
from tests.evening.season.world import (
    GUEST,
    ORGANISER,
    World,
    a_world,
    eventually,
    found_league,
    let_them_organise,
)
from tests.servers.discord_api.client import Address, fresh_discord
from tests.servers.telegram_api.client import telegram
from tests.slash import slash

THURSDAY = thursdays(coming_year(), 1, 1)[0]
START = moment(THURSDAY)
_CODE = re.compile(r"The code is ([A-Z0-9]+-[A-Z0-9]+)")


@asynccontextmanager
async def a_town(discord_server: Address, telegram_url: str, folder: Path) -> AsyncIterator[World]:
    async with (
        fresh_discord(discord_server) as discord,
        telegram(telegram_url) as control,
        a_world(discord, control, folder, people=4, now=START - 3600) as world,
    ):
        yield world


async def told(person: Someone, words: str) -> None:
    """Wait until the person gets this answer."""

    async def look() -> bool:
        return any(words in text for text in [*await person.read(), *await person.letters()])

    await eventually(look, f"{person.name} is not told: {words}")


IMPOSSIBLE = (
    (f"start={THURSDAY} 20:00 zone=Europe/Atlantis", "There is no time zone “Europe/Atlantis”"),
    (f"start=2020-01-02 20:00 zone={ZONE}", "is already over"),
    (f"start={THURSDAY} 20:00 zone={ZONE} every=FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never happens"),
    (f"start={THURSDAY} 20:00 zone={ZONE} cap=2", "2 people make no table. Allow at least 3"),
)


async def test_no_league_is_founded(discord_server: Address, telegram_url: str, tmp_path: Path) -> None:
    async with a_town(discord_server, telegram_url, tmp_path) as world:
        on_discord, on_telegram = world.people[ORGANISER], world.people[GUEST]
        await let_them_organise(world)
        for line, sentence in IMPOSSIBLE:
            for person in (on_discord, on_telegram):
                await person.write(f"new name=Season {line}")
                await told(person, sentence)
            for place in world.places:
                assert await world.store.index.leagues_at(place) == []


async def test_nobody_signs_up_twice_and_a_voided_table_gets_no_result(
    discord_server: Address, telegram_url: str, tmp_path: Path
) -> None:
    async with a_town(discord_server, telegram_url, tmp_path) as world:
        line = (f"start={THURSDAY} 20:00", f"zone={ZONE}", "rounds=2", "game=turkish-rummy-fast-1")
        await found_league(world, line)
        night = (await eventually(lambda: announced(world), "no night")).id
        on_discord, on_telegram = world.people["P03"], world.people["P04"]
        await link(on_discord, on_telegram)
        await on_discord.press("night_yes", night)
        await world.replied(night, [on_discord])
        await on_telegram.write("yes")
        await told(on_telegram, "You have already signed up with your other account")
        assert len((await world.night(night)).signed_up) == 1

        for seconds, stage in ((-20 * 60, "check_in"), (-3 * 60, "ready"), (0, "playing")):
            await world.time_is(START + seconds)
            await world.comes(night, stage)
            if stage == "check_in":
                coming = [world.people[name] for name in ("P01", "P02", "P03")]
                for person in coming:
                    await person.press("night_here", night)
                await world.replied(night, coming, here=True)
        (table,) = await eventually(lambda: world.tables(night, 1), "no table")
        await finish_round(world.repository, table.id)
        await world.comes(night, "break")
        await world.people["P01"].write("void 1.1 tiles were missing")

        async def voided() -> bool:
            return (await world.night(night)).rounds[0].tables[0].void

        await eventually(voided, "the table is not voided")
        before = await world.night(night)
        await world.people["P01"].write("correct 1.1 9 8 7 it was played after all")
        await told(world.people["P01"], "That table was voided")
        assert await world.night(night) == before


async def announced(world: World) -> NightRef | None:
    return next_of((await world.held()).nights)


async def link(on_discord: Someone, on_telegram: Someone) -> None:
    """Link both accounts of a person."""
    assert isinstance(on_discord, OnDiscord)
    assert isinstance(on_telegram, OnTelegram)
    me, other = on_discord.player, on_telegram.player.person
    await me.discord.answered(await me.discord.command(me.user, None, *slash("link")))

    async def code() -> str | None:
        letters = await on_discord.letters()
        return next((found[1] for text in letters if (found := _CODE.search(text))), None)

    await other.write(other.id, f"/okey link {await eventually(code, 'no code')}")
    for account in (on_telegram, on_discord):
        await account.press("link_yes")
    await told(on_telegram, "are now one person")
