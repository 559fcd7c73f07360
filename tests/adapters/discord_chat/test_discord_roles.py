"""The champion's role: made once, worn by the champions, taken from those before."""

import pytest

from bot.markup import Name
from bot.ports import NotPermitted
from tests.adapters.discord_chat.scene import Scene
from tests.servers.discord_api.client import until

NAME = "Thursday champion"


async def test_a_role_is_made_once_and_moves_to_the_new_champion(there: Scene) -> None:
    ada, can = there.key(there.ada), there.key(there.can)
    for _ in range(2):
        await there.chat.give_role(there.place, NAME, [ada], [])
    assert await there.discord.worn(there.guild) == {NAME: [there.ada]}
    for _ in range(2):
        await there.chat.give_role(there.place, NAME, [can], [ada])
    assert await there.discord.worn(there.guild) == {NAME: [there.can]}
    assert await there.calls("POST", "/roles") == 1


async def test_a_champion_who_defends_their_title_keeps_it(there: Scene) -> None:
    ada = there.key(there.ada)
    await there.chat.give_role(there.place, NAME, [ada], [ada])
    assert await there.discord.worn(there.guild) == {NAME: [there.ada]}
    assert await there.calls("DELETE", "/roles/") == 0


async def test_a_role_that_was_made_by_hand_is_taken(there: Scene) -> None:
    await there.discord.role(there.guild, NAME)
    await there.chat.give_role(there.place, NAME, [there.key(there.can)], [])
    assert await there.discord.worn(there.guild) == {NAME: [there.can]}


async def test_who_has_left_the_server_is_passed_over(there: Scene) -> None:
    gone, nobody = there.key(await there.discord.user("Ece")), there.key(4711)
    await there.chat.give_role(there.place, NAME, [gone, nobody, there.key(there.can)], [gone])
    assert await there.discord.worn(there.guild) == {NAME: [there.can]}


async def test_a_missing_right_is_told(there: Scene) -> None:
    await there.discord.rights(there.guild, "roles")
    with pytest.raises(NotPermitted) as told:
        await there.chat.give_role(there.place, NAME, [there.key(there.can)], [])
    assert told.value.right == "roles"


async def test_a_role_above_the_bots_own_is_told(there: Scene) -> None:
    await there.discord.role(there.guild, NAME, above=True)
    with pytest.raises(NotPermitted):
        await there.chat.give_role(there.place, NAME, [there.key(there.can)], [])
    assert await there.discord.worn(there.guild) == {NAME: []}


async def test_a_call_notifies_the_holders_of_its_role_and_nobody_else(there: Scene) -> None:
    players = await there.discord.role(there.guild, "Okey players", mentionable=True)
    hidden = await there.discord.role(there.guild, "Moderators")
    await until(lambda: _names(there, "Okey players"))
    hostile = Name(f"<@&{hidden}> <@{there.can}> @everyone")
    for _ in range(2):
        assert await there.chat.call_role(there.place, str(players), (hostile, " waits"), once="t1 roles")
    (seen,) = await there.discord.sees(there.can, there.channel)
    assert seen.text.startswith(f"<@&{players}>: ")
    calls = [call for call in await there.discord.calls() if call.method == "POST" and call.words]
    assert [call.notifies for call in calls] == [[f"&{players}"]] * 2


async def test_roles_are_listed_that_the_bot_may_mention_the_meant_ones_first(there: Scene) -> None:
    secret = await there.discord.role(there.guild, "A team")
    await there.discord.role(there.guild, "Okey players", mentionable=True)
    await until(lambda: _names(there, "Okey players"))
    names = [role.name for role in await there.chat.list_callable_roles(there.place)]
    assert names == ["Okey players", "A team", "managers"]
    await there.discord.deny(there.channel, "mention_everyone")
    await until(lambda: _names(there, "Okey players", only=True))
    assert not await there.chat.call_role(there.place, str(secret), ("A table waits",), once="")
    assert not await there.chat.call_role(there.place, str(there.guild), ("A table waits",), once="")
    assert await there.discord.sees(there.can, there.channel) == []
    assert await there.chat.list_callable_roles("dc:4711") == ()


async def _names(there: Scene, name: str, *, only: bool = False) -> bool:
    """Return whether the bot may mention a role; `only`: and no other."""
    names = [role.name for role in await there.chat.list_callable_roles(there.place)]
    return names == [name] if only else name in names
