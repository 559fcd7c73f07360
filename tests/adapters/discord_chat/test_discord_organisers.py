"""Who manages a server, as Discord says it: with everything that they do, or when it is asked."""

import pytest

from bot.ports import RetryAfter
from tests.adapters.discord_chat.scene import Scene, table_screen
from tests.servers.discord_api.client import until


async def _runs(okey: Scene, person: str, place: str) -> bool:
    """What the chat says once it knows its servers."""

    async def said() -> list[bool]:
        try:
            return [await okey.chat.places.organises(person, place)]
        except RetryAfter:
            return []

    return (await until(said))[0]


async def test_what_was_taken_from_them_they_have_no_longer(okey: Scene) -> None:
    await okey.discord.manager(okey.ada, okey.guild)
    assert await _runs(okey, okey.key(okey.ada), okey.place)
    await okey.discord.manager(okey.ada, okey.guild, manages=False)
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    await okey.press(okey.ada, await okey.last(okey.ada), "Join")
    assert not await _runs(okey, okey.key(okey.ada), okey.place)


async def test_whoever_acts_on_the_server_costs_no_call(okey: Scene) -> None:
    await okey.discord.manager(okey.ada, okey.guild)
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    await okey.press(okey.ada, await okey.last(okey.ada), "Join")
    assert await _runs(okey, okey.key(okey.ada), okey.place)
    assert await okey.calls("GET", "/members/") == 0


async def test_twelve_questions_in_a_row_are_one_call(okey: Scene) -> None:
    for _ in range(12):
        assert not await _runs(okey, okey.key(okey.can), okey.place)
    assert await okey.calls("GET", "/members/") == 1


async def test_questions_are_charged_to_their_route(there: Scene) -> None:
    assert not await _runs(there, there.key(there.can), there.place)
    route, whole = there.delivery.spent
    assert (route.scope, whole.scope) == (f"dc:server/{there.guild}/members", "dc")
    await there.delivery.use_up((route, whole))
    with pytest.raises(RetryAfter):
        await there.chat.places.organises(there.key(there.ada), there.place)


async def test_strangers_and_other_servers_are_nobodys(okey: Scene) -> None:
    stranger = await okey.discord.user("Ece")
    assert not await _runs(okey, okey.key(stranger), okey.place)
    await okey.discord.manager(okey.ada, okey.guild)
    assert not await _runs(okey, okey.key(okey.ada), "dc:1")
    other = await okey.discord.guild("Other")
    elsewhere = await okey.discord.channel(other, "okey")
    assert not await _runs(okey, okey.key(okey.ada), f"dc:{elsewhere}")


async def test_while_discord_does_not_say_it_nobody_knows(okey: Scene) -> None:
    await okey.discord.manager(okey.ada, okey.guild)
    assert not await _runs(okey, okey.key(okey.can), okey.place)
    await okey.discord.fail(1, 429, path="/members/", retry_after=7.0)
    with pytest.raises(RetryAfter):
        await okey.chat.places.organises(okey.key(okey.ada), okey.place)
    assert await _runs(okey, okey.key(okey.ada), okey.place)
