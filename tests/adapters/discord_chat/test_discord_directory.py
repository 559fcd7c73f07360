"""What a process believes of servers before the gateway has told it everything."""

from types import SimpleNamespace
from typing import cast

from discord import Client

from adapters.discord_chat.directory import Directory
from tests.adapters.discord_chat.scene import playing
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.servers.discord_api.client import Discord

SERVER = 7


async def test_a_server_that_is_only_named_yet_is_asked_for_with_its_roles() -> None:
    """A gateway that connects names its servers first: without their roles, nobody would manage them."""
    named, whole = (
        SimpleNamespace(unavailable=True, roles=[]),
        SimpleNamespace(unavailable=False, roles=["@everyone"]),
    )
    reported = False

    async def fetch_guild(number: int, *, with_counts: bool) -> object:
        return whole

    client = SimpleNamespace(
        get_guild=lambda number: named, is_ready=lambda: reported, fetch_guild=fetch_guild, guilds=[named]
    )
    directory = Directory(cast(Client, client), ScriptedDelivery())
    assert await directory.server(SERVER) is whole
    reported, named.roles = True, whole.roles  # a server that is away for now stays what it was
    assert await directory.server(SERVER) is named


async def test_a_server_that_is_away_when_the_bot_connects_is_asked_for(discord: Discord) -> None:
    """Else its champion got no role and its night no event, for good: both would count as done."""
    guild = await discord.guild()
    channel, ada = await discord.channel(guild), await discord.user("Ada", guild=guild)
    await discord.away(guild)
    async with playing(discord, ScriptedRouter(), ScriptedDelivery()) as chat:
        await chat._client.wait_until_ready()
        assert await chat.places.community(f"dc:{channel}") == f"dc:server/{guild}"
        assert await chat.lacks_for_rooms(f"dc:{channel}") == ()
        await chat.give_role(f"dc:{channel}", "Champion", [f"dc:{ada}"], [])
    assert await discord.worn(guild) == {"Champion": [ada]}
