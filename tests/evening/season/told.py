"""What both platforms show of a league besides its boards: champions, a role, events, pins and calls."""

import re
from collections.abc import Sequence

from bot.callback_data import read_callback
from bot.league.night import Night
from tests.evening import discord_people
from tests.evening.faults.judge import NOTED_SECONDS
from tests.evening.season.evening import Evening
from tests.evening.season.people import OnDiscord, OnTelegram, Someone, plain
from tests.evening.season.world import World, eventually
from tests.servers.telegram_api.client import Shown

SCHEDULED, COMPLETED = 1, 3
"""Discord's stages of an event."""


async def check_told(
    world: World, evenings: Sequence[Evening], season: int, champions: set[str], readers: Sequence[Someone]
) -> None:
    """Wait until all of it is right after a season's last night, and nothing is there twice. `readers`: one
    for each place, who have asked the program for nothing."""

    async def ahead() -> list[Night]:
        refs = (await world.held()).nights
        return [await world.night(ref.id) for ref in refs if not ref.over]

    async def crowned() -> bool:
        posts = [await find_crownings(each, season, champions) for each in readers]
        twice = await unnoted(world)
        assert all(len(those - twice) <= 1 for those in posts), posts
        return all(posts)

    async def worn() -> bool:
        roles = await world.discord.worn(world.guild)
        wearers = {each for role, those in roles.items() if "champion" in role for each in those}
        keys = {world.people[name].key for name in champions}
        return {f"dc:{each}" for each in wearers} == {key for key in keys if key.startswith("dc:")}

    async def in_calendar() -> bool:
        events = await world.discord.calendar(world.guild)
        shown = sorted((each["name"].rpartition(" ")[2], each["status"]) for each in events)
        held = [(str((await world.night(each.id)).number), COMPLETED) for each in evenings]
        return shown == sorted([*held, *((str(night.number), SCHEDULED) for night in await ahead())])

    async def pinned() -> bool:
        pins = await world.control.ask("pinned", chat_id=world.group.id)
        boards = [{each.id for each in await boards_of(world, night.id)} for night in await ahead()]
        return len(pins) == len(boards) and all(those & {*pins} for those in boards)

    await eventually(crowned, f"the champions of season {season} are not told")
    await eventually(worn, "others wear the role")
    await eventually(in_calendar, "the events are others")
    await eventually(pinned, "other messages are pinned")


async def find_crownings(reader: Someone, season: int, champions: set[str]) -> set[int]:
    """The messages in a place that tell a season's champions."""
    line = re.compile(rf"Champion of season {season}: (.+)")
    found = {
        message: told for message, text in await read_public(reader) if (told := line.search(plain(text)))
    }
    assert all({*told[1].split(", ")} == champions for told in found.values()), found
    return {*found}


async def read_public(reader: Someone) -> list[tuple[int, str]]:
    """The messages that everybody in a person's place reads, with their numbers."""
    if isinstance(reader, OnDiscord):
        seen = await reader.player.discord.sees(reader.player.user, reader.player.channel)
        return [(each.id, discord_people.words_of(each)) for each in seen if not each.ephemeral]
    assert isinstance(reader, OnTelegram)
    return [(each.id, each.words) for each in await reader.player.person.read(reader.player.group)]


async def unnoted(world: World) -> set[int]:
    """The messages that a killed program may not have noted, so that they were sent again."""
    calls = [*await world.discord.calls(), *await world.control.calls("sendMessage", "sendPhoto")]
    new = [call for call in calls if call.method not in ("PATCH", "PUT", "DELETE") and call.message]
    kills = world.bot.killed
    return {
        call.message
        for call in new
        if call.message and any(call.at <= kill <= call.at + NOTED_SECONDS for kill in kills)
    }


async def boards_of(world: World, night: str) -> list[Shown]:
    """The messages of the group that ask who comes to a night."""
    reader = next(each for each in world.people.values() if isinstance(each, OnTelegram))
    shown = await reader.player.person.read(world.group)
    return [each for each in shown if any(_asks(press, night) for press in _presses_of(each))]


def _presses_of(message: Shown) -> list[str]:
    rows = message.raw.get("reply_markup", {}).get("inline_keyboard", [])
    return [button.get("callback_data", "") for row in rows for button in row]


def _asks(press: str, night: str) -> bool:
    request = read_callback(press)
    return request is not None and (request.verb, request.target) == ("night_yes", night)
