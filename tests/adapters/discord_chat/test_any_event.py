"""Whatever Discord's gateway sends, whole or damaged: the connection stays, and the bot takes nothing for a
press or a command of somebody who did not send one, nor a message that others see for their own."""

import random
from typing import Any

import pytest

from bot.ports import Answer
from tests.adapters.discord_chat.made_up_events import Event, command, interaction, made_up
from tests.adapters.discord_chat.scene import Scene, rack_screen, scene, table_screen
from tests.adapters.scripted import AnyRouter, ScriptedDelivery
from tests.fuzz import times
from tests.fuzz.draws import damaged
from tests.fuzz.quiet import quietly
from tests.patience import eventually
from tests.servers.discord_api.client import Discord

AT_ONCE = 50


def any_router(dice: random.Random) -> AnyRouter:
    return AnyRouter(dice, Answer(private=rack_screen()), Answer(public=table_screen()))


def some_events(dice: random.Random, number: int, guild: int, channel: int) -> list[Event]:
    """Every second one is damaged."""
    events = [made_up(dice, guild, channel) for _ in range(number)]
    return [(name, damaged(dice, data)) if dice.random() < 0.5 else (name, data) for name, data in events]


async def test_any_event_is_borne(discord: Discord, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(4)
    sent: dict[str, dict[str, Any]] = {}
    with quietly(caplog):
        async with scene(discord, any_router(dice), ScriptedDelivery()) as okey:
            for turn in range(-(-times(400) // AT_ONCE)):
                events = some_events(dice, AT_ONCE, okey.guild, okey.channel)
                sent |= {str(data["id"]): data for name, data in events if "INTER" in name and "id" in data}
                await discord.dispatch(events)
                await okey.command(okey.ada, f"word heard {turn}")
            assert await discord.sessions_begun() == 1
            router = okey.router
            await eventually(lambda: any(typed.argument == f"heard {turn}" for typed in router.typed))
    for typed in router.typed:
        if typed.id in sent:
            check(typed.by.key, typed.place, sent[typed.id])
    for press in router.pressed:
        told = sent[press.id]
        check(press.by.key, press.place, told)
        alone = told.get("guild_id") is None
        assert (press.surface == "private") == bool(alone), told
    assert router.pressed


async def test_a_mentioned_person_who_cannot_be_read(okey: Scene, caplog: pytest.LogCaptureFixture) -> None:
    told = interaction(random.Random(1), okey.guild, okey.channel)
    mentioned = {"name": "person", "type": 6, "value": "402"}
    told |= {"type": 2, "data": command("organise", ("block",), [mentioned])}
    del told["data"]["resolved"]["users"]["402"]["avatar"]
    with quietly(caplog):
        await okey.discord.dispatch([("INTERACTION_CREATE", told)])
        await eventually(lambda: "a command is not one of the application's: KeyError" in caplog.text)


async def test_a_message_of_nobody(okey: Scene, caplog: pytest.LogCaptureFixture) -> None:
    told = {"id": "9", "channel_id": str(okey.channel), "type": 0, "content": "", "attachments": []}
    told |= {"embeds": [], "mentions": [], "edited_timestamp": None, "pinned": False, "tts": False}
    with quietly(caplog):
        await okey.discord.dispatch([("MESSAGE_CREATE", told)])
        await eventually(lambda: "an event MESSAGE_CREATE can't be read" in caplog.text)


def check(person: str, place: str | None, data: dict[str, Any]) -> None:
    """Whoever acts is the one whom Discord names, where it says."""
    user = data["user"] if data.get("guild_id") is None else data["member"]["user"]
    assert person == f"dc:{user['id']}"
    assert place is None or data["channel"]["id"] in place
