"""A server's calendar: one event for a night, that goes with it until the night is over."""

import time
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

import pytest

from bot.ports import NotPermitted, RetryAfter, ScheduledEvent
from tests.adapters.discord_chat.scene import Scene

Stage = Literal["ahead", "running", "past"]

SCHEDULED, ACTIVE, COMPLETED, CANCELED = 1, 2, 3, 4

SOON = float(round(time.time()) + 86_400)
NIGHT = ScheduledEvent(
    title="Thursday · night 3", words="Sign up in #okey.", start=SOON, end=SOON + 7200, stage="ahead"
)


async def _event(okey: Scene) -> dict[str, Any]:
    (event,) = await okey.discord.calendar(okey.guild)
    return event


async def test_a_night_stands_on_the_calendar_with_its_place(there: Scene) -> None:
    known = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    event = await _event(there)
    assert (event["id"], event["name"], event["description"]) == (known, NIGHT.title, NIGHT.words)
    assert event["entity_metadata"]["location"].endswith(f"/{there.guild}/{there.channel}")
    assert event["status"] == SCHEDULED


async def test_a_night_that_is_put_there_twice_stands_there_once(there: Scene) -> None:
    first = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    assert await there.chat.set_scheduled_event(there.place, NIGHT, "") == first
    assert await there.chat.set_scheduled_event(there.place, NIGHT, first) == first
    await _event(there)
    assert await there.calls("PATCH", "/scheduled-events/") == 0
    other = await there.discord.channel(there.guild, "other")
    assert await there.chat.set_scheduled_event(f"dc:{other}", NIGHT, "") != first


async def test_a_night_is_moved_begun_and_over(there: Scene) -> None:
    known = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    moved = replace(NIGHT, start=SOON + 3600, end=SOON + 9000)
    stages: list[tuple[Stage, int]] = [("ahead", SCHEDULED), ("running", ACTIVE), ("past", COMPLETED)]
    for stage, status in stages:
        assert await there.chat.set_scheduled_event(there.place, replace(moved, stage=stage), known) == known
        event = await _event(there)
        assert event["status"] == status
    assert datetime.fromisoformat(event["scheduled_start_time"]).timestamp() == SOON + 3600
    await there.chat.set_scheduled_event(there.place, replace(moved, stage="running"), known)
    assert (await _event(there))["status"] == COMPLETED, "what is over is not begun again"


async def test_a_running_night_may_last_longer(there: Scene) -> None:
    known = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    running = replace(NIGHT, stage="running", start=SOON - 60)
    await there.chat.set_scheduled_event(there.place, running, known)
    before = (await _event(there))["scheduled_end_time"]
    await there.chat.set_scheduled_event(there.place, replace(running, end=running.end + 600), known)
    assert (await _event(there))["scheduled_end_time"] > before


async def test_a_night_that_is_called_off_is_taken_off(there: Scene) -> None:
    known = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    await there.chat.set_scheduled_event(there.place, replace(NIGHT, stage="past"), known)
    assert (await _event(there))["status"] == CANCELED
    again = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    assert again != known, "it may be held after all"


async def test_the_next_night_of_the_same_name_is_another_one(there: Scene) -> None:
    known = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    week = 7 * 86_400
    later = replace(NIGHT, start=SOON + week, end=SOON + week + 7200)
    other = await there.chat.set_scheduled_event(there.place, later, "")
    await there.chat.set_scheduled_event(there.place, replace(NIGHT, stage="past"), known)
    events = {event["id"]: event["status"] for event in await there.discord.calendar(there.guild)}
    assert events == {known: CANCELED, other: SCHEDULED}


async def test_what_people_took_off_stays_off(there: Scene) -> None:
    known = await there.chat.set_scheduled_event(there.place, NIGHT, "")
    await there.discord.delete_event(there.guild, int(known))
    moved = replace(NIGHT, start=SOON + 60)
    assert await there.chat.set_scheduled_event(there.place, moved, known) == known
    assert await there.discord.calendar(there.guild) == []


async def test_a_night_that_has_begun_or_is_over_is_not_put_there_any_more(there: Scene) -> None:
    stages: list[Stage] = ["running", "past"]
    for stage in stages:
        assert await there.chat.set_scheduled_event(there.place, replace(NIGHT, stage=stage), "") == ""
    past = replace(NIGHT, start=SOON - 2 * 86_400)
    assert await there.chat.set_scheduled_event(there.place, past, "") == ""
    assert await there.discord.calendar(there.guild) == []


async def test_a_missing_right_is_told(there: Scene) -> None:
    await there.discord.rights(there.guild, "events")
    with pytest.raises(NotPermitted) as told:
        await there.chat.set_scheduled_event(there.place, NIGHT, "")
    assert told.value.right == "events"
    await there.discord.rights(there.guild)
    assert await there.chat.set_scheduled_event(there.place, NIGHT, "")


async def test_while_the_calendar_fails_the_pauses_grow(
    there: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it. Delivery comes back each half minute, but Discord is asked less and less often."""
    now = 1000.0
    monkeypatch.setattr(there.delivery, "clock", lambda: now)

    async def asked() -> int:
        return await there.calls("GET", "/scheduled-events")

    async def pause() -> float:
        await there.discord.fail(3, 500, path="/scheduled-events")
        before = await asked()
        with pytest.raises(RetryAfter) as later:
            await there.chat.set_scheduled_event(there.place, NIGHT, "")
        assert await asked() == before + 3
        return later.value.seconds

    for seconds in (30.0, 60.0, 120.0, 240.0, 480.0, 900.0, 900.0):
        assert await pause() == seconds
        now += seconds - 1
        before = await asked()
        with pytest.raises(RetryAfter) as early:
            await there.chat.set_scheduled_event(there.place, NIGHT, "")
        assert (early.value.seconds, await asked()) == (1.0, before)
        now += 1
    assert await there.chat.set_scheduled_event(there.place, NIGHT, "")
    assert await pause() == 30.0
