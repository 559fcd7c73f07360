"""The control side for tests: people's acts, their view, and faults that a test causes.

Every operation is `POST /control/<name>` with its arguments as a JSON object.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.servers.discord_api import commands, interactions, shapes
from tests.servers.discord_api.bodies import BUTTON, walk
from tests.servers.discord_api.interactions import AUTOCOMPLETE, SUBMIT
from tests.servers.discord_api.server import Fault, Server
from tests.servers.discord_api.world import LOADING, PERMISSIONS, Channel, Json, Message, Refusal, World


class Control:
    """The operations. Their names and arguments are those of `client.Discord`."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._watches: set[asyncio.Task[None]] = set()

    @property
    def _world(self) -> World:
        return self._server.world

    async def reset(self) -> None:
        self._server.reset()

    # People and places

    async def guild(self, name: str, has_bot: bool, locale: str) -> int:
        guild = self._world.add_guild(name, has_bot=has_bot, locale=locale)
        if has_bot:
            await self._server.gateway.dispatch("GUILD_CREATE", shapes.guild_json(self._world, guild))
        return guild.id

    async def channel(
        self,
        guild: int,
        name: str,
        parent: int | None,
        announces: bool,
        voice: bool,
        people: list[int] | None,
    ) -> int:
        kind = {"announces": announces, "voice": voice}
        channel = self._world.add_channel(guild, name, parent=parent, people=people, **kind)
        event = "CHANNEL_CREATE" if parent is None else "THREAD_CREATE"
        shape = shapes.channel_json(self._world, channel)
        if parent is not None and people is None:  # the bot is added to a private one
            shape["newly_created"] = True
        await self._server.gateway.dispatch(event, shape)
        return channel.id

    async def delete_channel(self, channel: int) -> None:
        gone = self._world.channels.pop(channel)
        assert gone.guild is not None
        self._world.guilds[gone.guild].channels.discard(channel)
        event = "CHANNEL_DELETE" if gone.parent is None else "THREAD_DELETE"
        await self._server.gateway.dispatch(event, shapes.channel_json(self._world, gone))

    async def user(self, name: str, locale: str, guild: int | None) -> int:
        user = self._world.add_user(name, locale=locale)
        if guild is not None:
            self._world.guilds[guild].members.add(user.id)
        return user.id

    async def manager(self, user: int, guild: int, manages: bool) -> None:
        managers = self._world.guilds[guild].managers
        (managers.add if manages else managers.discard)(user)

    async def rights(self, guild: int, denied: list[str]) -> None:
        self._world.guilds[guild].denied = set(denied)

    async def role(self, guild: int, name: str, above: bool, mentionable: bool) -> int:
        role, found = self._world.snowflake(), self._world.guilds[guild]
        found.roles[role] = name
        if above:
            found.above.add(role)
        if mentionable:
            found.mentionable.add(role)
        shape = {"guild_id": str(guild), "role": shapes.roles_json(found)[-1]}
        await self._server.gateway.dispatch("GUILD_ROLE_CREATE", shape)
        return role

    async def worn(self, guild: int) -> Json:
        found = self._world.guilds[guild]
        return {
            name: sorted(user for user, worn in found.worn.items() if role in worn)
            for role, name in found.roles.items()
        }

    async def calendar(self, guild: int) -> list[Json]:
        found = self._world.guilds[guild]
        return [shapes.event_json(self._world, found, event) for event in found.events.values()]

    async def delete_event(self, guild: int, event: int) -> None:
        del self._world.guilds[guild].events[event]

    async def direct_messages(self, user: int, open: bool) -> None:
        self._world.users[user].direct_messages_open = open

    async def bot_killed(self) -> None:
        self._world.bot_killed()

    async def deny(self, channel: int, permissions: list[str], denied: bool) -> None:
        meant = sum(PERMISSIONS[name] for name in permissions)
        place = self._world.channels[channel]
        place.permissions = place.permissions & ~meant if denied else place.permissions | meant
        event = "CHANNEL_UPDATE" if place.parent is None else "THREAD_UPDATE"
        await self._server.gateway.dispatch(event, shapes.channel_json(self._world, place))

    async def kick(self, guild: int, kicked: bool) -> None:
        found = self._world.guilds[guild]
        found.has_bot = not kicked
        if kicked:
            await self._server.gateway.dispatch("GUILD_DELETE", {"id": str(guild)})
        else:
            # A server that was joined, not one that is back, is told without this.
            joined = {k: v for k, v in shapes.guild_json(self._world, found).items() if k != "unavailable"}
            await self._server.gateway.dispatch("GUILD_CREATE", joined)

    async def away(self, guild: int) -> None:
        self._world.guilds[guild].away = True
        await self._server.gateway.dispatch("GUILD_DELETE", {"id": str(guild), "unavailable": True})

    async def lock(self, thread: int, locked: bool) -> None:
        found = self._world.channels[thread]
        found.archived = found.locked = locked
        await self._server.gateway.dispatch("THREAD_UPDATE", shapes.channel_json(self._world, found))

    async def describe(self, description: str) -> None:
        self._world.description = description

    async def emojis(self, names: list[str]) -> None:
        for name in names:
            self._world.add_emoji(name)

    async def delete_message(self, channel: int, message: int) -> None:
        del self._world.channels[channel].messages[message]

    # Acts of people

    async def command(
        self, user: int, channel: int | None, name: str, options: Json, user_install: bool
    ) -> int:
        """Run the command `name`, which includes its groups."""
        place = self._place(user, channel)
        found = commands.found(self._world.commands, name, direct=channel is None)
        given = commands.checked_options(found, options)
        data = commands.data(self._world, found, given)
        return await self._act(2, user, place, data, None, user_install)

    async def of_user(self, user: int, channel: int, name: str, target: int) -> int:
        """Run the command `name` from the menu of another person's name."""
        data = commands.data_of_user(self._world, commands.of_user(self._world.commands, name), target)
        return await self._act(2, user, self._place(user, channel), data, None, False)

    async def say(self, user: int, channel: int, words: str) -> int:
        """Write a line in a channel."""
        place = self._place(user, channel)
        message = Message(id=self._world.snowflake(), channel=place.id, author=user, content=words)
        place.messages[message.id] = message
        return message.id

    async def identical_uploads(self) -> list[tuple[float, float]]:
        return self._world.identical_uploads

    async def launched(self, user: int, channel: int) -> str:
        return self._world.launched(channel, user)

    async def leave_activity(self, user: int, instance: str) -> None:
        self._world.activities[instance][1].discard(user)

    async def authorize(self, user: int) -> str:
        """The code for a page that requests authorization."""
        code = f"code-{self._world.snowflake()}"
        self._world.codes[code] = user
        return code

    async def leave_guild(self, user: int, guild: int) -> None:
        self._world.guilds[guild].members.discard(user)

    async def suggest(self, user: int, channel: int | None, name: str, option: str, typed: str) -> int:
        """Type an option that has suggestions."""
        place = self._place(user, channel)
        found = commands.found(self._world.commands, name, direct=channel is None)
        data = commands.data(self._world, found, [commands.focused(found, option, typed)])
        return await self._act(AUTOCOMPLETE, user, place, data, None, False)

    async def suggested(self, interaction: int) -> list[Json] | None:
        return self._world.interactions[interaction].choices

    async def press(self, user: int, channel: int, message: int, custom_id: str, forged: bool = False) -> int:
        """Press a button of a message; `forged`: one that it does not show, as a modified app sends."""
        shown = self._shown(user, channel, message)
        button = next((c for c in walk(shown.components) if c.get("custom_id") == custom_id), None)
        if not forged and (button is None or button["type"] != BUTTON or button.get("disabled")):
            raise Refusal(400, 0, f"the message shows no such button: {custom_id}")
        data = {"custom_id": custom_id, "component_type": BUTTON}
        return await self._act(3, user, self._world.channels[channel], data, message, False)

    async def select(self, user: int, channel: int, message: int, custom_id: str, value: str) -> int:
        shown = self._shown(user, channel, message)
        menu = next((c for c in walk(shown.components) if c.get("custom_id") == custom_id), None)
        options = [] if menu is None or menu.get("disabled") else menu.get("options", [])
        if menu is None or value not in [option["value"] for option in options]:
            raise Refusal(400, 0, f"the message offers no {value} in {custom_id}")
        data = {"custom_id": custom_id, "component_type": menu["type"], "values": [value]}
        return await self._act(3, user, self._world.channels[channel], data, message, False)

    async def form(self, interaction: int) -> Json | None:
        """The form that a press has opened; None: none yet."""
        return self._world.interactions[interaction].form

    async def fill_in(self, interaction: int, typed: str) -> int:
        """Fill in the one field of the form that a press has opened, and send it."""
        opener = self._world.interactions[interaction]
        if opener.form is None:
            raise Refusal(400, 0, "the press has opened no form")
        (label,) = opener.form["components"]
        field = label["component"]
        if len(typed) > field["max_length"] or (field["required"] and not typed):
            raise Refusal(400, 0, "the form does not take that")
        filled = {"type": field["type"], "id": 2, "custom_id": field["custom_id"], "value": typed}
        data = {
            "custom_id": opener.form["custom_id"],
            "components": [{"type": label["type"], "id": 1, "component": filled}],
        }
        channel = self._world.channels[opener.channel]
        return await self._act(SUBMIT, opener.user, channel, data, opener.message, False)

    async def repeat(self, interaction: int) -> None:
        """Deliver an interaction once more, as a gateway may."""
        repeated = self._world.interactions[interaction]
        repeated.deliveries += 1
        await self._server.deliver(repeated)

    async def dispatch(self, events: list[tuple[str, Any]]) -> None:
        """Send made-up events, valid or not."""
        for event, data in events:
            await self._server.gateway.dispatch(event, data)

    def _place(self, user: int, channel: int | None) -> Channel:
        place = self._world.open_direct(user) if channel is None else self._world.channels[channel]
        if not self._world.may_see(user, place):
            raise Refusal(403, 50001, "they do not see that channel")
        return place

    def _shown(self, user: int, channel: int, message: int) -> Message:
        """A message that a person sees and can use."""
        for seen in self._world.seen_by(user, self._world.channels[channel]):
            if seen.id == message and not seen.flags & LOADING:
                return seen
        raise Refusal(404, 10008, "they see no such message")

    async def _act(
        self, type: int, user: int, channel: Channel, data: Json, message: int | None, user_install: bool
    ) -> int:
        if not self._server.can_deliver():
            raise Refusal(409, 0, "the application did not respond")
        made = self._world.add_interaction(type, user, channel.id, data, message, user_install)
        await self._server.deliver(made)
        watch = asyncio.create_task(interactions.watch(self._server, made))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)
        return made.id

    async def leave_out(self, fields: list[str]) -> None:
        self._world.left_out = tuple(fields)

    async def public_key(self) -> str:
        return self._server.posting.public_key

    async def post_to(self, addresses: list[str]) -> None:
        await self._server.posting.use(addresses)

    async def signed(self, body: str, seconds_ago: float) -> Json:
        return self._server.posting.signed(body.encode(), seconds_ago)

    # Views of people

    async def sees(self, user: int, channel: int | None) -> list[Json]:
        place = self._world.direct_channel(user) if channel is None else self._world.channels[channel]
        if place is None:
            return []
        seen = self._world.seen_by(user, place)
        return [shapes.message_json(self._world, message, self._server.base) for message in seen]

    async def answer(self, interaction: int) -> Json:
        made = self._world.interactions[interaction]
        return {"type": made.answered, "after": made.answered_after, "follow_ups": len(made.follow_ups)}

    # Faults and records

    async def fault(self, **fault: Any) -> None:
        self._server.faults.append(Fault(**fault))

    async def drop_gateway(self, how: str) -> None:
        await self._server.gateway.drop(how)

    async def refuse_handshakes(self, times: int) -> None:
        self._server.gateway.refuse_handshakes = times

    async def use_up_sessions(self, seconds: float) -> None:
        self._server.gateway.use_up(seconds)

    async def connected(self) -> int:
        return len(self._server.gateway.connected())

    async def presence(self) -> str:
        return self._server.gateway.presence

    async def sessions_begun(self) -> int:
        return self._server.gateway.begun

    async def calls(self) -> list[Json]:
        return self._server.calls_json()

    async def findings(self) -> list[str]:
        return self._world.findings

    async def unanswered(self) -> list[tuple[float, str]]:
        """Interactions without an answer: their times and descriptions."""
        acts = self._world.interactions.values()
        return [(act.made, str(act.data.get("custom_id", act.data))) for act in acts if act.answered is None]

    async def entry_point(self, name: str) -> None:
        """Discord's own command for an application with an activity."""
        command = {"type": shapes.ENTRY_POINT, "name": name, "description": "", "handler": 2}
        self._world.commands.append(shapes.command_json(self._world, command))

    async def registered(self) -> Json:
        return {"commands": self._world.commands, "emojis": list(self._world.emojis.values())}


def operation(control: Control) -> Callable[[web.Request], Awaitable[web.Response]]:
    """The route of the control side."""

    async def handle(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        method = getattr(control, name, None) if not name.startswith("_") else None
        if not inspect.iscoroutinefunction(method):
            return web.json_response({"error": f"no operation {name}"}, status=404)
        try:
            return web.json_response({"result": await method(**await request.json())})
        except Refusal as refusal:
            return web.json_response({"error": refusal.message}, status=refusal.status)

    return handle
