"""The people of a season, at a program that takes its time."""

import asyncio
from typing import Any, cast

import pytest

from tests.evening import discord_people
from tests.evening.season import people
from tests.servers.discord_api.client import Discord


class LateDiscord:
    """A Discord whose program answers what is typed first only after people have lost patience."""

    def __init__(self) -> None:
        self.typed: list[str] = []

    async def wait_connected(self) -> None:
        pass

    async def command(self, user: int, channel: int, name: str, options: dict[str, Any]) -> int:
        self.typed.append(name)
        return len(self.typed)

    async def answered(self, interaction: int) -> None:
        if interaction == 1:
            for _ in range(3):
                await asyncio.sleep(0)


async def test_a_penalty_is_typed_once_however_late_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "ANSWER_SECONDS", 0.0)
    discord = LateDiscord()
    player = discord_people.Player(cast(Discord, discord), user=1, name="P01", channel=2)
    await people.OnDiscord(player).write("penalty P02 1,5 rude words")
    assert discord.typed == ["organise night penalty"]
