"""Roles that the bot hands out: a server's champion wears one."""

from collections.abc import Sequence
from typing import Final

import discord

from adapters.discord_chat.addresses import user_of
from adapters.discord_chat.patience import patiently
from adapters.discord_chat.sending import right_refusal
from adapters.discord_chat.servers import Servers

UNKNOWN_MEMBER: Final = 10007


class Roles:
    """The roles of the bot's servers. A role is known by its name: people may colour and move it."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    async def give(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        """See `bot.ports.Chat.give_role`."""
        server = self._servers.server(place)
        if server is None:
            return
        try:
            role = await self._role(server, name)
            for person in former:
                if person not in holders:
                    await _change(server, person, role, held=False)
            for person in holders:
                await _change(server, person, role, held=True)
        except discord.HTTPException as refused:
            raise right_refusal(refused, "roles") from None

    async def _role(self, server: discord.Guild, name: str) -> discord.Role:
        for role in await patiently(server.fetch_roles):
            if role.name == name and not role.managed:
                return role
        return await patiently(lambda: server.create_role(name=name))


async def _change(server: discord.Guild, person: str, role: discord.Role, *, held: bool) -> None:
    """Have somebody wear it, or no longer. Both may be done twice."""
    try:
        member = await patiently(lambda: server.fetch_member(user_of(person)))
        await patiently(lambda: (member.add_roles if held else member.remove_roles)(role))
    except discord.HTTPException as refused:
        if refused.code != UNKNOWN_MEMBER:
            raise
