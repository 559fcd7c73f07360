"""The champion's role: made once, worn by the champions, taken from those before."""

import pytest

from bot.ports import NotPermitted
from tests.adapters.discord_chat.scene import Scene

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
