"""What a process believes of servers before the gateway has told it everything."""

from types import SimpleNamespace
from typing import cast

import discord

from adapters.discord_chat.directory import Directory
from tests.adapters.discord_chat.scene import NotingDelivery

SERVER = 7


async def test_a_server_that_is_only_named_yet_is_asked_for_with_its_roles() -> None:
    """A gateway that connects names its servers first: without their roles, nobody would manage them."""
    named, whole = SimpleNamespace(unavailable=True), SimpleNamespace(unavailable=False)
    reported = False

    async def fetch_guild(number: int, *, with_counts: bool) -> object:
        return whole

    client = SimpleNamespace(
        get_guild=lambda number: named, is_ready=lambda: reported, fetch_guild=fetch_guild
    )
    directory = Directory(cast(discord.Client, client), NotingDelivery())
    assert await directory.server(SERVER) is whole
    reported = True  # a server that is away for now stays what it was
    assert await directory.server(SERVER) is named
