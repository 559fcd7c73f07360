"""Channels that refuse the bot: what each refusal means, and what Discord reports when they take it again."""

import pytest

from bot.markup import Page
from bot.ports import PlaceRefused, RetryAfter, UnknownRefusal
from tests.adapters.discord_chat.scene import Scene, table_screen
from tests.patience import eventually
from tests.servers.discord_api.shapes import role_json


async def test_a_right_that_is_given_back_is_reported(okey: Scene) -> None:
    await okey.discord.deny(okey.channel, "view_channel")
    await eventually(lambda: len(okey.delivery.reopenings) > 0)
    with pytest.raises(PlaceRefused, match="50001"):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    await reported(okey, okey.place, okey.discord.allow(okey.channel, "view_channel"))
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)


async def test_a_bot_that_is_added_again_is_reported(okey: Scene) -> None:
    await okey.discord.kick(okey.guild)
    with pytest.raises(PlaceRefused):
        await okey.chat.post_line(okey.place, ("Anybody?",))
    await reported(okey, okey.place, okey.discord.kick(okey.guild, kicked=False))
    await okey.chat.post_line(okey.place, ("Anybody?",))


async def test_a_locked_thread_refuses_until_it_is_opened_again(okey: Scene) -> None:
    thread = await okey.discord.channel(okey.guild, "table 1", parent=okey.channel)
    place = f"{okey.place}/{thread}"
    message = await okey.chat.show_table(place, table_screen(), None, anew=False)
    await okey.discord.lock(thread)
    with pytest.raises(PlaceRefused, match="160005"):
        await okey.chat.show_table(place, table_screen(version=2), message, anew=False)
    await reported(okey, okey.place, okey.discord.lock(thread, locked=False))
    await okey.chat.show_table(place, table_screen(version=3), message, anew=True)


async def test_new_rights_of_a_role_are_reported(okey: Scene) -> None:
    role = await okey.discord.role(okey.guild, "bots")
    shape = {"guild_id": str(okey.guild), "role": role_json(role, "bots", 0)}
    await reported(okey, okey.place, okey.discord.dispatch([("GUILD_ROLE_UPDATE", shape)]))


@pytest.mark.parametrize(("status", "code"), [(400, 50008), (403, 20029), (404, 0)])
async def test_a_refusal_that_nobody_knows_is_called_one(okey: Scene, status: int, code: int) -> None:
    await okey.discord.fail(1, status, code=code, method="POST", path="/messages")
    with pytest.raises(UnknownRefusal, match=f"status {status}, code {code}"):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)


async def test_a_token_that_is_taken_back_closes_nobody(okey: Scene) -> None:
    """It is the bot that is refused: what is due waits for the new token."""
    await okey.discord.fail(2, 401)
    with pytest.raises(RetryAfter):
        await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    with pytest.raises(RetryAfter):
        await okey.chat.send_direct(f"dc:{okey.can}", Page(text=("The night begins.",)), "n1 hour")


async def test_a_private_thread_that_lets_the_bot_in_is_reported(okey: Scene) -> None:
    thread = okey.discord.channel(okey.guild, "us two", parent=okey.channel, people=[okey.can])
    await reported(okey, okey.place, thread)


async def reported(okey: Scene, place: str, change: object) -> None:
    """Make the change; delivery is told of the place."""
    okey.delivery.reopenings.clear()
    await change  # type: ignore[misc]
    await eventually(lambda: any(place in each for each in okey.delivery.reopenings))
